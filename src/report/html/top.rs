//! The front of the page: the decision in words, what made it, what to do next, the layers.

use super::page::Page;
use super::sums::{heads, scroll};
use crate::core::RunHeader;
use crate::gate::{Decision, Exit, LayerSummary, RuleVerdict, SuiteSummary};
use crate::layer::LayerId;
use crate::problem::Place;
use crate::report::gather::Gathered;
use crate::report::{clean, cut, markdown, measure, terminal};

/// Code points of a message.
const MESSAGE: usize = 1_000;

/// So many rules are told one by one.
const RULES: usize = 200;

/// The first words of the page: also its title.
pub(super) fn headline(run: &Gathered, d: &Decision) -> String {
    terminal::word(d.exit, terminal::no_baseline(run)).to_owned()
}

/// What the report is of: its title, or its suites.
pub(super) fn subject(title: Option<&str>, header: &RunHeader) -> String {
    let suites = || header.suites.iter().map(|s| s.name.to_string()).collect::<Vec<_>>().join(", ");
    clean::terminal(&cut::chars(&title.map_or_else(suites, str::to_owned), 300)).into_owned()
}

/// The decision with what made it, the counts, what to type.
pub(super) fn decision(p: &mut Page, run: &Gathered, d: &Decision, title: Option<&str>) {
    let tone = match d.exit {
        Exit::Open if d.exit_if_blocking == Exit::Open => "good",
        Exit::Open | Exit::Incomplete => "warn",
        Exit::Closed | Exit::Usage | Exit::NothingSelected | Exit::ReportNotWritten => "bad",
    };
    p.inside("h1", &[], |p| {
        p.leaf("span", &[("class", tone)], &headline(run, d));
        p.leaf("span", &[("class", "of")], &format!(" {}", subject(title, &run.header)));
        p.leaf("span", &[("class", "exit")], &format!(" exit {}", d.exit.code()));
    });
    for notice in markdown::notices(run, d) {
        p.leaf("p", &[("class", "notice")], &cut::chars(&notice, MESSAGE));
    }
    rules(p, d);
    counts(p, d);
    about(p, &run.header, d);
    for notice in &d.notices {
        p.leaf("p", &[], &cut::chars(notice, MESSAGE));
    }
    next(p, run, d);
}

fn rules(p: &mut Page, d: &Decision) {
    let broken: Vec<_> =
        d.rules.iter().filter(|r| matches!(r.verdict, RuleVerdict::Broken(_) | RuleVerdict::Advised(_))).collect();
    if broken.is_empty() {
        return;
    }
    p.inside("ul", &[("class", "rules")], |p| {
        for r in broken.iter().take(RULES) {
            p.inside("li", &[], |p| {
                if matches!(r.verdict, RuleVerdict::Advised(_)) && !d.advisory {
                    p.text("would have blocked, and only advises: ");
                }
                p.text(&clean::terminal(&cut::chars(&r.message, MESSAGE)));
                p.text(" ");
                r.place.iter().for_each(|at| place(p, at));
            });
        }
        if broken.len() > RULES {
            p.leaf("li", &[], &format!("and {} more", cut::count(broken.len() - RULES)));
        }
    });
}

fn place(p: &mut Page, at: &Place) {
    p.leaf("span", &[("class", "dim")], &clean::terminal(&cut::chars(&at.to_string(), 300)));
}

/// The questions by what changed; each count leads to them.
fn counts(p: &mut Page, d: &Decision) {
    let tally = terminal::tallied(d);
    if tally.is_empty() {
        return;
    }
    p.inside("ul", &[("class", "counts"), ("aria-label", "Questions by change")], |p| {
        for (change, n) in tally {
            p.inside("li", &[], |p| {
                let href = format!("#change={}", change.name());
                p.leaf("a", &[("href", &href)], &terminal::counted(change, n));
            });
        }
    });
}

fn about(p: &mut Page, header: &RunHeader, d: &Decision) {
    p.inside("ul", &[("class", "about")], |p| {
        for s in &header.suites {
            p.inside("li", &[], |p| {
                p.leaf("b", &[], &clean::terminal(&s.name));
                p.text(&format!(" {} · {}", terminal::about(s, d).join(" · "), terminal::baseline(&s.baseline)));
            });
        }
        if let Some(profile) = &header.profile {
            p.leaf("li", &[], &format!("profile {}", clean::terminal(profile)));
        }
        if let Some(from) = &header.policy_from {
            p.leaf("li", &[], &measure::decided_by(from));
        }
    });
    let changes = &header.measure_changes;
    if !changes.is_empty() {
        p.leaf("p", &[("class", "notice")], &measure::headline(changes));
        p.inside("ul", &[], |p| {
            for change in changes {
                p.inside("li", &[], |p| {
                    p.text(&format!("{}: {} ", change.kind.name(), cut::chars(&change.what, MESSAGE)));
                    change.place.iter().for_each(|at| place(p, at));
                });
            }
        });
    }
}

/// What to type next, the same lines as on the terminal.
fn next(p: &mut Page, run: &Gathered, d: &Decision) {
    let steps = terminal::steps(run, d);
    if steps.is_empty() {
        return;
    }
    p.leaf("h2", &[], "What to do next");
    p.inside("dl", &[("class", "next")], |p| {
        for (label, line) in steps {
            p.inside("div", &[], |p| {
                p.leaf("dt", &[], label);
                p.inside("dd", &[], |p| p.leaf("code", &[], &line));
            });
        }
    });
}

/// The layers of each suite, with their intervals and what chance alone would give.
pub(super) fn layers(p: &mut Page, d: &Decision) {
    let told: Vec<&SuiteSummary> = d.suites.iter().filter(|s| s.layers.iter().any(markdown::counted)).collect();
    if told.is_empty() {
        return;
    }
    p.leaf("h2", &[], "Layers");
    for s in told {
        let name = clean::terminal(&cut::chars(&s.suite, 200)).into_owned();
        scroll(p, &format!("Layers of {name}"), |p| table(p, s, &name));
        let retrieval = s.layers.iter().find(|l| l.layer == LayerId::Retrieval);
        let means = retrieval.map(|l| terminal::telling(&l.means)).unwrap_or_default();
        if !means.is_empty() {
            let n = terminal::same_n(&means);
            let mut said: Vec<String> = means.iter().map(|m| terminal::mean(m, n.is_some())).collect();
            said.extend(n.map(|n| format!("n {n}")));
            p.leaf("p", &[], &format!("Means: {}", said.join(" · ")));
        }
        if let Some(r) = &s.refusals {
            let said: Vec<String> = r.told().iter().map(|(what, share)| terminal::share_of(what, share)).collect();
            p.leaf("p", &[], &format!("Refusals: {}", said.join(" · ")));
        }
    }
}

fn table(p: &mut Page, s: &SuiteSummary, name: &str) {
    let layers: Vec<&LayerSummary> = s.layers.iter().filter(|l| markdown::counted(l)).collect();
    let rows: Vec<[String; markdown::COLUMNS.len()]> = layers.iter().map(|l| markdown::layer_row(l)).collect();
    let shown: Vec<usize> = (0..markdown::COLUMNS.len())
        .filter(|c| rows.iter().any(|r| r.get(*c).is_some_and(|t| !t.is_empty())))
        .collect();
    p.inside("table", &[("class", "layers")], |p| {
        p.leaf("caption", &[], name);
        let mut names: Vec<&str> =
            shown.iter().filter_map(|c| markdown::COLUMNS.get(*c).map(|(head, _)| *head)).collect();
        names.push("Share from 0 to 1");
        heads(p, &names);
        p.inside("tbody", &[], |p| {
            for (l, row) in layers.iter().zip(&rows) {
                p.inside("tr", &[], |p| {
                    for c in &shown {
                        let text = row.get(*c).map_or("", String::as_str);
                        if *c == 0 { p.leaf("th", &[("scope", "row")], text) } else { p.leaf("td", &[], text) }
                    }
                    p.inside("td", &[], |p| plot(p, l));
                });
            }
        });
    });
}

/// Width of the plot of a share, in units of its drawing.
const WIDE: f64 = 160.0;

/// The share with its interval, and where a random ranking would be. The figures stand beside it.
fn plot(p: &mut Page, l: &LayerSummary) {
    let n = l.pass + l.fail;
    let Some((low, high)) = l.interval.filter(|_| n > 0) else { return };
    let share = l.pass as f64 / n as f64;
    let at = |value: f64| format!("{:.1}", 4.0 + value.clamp(0.0, 1.0) * (WIDE - 8.0));
    let box_ = format!("0 0 {WIDE} 20");
    p.inside("svg", &[("viewBox", &box_), ("width", "160"), ("height", "20"), ("aria-hidden", "true")], |p| {
        let mut line = |class: &str, from: f64, to: f64, top: &str, bottom: &str| {
            let (x1, x2) = (at(from), at(to));
            p.inside("line", &[("class", class), ("x1", &x1), ("x2", &x2), ("y1", top), ("y2", bottom)], |_| {});
        };
        line("axis", 0.0, 1.0, "10", "10");
        line("interval", low, high, "10", "10");
        if let Some(random) = l.random {
            line("random", random, random, "3", "17");
        }
        p.inside("circle", &[("cx", &at(share)), ("cy", "10"), ("r", "4")], |_| {});
    });
}

/// What neither a green nor a red run says anything about, the gate's own error among it.
pub(super) fn unseen(p: &mut Page, header: &RunHeader, d: &Decision) {
    let lines = markdown::unseen_by(header, d);
    if lines.is_empty() {
        return;
    }
    p.leaf("h2", &[], "What this run cannot see");
    p.inside("ul", &[], |p| {
        lines.iter().for_each(|line| p.leaf("li", &[], &clean::terminal(&cut::chars(line, MESSAGE))));
    });
}
