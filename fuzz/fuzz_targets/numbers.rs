//! Whatever is asked, answered and given: what `numbers_kit` says holds.
#![no_main]

#[path = "../src/input.rs"]
mod input;
#[path = "../../tests/numbers_kit/mod.rs"]
mod numbers_kit;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    if let Some(asked) = input::read(data) {
        numbers_kit::everything_holds(&asked);
    }
});
