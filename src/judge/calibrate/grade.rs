//! The grade of a judge, a pure function of its counts.

use crate::stats::{Agreement, Level, Rate};
use std::fmt;

/// Each class needs at least so many items.
pub const ITEMS: u64 = 15;

/// Each class must be found in this share of its items, as it was counted.
pub const RECALL: f64 = 0.8;

/// The lower end of the 95 % interval of AC1 must be at least this.
pub const AC1: f64 = 0.6;

/// Of more answers than this share a judge may not owe the verdict.
pub const OWED: f64 = 0.05;

/// How far a judge is to be trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grade {
    /// It says hardly more than a coin: its verdicts are not shown either.
    Rejected,
    /// Its verdicts are shown, and decide nothing.
    Advisory,
    /// Its verdicts may decide.
    Trusted,
}

impl Grade {
    /// As files write it.
    pub fn name(self) -> &'static str {
        match self {
            Grade::Trusted => "trusted",
            Grade::Advisory => "advisory",
            Grade::Rejected => "rejected",
        }
    }
}

/// A judge against people. That an answer is wrong is the yes: `both` are wrong answers that the judge fails, `first` are
/// right ones that it fails, `second` wrong ones that it lets pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Measured {
    /// The judge as the first, people as the second, who are right.
    pub table: Agreement,
    /// Labelled answers of which the judge owes the verdict: in no count of the table.
    pub unmeasured: u64,
}

/// The two kinds of answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// That people fail.
    Wrong,
    /// That people let pass.
    Right,
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Class::Wrong => "wrong",
            Class::Right => "right",
        })
    }
}

/// Why a judge is not trusted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Reason {
    /// A class has fewer than [`ITEMS`] items.
    FewItems(Class, u64),
    /// A class is found in less than [`RECALL`] of its items.
    Recall(Class, Rate),
    /// The lower end of the interval of AC1 is below [`AC1`]; nothing where there is none.
    Agreement(Option<f64>),
    /// It owes the verdict on more than [`OWED`] of the answers.
    Owed(Rate),
    /// Its two recalls add up to 1.2 or less, where a coin has 1: no share that it counts can be corrected.
    Coin(f64),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::FewItems(class, n) => write!(f, "{n} {class} answers are labelled, at least {ITEMS} are needed"),
            Reason::Recall(class, rate) => {
                let share = rate.value().unwrap_or_default();
                write!(
                    f,
                    "finds {} of {} {class} answers ({share:.3}), at least {RECALL} are needed",
                    rate.hits, rate.n
                )
            }
            Reason::Agreement(Some(low)) => {
                write!(f, "AC1 may be as low as {low:.3} (95 % interval), at least {AC1} is needed")
            }
            Reason::Agreement(None) => write!(f, "AC1 has no interval, since nothing was measured"),
            Reason::Owed(rate) => {
                write!(f, "owes the verdict on {} of {} answers, at most 5 % may lack", rate.hits, rate.n)
            }
            Reason::Coin(sum) => {
                write!(
                    f,
                    "finds wrong and right answers in shares that add up to {sum:.2}; a coin has 1, and 1.2 is needed"
                )
            }
        }
    }
}

/// A grade with its reasons; a trusted judge has none.
#[derive(Debug, Clone, PartialEq)]
pub struct Graded {
    /// The grade.
    pub grade: Grade,
    /// What keeps it from being trusted, the gravest first.
    pub why: Vec<Reason>,
}

impl Graded {
    /// The reasons in words.
    pub fn reasons(&self) -> Vec<String> {
        self.why.iter().map(ToString::to_string).collect()
    }
}

impl Measured {
    /// How many of the wrong answers it fails.
    pub fn wrong_found(&self) -> Rate {
        self.table.recall()
    }

    /// How many of the right answers it lets pass.
    pub fn right_found(&self) -> Rate {
        self.table.recall_of_no()
    }

    /// The share of labelled answers of which it owes the verdict.
    pub fn owed(&self) -> Rate {
        Rate::new(self.unmeasured, self.unmeasured + self.table.n())
    }

    /// The grade: `trusted` where the lower end of the 95 % interval of AC1 is .6 or more, and wrong and right answers are each
    /// found in .8 of at least fifteen; `rejected` where both have fifteen and the two shares add up to 1.2 or less, from where
    /// on nothing can be made of its verdicts (Rogan & Gladen's correction gives up there too); else `advisory`. Kappa is not
    /// asked, because it falls apart where one verdict is rare. `seed` is that of the bootstrap of AC1.
    pub fn graded(&self, seed: u64) -> Graded {
        let mut why = Vec::new();
        let classes = [(Class::Wrong, self.wrong_found()), (Class::Right, self.right_found())];
        let enough = classes.iter().all(|(_, rate)| rate.n >= ITEMS);
        let rejected = enough && is_coin(self.wrong_found(), self.right_found());
        if rejected {
            why.push(Reason::Coin(classes.iter().filter_map(|(_, rate)| rate.value()).sum()));
        }
        for (class, rate) in classes {
            if rate.n < ITEMS {
                why.push(Reason::FewItems(class, rate.n));
            }
            if rate.value().is_some_and(|v| v < RECALL) {
                why.push(Reason::Recall(class, rate));
            }
        }
        let low = self.table.ac1_interval(Level::P95, seed).map(|i| i.low);
        if low.is_none_or(|low| low < AC1) {
            why.push(Reason::Agreement(low));
        }
        if self.owed().value().is_some_and(|v| v > OWED) {
            why.push(Reason::Owed(self.owed()));
        }
        let grade = match (rejected, why.is_empty()) {
            (true, _) => Grade::Rejected,
            (false, true) => Grade::Trusted,
            (false, false) => Grade::Advisory,
        };
        Graded { grade, why }
    }
}

/// Whether two shares add up to 1.2 or less, in whole numbers: `5 (a/n + b/m) <= 6`.
fn is_coin(a: Rate, b: Rate) -> bool {
    let wide = |n: u64| u128::from(n);
    5 * (wide(a.hits) * wide(b.n) + wide(b.hits) * wide(a.n)) <= 6 * wide(a.n) * wide(b.n)
}
