//! What suites can see, for people and for programs.

use super::clean;
use super::figures::{lay_out, paragraph};
use crate::layer::LayerId;
use crate::power::{self, Assumed, Sight};
use serde_json::{Value, json};

/// A table, and in a sentence what each suite cannot see.
pub fn text(sights: &[Sight], assumed: Assumed, width: usize) -> String {
    let varied = format!("{} % vary", plain(assumed.discordant * 100.0));
    let other = assumed.rate.map(|r| format!("other questions at {}", plain(r * 100.0)));
    let head = ["", "questions", "one is", "fall", "fall or rise", &varied, "groups", "by groups"];
    let mut head: Vec<String> = head.map(str::to_owned).to_vec();
    head.extend(other);
    let mut table = vec![head];
    for s in sights {
        let points = |fall: Option<f64>| fall.map_or_else(|| "none".to_owned(), points);
        let shared = s.sample.groups < s.sample.questions;
        let mut row = vec![
            name(s),
            s.sample.questions.to_string(),
            points((s.sample.questions > 0).then(|| 1.0 / s.sample.questions as f64)),
            points(s.fall),
            points(s.change),
            points(s.varied),
            if shared { s.sample.groups.to_string() } else { String::new() },
            if shared { points(s.grouped) } else { String::new() },
        ];
        row.extend(assumed.rate.map(|_| points(s.unpaired)));
        table.push(row);
    }
    let title = "The smallest difference that two runs show four times of five, in points of a hundred";
    let mut out = paragraph(title, width);
    out.push('\n');
    out.push_str(&lay_out(&table, width));
    out.push('\n');
    let mut legend = format!(
        "fall: by a one-sided test, if nothing else changes. fall or rise: by a two-sided test. {varied}: the same where that \
         share of the questions comes out differently in two runs of an untouched system."
    );
    if sights.iter().any(|s| s.sample.groups < s.sample.questions) {
        legend.push_str(" by groups: that, with each group counted as one question.");
    }
    if assumed.rate.is_some() {
        legend.push_str(" other questions: two runs that do not ask the same.");
    }
    out.push_str(&paragraph(&legend, width));
    for s in sights.iter().filter(|s| s.sample.layer.is_none()) {
        let Some(sentence) = power::sentence(s.sample.questions) else { continue };
        let suite = s.sample.suite.as_ref().map(|n| format!("{}: ", clean::terminal(n))).unwrap_or_default();
        out.push_str(&paragraph(&format!("{suite}{sentence}"), width));
    }
    if let Some(fall) = assumed.fall {
        let (alone, varied) = power::needed(fall, assumed);
        let count = |n: Option<usize>| n.map_or_else(|| "no number of".to_owned(), |n| n.to_string());
        let said = format!(
            "A fall of {} points is shown by {} questions if nothing else changes, and by {} where {} % vary.",
            plain(fall * 100.0),
            count(alone),
            count(varied),
            plain(assumed.discordant * 100.0)
        );
        out.push_str(&paragraph(&said, width));
    }
    out
}

/// `shop-vi`, `shop-vi retrieval`.
fn name(s: &Sight) -> String {
    let suite = s.sample.suite.as_ref().map(|n| clean::terminal(n).into_owned()).unwrap_or_default();
    let layer = s.sample.layer.map(LayerId::name).unwrap_or_default();
    format!("{suite} {layer}").trim().to_owned()
}

/// One digit behind the point.
fn points(share: f64) -> String {
    format!("{:.1}", share * 100.0)
}

/// As few digits as there are.
fn plain(value: f64) -> String {
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// The same as one JSON object; shares, not points.
pub fn json(sights: &[Sight], assumed: Assumed) -> Value {
    let sight = |s: &Sight| {
        json!({
            "suite": s.sample.suite, "layer": s.sample.layer.map(LayerId::name), "questions": s.sample.questions,
            "groups": s.sample.groups, "fall": s.fall, "change": s.change, "varied": s.varied, "grouped": s.grouped,
            "unpaired": s.unpaired, "sentence": power::sentence(s.sample.questions),
        })
    };
    let needed = assumed.fall.map(|fall| {
        let (alone, varied) = power::needed(fall, assumed);
        json!({ "fall": fall, "alone": alone, "varied": varied })
    });
    json!({
        "discordant": assumed.discordant, "rate": assumed.rate, "alpha": 0.05, "power": 0.8,
        "samples": sights.iter().map(sight).collect::<Vec<_>>(), "needed": needed,
    })
}
