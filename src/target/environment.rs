//! The variables that settings name.

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, TcpListener};

/// The variable that holds the port of a server that is started: a free one where the environment has none, so that the same
/// settings can be started twice.
pub const PORT: &str = "RAGLINE_PORT";

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

    /// The same with this value for a variable, whatever it was.
    #[must_use]
    pub fn given(&self, name: &str, value: &str) -> Environment {
        let mut all = self.0.clone();
        all.insert(name.to_owned(), value.to_owned());
        Environment(all)
    }

    /// The same with a port for [`PORT`] that nobody listens on at this moment; unchanged where the system has none.
    #[must_use]
    pub fn with_free_port(&self) -> Environment {
        let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).and_then(|l| l.local_addr());
        free.map_or_else(|_| self.clone(), |address| self.given(PORT, &address.port().to_string()))
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
