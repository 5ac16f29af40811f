//! Whatever must be stated of whatever answer: see `facts` of the library beside it.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| ragline_fuzz::facts(data));
