//! One question of a suite.

use super::{evidence, fact};
use crate::layer::{LayerId, LayerMap};
use crate::suite::model::{
    CitationPolicy, Expect, LayerSetting, Need, NumbersGrant, Question, QuestionId, Severity, Support,
};
use crate::suite::node::reader::shown;
use crate::suite::node::{Entry, Fields, Node, Reader, Shape, Span, Value};
use crate::text::norm::chars;

/// The keys of a question.
pub(crate) const QUESTION: Shape = Shape {
    what: "a question",
    keys: &[
        "id",
        "question",
        "expect",
        "evidence",
        "evidence_match",
        "facts",
        "must_not",
        "reference",
        "rubric",
        "top_k",
        "tags",
        "severity",
        "owner",
        "group",
        "layers",
        "numbers",
        "citation",
        "draft",
        "extra",
    ],
    reserved: &["turns", "variants", "vars", "as_of", "answer_language", "evidence_not"],
};

/// The layers that a judge decides, which nothing supports yet.
pub(crate) const JUDGED: [&str; 5] =
    ["faithfulness", "answer_relevancy", "context_precision", "context_recall", "rubric"];

/// What a question may expect.
pub(crate) const EXPECT: [(&str, Expect); 4] =
    [("answer", Expect::Answer), ("refuse", Expect::Refuse), ("either", Expect::Either), ("clarify", Expect::Clarify)];

/// How much a question may matter.
pub(crate) const SEVERITY: [(&str, Severity); 3] =
    [("critical", Severity::Critical), ("normal", Severity::Normal), ("minor", Severity::Minor)];

/// Whether one item of the evidence suffices.
pub(crate) const EVIDENCE_MATCH: [(&str, Need); 2] = [("any", Need::Any), ("all", Need::All)];

/// The settings of a layer.
pub(crate) const SETTING: [(&str, LayerSetting); 3] =
    [("on", LayerSetting::On), ("warn", LayerSetting::Warn), ("off", LayerSetting::Off)];

/// The keys that assert something, as people may write them in a wrong place.
const ASSERTIONS: [&str; 11] = [
    "expect",
    "expects",
    "evidence",
    "fact",
    "facts",
    "must_not",
    "reference",
    "rubric",
    "assert",
    "asserts",
    "assertions",
];

/// Reads one question; nothing when it has no usable id or text, which is recorded.
pub(super) fn read(reader: &Reader<'_>, node: &Node<'_>) -> Option<Question> {
    let fields = reader.fields(node, &QUESTION)?;
    let text_of = |key, what| fields.get(key).and_then(|n| reader.string(n, what));
    let id = required(reader, &fields, "id").and_then(|n| id(reader, n, "`id`"));
    let text = required(reader, &fields, "question").and_then(|n| reader.string(n, "`question`"));
    let expect = fields.get("expect").map(|n| expect(reader, n));
    let evidence = fields.get("evidence").map(|n| evidence::list(reader, n, "`evidence`")).unwrap_or_default();
    let evidence_match =
        fields.get("evidence_match").and_then(|n| reader.word(n, "`evidence_match`", &EVIDENCE_MATCH, &[]));
    let facts = fields.get("facts").map(|n| fact::list(reader, n, "`facts`")).unwrap_or_default();
    let must_not = fields.get("must_not").map(|n| fact::list(reader, n, "`must_not`")).unwrap_or_default();
    let reference = text_of("reference", "`reference`");
    let rubric = text_of("rubric", "`rubric`");
    let top_k = fields.get("top_k").and_then(|n| top_k(reader, n));
    let tags = fields.get("tags").map(|n| tags(reader, n)).unwrap_or_default();
    let severity = fields.get("severity").and_then(|n| reader.word(n, "`severity`", &SEVERITY, &[]));
    let owner = text_of("owner", "`owner`");
    let group = text_of("group", "`group`");
    let layers = fields.get("layers").map(|n| layers(reader, n)).unwrap_or_default();
    let numbers = fields.get("numbers").map(|n| numbers(reader, n, &NUMBERS)).unwrap_or_default();
    let citation = fields.get("citation").map(|n| citation(reader, n)).unwrap_or_default();
    let draft = fields.get("draft").and_then(|n| reader.boolean(n, "`draft`")).unwrap_or(false);
    let misplaced = misplaced(&fields);
    for (under, found) in misplaced.iter().filter(|(under, _)| under.key == "extra") {
        reader.push(
            reader
                .warning(
                    "assertion-not-read",
                    found.key_span,
                    format!("`{}` found under `{}`, where it is not read", found.key, under.key),
                )
                .help("move it out, to the level of `question`"),
        );
    }
    fact::contradictions(reader, &facts, &must_not);
    asked_for(reader, &fields, expect);
    // A question whose `expect` could not be read is not judged by what it expects.
    let known_expect = expect != Some(None);
    let question = Question {
        id: id?,
        text: text?,
        expect: expect.flatten().unwrap_or_default(),
        evidence,
        evidence_match: evidence_match.unwrap_or_default(),
        facts,
        must_not,
        reference,
        rubric,
        tags,
        severity: severity.unwrap_or_default(),
        owner,
        group,
        layers,
        numbers,
        citation,
        top_k,
        draft,
        place: reader.place(node.span),
    };
    if question.expect == Expect::Refuse
        && let Some(e) = fields.entry("evidence").filter(|_| !question.evidence.is_empty())
    {
        reader.push(
            reader
                .error(
                    "evidence-contradicts",
                    e.key_span,
                    format!("question `{}` expects a refusal and names evidence for an answer", question.id),
                )
                .help("remove `evidence`, or use `expect: either`"),
        );
    }
    if known_expect && !question.draft {
        assertions(reader, &fields, &question, &misplaced);
    }
    Some(question)
}

/// An id, or the name of a suite.
pub(super) fn id(reader: &Reader<'_>, node: &Node<'_>, what: &str) -> Option<QuestionId> {
    let text = reader.string(node, what)?;
    let id = QuestionId::new(&text);
    if id.is_none() {
        let title = format!("{what} is `{}`, expected letters a-z A-Z, digits and . _ -", shown(&text));
        reader.push(
            reader.error("id-form", node.span, title).help("at most 100 characters, the first a letter or digit"),
        );
    }
    id
}

/// How many contexts count.
pub(super) fn top_k(reader: &Reader<'_>, node: &Node<'_>) -> Option<usize> {
    usize::try_from(reader.integer(node, "`top_k`", 1, 10_000)?).ok()
}

/// What the numbers layer grants one question.
const NUMBERS: Shape = Shape { what: "`numbers`", keys: &["allow", "allow_sum"], reserved: &[] };

/// What it grants every question of a suite: sums are granted one by one, since among many numbers nearly every small one is
/// some difference.
pub(super) const SUITE_NUMBERS: Shape = Shape { what: "`numbers`", keys: &["allow"], reserved: &[] };

/// What the numbers layer grants.
pub(super) fn numbers(reader: &Reader<'_>, node: &Node<'_>, shape: &Shape) -> NumbersGrant {
    let mut grant = NumbersGrant::default();
    let Some(fields) = reader.fields(node, shape) else { return grant };
    for item in fields.get("allow").and_then(|n| reader.list(n, "`allow`")).unwrap_or_default() {
        let Some(text) = reader.string(item, "a number that is allowed") else { continue };
        if text.chars().any(|c| chars::digit(c).is_some()) {
            grant.allow.push(text);
        } else {
            let title = format!("`{}` holds no digit, so it allows no number", shown(&text));
            let help = "write the number as answers do, with its unit: \"1900 1234\", \"24 hours\"";
            reader.push(reader.error("allow-without-number", item.span, title).help(help));
        }
    }
    grant.allow_sum = fields.get("allow_sum").and_then(|n| reader.boolean(n, "`allow_sum`")).unwrap_or(false);
    grant
}

/// What is made of a citation that does not bear out its sentence.
pub(crate) const SUPPORT: [(&str, Support); 3] =
    [("fail", Support::Fail), ("note", Support::Note), ("off", Support::Off)];

/// How citations are read.
pub(super) fn citation(reader: &Reader<'_>, node: &Node<'_>) -> CitationPolicy {
    const CITATION: Shape = Shape { what: "`citation`", keys: &["support", "count_from"], reserved: &[] };
    let Some(fields) = reader.fields(node, &CITATION) else { return CitationPolicy::default() };
    CitationPolicy {
        support: fields.get("support").and_then(|n| reader.word(n, "`support`", &SUPPORT, &[])),
        from_zero: fields.get("count_from").and_then(|n| reader.integer(n, "`count_from`", 0, 1)).map(|n| n == 0),
    }
}

fn required<'n, 'a>(reader: &Reader<'a>, fields: &Fields<'n, 'a>, key: &str) -> Option<&'n Node<'a>> {
    let node = fields.get(key);
    if node.is_none() {
        let title = format!("`{key}` is missing");
        reader.push(
            reader
                .error("key-missing", fields.span, title)
                .help("a question needs an id, a text and one thing to check"),
        );
    }
    node
}

fn expect(reader: &Reader<'_>, node: &Node<'_>) -> Option<Expect> {
    if let Value::Map(_) = node.value {
        let title = "`expect` is a map, expected one of `answer`, `refuse`, `either`, `clarify`";
        let help = "write what it holds at the level of `question`: facts, evidence, must_not";
        reader.push(reader.error("expected-word", node.span, title).help(help));
        return None;
    }
    reader.word(node, "`expect`", &EXPECT, &[])
}

fn tags(reader: &Reader<'_>, node: &Node<'_>) -> Vec<String> {
    let mut tags = Vec::new();
    for item in reader.list(node, "`tags`").unwrap_or_default() {
        let Some(tag) = reader.string(item, "a tag") else { continue };
        if tags.contains(&tag) {
            reader.push(reader.warning("duplicate-tag", item.span, format!("tag `{}` given twice", shown(&tag))));
        } else {
            tags.push(tag);
        }
    }
    tags
}

fn layers(reader: &Reader<'_>, node: &Node<'_>) -> LayerMap<LayerSetting> {
    const LAYERS: Shape =
        Shape { what: "`layers`", keys: &["retrieval", "facts", "refusal", "numbers", "citation"], reserved: &JUDGED };
    let mut settings = LayerMap::default();
    for e in reader.fields(node, &LAYERS).iter().flat_map(|f| f.entries) {
        if let Some(layer) = LayerId::parse(&e.key)
            && let Some(setting) = reader.word(&e.value, "the setting of a layer", &SETTING, &[])
        {
            settings[layer] = setting;
        }
    }
    settings
}

/// A layer that is switched on in words must have something to check: else it would be skipped in silence.
fn asked_for(reader: &Reader<'_>, fields: &Fields<'_, '_>, expect: Option<Option<Expect>>) {
    let none = |key: &str| {
        fields.get(key).is_none_or(|n| match &n.value {
            Value::List(items) => items.is_empty(),
            Value::Scalar(..) | Value::Map(_) => false,
        })
    };
    let Some(Node { value: Value::Map(entries), .. }) = fields.get("layers") else { return };
    for e in entries {
        let off = matches!(&e.value.value, Value::Scalar(word, _) if word == "off");
        let lacks = match e.key.as_ref() {
            "retrieval" if none("evidence") && expect != Some(Some(Expect::Refuse)) => "evidence",
            "facts" if none("facts") && none("must_not") => "facts",
            _ => continue,
        };
        if !off {
            let title = format!("`{}` is switched on, and the question has no `{lacks}` that it could check", e.key);
            let p = reader.error("layer-without-assertion", e.key_span, title);
            reader.push(p.help(format!("add `{lacks}`, or remove `{}` from `layers`", e.key)));
        }
    }
}

/// Assertions below keys that are not read: each with the key of the question that it is under.
fn misplaced<'n, 'a>(fields: &Fields<'n, 'a>) -> Vec<(&'n Entry<'a>, &'n Entry<'a>)> {
    let mut found = Vec::new();
    let unread = |e: &&Entry<'_>| e.key == "extra" || !QUESTION.keys.contains(&e.key.as_ref());
    for under in fields.entries.iter().filter(unread) {
        let mut nodes = vec![&under.value];
        while let Some(node) = nodes.pop() {
            match &node.value {
                Value::Scalar(..) => {}
                Value::List(items) => nodes.extend(items),
                Value::Map(entries) => {
                    for e in entries {
                        if ASSERTIONS.contains(&e.key.as_ref()) {
                            found.push((under, e));
                        } else {
                            nodes.push(&e.value);
                        }
                    }
                }
            }
        }
    }
    found
}

/// A question must assert something that is checked, or be openly observed.
fn assertions(reader: &Reader<'_>, fields: &Fields<'_, '_>, q: &Question, misplaced: &[(&Entry<'_>, &Entry<'_>)]) {
    let on = |layer| q.setting(layer) != LayerSetting::Off;
    let checked = (!q.evidence.is_empty() && (on(LayerId::Retrieval) || on(LayerId::Citation)))
        || ((!q.facts.is_empty() || !q.must_not.is_empty()) && on(LayerId::Facts))
        || (matches!(q.expect, Expect::Refuse | Expect::Clarify) && on(LayerId::Refusal));
    // Assertions that were given and could not be read have been reported already.
    let tried = ["evidence", "facts", "must_not"].iter().filter_map(|k| fields.get(k)).any(|n| match &n.value {
        Value::Scalar(..) | Value::Map(_) => true,
        Value::List(items) => !items.is_empty(),
    });
    if checked || q.reference.is_some() || q.rubric.is_some() || (tried && !q.asserts()) {
        return;
    }
    let at =
        fields.entry("id").map_or(fields.span, |e| Span { end: e.value.span.end.max(e.key_span.end), ..e.key_span });
    let problem = if q.asserts() {
        reader
            .error(
                "nothing-asserted",
                at,
                format!("question `{}` has no assertions that are checked: their layers are off", q.id),
            )
            .help("switch a layer on, or remove the question")
    } else {
        let p = reader.error("nothing-asserted", at, format!("question `{}` has no assertions", q.id));
        match misplaced.first() {
            Some((under, found)) => p
                .help(format!(
                    "`{}` found under `{}`: move it to the level of `question`",
                    found.key,
                    shown(&under.key)
                ))
                .related(reader.place(found.key_span), "not read here"),
            None => p.help(
                "add `facts`, `evidence` or `must_not`, or `expect: refuse` or `clarify`; with only a `reference` it is observed",
            ),
        }
    };
    reader.push(problem);
}
