//! Where a closed gate stops the build and where it only says so: `mode` for all, and what is stated closer to a question.

use super::thresholds::{Limit, Mode};
use crate::layer::LayerId;
use crate::problem::Place;

/// What a `mode` is stated for, beside the whole policy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scope {
    /// `[layer.LAYER]`: what one layer finds.
    Layer(LayerId),
    /// `[tag.TAG]`: the questions of a tag, in every suite.
    Tag(String),
    /// `[suite.NAME]`: the questions of a suite.
    Suite(String),
    /// `[suite.NAME.tag.TAG]`: those of a tag in one suite.
    TagOf(String, String),
}

/// A `mode` that is stated for a part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stated {
    /// The part.
    pub scope: Scope,
    /// What holds there.
    pub mode: Mode,
    /// Where the name of the part stands.
    pub place: Place,
}

/// The modes of a policy.
#[derive(Debug, Clone, Default)]
pub struct Modes {
    /// What holds where nothing is stated closer; block.
    pub all: Limit<Mode>,
    /// What is stated for a part, in file order.
    pub stated: Vec<Stated>,
}

impl Modes {
    /// True where something only advises.
    pub fn advise(&self) -> bool {
        self.all.value == Mode::Advisory || self.stated.iter().any(|s| s.mode == Mode::Advisory)
    }

    /// What holds for a question as a whole. The closest statement decides: a tag of its suite, a tag, its suite, else all.
    /// Of several tags of one question, one that blocks is enough.
    pub fn of_question(&self, suite: &str, tags: &[String]) -> Mode {
        self.of_scope(suite, tags).unwrap_or(self.all.value)
    }

    /// What holds for what a layer finds in a question. Where the question's part and the layer are both stated, both must
    /// block: a suite that is being introduced advises in every layer, and a layer that is being introduced in every suite.
    pub fn of_layer(&self, suite: &str, tags: &[String], layer: LayerId) -> Mode {
        let of_layer = self.stated.iter().find(|s| s.scope == Scope::Layer(layer)).map(|s| s.mode);
        match (self.of_scope(suite, tags), of_layer) {
            (None, None) => self.all.value,
            (Some(one), None) | (None, Some(one)) => one,
            (Some(Mode::Block), Some(Mode::Block)) => Mode::Block,
            (Some(_), Some(_)) => Mode::Advisory,
        }
    }

    fn of_scope(&self, suite: &str, tags: &[String]) -> Option<Mode> {
        let strictest = |fits: &dyn Fn(&Scope) -> bool| {
            let modes = self.stated.iter().filter(|s| fits(&s.scope)).map(|s| s.mode);
            modes.min_by_key(|m| *m == Mode::Advisory)
        };
        strictest(&|s| matches!(s, Scope::TagOf(of, tag) if of == suite && tags.contains(tag)))
            .or_else(|| strictest(&|s| matches!(s, Scope::Tag(tag) if tags.contains(tag))))
            .or_else(|| strictest(&|s| matches!(s, Scope::Suite(of) if of == suite)))
    }
}

#[cfg(test)]
mod tests {
    use super::{Modes, Scope, Stated};
    use crate::gate::thresholds::{Limit, Mode};
    use crate::layer::LayerId;
    use crate::problem::Place;

    fn modes(all: Mode, stated: &[(Scope, Mode)]) -> Modes {
        let stated =
            stated.iter().map(|(scope, mode)| Stated { scope: scope.clone(), mode: *mode, place: Place::default() });
        Modes { all: Limit { value: all, place: None }, stated: stated.collect() }
    }

    #[test]
    fn the_closest_statement_decides() {
        use Mode::{Advisory, Block};
        let tags = |t: &[&str]| t.iter().map(ToString::to_string).collect::<Vec<_>>();
        let m = modes(
            Block,
            &[
                (Scope::Suite("new".into()), Advisory),
                (Scope::TagOf("new".into(), "law".into()), Block),
                (Scope::Tag("trial".into()), Advisory),
                (Scope::Layer(LayerId::Citation), Advisory),
            ],
        );
        assert_eq!(m.of_question("old", &[]), Block);
        assert_eq!(m.of_question("new", &[]), Advisory);
        assert_eq!(m.of_question("new", &tags(&["law"])), Block);
        // A tag of the suite is closer than a tag of all.
        assert_eq!(m.of_question("new", &tags(&["trial", "law"])), Block);
        assert_eq!(m.of_question("old", &tags(&["trial", "law"])), Advisory);
        assert_eq!(m.of_layer("old", &[], LayerId::Facts), Block);
        assert_eq!(m.of_layer("old", &[], LayerId::Citation), Advisory);
        assert_eq!(m.of_layer("new", &tags(&["law"]), LayerId::Citation), Advisory);
    }

    #[test]
    fn one_layer_blocks_while_the_rest_advises() {
        let m = modes(
            Mode::Advisory,
            &[(Scope::Layer(LayerId::Retrieval), Mode::Block), (Scope::Suite("new".into()), Mode::Advisory)],
        );
        assert_eq!(m.of_layer("old", &[], LayerId::Retrieval), Mode::Block);
        assert_eq!(m.of_layer("old", &[], LayerId::Facts), Mode::Advisory);
        assert_eq!(m.of_layer("new", &[], LayerId::Retrieval), Mode::Advisory);
        assert_eq!(m.of_question("old", &[]), Mode::Advisory);
    }

    #[test]
    fn of_two_tags_the_one_that_blocks_is_enough() {
        let m = modes(Mode::Block, &[(Scope::Tag("a".into()), Mode::Advisory), (Scope::Tag("b".into()), Mode::Block)]);
        assert_eq!(m.of_question("s", &["a".to_owned(), "b".to_owned()]), Mode::Block);
    }
}
