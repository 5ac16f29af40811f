//! Exit codes: one table.

/// How a command ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Exit {
    /// 0: the gate is open.
    Open,
    /// 1: the gate is closed.
    Closed,
    /// 2: usage, configuration, suite or missing-baseline error.
    Usage,
    /// 3: not all of it could be measured.
    Incomplete,
    /// 4: nothing was selected.
    NothingSelected,
    /// 5: a report that was asked for could not be written.
    ReportNotWritten,
}

impl Exit {
    /// The process's exit code.
    pub fn code(self) -> u8 {
        match self {
            Exit::Open => 0,
            Exit::Closed => 1,
            Exit::Usage => 2,
            Exit::Incomplete => 3,
            Exit::NothingSelected => 4,
            Exit::ReportNotWritten => 5,
        }
    }

    /// Two or more reasons to end: 2, 4, 1, 3, 5 in that order.
    #[must_use]
    pub fn and(self, other: Exit) -> Exit {
        let rank = |e: Exit| match e {
            Exit::Usage => 0,
            Exit::NothingSelected => 1,
            Exit::Closed => 2,
            Exit::Incomplete => 3,
            Exit::ReportNotWritten => 4,
            Exit::Open => 5,
        };
        if rank(self) <= rank(other) { self } else { other }
    }
}

#[cfg(test)]
mod tests {
    use super::Exit;

    #[test]
    fn the_gravest_reason_wins_in_the_documented_order() {
        let order =
            [Exit::Usage, Exit::NothingSelected, Exit::Closed, Exit::Incomplete, Exit::ReportNotWritten, Exit::Open];
        for (i, a) in order.iter().enumerate() {
            for b in order.iter().skip(i) {
                assert_eq!(a.and(*b), *a);
                assert_eq!(b.and(*a), *a);
            }
        }
        assert_eq!(order.map(Exit::code), [2, 4, 1, 3, 5, 0]);
    }
}
