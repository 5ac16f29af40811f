//! Binds a policy to the suites and profiles of a project: what cannot bind never seems to hold.

use super::{CUT_OFFS, Rule, Thresholds};
use crate::gate::modes::Scope;
use crate::problem::near::did_you_mean;
use crate::problem::{Place, Problem, Problems};
use crate::suite::Suite;
use crate::suite::node::reader::shown;

impl Thresholds {
    /// Binds the policy to the suites of a project, selected or not, and to the names of its profiles: a suite, a tag, a
    /// cut-off or a profile that does not exist is an error.
    pub fn bind<'p>(&self, suites: &[Suite], profiles: impl IntoIterator<Item = &'p str>) -> Problems {
        let mut binder = Binder { policy: self, suites, problems: Vec::new(), reported: Vec::new() };
        for rule in &self.rules {
            let suite = binder.suite(&rule.suite, &rule.suite_place);
            let Some(suite) = suite else { continue };
            if let (Some(tag), Some(place)) = (&rule.tag, &rule.tag_place) {
                binder.tag(tag, Some(suite), place);
            }
            binder.cut_off(rule, suite);
        }
        for stated in &self.modes.stated {
            match &stated.scope {
                Scope::Layer(_) => {}
                Scope::Suite(name) => drop(binder.suite(name, &stated.place)),
                Scope::Tag(tag) => binder.tag(tag, None, &stated.place),
                // Its suite has been looked for, where the section of the suite states anything else.
                Scope::TagOf(name, tag) => {
                    if let Some(suite) = binder.suite(name, &stated.place) {
                        binder.tag(tag, Some(suite), &stated.place);
                    }
                }
            }
        }
        let profiles: Vec<&str> = profiles.into_iter().collect();
        for given in self.profiles.iter().filter(|p| !profiles.contains(&p.name.as_str())) {
            let title = format!("ragline.toml has no profile `{}`, so this would never hold", shown(&given.name));
            let help = help_of(&given.name, &profiles, "ragline.toml has no profiles", "the profiles are");
            binder.refuse(&given.place, "threshold-profile-unknown", title, &given.name, help);
        }
        Problems(binder.problems)
    }
}

/// `did you mean …?`, or all that there are.
fn help_of(name: &str, known: &[&str], none: &str, all: &str) -> String {
    match did_you_mean(name, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if known.is_empty() => none.to_owned(),
        None => format!("{all} {}", known.iter().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", ")),
    }
}

struct Binder<'a> {
    policy: &'a Thresholds,
    suites: &'a [Suite],
    problems: Vec<Problem>,
    /// Several rules of one section would report the same name again.
    reported: Vec<Place>,
}

impl<'a> Binder<'a> {
    fn refuse(&mut self, place: &Place, code: &'static str, title: String, width: &str, help: String) {
        if self.reported.contains(place) {
            return;
        }
        self.reported.push(place.clone());
        let mut p = Problem::error(code, place.clone(), title).label("", width.chars().count()).help(help);
        if let Some(source) = &self.policy.source {
            p = p.source(source);
        }
        self.problems.push(p);
    }

    fn suite(&mut self, name: &str, place: &Place) -> Option<&'a Suite> {
        let found = self.suites.iter().find(|s| *s.name == *name);
        if found.is_none() {
            let known: Vec<&str> = self.suites.iter().map(|s| &*s.name).collect();
            let help = help_of(name, &known, "there are no suites", "the suites are");
            let title = format!("there is no suite `{}`, so this threshold would always hold", shown(name));
            self.refuse(place, "threshold-suite-unknown", title, name, help);
        }
        found
    }

    /// A tag of one suite, or of any.
    fn tag(&mut self, tag: &str, of: Option<&'a Suite>, place: &Place) {
        let suites = of.map_or(self.suites, std::slice::from_ref);
        let mut tags: Vec<&str> =
            suites.iter().flat_map(|s| &s.questions).flat_map(|q| q.tags.iter().map(String::as_str)).collect();
        if tags.contains(&tag) {
            return;
        }
        tags.sort_unstable();
        tags.dedup();
        let whose = of.map_or_else(|| "any suite".to_owned(), |s| format!("suite `{}`", s.name));
        let none = if of.is_some() { "this suite has no tags" } else { "no suite has tags" };
        let help = help_of(tag, &tags, none, "the tags are");
        let title = format!("no question of {whose} has the tag `{}`", shown(tag));
        self.refuse(place, "threshold-tag-unknown", title, tag, help);
    }

    fn cut_off(&mut self, rule: &Rule, suite: &Suite) {
        let Some(k) = rule.metric.cut_off() else { return };
        let given = suite.questions.iter().filter_map(|q| q.top_k).chain(suite.top_k);
        let mut known: Vec<usize> = given.chain(CUT_OFFS).collect();
        known.sort_unstable();
        known.dedup();
        if known.contains(&k) {
            return;
        }
        let all = known.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let title = format!("nothing computes `{}` for suite `{}`", rule.metric, rule.suite);
        let help = format!("the cut-offs are {all}: 1, 3, 5, 10 and every `top_k`");
        self.refuse(&rule.place, "threshold-cut-off", title, &rule.metric.to_string(), help);
    }
}
