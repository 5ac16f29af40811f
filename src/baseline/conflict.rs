//! Conflict marks as git writes them into a file: where they stand, and the sides that they part.

/// A line that begins so parts the sides; git repeats the sign seven times unless it is told otherwise.
const MARKS: [(&str, Mark); 4] =
    [("<<<<<<<", Mark::Ours), ("|||||||", Mark::Base), ("=======", Mark::Theirs), (">>>>>>>", Mark::End)];

/// What begins at a mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mark {
    Ours,
    Base,
    Theirs,
    End,
}

impl Mark {
    fn of(line: &str) -> Option<Mark> {
        let (sign, mark) = MARKS.into_iter().find(|(sign, _)| line.starts_with(sign))?;
        let rest = line.strip_prefix(sign)?;
        (rest.is_empty() || rest.starts_with(' ')).then_some(mark)
    }
}

/// The sides of a file in conflict.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sides {
    /// What both come from, where the marks tell it (`merge.conflictStyle` is `diff3` or `zdiff3`).
    pub base: Option<String>,
    /// Ours: above `=======`.
    pub ours: String,
    /// Theirs: below it.
    pub theirs: String,
    /// Where in `base` conflicts begin and end. `zdiff3` takes lines that both sides added out of the conflict, so they stand
    /// in `base` and never were there: what a conflict begins or ends within is not to be trusted.
    pub edges: Vec<Edge>,
}

/// An edge of a conflict in the text that both sides come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edge {
    /// So many lines stand before it.
    pub line: usize,
    /// A conflict begins here; else one ends.
    pub begins: bool,
}

/// The line of the first conflict mark, from 1. A line of `=` alone is none: it may stand in a text.
pub fn first_mark(text: &str) -> Option<u32> {
    let is_mark = |line: &str| Mark::of(line).is_some_and(|m| m != Mark::Theirs);
    text.lines().zip(1..).find(|(line, _)| is_mark(line)).map(|(_, n)| n)
}

/// Parts a file with conflict marks into its sides; none where it has no marks.
///
/// # Errors
/// The line, from 1, of a mark that stands where none can.
pub fn split(text: &str) -> Result<Option<Sides>, u32> {
    if first_mark(text).is_none() {
        return Ok(None);
    }
    let mut sides = Sides::default();
    let (mut base, mut with_base, mut lines_of_base) = (String::new(), true, 0);
    let mut inside: Option<(Mark, bool)> = None;
    for (line, n) in text.lines().zip(1..) {
        let next = match (inside, Mark::of(line)) {
            (None, Some(Mark::Ours)) => Some((Mark::Ours, false)),
            (Some((Mark::Ours, _)), Some(Mark::Base)) => Some((Mark::Base, true)),
            (Some((Mark::Ours, _)), Some(Mark::Theirs)) => Some((Mark::Theirs, false)),
            (Some((Mark::Base, _)), Some(Mark::Theirs)) => Some((Mark::Theirs, true)),
            (Some((Mark::Theirs, seen)), Some(Mark::End)) => {
                with_base &= seen;
                sides.edges.push(Edge { line: lines_of_base, begins: false });
                inside = None;
                continue;
            }
            // Outside of a conflict a line of `=` is a line like any other.
            (None, Some(Mark::Theirs)) | (_, None) => {
                let mut push = |to: &mut String| {
                    to.push_str(line);
                    to.push('\n');
                };
                match inside {
                    None => [&mut sides.ours, &mut base, &mut sides.theirs].into_iter().for_each(&mut push),
                    Some((Mark::Ours, _)) => push(&mut sides.ours),
                    Some((Mark::Base, _)) => push(&mut base),
                    Some((Mark::Theirs | Mark::End, _)) => push(&mut sides.theirs),
                }
                if matches!(inside, None | Some((Mark::Base, _))) {
                    lines_of_base += 1;
                }
                continue;
            }
            (None | Some(_), Some(_)) => return Err(n),
        };
        if inside.is_none() {
            sides.edges.push(Edge { line: lines_of_base, begins: true });
        }
        inside = next;
    }
    if inside.is_some() {
        return Err(u32::try_from(text.lines().count()).unwrap_or(u32::MAX));
    }
    sides.base = with_base.then_some(base);
    Ok(Some(sides))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_part_the_sides() {
        let text = "a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> topic\nd\n";
        let sides = split(text).unwrap().unwrap();
        assert_eq!((sides.ours.as_str(), sides.theirs.as_str(), sides.base), ("a\nb\nd\n", "a\nc\nd\n", None));
        let text = "a\n<<<<<<< HEAD\nb\n||||||| 12ab\nx\ny\n=======\nc\n>>>>>>> topic\nd\n<<<<<<< HEAD\n||||||| 12ab\n=======\n>>>>>>> t\n";
        let sides = split(text).unwrap().unwrap();
        assert_eq!((sides.ours.as_str(), sides.theirs.as_str()), ("a\nb\nd\n", "a\nc\nd\n"));
        assert_eq!(sides.base.as_deref(), Some("a\nx\ny\nd\n"));
        let edges: Vec<(usize, bool)> = sides.edges.iter().map(|e| (e.line, e.begins)).collect();
        assert_eq!(edges, [(1, true), (3, false), (4, true), (4, false)]);
    }

    #[test]
    fn what_is_no_mark_is_text() {
        assert_eq!(split("a\n=======\nb <<<<<<< c\n<<<<<<<<\n").unwrap(), None);
        assert_eq!(first_mark("a\n=======\n>>>>>>> x\n"), Some(3));
        for (text, line) in [
            ("<<<<<<< a\nb\n", 2),
            (">>>>>>> a\n", 1),
            ("<<<<<<< a\n<<<<<<< b\n=======\n>>>>>>> a\n", 2),
            ("<<<<<<< a\n=======\n||||||| c\n>>>>>>> a\n", 3),
        ] {
            assert_eq!(split(text).unwrap_err(), line, "{text}");
        }
    }
}
