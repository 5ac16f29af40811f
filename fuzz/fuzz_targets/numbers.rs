//! Whatever is asked, answered and given: what `numbers_kit` says holds.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| ragline_fuzz::numbers(data));
