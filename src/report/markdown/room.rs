//! How much fits: a comment and a step summary have limits of two kinds, and a report that is over one is refused whole.

/// What is left of a report's length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Room {
    /// UTF-16 units: what a limit of "characters" is in the languages that these servers are written in, and never less
    /// than code points.
    pub units: usize,
    /// Bytes of UTF-8.
    pub bytes: usize,
}

impl Room {
    /// A comment on GitHub: 65,536 characters, less what a CI step may want to put around it.
    pub const COMMENT: Room = Room { units: 60_000, bytes: 1_000_000 };

    /// The summary of a step on GitHub: 1 MiB, less a line.
    pub const SUMMARY: Room = Room { units: 1_000_000, bytes: (1 << 20) - 1_024 };

    /// Takes the room for a text; false, and nothing taken, where it does not fit.
    pub(super) fn take(&mut self, text: &str) -> bool {
        let units = text.encode_utf16().count();
        let fits = units <= self.units && text.len() <= self.bytes;
        if fits {
            self.units -= units;
            self.bytes -= text.len();
        }
        fits
    }

    /// The room without so much of either.
    pub(super) fn less(self, n: usize) -> Room {
        Room { units: self.units.saturating_sub(n), bytes: self.bytes.saturating_sub(n) }
    }
}
