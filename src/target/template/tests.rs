use super::{Escape, GIVEN, Template, Values, fresh, percent_encoded};
use crate::problem::{Place, Problem};
use crate::suite::config::live::EnvText;
use crate::target::Environment;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

const QUESTIONS: [&str; 6] = [
    "Máy \"bị vào nước\" có được bảo hành không?\n",
    "รับประกัน \\ กี่เดือน?",
    "保修期是多久？}}{{ question }}",
    "What's the <b>price</b> & ${HOME} of {% raw %}?",
    "\u{1}\t\u{7f}\u{2028}\u{1f600}",
    "",
];

fn compile(raw: &str, escape: Escape) -> Result<Template, Problem> {
    let text = EnvText { raw: raw.to_owned(), place: Place::file("ragline.toml") };
    let vars: BTreeMap<String, String> = [("model".to_owned(), "m \"1\"".to_owned())].into();
    let environment: Environment = [
        ("KEY", "k\"e\\y{{ question }}"),
        ("TOP_K", "5"),
        ("BASE", "http://h:80/a"),
        ("PASS", "p@/ ss"),
        ("EMPTY", ""),
    ]
    .into_iter()
    .map(|(n, v)| (n.to_owned(), v.to_owned()))
    .collect();
    Template::compile(&text, escape, &vars, &environment)
}

#[track_caller]
fn give(raw: &str, escape: Escape, question: &str) -> (String, String) {
    let template = compile(raw, escape).unwrap_or_else(|p| panic!("{}", p.title));
    let rendered = template.render(&Values { question, session: "0a1b", ..Values::example() }).unwrap();
    (rendered.sent.expose().to_owned(), rendered.shown)
}

#[track_caller]
fn refused(raw: &str, escape: Escape) -> Problem {
    match compile(raw, escape) {
        Ok(_) => panic!("compiled: {raw}"),
        Err(p) => p,
    }
}

#[test]
fn json_arrives_as_it_was_asked() {
    for question in QUESTIONS {
        for raw in [
            r#"{"message": {{ question }}}"#,
            r#"{"message": {{ question | tojson }}}"#,
            "{\"message\": {{question}} }\n",
            r#"{% if repeat == 0 %}{"message": {{ question }}}{% endif %}"#,
            r#"{ {{ "message" }}: {{ question }} }"#,
        ] {
            let (sent, _) = give(raw, Escape::Json, question);
            let value: Value = serde_json::from_str(&sent).unwrap_or_else(|e| panic!("{e}: {sent}"));
            assert_eq!(value, json!({"message": question}), "{raw}");
        }
        let (sent, _) = give(r#"{"m": {{ "Briefly: " ~ question }}, "n": {{ repeat }}}"#, Escape::Json, question);
        let value: Value = serde_json::from_str(&sent).unwrap();
        assert_eq!(value, json!({"m": format!("Briefly: {question}"), "n": 0}));
    }
}

#[test]
fn values_bring_their_own_quotes() {
    for raw in [
        r#"{"message": "{{ question }}"}"#,
        r#"{"message": "Q: {{ question }} A:"}"#,
        r#"{"a": "\"", "message": " {{ question }}"}"#,
    ] {
        let p = refused(raw, Escape::Json);
        assert_eq!(p.title, "write {{ question }} without quotes: it brings its own", "{raw}");
        assert!(p.help.unwrap().contains(r#"{"message": {{ question }}}"#));
    }
    let p = refused(r#"{"message": {{ question | safe }}}"#, Escape::Json);
    assert_eq!(p.code, "template-json");
    assert_eq!(refused(r#"{"message": {{ question }}"#, Escape::Json).code, "template-json");
    assert_eq!(refused(r#"{"message": {{ question | upper }}}"#, Escape::Json).code, "template-question");
}

#[test]
fn names_that_nothing_gives() {
    let p = refused(r#"{"message": {{ questoin }}}"#, Escape::Json);
    assert!(p.title.contains("`questoin`") && p.title.contains("did you mean `question`?"), "{}", p.title);
    let help = p.help.unwrap();
    for name in GIVEN.into_iter().chain(["model"]) {
        assert!(help.contains(name), "{help}");
    }
    assert_eq!(refused("{{ question", Escape::None).code, "template");
    assert_eq!(refused("{{ question | nofilter }}", Escape::None).code, "template");
    assert_eq!(refused("{{ question.text }}", Escape::None).code, "template");
    assert!(compile("{% for i in range(2) %}{{ i }}{% endfor %}", Escape::None).is_ok());
}

#[test]
fn variables_are_put_in_after_rendering() {
    let (sent, shown) = give(r#"{"a": "x ${KEY}", "k": ${TOP_K}, "s": ${KEY}, "m": {{ model }}}"#, Escape::Json, "?");
    let value: Value = serde_json::from_str(&sent).unwrap();
    let key = "k\"e\\y{{ question }}";
    assert_eq!(value, json!({"a": format!("x {key}"), "k": 5, "s": key, "m": "m \"1\""}));
    assert!(shown.contains(r#""a": "x ${KEY}", "k": ${TOP_K}"#) && !shown.contains("e\\\\y"), "{shown}");
    assert_eq!(give("Bearer ${KEY}", Escape::None, "?").0, format!("Bearer {key}"));
    // A question that looks like a variable stays a question.
    assert_eq!(give("{{ question }}", Escape::None, "${KEY}"), ("${KEY}".into(), "${KEY}".into()));
    for name in ["MISSING", "EMPTY"] {
        let p = refused(&format!("Bearer ${{{name}}}"), Escape::None);
        assert_eq!((p.code, p.place.file.as_ref()), ("env-missing", "ragline.toml"));
        assert!(p.title.contains(name) && p.help.unwrap().contains("--without-keys"));
    }
    assert!(!format!("{:?}", compile("${KEY}", Escape::None).unwrap()).contains("e\\\\y"));
}

#[test]
fn parts_of_addresses() {
    let url = |raw: &str, question: &str| give(raw, Escape::Url, question).0;
    assert_eq!(url("http://h/a?q={{ question }}&x=1", "a b&c/d#é?"), "http://h/a?q=a%20b%26c%2Fd%23%C3%A9%3F&x=1");
    assert_eq!(url("http://h/{{ question | urlencode }}", "a b"), "http://h/a%20b");
    assert_eq!(url("${BASE}/ask", ""), "http://h:80/a/ask");
    assert_eq!(url("http://h/${PASS}", ""), "http://h/p%40%2F%20ss");
    assert_eq!(url("http://u:${PASS}@h/", ""), "http://u:p%40%2F%20ss@h/");
    assert_eq!(give("${BASE}/a?k=${KEY}", Escape::Url, "").1, "${BASE}/a?k=${KEY}");
    assert_eq!(percent_encoded("aZ09-._~ +%"), "aZ09-._~%20%2B%25");
}

#[test]
fn sessions_are_fresh_and_not_shown() {
    let (sent, shown) = give(r#"{"s": {{ session }}, "q": {{ question }}}"#, Escape::Json, "?");
    assert_eq!((sent.as_str(), shown.as_str()), (r#"{"s": "0a1b", "q": "?"}"#, r#"{"s": "SESSION", "q": "?"}"#));
    let many: BTreeSet<String> = (0..10_000).map(|_| fresh()).collect();
    assert_eq!(many.len(), 10_000);
    let threads: Vec<_> =
        (0..4).map(|_| std::thread::spawn(|| (0..1000).map(|_| fresh()).collect::<Vec<_>>())).collect();
    let more: BTreeSet<String> = threads.into_iter().flat_map(|t| t.join().unwrap()).collect();
    assert_eq!((more.len(), more.intersection(&many).count()), (4000, 0));
}

#[test]
fn a_text_ends_as_it_is_written() {
    assert_eq!(give("{{ question }}\n", Escape::None, "a").0, "a\n");
}
