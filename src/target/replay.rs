//! Recorded answers that stand for a target: `replay` asks nobody, `fill` asks for what is missing.
