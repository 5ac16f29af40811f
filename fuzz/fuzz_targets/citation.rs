//! Whatever is cited in whatever answer: see `layers` of the library beside it.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| ragline_fuzz::citation(data));
