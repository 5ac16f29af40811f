//! A target that is asked over HTTP.

use super::{Surroundings, Target};
use crate::problem::{Place, Problem, Problems};
use crate::suite::config::live::HttpConfig;
use std::sync::Arc;

/// Opens a target. Nothing is asked yet.
///
/// # Errors
/// A variable of the environment that is not there, a template that is none.
pub fn open(_config: &HttpConfig, around: &Surroundings<'_>) -> Result<Arc<dyn Target>, Problems> {
    Err(Problem::error("not-yet", Place::default(), format!("target `{}`: http is not yet supported", around.name))
        .into())
}
