//! A target that is a program: one process a question, or one for all, a line of JSON in, a line out.

use super::{Surroundings, Target};
use crate::problem::{Place, Problem, Problems};
use crate::suite::config::live::CommandConfig;
use std::sync::Arc;

/// Opens a target. Nothing is asked yet.
///
/// # Errors
/// A variable of the environment that is not there, a template that is none.
pub fn open(_config: &CommandConfig, around: &Surroundings<'_>) -> Result<Arc<dyn Target>, Problems> {
    Err(Problem::error("not-yet", Place::default(), format!("target `{}`: command is not yet supported", around.name))
        .into())
}
