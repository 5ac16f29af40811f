//! What a judge says of one statement, once its word was checked.

/// The verdict on one statement. Only [`Verdict::Yes`] and [`Verdict::No`] are known; the others enter no value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Verdict {
    /// It holds, and the words that show it stand in the source.
    Yes,
    /// It does not.
    No,
    /// The judge cannot tell, or its votes are tied.
    Unclear,
    /// No verdict came that could be read.
    Unknown,
}

impl Verdict {
    /// Every verdict.
    pub const ALL: [Verdict; 4] = [Verdict::Yes, Verdict::No, Verdict::Unclear, Verdict::Unknown];

    /// The name, as files write it.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Yes => "yes",
            Verdict::No => "no",
            Verdict::Unclear => "unclear",
            Verdict::Unknown => "unknown",
        }
    }

    /// The verdict of that name.
    pub fn parse(name: &str) -> Option<Verdict> {
        Verdict::ALL.into_iter().find(|v| v.name() == name)
    }

    /// Whether it is true or false; nothing where that is not known.
    pub fn known(self) -> Option<bool> {
        match self {
            Verdict::Yes => Some(true),
            Verdict::No => Some(false),
            Verdict::Unclear | Verdict::Unknown => None,
        }
    }
}
