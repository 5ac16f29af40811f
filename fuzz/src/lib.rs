//! What is fuzzed, for whoever feeds it: libFuzzer (`fuzz_targets/`) or the loop for a stable toolchain (`loop.rs`).
//!
//! Each target reads bytes as something that a suite and a system could say, and panics where a rule does not hold.

#![forbid(unsafe_code)]

mod facts;
mod input;
#[path = "../../tests/layer_kit/mod.rs"]
mod layer_kit;
mod layers;
mod numbers;
#[path = "../../tests/numbers_kit/mod.rs"]
mod numbers_kit;
mod rules;

pub use facts::holds as facts;
pub use layers::{citation, refusal, retrieval};
pub use numbers::holds as numbers;

/// What is fuzzed.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    /// Its name, and that of its folder in `seeds/`.
    pub name: &'static str,
    /// Reads bytes and panics where a rule is broken.
    pub holds: fn(&[u8]),
    /// What means something to it, for a fuzzer that knows nothing of the code.
    pub pieces: &'static [&'static str],
}

/// All targets.
pub const TARGETS: [Target; 5] = [
    Target { name: "numbers", holds: numbers::holds, pieces: numbers::PIECES },
    Target { name: "facts", holds: facts::holds, pieces: facts::PIECES },
    Target { name: "refusal", holds: refusal, pieces: layers::PIECES },
    Target { name: "citation", holds: citation, pieces: layers::PIECES },
    Target { name: "retrieval", holds: retrieval, pieces: layers::PIECES },
];
