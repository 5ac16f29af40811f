//! What the record of a shard says of the whole, so that only shards of one run are put together.

use super::Share;
use crate::core::plan::{Plan, SuitePlan, TargetFacts, Unasked};
use crate::digest::Hasher;
use crate::drive::fingerprint::Fingerprint;
use crate::drive::session::Options;
use crate::layer::Provides;
use crate::layer::retrieval::random::Holdings;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The part of `run.json` that only a shard has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShardRecord {
    /// Which shard, from 1.
    pub index: u32,
    /// How many there are.
    pub of: u32,
    /// The version of the program.
    pub ragline: String,
    /// The digest of the durations by which the shares were balanced.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub durations: Option<String>,
    /// What all shards together ask.
    pub whole: Fingerprint,
    /// The words of the command that its reports repeat.
    pub words: Words,
    /// Digests of the files that decide what is made of an answer: suites, baselines, accepted answers, labels, policy,
    /// corpora, and what is masked.
    pub inputs: BTreeMap<String, String>,
    /// What was asked, by suite.
    pub targets: BTreeMap<String, TargetLine>,
    /// The ids of this share, by suite, drafts among them.
    pub questions: BTreeMap<String, Vec<String>>,
    /// Those of them that were not asked for want of a key, by suite.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub unasked: BTreeMap<String, UnaskedLine>,
}

/// Words of a command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Words {
    /// `--profile`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile: Option<String>,
    /// `--target`, where no file of answers stands for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// `--policy-from`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub policy_from: Option<String>,
    /// `--base`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<String>,
    /// How often every question is asked.
    #[serde(default)]
    pub runs: u32,
    /// Whether a question that comes out otherwise than accepted is asked anew.
    #[serde(default)]
    pub confirm: bool,
    /// How many fresh runs a question has at most, and all together.
    #[serde(default)]
    pub most: u32,
    /// The second of the two.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<u32>,
    /// `--expect-fixed`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub expect_fixed: Vec<String>,
    /// `--expect-by`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expect_by: Option<String>,
    /// The words that repeat the run on other questions.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub repeat: String,
}

/// What is known of a target.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TargetLine {
    /// Its name.
    pub name: String,
    /// `answer`, `contexts`, `citations`: what it is said to return.
    pub provides: Vec<String>,
    /// The identity of what is tested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// How many passages its index holds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passages: Option<usize>,
    /// Which passages those are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub holdings: Option<Holdings>,
    /// Whether it can be asked anew.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub asked_anew: bool,
    /// The target that is asked beside it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beside: Option<String>,
}

/// Questions that could not be asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnaskedLine {
    /// The variables that are not there.
    pub variables: Vec<String>,
    /// Their ids.
    pub ids: Vec<String>,
}

impl TargetLine {
    fn of(suite: &SuitePlan) -> TargetLine {
        let facts = &suite.target;
        let Provides { answer, contexts, citations } = facts.provides;
        let provides = [(answer, "answer"), (contexts, "contexts"), (citations, "citations")];
        TargetLine {
            name: facts.name.clone(),
            provides: provides.into_iter().filter(|(does, _)| *does).map(|(_, name)| name.to_owned()).collect(),
            subject: facts.subject.clone(),
            passages: facts.passages,
            holdings: facts.holdings.as_deref().cloned(),
            asked_anew: facts.asked_anew,
            beside: suite.beside.clone(),
        }
    }

    /// The same as the core knows it.
    pub fn facts(&self) -> TargetFacts {
        let has = |name: &str| self.provides.iter().any(|p| p == name);
        TargetFacts {
            name: self.name.clone(),
            provides: Provides { answer: has("answer"), contexts: has("contexts"), citations: has("citations") },
            subject: self.subject.clone(),
            passages: self.passages,
            holdings: self.holdings.clone().map(Arc::new),
            asked_anew: self.asked_anew,
        }
    }
}

impl ShardRecord {
    /// The record of a plan that asks `share` of what is selected in `whole`, by suite of the plan.
    pub(in crate::drive) fn of(
        options: &Options,
        plan: &Plan,
        share: &Share,
        whole: &[Vec<bool>],
        inputs: BTreeMap<String, String>,
    ) -> ShardRecord {
        let chosen = |ids: &[crate::suite::Question], which: &[bool]| -> Vec<String> {
            ids.iter().zip(which).filter(|(_, w)| **w).map(|(q, _)| q.id.to_string()).collect()
        };
        let by_suite = |s: &crate::core::plan::SuitePlan| s.suite.name.to_string();
        let unasked = plan.suites.iter().filter_map(|s| {
            let Unasked { variables, questions } = s.unasked.as_ref()?;
            let line = UnaskedLine { variables: variables.clone(), ids: chosen(&s.suite.questions, questions) };
            Some((by_suite(s), line))
        });
        ShardRecord {
            index: share.index,
            of: share.of,
            ragline: crate::VERSION.to_owned(),
            durations: share.durations.as_ref().map(super::durations::Durations::digest),
            whole: Fingerprint::of_all(plan, whole),
            words: Words {
                profile: plan.profile.clone(),
                target: plan.other_target.clone(),
                policy_from: options.policy_from.clone(),
                base: options.base.clone(),
                runs: plan.repeat,
                confirm: plan.confirm,
                most: plan.spend.most,
                budget: plan.spend.budget,
                expect_fixed: options.expect_fixed.clone(),
                expect_by: options.expect_by.map(|by| by.name().to_owned()),
                repeat: plan.repeat_args.clone(),
            },
            inputs,
            targets: plan.suites.iter().map(|s| (by_suite(s), TargetLine::of(s))).collect(),
            questions: plan.suites.iter().map(|s| (by_suite(s), chosen(&s.suite.questions, &s.selected))).collect(),
            unasked: unasked.collect(),
        }
    }

    /// `2/7`.
    pub fn name(&self) -> String {
        format!("{}/{}", self.index, self.of)
    }
}

/// The digest of a text, in 16 digits.
pub(in crate::drive) fn digest(text: &str) -> String {
    let mut h = Hasher::default();
    h.field(text);
    h.short()
}
