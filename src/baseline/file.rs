//! `suites/NAME.baseline.toml`: read with the line of every block, written in one canonical form.

use super::conflict;
use crate::layer::says_nothing;
use crate::layer::{LayerId, LayerMap};
use crate::problem::{Place, Problem, Problems, Source};
use crate::suite::QuestionId;
use jiff::civil::Date;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::Range;
use std::sync::Arc;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// What was accepted for one layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LayerBase {
    /// It passes.
    Pass,
    /// It fails, and somebody said why that is accepted.
    Fail,
    /// There was nothing to check.
    Skipped,
    /// It passed in some of its runs and failed in others: `3/5`. Of a flaky question only.
    Mixed(Floor),
}

impl LayerBase {
    /// Its name in a sentence.
    pub fn name(self) -> &'static str {
        match self {
            LayerBase::Pass => "pass",
            LayerBase::Fail => "fail",
            LayerBase::Skipped => "skipped",
            LayerBase::Mixed(_) => "flaky",
        }
    }

    /// As the file writes it.
    fn text(self) -> String {
        match self {
            LayerBase::Mixed(f) => format!("{}/{}", f.passes, f.runs),
            LayerBase::Pass | LayerBase::Fail | LayerBase::Skipped => self.name().to_owned(),
        }
    }

    /// A share of runs is read where some passed and some failed; what came out alike is a pass or a fail.
    fn parse(text: &str) -> Option<Self> {
        let mixed = || Floor::parse(text).filter(|f| 0 < f.passes && f.passes < f.runs).map(LayerBase::Mixed);
        [LayerBase::Pass, LayerBase::Fail, LayerBase::Skipped].into_iter().find(|b| b.name() == text).or_else(mixed)
    }
}

/// The least share of passes of a flaky question: `7/10`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Floor {
    /// Passes.
    pub passes: u32,
    /// Of so many runs; at least 1.
    pub runs: u32,
}

impl Floor {
    /// Reads `7/10`.
    pub fn parse(text: &str) -> Option<Self> {
        let (a, b) = text.split_once('/')?;
        let f = Floor { passes: a.parse().ok()?, runs: b.parse().ok()? };
        (f.runs > 0 && f.passes <= f.runs).then_some(f)
    }
}

/// What was accepted for one question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The question's text when it was accepted: a comment, for the reader of the diff.
    pub question: String,
    /// The digest of what it expected.
    pub expects: String,
    /// The layers that have been accepted.
    pub layers: LayerMap<Option<LayerBase>>,
    /// Why a failure is accepted.
    pub reason: Option<String>,
    /// Who looks after it.
    pub owner: Option<String>,
    /// Where it is tracked.
    pub issue: Option<String>,
    /// The last day on which the failure is accepted.
    pub until: Option<Date>,
    /// The question is known to pass at some times and fail at others.
    pub flaky: bool,
    /// Whatever becomes of the question blocks nothing until the last day, and every failure after it.
    pub quarantined: bool,
    /// Below this a flaky question has regressed.
    pub floor: Option<Floor>,
    /// How many runs came out so, all of them, where it was asked more than once; at least 2.
    pub runs: Option<u32>,
    /// Where its block begins.
    pub place: Place,
}

impl Entry {
    /// True when at least one layer is accepted as failing.
    pub fn fails(&self) -> bool {
        self.layers.0.contains(&Some(LayerBase::Fail))
    }

    /// The runs behind the layers that came out alike in every run: all of them came out as accepted.
    pub fn seen(&self) -> Floor {
        let mixed = self.layers.0.iter().filter_map(|b| match b {
            Some(LayerBase::Mixed(f)) => Some(f.runs),
            Some(LayerBase::Pass | LayerBase::Fail | LayerBase::Skipped) | None => None,
        });
        let runs = self.runs.or(mixed.max()).unwrap_or(1);
        Floor { passes: runs, runs }
    }

    /// True when the entry says which of its layers vary; where a flaky one does not, any of them may.
    pub fn names_what_varies(&self) -> bool {
        self.layers.0.iter().any(|b| matches!(b, Some(LayerBase::Mixed(_))))
    }

    /// Whether a layer is known to pass at some times and fail at others.
    pub fn varies(&self, layer: LayerId) -> bool {
        self.flaky && (!self.names_what_varies() || matches!(self.layers[layer], Some(LayerBase::Mixed(_))))
    }

    /// True when the other block says the same, wherever it stands.
    pub fn says_what(&self, other: &Entry) -> bool {
        let Entry { question, expects, layers, reason, owner, issue, until, flaky, quarantined, floor, runs, place: _ } =
            self;
        *question == other.question
            && *expects == other.expects
            && *layers == other.layers
            && *reason == other.reason
            && *owner == other.owner
            && *issue == other.issue
            && *until == other.until
            && *flaky == other.flaky
            && *quarantined == other.quarantined
            && *floor == other.floor
            && *runs == other.runs
    }
}

/// A baseline.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Baseline {
    /// The rules and packs under which it was accepted; none when the line was taken out: then nothing can be compared
    /// without scoring the accepted answers again.
    pub measure: Option<String>,
    /// By question.
    pub entries: BTreeMap<QuestionId, Entry>,
}

impl Baseline {
    /// Reads a baseline.
    ///
    /// # Errors
    /// Everything that is wrong with it, each with its place; an empty file is not a baseline.
    pub fn parse(source: &Arc<Source>) -> Result<Baseline, Problems> {
        let lines = memchr::memchr_iter(b'\n', source.text.as_bytes()).map(|at| at + 1).collect();
        Reader { source, shown: source.path.as_str().into(), lines, problems: Problems::default() }.read()
    }

    /// The canonical form: sorted by id, one block per question, LF, no counters, dates or scores.
    pub fn to_toml(&self) -> String {
        let mut out = String::from("# Written by `ragline accept`. Review it like code.\n[baseline]\nversion = 1\n");
        if let Some(measure) = &self.measure {
            let _ = writeln!(out, "measure = {}", quote(measure));
        }
        for (id, e) in &self.entries {
            let _ = write!(out, "\n# {}\n[question.{}]\n", comment(&e.question), quote(id.as_str()));
            let _ = writeln!(out, "expects = {}", quote(&e.expects));
            for (layer, base) in e.layers.iter() {
                if let Some(base) = base {
                    let _ = writeln!(out, "{layer} = {}", quote(&base.text()));
                }
            }
            for (key, value) in [("reason", &e.reason), ("owner", &e.owner), ("issue", &e.issue)] {
                if let Some(v) = value {
                    let _ = writeln!(out, "{key} = {}", quote(v));
                }
            }
            if let Some(until) = e.until {
                let _ = writeln!(out, "until = {}", quote(&until.to_string()));
            }
            if e.flaky {
                out.push_str("stability = \"flaky\"\n");
            } else if e.quarantined {
                out.push_str("stability = \"quarantined\"\n");
            }
            if let Some(f) = e.floor {
                let _ = writeln!(out, "floor = \"{}/{}\"", f.passes, f.runs);
            }
            if let Some(runs) = e.runs {
                let _ = writeln!(out, "runs = {runs}");
            }
        }
        out
    }
}

/// A basic TOML string.
fn quote(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04X}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// One line of a comment: the first 120 code points, blanks for control characters.
fn comment(text: &str) -> String {
    let mut line: String = text.chars().take(120).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().nth(120).is_some() {
        line.push('…');
    }
    line.trim().to_owned()
}

struct Reader<'a> {
    source: &'a Arc<Source>,
    shown: Arc<str>,
    /// Where the second and each later line begin.
    lines: Vec<usize>,
    problems: Problems,
}

impl Reader<'_> {
    fn place(&self, span: Range<usize>) -> Place {
        let line = self.lines.partition_point(|begin| *begin <= span.start);
        let begin = line.checked_sub(1).and_then(|i| self.lines.get(i)).copied().unwrap_or(0);
        let column = self.source.text.get(begin..span.start).unwrap_or_default().chars().count() + 1;
        let line = u32::try_from(line + 1).unwrap_or(u32::MAX);
        Place { file: Arc::clone(&self.shown), line, column: u32::try_from(column).unwrap_or(u32::MAX) }
    }

    fn error(&mut self, code: &'static str, span: Range<usize>, title: String, help: &str) {
        let width = self.source.text.get(span.clone()).map_or(1, |t| t.chars().take_while(|c| *c != '\n').count());
        let p = Problem::error(code, self.place(span), title).label("", width).source(self.source);
        self.problems.0.push(if help.is_empty() { p } else { p.help(help) });
    }

    fn read(mut self) -> Result<Baseline, Problems> {
        let source = Arc::clone(self.source);
        let table = match DeTable::parse(&source.text) {
            Ok(t) => t,
            Err(e) => {
                let found = self.in_conflict().or_else(|| self.doubled());
                self.problems.0.extend(found);
                if self.problems.0.is_empty() {
                    let title = e.message().to_owned();
                    self.error("baseline-syntax", e.span().unwrap_or(0..0), title, "");
                }
                return Err(self.problems);
            }
        };
        let mut baseline = Baseline::default();
        let mut header = false;
        for (key, value) in table.get_ref() {
            match (key.get_ref().as_ref(), value.get_ref()) {
                ("baseline", DeValue::Table(t)) => {
                    header = true;
                    baseline.measure = self.header(t);
                }
                ("question", DeValue::Table(t)) => self.questions(t, &mut baseline.entries),
                (other, _) => {
                    let what = format!("`{other}` is not known here");
                    self.error("baseline-key", key.span(), what, "expected [baseline] and [question.\"ID\"] blocks");
                }
            }
        }
        if !header {
            let what = "this is not a baseline: it has no [baseline] block".to_owned();
            self.error("baseline-not-one", 0..0, what, "write one with `ragline accept --first`");
        }
        if self.problems.0.is_empty() { Ok(baseline) } else { Err(self.problems) }
    }

    /// The marks of a merge that came to no end.
    fn in_conflict(&self) -> Option<Problem> {
        let line = conflict::first_mark(&self.source.text)?;
        let place = Place { file: Arc::clone(&self.shown), line, column: 1 };
        let found = Problem::error("baseline-conflict", place, "a merge left its marks here").source(self.source);
        Some(found.help("`ragline baseline resolve` merges it question by question"))
    }

    /// A question that has two blocks.
    fn doubled(&self) -> Option<Problem> {
        let mut seen: BTreeMap<&str, u32> = BTreeMap::new();
        for (line, n) in self.source.text.lines().zip(1..) {
            let id = line.trim().strip_prefix("[question.").and_then(|l| l.strip_suffix(']'));
            let Some(id) = id.map(|id| id.trim_matches('"')) else { continue };
            let place = |line| Place { file: Arc::clone(&self.shown), line, column: 1 };
            if let Some(first) = seen.insert(id, n) {
                let what = format!("`{id}` has a second block");
                let found = Problem::error("baseline-duplicate", place(n), what).source(self.source);
                let found = found.related(place(first), "the first one");
                return Some(
                    found.help("keep the stricter of the two, or take out both and accept the question again"),
                );
            }
        }
        None
    }

    fn header(&mut self, t: &DeTable<'_>) -> Option<String> {
        let (mut version, mut measure) = (false, None);
        for (key, value) in t {
            match (key.get_ref().as_ref(), value.get_ref()) {
                ("version", DeValue::Integer(i)) if i.as_str() == "1" => version = true,
                ("version", _) => {
                    version = true;
                    let what = "this version of the format is not known here".to_owned();
                    self.error("baseline-version", value.span(), what, "expected `version = 1`");
                }
                ("measure", DeValue::String(s)) => measure = Some(s.to_string()),
                (other, _) => {
                    let what = format!("`{other}` is not known here, or is not a text");
                    self.error("baseline-key", key.span(), what, "expected `version` and `measure`");
                }
            }
        }
        if !version {
            self.error("baseline-version", 0..0, "`version` is missing".to_owned(), "expected `version = 1`");
        }
        measure
    }

    fn questions(&mut self, t: &DeTable<'_>, entries: &mut BTreeMap<QuestionId, Entry>) {
        for (key, value) in t {
            let Some(id) = QuestionId::new(key.get_ref()) else {
                let what = format!("`{}` is not an id", key.get_ref());
                self.error("baseline-id", key.span(), what, "an id is [A-Za-z0-9][A-Za-z0-9._-]{0,99}");
                continue;
            };
            match value.get_ref() {
                DeValue::Table(fields) => {
                    if let Some(entry) = self.entry(key, fields) {
                        entries.insert(id, entry);
                    }
                }
                DeValue::String(_)
                | DeValue::Integer(_)
                | DeValue::Float(_)
                | DeValue::Boolean(_)
                | DeValue::Datetime(_)
                | DeValue::Array(_) => self.error("baseline-key", key.span(), "expected a block".to_owned(), ""),
            }
        }
    }

    fn entry(&mut self, key: &Spanned<std::borrow::Cow<'_, str>>, fields: &DeTable<'_>) -> Option<Entry> {
        let mut e = Entry {
            question: self.comment_above(key.span().start),
            expects: String::new(),
            layers: LayerMap::default(),
            reason: None,
            owner: None,
            issue: None,
            until: None,
            flaky: false,
            quarantined: false,
            floor: None,
            runs: None,
            place: self.place(key.span()),
        };
        let before = self.problems.0.len();
        for (name, value) in fields {
            let span = value.span();
            if name.get_ref() == "runs" {
                let read = value.get_ref().as_integer().and_then(|i| i.as_str().parse().ok()).filter(|n| *n >= 2);
                if read.is_none() {
                    let what = "`runs` is a whole number of runs, from 2 on".to_owned();
                    self.error("baseline-runs", span, what, "take the line out where it was asked once");
                }
                e.runs = read;
                continue;
            }
            let Some(text) = value.get_ref().as_str() else {
                let what = format!("`{}` is a text here", name.get_ref());
                self.error("baseline-value", span, what, "put it in quotes");
                continue;
            };
            match name.get_ref().as_ref() {
                "expects" => e.expects = text.to_owned(),
                "reason" if says_nothing(text) => {
                    self.error("baseline-reason", span, "a reason says something".to_owned(), "");
                }
                "reason" => e.reason = Some(text.to_owned()),
                "owner" => e.owner = Some(text.to_owned()),
                "issue" => e.issue = Some(text.to_owned()),
                "until" => match text.parse::<Date>() {
                    Ok(d) => e.until = Some(d),
                    Err(_) => self.error(
                        "baseline-until",
                        span,
                        format!("`{text}` is not a date"),
                        "write it as \"2027-01-31\"",
                    ),
                },
                "stability" if text == "flaky" => e.flaky = true,
                "stability" if text == "quarantined" => e.quarantined = true,
                "stability" => self.error(
                    "baseline-stability",
                    span,
                    format!("`{text}` is not a stability"),
                    "expected \"flaky\" or \"quarantined\", or no such line",
                ),
                "floor" => match Floor::parse(text) {
                    Some(f) => e.floor = Some(f),
                    None => self.error(
                        "baseline-floor",
                        span,
                        format!("`{text}` is not a share of runs"),
                        "write it as \"7/10\"",
                    ),
                },
                layer => match (LayerId::parse(layer), LayerBase::parse(text)) {
                    (Some(l), Some(b)) => e.layers[l] = Some(b),
                    (Some(_), None) => self.error(
                        "baseline-outcome",
                        span,
                        format!("`{text}` is not an outcome that can be accepted"),
                        "expected \"pass\", \"fail\", \"skipped\", or of a flaky question a share of runs such as \"3/5\"",
                    ),
                    (None, _) => {
                        let what = format!("`{layer}` is not known here");
                        self.error(
                            "baseline-key",
                            name.span(),
                            what,
                            "expected a layer, or one of expects, reason, owner, issue, until, stability, floor, runs",
                        );
                    }
                },
            }
        }
        if self.problems.0.len() > before {
            return None;
        }
        if e.expects.is_empty() {
            self.error("baseline-expects", key.span(), "`expects` is missing".to_owned(), "accept the question again");
            return None;
        }
        if e.fails() && e.reason.is_none() {
            let help = "add `reason = \"…\"`, or accept it again with --reason";
            self.error("baseline-reason", key.span(), "a failure is accepted without a reason".to_owned(), help);
            return None;
        }
        if e.floor.is_some() && !e.flaky {
            let help = "add `stability = \"flaky\"`, or take the floor out";
            self.error("baseline-floor", key.span(), "a floor is for a flaky question".to_owned(), help);
            return None;
        }
        if e.quarantined && e.until.is_none() {
            let help = "add its last day, `until = \"2027-01-31\"`: a quarantine without an end is forgotten";
            self.error("baseline-quarantine", key.span(), "a quarantined question has no last day".to_owned(), help);
            return None;
        }
        if e.names_what_varies() && !e.flaky {
            let help = "add `stability = \"flaky\"`, or write \"pass\" or \"fail\"";
            self.error("baseline-outcome", key.span(), "a share of runs is for a flaky question".to_owned(), help);
            return None;
        }
        if e.runs.is_some() && e.flaky {
            let what = "the runs behind a flaky question are those of its floor".to_owned();
            self.error("baseline-runs", key.span(), what, "write them as `floor = \"7/10\"`");
            return None;
        }
        Some(e)
    }

    /// The comment line above a block.
    fn comment_above(&self, at: usize) -> String {
        let before = self.source.text.get(..at).unwrap_or_default();
        let above = before.rsplit('\n').nth(1).unwrap_or_default();
        above.strip_prefix('#').map(|c| c.trim().to_owned()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Baseline, Problems> {
        Baseline::parse(&Arc::new(Source { path: "suites/s.baseline.toml".into(), text: text.into() }))
    }

    const GOOD: &str = r##"# Written by `ragline accept`. Review it like code.
[baseline]
version = 1
measure = "3f0c"

# Máy bị vào nước ở động cơ thì có được bảo hành không?
[question."q06"]
expects = "3f9a1c20"
retrieval = "pass"
facts = "fail"
citation = "skipped"
reason = "index rebuild, \"#412\""
owner = "cskh"
until = "2027-01-31"
stability = "flaky"
floor = "7/10"
"##;

    #[test]
    fn the_canonical_form_reads_and_writes_the_same_bytes() {
        let b = read(GOOD).unwrap();
        let e = &b.entries["q06"];
        assert_eq!(e.place.line, 7);
        assert_eq!(e.question, "Máy bị vào nước ở động cơ thì có được bảo hành không?");
        assert_eq!(e.layers[LayerId::Facts], Some(LayerBase::Fail));
        assert_eq!(b.to_toml(), GOOD);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        for (text, line, code) in [
            ("", 1, "baseline-not-one"),
            ("[baseline]\nversion = 2\n", 2, "baseline-version"),
            ("[baseline]\nversion = 1\n[question.q1]\nexpects = \"a\"\nfacts = \"fail\"\n", 3, "baseline-reason"),
            ("[baseline]\nversion = 1\n[question.q1]\nexpects = \"a\"\nfact = \"pass\"\n", 5, "baseline-key"),
            (
                "[baseline]\nversion = 1\n[question.q1]\nexpects = \"a\"\nfacts = \"unmeasured\"\n",
                5,
                "baseline-outcome",
            ),
            (
                "[baseline]\nversion = 1\n[question.q1]\nexpects = \"a\"\n[question.q1]\nexpects = \"a\"\n",
                5,
                "baseline-duplicate",
            ),
            ("[baseline]\nversion = 1\n[question.q1]\nexpects = a\n", 4, "baseline-syntax"),
            ("[baseline]\nversion = 1\n<<<<<<< HEAD\n=======\n>>>>>>> topic\n", 3, "baseline-conflict"),
            ("[baseline]\nversion = 1\n[question.q1]\nfacts = \"pass\"\n", 3, "baseline-expects"),
            ("[baseline]\nversion = 1\n[question.q1]\nexpects = \"a\"\nuntil = \"soon\"\n", 5, "baseline-until"),
            (
                "[baseline]\nversion = 1\n[question.q1]\nexpects = \"a\"\nstability = \"quarantined\"\n",
                3,
                "baseline-quarantine",
            ),
            ("[baseline]\nversion = 1\n[question.q1]\nexpects = \"a\"\nfacts = \"3/5\"\n", 3, "baseline-outcome"),
            ("[baseline]\nversion = 1\n[question.q1]\nexpects = \"a\"\nfacts = \"5/5\"\n", 5, "baseline-outcome"),
            ("[baseline]\nversion = 1\n[question.\"a b\"]\nexpects = \"a\"\n", 3, "baseline-id"),
        ] {
            let p = read(text).unwrap_err().0;
            assert_eq!((p[0].place.line, p[0].code), (line, code), "{text}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_reason_survives_the_file(reason in "\\PC{1,40}|[\\x00-\\x1f\"\\\\]{1,6}x", question in ".{0,200}") {
            let mut b = read(GOOD).unwrap();
            for e in b.entries.values_mut() {
                e.reason = Some(format!("x{reason}"));
                e.question = question.clone();
            }
            let again = read(&b.to_toml()).unwrap();
            proptest::prop_assert_eq!(&again.entries["q06"].reason, &b.entries["q06"].reason);
            proptest::prop_assert_eq!(again.to_toml(), b.to_toml());
        }
    }
}
