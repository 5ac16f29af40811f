//! The evidence of a question as units that can be counted, and as the condition that must hold.

use super::cover::Unit;
use crate::suite::corpus::Corpus;
use crate::suite::{EvidenceItem, Need, Question};

/// A condition over places, by their index.
#[derive(Debug, Clone)]
pub(super) enum Tree {
    Place(usize),
    Any(Vec<Tree>),
    All(Vec<Tree>),
}

impl Tree {
    /// Whether it holds when the given places are covered.
    pub(super) fn holds(&self, covered: &dyn Fn(usize) -> bool) -> bool {
        match self {
            Tree::Place(i) => covered(*i),
            Tree::Any(items) => items.iter().any(|t| t.holds(covered)),
            Tree::All(items) => items.iter().all(|t| t.holds(covered)),
        }
    }

    /// How much of it is there, 0 to 1, when each place says so of itself: of alternatives the best, of what is needed
    /// together the mean. Places that say nothing are left out.
    pub(super) fn share(&self, of: &dyn Fn(usize) -> Option<f64>) -> Option<f64> {
        match self {
            Tree::Place(i) => of(*i),
            Tree::Any(items) => items.iter().filter_map(|t| t.share(of)).reduce(f64::max),
            Tree::All(items) => {
                let all: Vec<f64> = items.iter().filter_map(|t| t.share(of)).collect();
                (!all.is_empty()).then(|| all.iter().sum::<f64>() / all.len() as f64)
            }
        }
    }
}

/// The evidence of one question.
pub(super) struct Gold<'q> {
    /// Every place that is named, in order.
    pub(super) places: Vec<Unit<'q>>,
    /// What must hold for retrieval to be complete.
    pub(super) need: Tree,
    /// The units that metrics count, each with its grade: a place, or places of which one suffices.
    pub(super) units: Vec<(Tree, f64)>,
}

impl<'q> Gold<'q> {
    pub(super) fn new(question: &'q Question, corpus: Option<&'q Corpus>) -> Self {
        let mut gold = Gold { places: Vec::new(), need: Tree::Any(Vec::new()), units: Vec::new() };
        let items: Vec<Tree> = question.evidence.iter().map(|item| gold.tree(item, corpus)).collect();
        for item in &items {
            gold.count(item);
        }
        gold.need = match question.evidence_match {
            Need::Any => Tree::Any(items),
            Need::All => Tree::All(items),
        };
        gold
    }

    fn tree(&mut self, item: &'q EvidenceItem, corpus: Option<&'q Corpus>) -> Tree {
        match item {
            EvidenceItem::One(e) => {
                self.places.push(Unit::new(e, corpus));
                Tree::Place(self.places.len() - 1)
            }
            EvidenceItem::AnyOf(items) => Tree::Any(items.iter().map(|i| self.tree(i, corpus)).collect()),
            EvidenceItem::AllOf(items) => Tree::All(items.iter().map(|i| self.tree(i, corpus)).collect()),
        }
    }

    /// `all_of` is as many units as it has items; `any_of` is one, worth its best place.
    fn count(&mut self, tree: &Tree) {
        match tree {
            Tree::All(items) => items.iter().for_each(|t| self.count(t)),
            Tree::Place(_) | Tree::Any(_) => {
                let grade = self.grade(tree);
                self.units.push((tree.clone(), grade));
            }
        }
    }

    fn grade(&self, tree: &Tree) -> f64 {
        match tree {
            Tree::Place(i) => self.places.get(*i).map_or(1.0, |u| f64::from(u.evidence.grade.max(1))),
            Tree::Any(items) | Tree::All(items) => items.iter().map(|t| self.grade(t)).fold(1.0, f64::max),
        }
    }

    /// Whether each unit that counts is needed.
    pub(super) fn needs_all(&self) -> bool {
        matches!(&self.need, Tree::All(_))
    }
}
