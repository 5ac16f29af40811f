//! What a run asks, in a form that can be compared: a run may be resumed only by one that asks the same.

use crate::confirm::Spend;
use crate::core::plan::Plan;
use crate::digest::Hasher;
use serde::{Deserialize, Serialize};

/// What a run asks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fingerprint {
    /// A digest over all that follows, in hexadecimal digits.
    pub fingerprint: String,
    /// The day of the run.
    pub today: String,
    /// `2/7`, where the run asks one share of the questions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<String>,
    /// Each suite, so that what differs can be said.
    pub suites: Vec<SuitePrint>,
}

/// The same of one suite.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SuitePrint {
    /// Its name.
    pub suite: String,
    /// What is asked.
    pub target: String,
    /// The identity of what is tested, where known.
    pub subject: Option<String>,
    /// The rules and packs.
    pub measure: String,
    /// How many questions are selected.
    pub questions: usize,
    /// A digest of their ids and of what each expects.
    pub expects: String,
}

impl Fingerprint {
    /// That of a plan. Paths are no part of it.
    pub fn of(plan: &Plan) -> Fingerprint {
        let shard = plan.shard.map(|s| format!("{}/{}", s.index, s.of));
        Fingerprint::new(plan, plan.suites.iter().map(|s| s.selected.as_slice()), shard)
    }

    /// That of all shards together of which the plan is one: what is selected, by suite of the plan.
    pub fn of_all(plan: &Plan, selected: &[Vec<bool>]) -> Fingerprint {
        Fingerprint::new(plan, selected.iter().map(Vec::as_slice), None)
    }

    fn new<'a>(plan: &Plan, selected: impl Iterator<Item = &'a [bool]>, shard: Option<String>) -> Fingerprint {
        let suites: Vec<SuitePrint> = plan
            .suites
            .iter()
            .zip(selected)
            .map(|(s, selected)| {
                let mut h = Hasher::default();
                let each = s.suite.questions.iter().zip(&s.expects).zip(selected);
                for ((q, expects), _) in each.filter(|(_, selected)| **selected) {
                    h.field(q.id.as_str());
                    h.field(expects);
                    h.field(if q.draft { "draft" } else { "asked" });
                }
                SuitePrint {
                    suite: s.suite.name.to_string(),
                    target: s.target.name.clone(),
                    subject: s.target.subject.clone(),
                    measure: s.measure.clone(),
                    questions: selected.iter().filter(|x| **x).count(),
                    expects: h.short(),
                }
            })
            .collect();
        let today = plan.today.to_string();
        let mut h = Hasher::default();
        h.field(&today);
        if let Some(shard) = &shard {
            h.field("shard");
            h.field(shard);
        }
        if plan.repeat > 1 || !plan.confirm {
            h.field("runs");
            h.field(&plan.repeat.to_string());
            h.field(if plan.confirm { "confirmed" } else { "single" });
        }
        if plan.spend != Spend::default() {
            h.field("spend");
            h.field(&plan.spend.most.to_string());
            h.field(&plan.spend.budget.map_or_else(String::new, |b| b.to_string()));
        }
        for suite in plan.suites.iter().filter_map(|s| s.beside.as_ref()) {
            h.field("beside");
            h.field(suite);
        }
        for SuitePrint { suite, target, subject, measure, questions, expects } in &suites {
            for field in [suite, target, subject.as_deref().unwrap_or("\0"), measure, &questions.to_string(), expects] {
                h.field(field);
            }
        }
        Fingerprint { fingerprint: h.short(), today, shard, suites }
    }

    /// What is other `now` than in this one, in words; none when they are the same.
    pub fn differs(&self, now: &Fingerprint) -> Option<String> {
        if self.fingerprint == now.fingerprint {
            return None;
        }
        let mut said = Vec::new();
        if self.shard != now.shard {
            let name = |shard: &Option<String>| shard.as_ref().map_or("no shard".to_owned(), |s| format!("shard {s}"));
            said.push(format!("it is {}, this one is {}", name(&self.shard), name(&now.shard)));
        }
        if self.today != now.today {
            said.push(format!("its day is {}, this one's {} (--today {})", self.today, now.today, self.today));
        }
        for was in &self.suites {
            let Some(is) = now.suites.iter().find(|s| s.suite == was.suite) else {
                said.push(format!("it asks suite `{}`, this one does not", was.suite));
                continue;
            };
            said.extend(differences(was, is));
        }
        for is in &now.suites {
            if !self.suites.iter().any(|s| s.suite == is.suite) {
                said.push(format!("it does not ask suite `{}`, this one does", is.suite));
            }
        }
        if said.is_empty() {
            said.push("it was started by another version of ragline".to_owned());
        }
        Some(said.join("; "))
    }
}

fn differences(was: &SuitePrint, is: &SuitePrint) -> Vec<String> {
    let mut said = Vec::new();
    let mut compare = |what: &str, a: &str, b: &str| {
        if a != b {
            said.push(format!("{what} of `{}` was {a}, is {b}", was.suite));
        }
    };
    let unknown = "not known";
    compare("the target", &was.target, &is.target);
    compare(
        "the tested system (subject)",
        was.subject.as_deref().unwrap_or(unknown),
        is.subject.as_deref().unwrap_or(unknown),
    );
    compare("the measure", &was.measure, &is.measure);
    compare("the number of selected questions", &was.questions.to_string(), &is.questions.to_string());
    if was.questions == is.questions && was.expects != is.expects {
        said.push(format!("other questions of `{}` are selected, or what they expect was edited", was.suite));
    }
    said
}
