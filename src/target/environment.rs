//! The variables that settings name.

use std::collections::BTreeMap;

/// The variables of the environment. An empty one is absent: that is how CI systems hand over what they have no value
/// for. So is one of blanks, which no key is made of.
#[derive(Clone, Default)]
pub struct Environment(BTreeMap<String, String>);

impl Environment {
    /// Those of this process that are text.
    pub fn of_process() -> Environment {
        let text = |(name, value): (std::ffi::OsString, std::ffi::OsString)| {
            Some((name.into_string().ok()?, value.into_string().ok()?))
        };
        std::env::vars_os().filter_map(text).collect()
    }

    /// The value of a variable that is there and not blank. Line breaks at its end are those of the file or the form that
    /// it was taken from, as in a shell's `$(cat key)`.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(|v| v.trim_end_matches(['\r', '\n'])).filter(|v| !v.trim().is_empty())
    }
}

impl Environment {
    /// The same with values for variables that are not there. Only for targets that nothing is sent to: what stands in is
    /// never a key.
    #[must_use]
    pub fn with(&self, standing_in: impl IntoIterator<Item = (String, String)>) -> Environment {
        let mut all = self.0.clone();
        for (name, value) in standing_in {
            if self.get(&name).is_none() {
                all.insert(name, value);
            }
        }
        Environment(all)
    }
}

impl FromIterator<(String, String)> for Environment {
    fn from_iter<I: IntoIterator<Item = (String, String)>>(pairs: I) -> Self {
        Environment(pairs.into_iter().collect())
    }
}

impl std::fmt::Debug for Environment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Its values are not for anybody to see.
        write!(f, "Environment({})", self.0.len())
    }
}
