//! Whatever passages are returned for whatever evidence: see `layers` of the library beside it.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| ragline_fuzz::retrieval(data));
