//! Switches of the environment.

/// A switch: unset, empty, `0`, `false`, `no` and `off` are off; `1`, `true`, `yes` and `on` are on.
///
/// # Errors
/// One sentence that names the variable when it holds anything else.
pub fn switch(name: &str) -> Result<bool, String> {
    match std::env::var_os(name) {
        None => Ok(false),
        Some(value) => {
            let value = value.to_string_lossy();
            read_switch(&value)
                .ok_or_else(|| format!("{name} is `{value}`; expected 1, true, yes, on, or 0, false, no, off"))
        }
    }
}

fn read_switch(value: &str) -> Option<bool> {
    match value.trim().to_ascii_lowercase().as_str() {
        "" | "0" | "false" | "no" | "off" => Some(false),
        "1" | "true" | "yes" | "on" => Some(true),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::read_switch;

    #[test]
    fn only_presence_is_not_enough() {
        for off in ["0", "false", "no", "", "off", "FALSE", " no "] {
            assert_eq!(read_switch(off), Some(false), "{off}");
        }
        for on in ["1", "true", "yes", "on"] {
            assert_eq!(read_switch(on), Some(true), "{on}");
        }
        assert_eq!(read_switch("banana"), None);
    }
}
