//! `suites/NAME.accepted.jsonl`: the answers behind a baseline, so that "was" has a source.
