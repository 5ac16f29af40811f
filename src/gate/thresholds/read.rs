//! Reads `thresholds.toml`.

use super::{BaselineUse, Bound, Expired, ForProfile, Incomparable, Limit, Metric, Mode, Rule, Stale, Thresholds};
use crate::gate::modes::{Scope, Stated};
use crate::layer::LayerId;
use crate::problem::Place;
use crate::problem::near::did_you_mean;
use crate::suite::load::version;
use crate::suite::node::reader::shown;
use crate::suite::node::{Entry, Node, Reader, Shape, Value};
use std::sync::Arc;

/// The keys of `thresholds.toml`.
pub(crate) const THRESHOLDS: Shape = Shape {
    what: "thresholds.toml",
    keys: &[
        "version",
        "mode",
        "max_regressed",
        "max_unmeasured",
        "stale",
        "primary",
        "baseline",
        "incomparable",
        "expired",
        "main",
        "layer",
        "tag",
        "suite",
        "profile",
    ],
    reserved: &[],
};

/// The keys of a rule.
pub(crate) const RULE: Shape = Shape { what: "a threshold", keys: &["min", "max", "bound"], reserved: &[] };

/// The keys of a part that has a mode of its own.
pub(crate) const PART: Shape = Shape { what: "a section with a mode", keys: &["mode"], reserved: &[] };

/// The keys of the policy of a profile.
pub(crate) const FOR_PROFILE: Shape = Shape {
    what: "the policy of a profile",
    keys: &["mode", "max_regressed", "max_unmeasured", "stale", "expired"],
    reserved: &[],
};

const MODE: [(&str, Mode); 2] = [("block", Mode::Block), ("advisory", Mode::Advisory)];
const STALE: [(&str, Stale); 2] = [("block", Stale::Block), ("warn", Stale::Warn)];
const EXPIRED: [(&str, Expired); 3] = [("main", Expired::Main), ("block", Expired::Block), ("warn", Expired::Warn)];
const BASELINE: [(&str, BaselineUse); 2] = [("required", BaselineUse::Required), ("none", BaselineUse::None)];
const INCOMPARABLE: [(&str, Incomparable); 2] = [("block", Incomparable::Block), ("allow", Incomparable::Allow)];
const BOUND: [(&str, Bound); 2] = [("value", Bound::Value), ("lower", Bound::Lower)];

/// What only a judge can measure.
const JUDGED: [&str; 5] = ["faithfulness", "answer_relevancy", "context_precision", "context_recall", "rubric"];

/// The policy that a file states.
pub(super) fn root(reader: &Reader<'_>, root: &Node<'_>) -> Option<Thresholds> {
    let fields = reader.fields(root, &THRESHOLDS)?;
    version(reader, root);
    let mut t = Thresholds { source: Some(Arc::clone(reader.source())), ..Thresholds::default() };
    let place = |e: &Entry<'_>| Some(reader.place(e.key_span));
    for e in fields.entries {
        let (node, at) = (&e.value, place(e));
        match e.key.as_ref() {
            "mode" => set(&mut t.modes.all, at, reader.word(node, "`mode`", &MODE, &[])),
            "max_regressed" => set(&mut t.max_regressed, at, reader.integer(node, "`max_regressed`", 0, u64::MAX)),
            "max_unmeasured" => set(&mut t.max_unmeasured, at, reader.integer(node, "`max_unmeasured`", 0, u64::MAX)),
            "stale" => set(&mut t.stale, at, reader.word(node, "`stale`", &STALE, &[])),
            "primary" => set(&mut t.primary, at, Some(primary(reader, node))),
            "baseline" => set(&mut t.baseline, at, reader.word(node, "`baseline`", &BASELINE, &[])),
            "incomparable" => set(&mut t.incomparable, at, reader.word(node, "`incomparable`", &INCOMPARABLE, &[])),
            "expired" => set(&mut t.expired, at, reader.word(node, "`expired`", &EXPIRED, &[])),
            "main" => set(&mut t.main, at, Some(reader.strings(node, "`main`", "the name of a branch"))),
            "layer" => t.modes.stated.extend(layers(reader, node)),
            "tag" => t.modes.stated.extend(tags(reader, node)),
            "suite" => suites(reader, node, &mut t),
            "profile" => {
                t.profiles = tables(reader, node, "`profile`").iter().filter_map(|e| profile(reader, e)).collect();
            }
            // `version` was read, and unknown keys are recorded.
            _ => {}
        }
    }
    Some(t)
}

fn set<T>(limit: &mut Limit<T>, place: Option<Place>, value: Option<T>) {
    if let Some(value) = value {
        *limit = Limit { value, place };
    }
}

fn primary(reader: &Reader<'_>, node: &Node<'_>) -> Vec<LayerId> {
    let words = LayerId::ALL.map(|l| (l.name(), l));
    let mut layers = Vec::new();
    for item in reader.list(node, "`primary`").unwrap_or_default() {
        if let Some(layer) = reader.word(item, "a layer of `primary`", &words, &JUDGED) {
            if layers.contains(&layer) {
                reader.push(reader.error("duplicate-layer", item.span, format!("layer `{layer}` given twice")));
            }
            layers.push(layer);
        }
    }
    layers
}

/// `[suite.NAME]` with rules and a mode, and `[suite.NAME.tag.TAG]` with the same.
fn suites(reader: &Reader<'_>, node: &Node<'_>, t: &mut Thresholds) {
    for suite in tables(reader, node, "`suite`") {
        for e in tables(reader, &suite.value, "a suite's section") {
            match e.key.as_ref() {
                "tag" => {
                    for tag in tables(reader, &e.value, "`tag`") {
                        for e in tables(reader, &tag.value, "a tag's section") {
                            if e.key == "mode" {
                                let scope = Scope::TagOf(suite.key.clone().into_owned(), tag.key.clone().into_owned());
                                t.modes.stated.extend(stated(reader, scope, tag, &e.value));
                            } else {
                                t.rules.extend(rule(reader, suite, Some(tag), e));
                            }
                        }
                    }
                }
                "mode" => {
                    let scope = Scope::Suite(suite.key.clone().into_owned());
                    t.modes.stated.extend(stated(reader, scope, suite, &e.value));
                }
                _ => t.rules.extend(rule(reader, suite, None, e)),
            }
        }
    }
}

fn stated(reader: &Reader<'_>, scope: Scope, part: &Entry<'_>, mode: &Node<'_>) -> Option<Stated> {
    let mode = reader.word(mode, "`mode`", &MODE, &[])?;
    Some(Stated { scope, mode, place: reader.place(part.key_span) })
}

/// A section that states a mode and nothing else.
fn part(reader: &Reader<'_>, scope: Scope, e: &Entry<'_>) -> Option<Stated> {
    let fields = reader.fields(&e.value, &PART)?;
    match fields.get("mode") {
        Some(mode) => stated(reader, scope, e, mode),
        None => {
            let title = format!("the section of `{}` states no `mode`", shown(&e.key));
            reader.push(reader.error("mode-missing", e.key_span, title).help("write mode = \"advisory\" or \"block\""));
            None
        }
    }
}

/// `[layer.LAYER]`.
fn layers(reader: &Reader<'_>, node: &Node<'_>) -> Vec<Stated> {
    let each = tables(reader, node, "`layer`").iter().filter_map(|e| {
        let Some(layer) = LayerId::parse(&e.key) else {
            let names = LayerId::ALL.map(LayerId::name);
            let help = if JUDGED.contains(&e.key.as_ref()) {
                "it needs a judge, which is not yet supported".to_owned()
            } else {
                did_you_mean(&e.key, names).map_or_else(
                    || format!("the layers are {}", names.join(", ")),
                    |near| format!("did you mean `{near}`?"),
                )
            };
            let title = format!("there is no layer `{}`", shown(&e.key));
            reader.push(reader.error("layer-unknown", e.key_span, title).help(help));
            return None;
        };
        part(reader, Scope::Layer(layer), e)
    });
    each.collect()
}

/// `[tag.TAG]`.
fn tags(reader: &Reader<'_>, node: &Node<'_>) -> Vec<Stated> {
    let each = tables(reader, node, "`tag`").iter();
    each.filter_map(|e| part(reader, Scope::Tag(e.key.clone().into_owned()), e)).collect()
}

/// `[profile.NAME]`.
fn profile(reader: &Reader<'_>, e: &Entry<'_>) -> Option<ForProfile> {
    let fields = reader.fields(&e.value, &FOR_PROFILE)?;
    let mut given = ForProfile {
        name: e.key.clone().into_owned(),
        place: reader.place(e.key_span),
        mode: None,
        max_regressed: None,
        max_unmeasured: None,
        stale: None,
        expired: None,
    };
    for e in fields.entries {
        let (node, place) = (&e.value, Some(reader.place(e.key_span)));
        match e.key.as_ref() {
            "mode" => given.mode = limit(place, reader.word(node, "`mode`", &MODE, &[])),
            "max_regressed" => {
                given.max_regressed = limit(place, reader.integer(node, "`max_regressed`", 0, u64::MAX));
            }
            "max_unmeasured" => {
                given.max_unmeasured = limit(place, reader.integer(node, "`max_unmeasured`", 0, u64::MAX));
            }
            "stale" => given.stale = limit(place, reader.word(node, "`stale`", &STALE, &[])),
            "expired" => given.expired = limit(place, reader.word(node, "`expired`", &EXPIRED, &[])),
            // Unknown keys are recorded.
            _ => {}
        }
    }
    Some(given)
}

fn limit<T>(place: Option<Place>, value: Option<T>) -> Option<Limit<T>> {
    value.map(|value| Limit { value, place })
}

fn tables<'n, 'a>(reader: &Reader<'a>, node: &'n Node<'a>, what: &str) -> &'n [Entry<'a>] {
    match &node.value {
        Value::Map(entries) => entries,
        Value::Scalar(..) | Value::List(_) => {
            let title = format!("{what} is {}, expected a section such as [suite.NAME]", node.kind());
            reader.push(reader.error("expected-map", node.span, title));
            &[]
        }
    }
}

fn rule(reader: &Reader<'_>, suite: &Entry<'_>, tag: Option<&Entry<'_>>, e: &Entry<'_>) -> Option<Rule> {
    let metric = metric(reader, e)?;
    let (mut min, mut max, mut bound) = (None, None, Bound::default());
    let number = |node: &Node<'_>, what| {
        let n = reader.number(node, what)?;
        if (0.0..=1.0).contains(&n) {
            return Some(n);
        }
        let title = format!("{what} is {n}, expected a number from 0 to 1");
        reader.push(reader.error("threshold-range", node.span, title));
        None
    };
    match &e.value.value {
        Value::Map(_) => {
            let fields = reader.fields(&e.value, &RULE)?;
            min = fields.get("min").map(|n| number(n, "`min`"));
            max = fields.get("max").map(|n| number(n, "`max`"));
            if let Some(b) = fields.get("bound") {
                bound = reader.word(b, "`bound`", &BOUND, &[])?;
            }
            if min.is_none() && max.is_none() {
                let title = format!("the threshold `{}` states neither `min` nor `max`", shown(&e.key));
                reader.push(reader.error("threshold-empty", e.key_span, title).help("write { min = 0.8 }"));
                return None;
            }
        }
        // The short form is the limit on the bad side.
        Value::Scalar(..) | Value::List(_) => {
            let limit = Some(number(&e.value, "the threshold"));
            match metric {
                Metric::FalseRefusalRate => max = limit,
                Metric::Rate(_)
                | Metric::Hit(_)
                | Metric::Precision(_)
                | Metric::Recall(_)
                | Metric::Ndcg(_)
                | Metric::ReciprocalRank
                | Metric::AveragePrecision
                | Metric::RefusalRecall => min = limit,
            }
        }
    }
    // A limit that could not be read has been recorded.
    let (min, max) = match (min, max) {
        (Some(None), _) | (_, Some(None)) => return None,
        (min, max) => (min.flatten(), max.flatten()),
    };
    if let (Some(low), Some(high)) = (min, max)
        && low > high
    {
        let title = format!("`min` {low} is above `max` {high}: no value holds");
        reader.push(reader.error("threshold-range", e.key_span, title));
    }
    Some(Rule {
        suite: suite.key.clone().into_owned(),
        tag: tag.map(|t| t.key.clone().into_owned()),
        metric,
        min,
        max,
        bound,
        place: reader.place(e.key_span),
        suite_place: reader.place(suite.key_span),
        tag_place: tag.map(|t| reader.place(t.key_span)),
    })
}

/// The metric that a key names; recorded when nothing computes it.
fn metric(reader: &Reader<'_>, e: &Entry<'_>) -> Option<Metric> {
    let metric = Metric::parse(&e.key);
    if metric.is_some() {
        return metric;
    }
    let name = shown(&e.key);
    let base = e.key.split('.').next().unwrap_or_default();
    let judged = JUDGED.iter().find(|j| **j == base || e.key == **j);
    // A dotted key without quotes is a table in TOML.
    let unquoted = LayerId::parse(&e.key).filter(|_| matches!(e.value.value, Value::Map(_)));
    let (code, title, help) = if let Some(judged) = judged {
        (
            "threshold-not-measured",
            format!("`{judged}` cannot be measured in this run: no judge"),
            "remove the threshold; a judge is not yet supported".to_owned(),
        )
    } else if let Some(layer) = unquoted {
        (
            "threshold-metric-unknown",
            format!("`{layer}` is not a metric"),
            format!("quote the whole name: \"{layer}.rate\" = {{ min = 0.8 }}"),
        )
    } else {
        let help = match nearest_metric(&e.key) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the metrics are {}; K is a cut-off such as 3", Metric::NAMES.join(", ")),
        };
        ("threshold-metric-unknown", format!("nothing computes a metric `{name}`"), help)
    };
    reader.push(reader.error(code, e.key_span, title).help(help));
    None
}

/// The nearest name, with the cut-off that was written.
fn nearest_metric(name: &str) -> Option<String> {
    let (base, k) = name.split_once('@').map_or((name, None), |(b, k)| (b, Some(k)));
    let bases: Vec<&str> = Metric::NAMES.iter().map(|n| n.trim_end_matches("@K")).collect();
    let near = did_you_mean(base, bases)?;
    let wants_k = Metric::NAMES.iter().any(|n| n.strip_suffix("@K") == Some(near));
    let digits = k.filter(|k| !k.is_empty() && !k.starts_with('0') && k.bytes().all(|b| b.is_ascii_digit()));
    Some(if wants_k { format!("{near}@{}", digits.unwrap_or("3")) } else { near.to_owned() })
}
