//! What is told about one question, in every report: which layers failed, why, where to look next.

use super::{clean, cut, words};
use crate::core::{Change, LayerReport, QuestionReport, Verdict};
use crate::layer::{Code, LayerId, Outcome, Weight};
use regex::Regex;
use std::borrow::Cow;
use std::sync::LazyLock;

/// The reason of a layer, with the layers that give the same one.
pub struct Reason<'a> {
    /// Its code.
    pub code: Code,
    /// The sentence, as the layer wrote it.
    pub message: &'a str,
    /// The layer that says it first.
    pub layer: LayerId,
}

/// The layers that are why a question has its change: those that regressed for a regressed question, else those that
/// failed, else those that were not measured; in report order.
pub fn at_fault(q: &QuestionReport) -> Vec<(LayerId, &LayerReport)> {
    let of = |wanted: &dyn Fn(&LayerReport) -> bool| -> Vec<_> { q.layers.iter().filter(|(_, l)| wanted(l)).collect() };
    let bad = |o: Outcome| matches!(o, Outcome::Fail | Outcome::Unmeasured);
    // What was measured and is skipped now has no outcome that is bad in itself.
    let lost = |c: Change| matches!(c, Change::Expired | Change::Unmeasured);
    let same = of(&|l| l.change == q.change && (bad(l.result.outcome) || lost(l.change)));
    if !same.is_empty() {
        return same;
    }
    let failed = of(&|l| l.result.outcome == Outcome::Fail);
    if !failed.is_empty() {
        return failed;
    }
    of(&|l| l.result.outcome == Outcome::Unmeasured)
}

/// The reasons, gravest first: those of the layers at fault, then those of the other layers that do not pass. A reason that
/// several layers give is told once.
pub fn reasons(q: &QuestionReport) -> Vec<Reason<'_>> {
    let first = at_fault(q);
    let others =
        q.layers.iter().filter(|(id, l)| l.result.outcome != Outcome::Pass && !first.iter().any(|(f, _)| f == id));
    let mut out: Vec<Reason<'_>> = flag_against(q).into_iter().collect();
    for (layer, report) in first.iter().copied().chain(others) {
        for f in report.result.findings.iter().filter(|f| f.weight == Weight::Fault) {
            if !out.iter().any(|r| r.code == f.code && r.message == f.message) {
                out.push(Reason { code: f.code, message: &f.message, layer });
            }
        }
    }
    if out.is_empty() && q.outcome == Outcome::Unmeasured {
        // Not one layer could look at anything: the reason stands on one that was skipped.
        let faults = |l: &'_ LayerReport| l.result.findings.iter().position(|f| f.weight == Weight::Fault);
        out.extend(q.layers.iter().find_map(|(layer, l)| {
            let f = l.result.findings.get(faults(l)?)?;
            Some(Reason { code: f.code, message: &f.message, layer })
        }));
    }
    out
}

/// A refusal flag that decides against the text is the first thing to know of a question that fails, also where the layer of
/// refusals itself is content.
fn flag_against(q: &QuestionReport) -> Option<Reason<'_>> {
    let result = &q.layers[LayerId::Refusal].result;
    let told = result.findings.iter().find(|f| f.code == Code::RefusalFlagDisagrees);
    // Where that layer has another fault, that one tells of the flag.
    let leads = |weight| q.outcome == Outcome::Fail && (weight == Weight::Fault || result.outcome != Outcome::Fail);
    let f = told.filter(|f| leads(f.weight))?;
    Some(Reason { code: f.code, message: &f.message, layer: LayerId::Refusal })
}

/// The pieces of the answer that the reasons speak of, in code points.
pub fn spans(q: &QuestionReport) -> Vec<(usize, usize)> {
    let failed = q.layers.iter().filter(|(_, l)| l.result.outcome == Outcome::Fail);
    failed.flat_map(|(_, l)| &l.result.findings).filter(|f| f.weight == Weight::Fault).filter_map(|f| f.span).collect()
}

/// `retrieval, facts`, or `all layers`.
pub fn names(layers: &[(LayerId, &LayerReport)]) -> String {
    if layers.len() == LayerId::ALL.len() {
        return "all layers".into();
    }
    layers.iter().map(|(id, _)| id.name()).collect::<Vec<_>>().join(", ")
}

/// `PASS -> FAIL retrieval, facts`: the step that the layers at fault made.
pub fn step(q: &QuestionReport) -> String {
    let layers = at_fault(q);
    let names = names(&layers);
    let Some((_, first)) = layers.first() else { return q.change.words().to_owned() };
    let (now, why) = match first.result.outcome {
        Outcome::Pass | Outcome::Fail => ("FAIL", String::new()),
        Outcome::Unmeasured => ("UNMEASURED", String::new()),
        Outcome::Skipped(why) => ("SKIPPED", format!(" ({})", why.name())),
    };
    let was = match (q.change, first.was) {
        (Change::Edited, _) => "edited",
        (_, Some(Outcome::Pass)) => "PASS",
        (_, Some(Outcome::Fail)) => "FAIL",
        (_, Some(Outcome::Unmeasured)) => "UNMEASURED",
        (_, Some(Outcome::Skipped(_))) => "not checked",
        (_, None) => "new",
    };
    format!("{was} -> {now} {names}{why}")
}

/// Code points of a reason, or of a note, in a headline.
const HEADLINE: usize = 800;

/// The step and the first reason, on one line (cleaned).
pub fn headline(q: &QuestionReport) -> String {
    let mut out = step(q);
    // Whoever shows it cuts it much shorter; a message may quote megabytes.
    if let Some(note) = &q.change_note {
        out.push_str(&format!(" ({})", cut::chars(note, HEADLINE)));
    }
    if let Some(r) = reasons(q).first() {
        out.push_str(": ");
        out.push_str(&cut::chars(r.message, HEADLINE));
    }
    clean::terminal(&out).into_owned()
}

/// `regressed.retrieval`: the change and the first layer at fault.
pub fn kind(q: &QuestionReport) -> String {
    match at_fault(q).first() {
        Some((layer, _)) => format!("{}.{layer}", q.change),
        None => q.change.name().to_owned(),
    }
}

/// The layer at fault and what to change next, with what the passages say about it.
pub fn blame(q: &QuestionReport) -> Option<String> {
    // Where no layer is to blame there is nothing to change next, and saying so of a broken question helps nobody.
    let d = q.diagnosis.as_ref().filter(|d| d.layer != "none")?;
    let mut out = d.layer.to_owned();
    match q.same_contexts {
        Some(true) => out.push_str(" (same passages as before)"),
        Some(false) => out.push_str(" (other passages than before)"),
        None => {}
    }
    if !d.next.is_empty() {
        out.push_str(": ");
        out.push_str(d.next);
    }
    Some(clean::terminal(&out).into_owned())
}

/// A message on one line where it does not fit whole: of a JSON error that it quotes, what the error says and its code
/// stay, rather than the braces and ids at its front. The JSON may be cut off. Any other message is returned as it is.
pub fn condensed(message: &str) -> Cow<'_, str> {
    let Some((head, body)) = message.find('{').and_then(|at| message.split_at_checked(at)) else {
        return message.into();
    };
    let Some(member) = MEMBER.as_ref() else { return message.into() };
    let value = |names: &[&str]| {
        names.iter().find_map(|name| {
            let found = member
                .captures_iter(body)
                .find(|c| c.name("name").is_some_and(|n| n.as_str().eq_ignore_ascii_case(name)))?;
            let value = found.name("text").or_else(|| found.name("number"))?.as_str();
            let plain = serde_json::from_str::<String>(&format!("\"{value}\"")).unwrap_or_else(|_| value.to_owned());
            (!plain.trim().is_empty()).then_some(plain)
        })
    };
    let said = value(&["message", "msg", "detail", "error_description", "description", "error", "reason", "title"]);
    let code = value(&["code", "type", "status"]);
    let short = match (said, code) {
        (Some(said), Some(code)) => format!("{said} ({code})"),
        (Some(one), None) | (None, Some(one)) => one,
        (None, None) => return message.into(),
    };
    Cow::Owned(format!("{head}{short}"))
}

/// The members of a JSON object whose values are texts or numbers.
static MEMBER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r#""(?<name>[A-Za-z_]+)"\s*:\s*(?:"(?<text>(?:[^"\\]|\\.)*)|(?<number>-?[0-9]+))"#).ok()
});

/// Whether a reason is about the call, and about no layer: whatever could not be measured for it is every layer.
pub fn is_of_target(code: Code) -> bool {
    matches!(code, Code::ResponseError | Code::ResponseTimeout | Code::ResponseUnreadable | Code::TargetUnreachable)
}

/// What failures of one kind have in common: the message before what the target said, which may hold a trace id, a time or
/// the question itself. Other reasons are alike only where they say the same.
pub fn kin<'m>(code: Code, message: &'m str) -> Cow<'m, str> {
    if matches!(code, Code::ResponseStale | Code::ResponseMissing) {
        return of_recording(message).into();
    }
    if !is_of_target(code) {
        return message.into();
    }
    let message = cause(message);
    let end = [": ", " {", " \"", " “"].iter().filter_map(|border| message.find(border)).min();
    let head = end.and_then(|end| message.get(..end)).filter(|h| !h.is_empty()).unwrap_or(message);
    // A status has three digits; a port has more, and how many bytes came is another number each time.
    match COUNT.as_ref() {
        Some(count) => count.replace_all(head, "#"),
        None => head.into(),
    }
}

/// What is said of a recording, without the line of the file and the id that comes near.
fn of_recording(message: &str) -> &str {
    let message = message.split_once("; nearest: ").map_or(message, |(m, _)| m);
    let digits = |line: &str| !line.is_empty() && line.bytes().all(|b| b.is_ascii_digit());
    match message.rsplit_once(':') {
        Some((before, line)) if digits(line) => before,
        _ => message,
    }
}

/// Whether a question is unmeasured for want of a recording of this very request: `--answers fill` asks it.
pub fn wants_recording(q: &QuestionReport) -> bool {
    q.diagnosis.as_ref().is_some_and(|d| d.row == crate::diagnose::RECORDING)
}

/// Whether a question wants what its documents do not say: the suite is mended then, and nothing accepted.
pub fn wants_mending(q: &QuestionReport) -> bool {
    q.diagnosis.as_ref().is_some_and(|d| d.row == crate::diagnose::STALE_VALUE)
}

/// `ragline evidence update …` for the suites of the questions that want what their documents do not say. Nothing where there
/// is none.
pub fn mend(questions: &[&QuestionReport]) -> Option<String> {
    let mut suites: Vec<&str> = Vec::new();
    for q in questions.iter().filter(|q| wants_mending(q)) {
        if !suites.contains(&&*q.suite) {
            suites.push(&q.suite);
        }
    }
    (!suites.is_empty()).then(|| format!("ragline evidence update {}", suites.join(" ")))
}

/// `ragline accept …` for the questions that block and can be accepted as they are: by name while they are few, else by what
/// changed. Nothing where there is none.
pub fn accept(questions: &[&QuestionReport]) -> Option<String> {
    const FEW: usize = 10;
    let failed =
        |q: &&&QuestionReport| q.verdict == Verdict::Failed && q.change != Change::Removed && !wants_mending(q);
    let failed: Vec<&QuestionReport> = questions.iter().filter(failed).copied().collect();
    let mut named: Vec<String> = Vec::new();
    for q in &failed {
        // Every question that changed in this way is meant, and those of other suites with them.
        let name = if failed.len() > FEW { format!("change:{}", q.change) } else { format!("{}::{}", q.suite, q.id) };
        if !named.contains(&name) {
            named.push(name);
        }
    }
    (!named.is_empty()).then(|| format!("ragline accept {} --reason \"…\"", named.join(" ")))
}

/// The question that is looked at first: one that fails, else one that is not measured. Nothing where all is well.
pub fn first_red(questions: &[QuestionReport]) -> Option<&QuestionReport> {
    let there = |q: &&QuestionReport| q.change != Change::Removed && notable(q);
    let new = |q: &&QuestionReport| q.outcome == Outcome::Fail && q.change != Change::StillFailing;
    let find = |wanted: &dyn Fn(&&QuestionReport) -> bool| questions.iter().filter(there).find(|q| wanted(q));
    find(&|q| q.verdict == Verdict::Failed)
        .or_else(|| find(&new))
        .or_else(|| find(&|q| q.outcome == Outcome::Unmeasured))
}

/// A reason without how many attempts met it: a server that is away is one cause, however often each question asked.
pub fn cause(message: &str) -> &str {
    let split = message.split_once(" attempts, the last: ");
    split.filter(|(n, _)| n.bytes().all(|b| b.is_ascii_digit())).map_or(message, |(_, cause)| cause)
}

/// Numbers in which failures of one kind differ.
static COUNT: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"[0-9]+ bytes|[0-9]{4,}").ok());

/// The sign of an outcome.
pub fn sign(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Pass => "✓",
        Outcome::Fail => "✗",
        Outcome::Unmeasured => "?",
        Outcome::Skipped(_) => "–",
    }
}

/// True when something about a question is worth a place in a report besides the counts.
pub fn notable(q: &QuestionReport) -> bool {
    match q.change {
        Change::NotSelected | Change::NotAsked | Change::Draft | Change::Unchanged | Change::Observed => false,
        Change::Removed
        | Change::Edited
        | Change::RuleChanged
        | Change::Incomparable
        | Change::EvidenceStale
        | Change::Regressed
        | Change::Expired
        | Change::NewFail
        | Change::Unmeasured
        | Change::Undecided
        | Change::Drifted
        | Change::Flaky
        | Change::StillFailing
        | Change::Fixed
        | Change::NewPass => true,
    }
}

/// The story as plain text for a reader who sees nothing else (cleaned for XML; `budget` in bytes).
pub fn text(q: &QuestionReport, budget: usize) -> String {
    tell(q, true, budget)
}

/// The same without the answers: what is said beside a report that has them.
pub fn brief(q: &QuestionReport, budget: usize) -> String {
    tell(q, false, budget)
}

fn tell(q: &QuestionReport, with_answers: bool, budget: usize) -> String {
    let mut out = String::new();
    let mut line = |label: &str, text: &str| out.push_str(&format!("{label:<10}{text}\n"));
    if !q.question.is_empty() {
        line("question", &cut::chars(&clean::xml_line(&cut::chars(&q.question, 600)), 300));
    }
    if let Some(note) = &q.change_note {
        line("change", &format!("{}: {}", q.change.words(), clean::xml_line(&cut::chars(note, 400))));
    }
    let (was, now) = if with_answers { answers(q) } else { (None, None) };
    if let Some(was) = was {
        line("was", &was);
    }
    if let Some(now) = now {
        line("now", &now);
    }
    let reasons = reasons(q);
    for (i, r) in reasons.iter().take(REASONS).enumerate() {
        let message = cut::chars(&clean::xml_line(&cut::chars(r.message, 800)), 400);
        line(if i == 0 { "why" } else { "" }, &format!("{message} [{}]", r.code));
    }
    if reasons.len() > REASONS {
        line("", &format!("and {} more", reasons.len() - REASONS));
    }
    let layers: Vec<String> = q.layers.iter().map(|(id, l)| format!("{id} {}", l.result.outcome.name())).collect();
    line("layers", &layers.join(" · "));
    if let Some(blame) = blame(q) {
        line("blame", &blame);
    }
    line("place", &clean::xml_line(&q.place.to_string()));
    cut::bytes(&out, budget)
}

/// So many reasons are told.
pub const REASONS: usize = 6;

/// The accepted and the new answer with their difference, cut visibly with the size of the whole.
fn answers(q: &QuestionReport) -> (Option<String>, Option<String>) {
    let shown = |pieces: &[words::Piece], whole: &str| {
        let window = words::window(pieces, SHOWN);
        let all = whole.chars().count();
        if window.contains(cut::MARK) && all > SHOWN / 2 {
            format!("{window} (cut; the whole is {} characters)", cut::count(all))
        } else {
            window
        }
    };
    let spans = spans(q);
    match (&q.was_answer, &q.answer) {
        (Some(was), Some(now)) => {
            let c = words::compare(was, now, &spans);
            let now_text = match c.kind {
                words::Kind::Same => "the same answer".to_owned(),
                words::Kind::Alike => format!("{} (the same to the eye)", shown(&c.now, now)),
                words::Kind::Words | words::Kind::Other => shown(&c.now, now),
            };
            (Some(shown(&c.was, was)), Some(now_text))
        }
        (Some(was), None) => (Some(shown(&words::alone(was, &[]), was)), None),
        (None, Some(now)) => (None, Some(shown(&words::alone(now, &spans), now))),
        (None, None) => (None, None),
    }
}

/// Columns of an answer in the story.
const SHOWN: usize = 600;

#[cfg(test)]
mod tests {
    use super::{Code, condensed, kin};

    #[test]
    fn what_a_json_error_says_is_kept() {
        for (message, right) in [
            (
                r#"HTTP 500: {"trace":"77ab","fault":{"code":"IDX_4","message":"index is \"gone\""}}"#,
                r#"HTTP 500: index is "gone" (IDX_4)"#,
            ),
            (r#"HTTP 400: {"at":"10:00","Detail":"no such field","status":400}"#, "HTTP 400: no such field (400)"),
            (r#"HTTP 500: {"at":"10:00","message":"the index kb-fe…"#, "HTTP 500: the index kb-fe…"),
            (r#"HTTP 500: {"trace":"77ab","code":17}"#, "HTTP 500: 17"),
            (r#"HTTP 500: {"trace":"77ab"}"#, r#"HTTP 500: {"trace":"77ab"}"#),
            ("no first byte within 30 s", "no first byte within 30 s"),
        ] {
            assert_eq!(condensed(message), right);
        }
    }

    #[test]
    fn failures_of_a_kind_are_alike_and_others_are_not() {
        let same = |a: &str, b: &str| kin(Code::ResponseError, a) == kin(Code::ResponseError, b);
        for (a, b) in [
            ("HTTP 500 Internal Server Error: {\"trace\":1}", "HTTP 500 Internal Server Error: {\"trace\":2}"),
            ("no connection to 127.0.0.1:40001: refused", "no connection to 127.0.0.1:40002: refused"),
            ("3 attempts, the last: HTTP 500: x", "2 attempts, the last: HTTP 500: y"),
            ("3 attempts, the last: HTTP 500: x", "HTTP 500: y"),
            ("the body ended, after 87 bytes", "the body ended, after 512 bytes"),
            ("the response is a web page \"a\"", "the response is a web page \"b\""),
        ] {
            assert!(same(a, b), "{a} / {b}");
        }
        for (a, b) in [
            ("HTTP 500: x", "HTTP 502: x"),
            ("3 attempts, the last: HTTP 500: x", "3 attempts, the last: no connection: x"),
            ("no first byte within 30 s", "no first byte within 5 s"),
        ] {
            assert!(!same(a, b), "{a} / {b}");
        }
        let fault = |m| kin(Code::EvidenceStale, m);
        assert_ne!(fault("The evidence a.md is stale: x"), fault("The evidence a.md is stale: y"));
    }
}
