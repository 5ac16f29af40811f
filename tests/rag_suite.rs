//! The golden questions of this repository as tests.

use std::process::ExitCode;

fn main() -> ExitCode {
    ragline::harness::main()
}
