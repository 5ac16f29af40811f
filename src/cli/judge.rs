//! `ragline judge`: what a judge is measured with, and how far it is to be trusted.

use super::{grade, twins};
use anyhow::Result;
use clap::{Args, Subcommand};
use ragline::gate::Exit;
use std::path::Path;

#[derive(Debug, Args)]
pub(crate) struct JudgeArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Plant one error each into right answers: what a judge must catch.
    Twins(twins::TwinsArgs),
    /// How far a judge is to be trusted, by people's labels of the same answers.
    Grade(grade::GradeArgs),
}

pub(crate) fn judge(folder: &Path, args: &JudgeArgs) -> Result<Exit> {
    match &args.what {
        What::Twins(a) => twins::twins(folder, a),
        What::Grade(a) => grade::grade(folder, a),
    }
}
