//! Which questions changed, layer by layer, and why.

use super::{Pairs, State};
use crate::compare::{Asked, Found};
use crate::layer::LayerId;

/// One question whose state in a layer changed.
#[derive(Debug, Clone)]
pub struct Change {
    /// `suite::id`.
    pub id: String,
    /// The state on the first side.
    pub was: State,
    /// The state on the second.
    pub now: State,
    /// What the layer said where it did not pass, on the second side before the first.
    pub finding: Option<Found>,
    /// The diagnosis of that side: `chunking (row 8)`.
    pub diagnosis: Option<String>,
    /// What to change next.
    pub next: Option<String>,
}

impl Change {
    /// Whether it passed before.
    pub fn worse(&self) -> bool {
        self.was == State::Pass
    }

    /// Whether it passes now.
    pub fn better(&self) -> bool {
        self.now == State::Pass
    }
}

/// The changes of one layer.
#[derive(Debug, Clone)]
pub struct LayerChanges {
    /// The layer.
    pub layer: LayerId,
    /// Those that passed before come first, those that pass now last; by id within.
    pub questions: Vec<Change>,
}

/// The layers in which anything changed.
pub(super) fn by_layer(pairs: &Pairs<'_>) -> Vec<LayerChanges> {
    let of = |layer: LayerId| {
        let mut questions: Vec<Change> = pairs
            .ids
            .iter()
            .zip(pairs.first.iter().zip(&pairs.second))
            .filter_map(|(id, (first, second))| change(id, layer, first, second))
            .collect();
        questions.sort_by_key(|c| (!c.worse(), c.better()));
        (!questions.is_empty()).then_some(LayerChanges { layer, questions })
    };
    LayerId::ALL.into_iter().filter_map(of).collect()
}

fn change(id: &str, layer: LayerId, first: &Asked, second: &Asked) -> Option<Change> {
    let (was, now) = (State::of_layer(first, layer), State::of_layer(second, layer));
    if was == now {
        return None;
    }
    let telling = if now == State::Pass { first } else { second };
    Some(Change {
        id: id.to_owned(),
        was,
        now,
        finding: telling.layers.get(layer.name()).and_then(|l| l.finding()).cloned(),
        diagnosis: telling.diagnosis.clone(),
        next: telling.next.clone(),
    })
}
