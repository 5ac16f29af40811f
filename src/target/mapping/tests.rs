use super::{Event, json, quote, read, response, streamed, unnamed};
use crate::suite::config::live::{Field, Mapping};
use crate::suite::corpus::Corpus;
use crate::target::FailureKind;
use crate::target::response::{Answer, Citation, Context, OwnedResponse};
use serde_json::{Value, json as value};
use serde_json_path::JsonPath;

fn at(paths: &[&str]) -> Field {
    Field { paths: paths.iter().map(|p| JsonPath::parse(p).unwrap()).collect(), ..Field::default() }
}

/// Answer at `$.answer`, passages at `$.contexts[*]`.
fn usual() -> Mapping {
    Mapping { answer: at(&["$.answer"]), contexts: at(&["$.contexts[*]"]), ..Mapping::default() }
}

#[track_caller]
fn read_with(mapping: &Mapping, body: &str) -> OwnedResponse {
    response(mapping, &read(body.as_bytes()).unwrap(), None).unwrap_or_else(|f| panic!("{f}"))
}

fn contexts(mapping: &Mapping, body: &str) -> Option<Vec<Context<'static>>> {
    read_with(mapping, body).contexts
}

fn text(r: &OwnedResponse) -> &str {
    match &r.answer {
        Answer::Text(t) => t,
        other @ (Answer::Absent | Answer::Null) => panic!("{other:?}"),
    }
}

#[test]
fn ids_keep_the_digits_they_are_written_with() {
    let ids = [
        ("9007199254740992", "9007199254740992"),
        ("9007199254740993", "9007199254740993"),
        ("\"9007199254740993\"", "9007199254740993"),
        ("7", "7"),
        ("7.0", "7.0"),
        ("\"007\"", "007"),
        ("0", "0"),
        ("\"0\"", "0"),
        ("18446744073709551616", "18446744073709551616"),
        ("-9223372036854775809", "-9223372036854775809"),
        ("1e3", "1e3"),
        ("1E+3", "1E+3"),
        ("-0", "-0"),
        ("1.50", "1.50"),
        ("0.1", "0.1"),
        ("12345678901234567890123456789.000000000001", "12345678901234567890123456789.000000000001"),
        ("\"a \\\" 1e3, -0\"", "a \" 1e3, -0"),
    ];
    let list: Vec<String> = ids.iter().map(|(written, _)| format!("{{\"doc\":{written}}}")).collect();
    let found = contexts(&usual(), &format!("{{\"answer\":\"x\", \"contexts\":[{}]}}", list.join(","))).unwrap();
    for (c, (written, right)) in found.iter().zip(ids) {
        assert_eq!(c.doc.as_deref(), Some(right), "{written}");
    }
    assert_eq!(found.len(), ids.len());
}

#[test]
fn what_is_no_json_stays_none() {
    for text in ["{\"a\": 007}", "[1.]", "[.5]", "[--1]", "[1e]", "[+1]", "{\"a\": NaN}", "[1] 2", "{\"a", "\"\\"] {
        assert_eq!(json(text.as_bytes()).unwrap_err().kind, FailureKind::NotJson, "{text}");
    }
    assert_eq!(json(b"\xef\xbb\xbf [1, 1e3] ").unwrap(), value!([1, "1e3"]));
    assert_eq!(json(b"18446744073709551616").unwrap(), value!("18446744073709551616"));
    assert!(json(b" \r\n").unwrap_err().why.contains("empty"));
    assert!(json(b"{\"a\": \xff}").unwrap_err().why.contains("not UTF-8 from byte 6"));
    let deep = "[".repeat(100_000);
    assert_eq!(json(deep.as_bytes()).unwrap_err().kind, FailureKind::NotJson);
}

#[test]
fn the_first_path_that_selects_anything_but_null_wins() {
    let mapping = Mapping { answer: at(&["$.a", "$.b.text", "$.c"]), ..Mapping::default() };
    assert_eq!(text(&read_with(&mapping, r#"{"a": null, "b": {"text": "B"}, "c": "C"}"#)), "B");
    assert_eq!(text(&read_with(&mapping, r#"{"a": "", "c": "C"}"#)), "", "an empty text is one");
    assert_eq!(text(&read_with(&mapping, r#"{"c": 42}"#)), "42");
    let parts = Mapping { answer: at(&["$.content[*].text"]), ..Mapping::default() };
    assert_eq!(text(&read_with(&parts, r#"{"content": [{"text": "one "}, {"tool": 1}, {"text": "two"}]}"#)), "one two");
}

#[test]
fn an_absent_list_is_no_empty_one() {
    let list = |path: &str, body: &str| {
        contexts(&Mapping { contexts: at(&[path]), ..usual() }, &format!("{{\"answer\": \"x\", {body}}}"))
            .map(|c| c.len())
    };
    for path in ["$.contexts[*]", "$.contexts", "$['contexts'][*]", "$.contexts[?@.text]", "$.contexts.*"] {
        assert_eq!(list(path, r#""other": 1"#), None, "{path}");
        assert_eq!(list(path, r#""contexts": null"#), None, "{path}");
        assert_eq!(list(path, r#""contexts": []"#), Some(0), "{path}");
        assert_eq!(list(path, r#""contexts": [{"text": "a"}]"#), Some(1), "{path}");
    }
    assert_eq!(list("$.contexts[?@.kept].a", r#""contexts": [{"kept": null}]"#), None);
    assert_eq!(list("$.contexts[?@.kept == true]", r#""contexts": [{"kept": false, "text": "a"}]"#), Some(0));
    assert_eq!(list("$.hits[*].docs[*]", r#""hits": []"#), Some(0));
    assert_eq!(list("$.hits[*].docs[*]", r#""hits": [{"docs": []}]"#), Some(0));
    assert_eq!(list("$.hits[*].docs[*]", r#""hits": [{}]"#), None);
    assert_eq!(list("$.hits[*].docs[*]", r#""hits": [{"docs": ["a", "b"]}, {"docs": ["c"]}]"#), Some(3));
}

#[test]
fn passages_as_objects_and_as_texts() {
    let own = r#"{"answer": "x", "contexts": [
        {"doc": "a.md", "section": ["A", "B"], "chunk": 3, "url": "u", "text": "t", "score": "0.75", "start": 5,
         "end": "9", "in_prompt": false, "more": {}},
        {"text": "t", "section": "A", "score": null, "in_prompt": "true"},
        "bare", 17]}"#;
    let found = contexts(&usual(), own).unwrap();
    let first = Context {
        doc: Some("a.md".into()),
        section: vec!["A".into(), "B".into()],
        chunk: Some("3".into()),
        url: Some("u".into()),
        text: Some("t".into()),
        score: Some(0.75),
        start: Some(5),
        end: Some(9),
        in_prompt: Some(false),
    };
    let second =
        Context { text: Some("t".into()), section: vec!["A".into()], in_prompt: Some(true), ..Context::default() };
    let bare = Context { text: Some("bare".into()), ..Context::default() };
    let id = Context { chunk: Some("17".into()), ..Context::default() };
    assert_eq!(found, [first, second, bare, id]);

    let mut mapping = usual();
    mapping.contexts = at(&["$.docs[*]"]);
    mapping.context.doc = Field {
        strip_prefix: Some("/data/".into()),
        regex: Some(regex::Regex::new(r"^(.+)\.pdf$").unwrap()),
        ..at(&["$.metadata.source", "$.id"])
    };
    mapping.context.text = at(&["$.page_content"]);
    mapping.context.section = at(&["$.metadata.headings"]);
    mapping.context.score = at(&["$.s"]);
    let found = contexts(
        &mapping,
        r#"{"answer": "x", "docs": [
            {"page_content": "T", "metadata": {"source": "/data/x/y.pdf", "headings": ["H", 2]}, "s": 1e400},
            {"id": 12, "doc": "not mapped"}, "bare"]}"#,
    )
    .unwrap();
    assert_eq!((found[0].doc.as_deref(), found[0].text.as_deref()), (Some("x/y"), Some("T")));
    assert_eq!((found[0].section.as_slice(), found[0].score), (&["H".into(), "2".into()][..], None));
    assert_eq!(found[1], Context { doc: Some("12".into()), ..Context::default() });
    assert_eq!(found[2].text.as_deref(), Some("bare"));
}

#[test]
fn names_are_made_to_meet() {
    let shape = |f: Field, text: &str| f.shape(text.to_owned());
    let base = || Field { basename: true, ..Field::default() };
    assert_eq!(shape(base(), "C:\\docs\\bảo hành.md"), "bảo hành.md");
    assert_eq!(shape(base(), "/a/b/"), "b");
    assert_eq!(shape(base(), "///"), "///");
    assert_eq!(shape(Field { strip_prefix: Some("s3://b/".into()), ..base() }, "s3://b/a.md"), "a.md");
    assert_eq!(shape(Field { strip_prefix: Some("x".into()), ..Field::default() }, "axe"), "axe");
    let regex = |r: &str| Field { regex: Some(regex::Regex::new(r).unwrap()), ..Field::default() };
    assert_eq!(shape(regex(r"(\w+)#"), "doc1#chunk"), "doc1");
    assert_eq!(shape(regex(r"\d+"), "doc15"), "15");
    assert_eq!(shape(regex(r"^z"), "doc"), "doc");
    assert_eq!(shape(regex(r"(z)?doc"), "doc"), "doc", "a group that took no part");
    let pair = |from: &str, to: &str| (regex::Regex::new(from).unwrap(), to.to_owned());
    let all = Field {
        replace: vec![pair(r"\.v\d+", ""), pair("[ _]+", "-"), pair("^(.)", "x$1")],
        lowercase: true,
        ..base()
    };
    assert_eq!(shape(all, "kb/2026-10/Nghỉ Phép__A.v4.MD"), "xnghỉ-phép-a.md");
}

#[test]
fn citations_flags_and_usage() {
    let mapping = Mapping {
        citations: Field { basename: true, ..at(&["$.sources"]) },
        refused: at(&["$.refused"]),
        input_tokens: at(&["$.usage.in"]),
        output_tokens: at(&["$.usage.out"]),
        ..usual()
    };
    let r = read_with(
        &mapping,
        r#"{"answer": "x", "sources": ["d/a.md", "https://h/b", 2, {"context": "[3]", "quote": "q"}, {"doc": 5}],
            "refused": "true", "usage": {"in": 10, "out": "7"}}"#,
    );
    let right = [
        Citation { doc: Some("a.md".into()), ..Citation::default() },
        Citation { doc: Some("b".into()), ..Citation::default() },
        Citation { context: Some(2), ..Citation::default() },
        Citation { context: Some(3), quote: Some("q".into()), ..Citation::default() },
        Citation { doc: Some("5".into()), ..Citation::default() },
    ];
    assert_eq!(r.citations.unwrap(), right);
    assert_eq!(
        (r.refused, r.usage.unwrap().input_tokens, r.usage.unwrap().output_tokens),
        (Some(true), Some(10), Some(7))
    );
    let r = read_with(
        &Mapping { citations: at(&["$.sources"]), ..usual() },
        r#"{"answer": "x", "sources": ["https://h/b"]}"#,
    );
    assert_eq!(r.citations.unwrap()[0].url.as_deref(), Some("https://h/b"));
    let r = read_with(&mapping, r#"{"answer": "x"}"#);
    assert_eq!((r.citations, r.refused, r.usage), (None, None, None));
}

#[test]
fn what_cannot_be_read_says_so() {
    let fail = |mapping: &Mapping, body: &str| response(mapping, &read(body.as_bytes()).unwrap(), None).unwrap_err();
    let f = fail(&usual(), r#"{"answer": "x", "contexts": [{"text": "a"}, {"content": "b"}]}"#);
    assert_eq!(f.kind, FailureKind::Unmapped);
    assert!(f.why.contains("passage 2") && f.why.contains("content"), "{f}");
    let retriever = Mapping { contexts: at(&["$.contexts"]), ..Mapping::default() };
    let f = fail(&retriever, r#"{"hits": []}"#);
    assert!(f.why.contains("no passages") && f.why.contains("`hits`"), "{f}");
    assert_eq!(read_with(&retriever, r#"{"contexts": []}"#).answer, Answer::Absent);
    let f = fail(&usual(), r#"{"answer": "x", "contexts": [null]}"#);
    assert!(f.why.contains("passage 1"), "{f}");
    let f = fail(&Mapping { citations: at(&["$.c"]), ..usual() }, r#"{"answer": "x", "c": [{}]}"#);
    assert!(f.why.contains("citation 1"), "{f}");
}

#[test]
fn streams_join_pieces_and_take_the_last_of_the_rest() {
    let mapping = Mapping { delta: at(&["$.d"]), citations: at(&["$.cites"]), ..usual() };
    let events = [
        value!({"contexts": ["old"]}),
        value!({"d": "Bảo "}),
        value!({"d": null}),
        value!({"d": "hành", "contexts": ["new"], "cites": [1]}),
        value!({"d": ""}),
    ];
    let r = streamed(&mapping, &unnamed(&events), None).unwrap();
    assert_eq!(text(&r), "Bảo hành");
    assert_eq!(r.contexts.unwrap()[0].text.as_deref(), Some("new"));
    assert_eq!(r.citations.unwrap().len(), 1);
    let whole = [value!({"answer": "draft"}), value!({"answer": "final"}), value!({"contexts": []})];
    let r = streamed(&mapping, &unnamed(&whole), None).unwrap();
    assert_eq!((text(&r), r.contexts.as_ref().unwrap().len()), ("final", 0));
    let f = streamed(&mapping, &unnamed(&[value!({"d": "a"}), value!({"error": {"message": "out of memory"}})]), None)
        .unwrap_err();
    assert_eq!((f.kind, f.why.contains("out of memory")), (FailureKind::ErrorBody, true));
    let f = streamed(&mapping, &unnamed(&[value!({"x": "a"})]), None).unwrap_err();
    assert_eq!(f.kind, FailureKind::Unmapped);
}

#[test]
fn passages_of_several_events_are_gathered() {
    let docs = |mapping: &Mapping, events: &[Event<'_>]| -> Vec<String> {
        let r = streamed(mapping, events, None).unwrap_or_else(|f| panic!("{f}"));
        r.contexts.unwrap().iter().map(|c| c.doc.as_deref().unwrap_or_default().to_owned()).collect()
    };
    let one = |paths: &[&str]| Mapping { delta: at(&["$.d"]), contexts: at(paths), ..Mapping::default() };
    let (a, b, c) = (value!({"doc": "a"}), value!({"doc": "b"}), value!({"doc": "c"}));
    // One a piece: all of them, in order, each once.
    let single = [&a, &b, &a, &c].map(|doc| value!({"source": doc, "d": "x"}));
    assert_eq!(docs(&one(&["$.source"]), &unnamed(&single)), ["a", "b", "c"]);
    // A list that grows, or is put in another order: the last.
    let lists = [value!([a]), value!([a, b]), value!([b, a])].map(|list| value!({"sources": list, "d": "x"}));
    for path in ["$.sources", "$.sources[*]"] {
        assert_eq!(docs(&one(&[path]), &unnamed(&lists)), ["b", "a"], "{path}");
        assert_eq!(super::passages(&one(&[path]), &unnamed(&lists)).unwrap().lost, 0);
    }
    let lost = [value!([a, b]), value!([c])].map(|list| value!({"sources": list}));
    let found = super::passages(&one(&["$.sources"]), &unnamed(&lost)).unwrap();
    assert_eq!((found.count(), found.events, found.lost), (1, 1, 2));
    // A list takes the place of single ones.
    let both = [value!({"s": a, "d": "x"}), value!({"s": [b, c]})];
    assert_eq!(docs(&one(&["$.s"]), &unnamed(&both)), ["b", "c"]);
    // Whole events, told apart by their names: that of the stream, or one in the data.
    let (cite, token) = (value!({"doc": "a", "n": 1}), value!({"d": "x", "type": "token"}));
    let typed = value!({"doc": "d", "type": "passage"});
    let named: Vec<Event<'_>> = [("passage", &a), ("", &token), ("citation", &cite), ("passage", &b), ("", &typed)]
        .map(|(name, value)| Event { name, value })
        .to_vec();
    let mut mapping = one(&["$"]);
    mapping.contexts.event = Some("passage".into());
    mapping.citations = Field { event: Some("citation".into()), ..at(&["$"]) };
    assert_eq!(docs(&mapping, &named), ["a", "b", "d"]);
    let cited = streamed(&mapping, &named, None).unwrap().citations.unwrap();
    assert_eq!(cited.iter().map(|c| c.doc.as_deref()).collect::<Vec<_>>(), [Some("a")]);
    // Without a name every event is one, and it is said which is none.
    let f = streamed(&one(&["$"]), &named, None).unwrap_err();
    assert!(f.why.contains("an event `token`") && f.why.contains("event = "), "{f}");
    assert_eq!(f.why.matches("\"type\":\"token\"").count(), 1, "it is quoted once: {f}");
}

#[test]
fn texts_that_stand_in_the_corpus() {
    let corpus = Corpus::from_texts([
        ("a.md".to_owned(), "# A\n\nintro\n\n## B\n\nbody of B\n\n### C\n\ndeep\n\n## D\n\nbody of D\n".to_owned()),
        ("ก.txt".to_owned(), "ประกัน 12 เดือน".to_owned()),
    ]);
    let mapping = Mapping { text_from_corpus: true, ..usual() };
    let fill = |passage: Value| {
        let body = value!({"answer": "x", "contexts": [passage]});
        let r = response(&mapping, &body, Some(&corpus)).unwrap();
        r.contexts.unwrap()[0].text.as_deref().map(str::to_owned)
    };
    assert_eq!(fill(value!({"doc": "a.md", "section": ["A", "D"]})).as_deref(), Some("body of D"));
    assert_eq!(fill(value!({"doc": "a.md", "section": "D"})).as_deref(), Some("body of D"));
    let with_subsections = fill(value!({"doc": "a.md", "section": ["A", "B"]})).unwrap();
    assert!(with_subsections.starts_with("body of B") && with_subsections.ends_with("deep"), "{with_subsections}");
    assert_eq!(fill(value!({"doc": "ก.txt", "start": 7, "end": 9})).as_deref(), Some("12"));
    assert_eq!(fill(value!({"doc": "ก.txt"})).as_deref(), Some("ประกัน 12 เดือน"));
    assert_eq!(fill(value!({"chunk": "a.md#D"})).as_deref(), Some("body of D"));
    assert_eq!(fill(value!({"doc": "a.md", "text": "as returned"})).as_deref(), Some("as returned"));
    for nowhere in [
        value!({"doc": "b.md"}),
        value!({"doc": "a.md", "section": "Z"}),
        value!({"doc": "ก.txt", "start": 9, "end": 99}),
        value!({"doc": "ก.txt", "start": 9, "end": 9}),
        value!({"chunk": "17"}),
    ] {
        assert_eq!(fill(nowhere.clone()), None, "{nowhere}");
    }
    let plain = response(&usual(), &value!({"answer": "x", "contexts": [{"doc": "ก.txt"}]}), Some(&corpus)).unwrap();
    assert_eq!(plain.contexts.unwrap()[0].text, None, "only where the settings say so");
}

#[test]
fn quotes_are_short_and_of_one_line() {
    assert_eq!(quote(" a\n\tb  c "), "a b c");
    assert_eq!(quote(&"x".repeat(300)).chars().count(), 300);
    let long = quote(&"ế ".repeat(1_000_000));
    assert_eq!((long.chars().count(), long.ends_with('…')), (301, true));
    assert!(!quote("a\u{1b}[31mb").contains('\u{1b}'));
}
