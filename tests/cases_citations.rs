//! Citations and retrieval as other tools got them wrong, through the binary: what is cited and was never retrieved, what is
//! broken and must not pass for good, names of chunks where documents are wanted.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests fail by a panic")]

mod binary_kit;

use binary_kit::{Folder, Ran, outcome};
use serde_json::{Value, json};

const THRESHOLDS: (&str, &str) = ("thresholds.toml", "version = 1\nbaseline = \"none\"\n");

/// A run of one question with this evidence over a recorded response.
fn answered(keys: &str, response: &Value) -> (Folder, Ran) {
    let suite = format!(
        "version: 1\nsuite: s\nlanguage: en\ntarget: bot\nquestions:\n  - id: q1\n    question: Is it open on Sunday?\n{keys}"
    );
    let mut line = response.clone();
    line["id"] = json!("q1");
    let folder = Folder::with(&[
        (
            "ragline.toml",
            "version = 1\n[targets.bot]\nkind = \"recorded\"\nfile = \"r.jsonl\"\nprovides = [\"answer\", \"contexts\", \"citations\"]\n",
        ),
        THRESHOLDS,
        ("suites/s.yaml", &suite),
        ("r.jsonl", &format!("{{\"version\":1,\"kind\":\"responses\",\"suite\":\"s\"}}\n{line}\n")),
    ]);
    let ran = folder.run(&["run"]);
    (folder, ran)
}

fn citation(folder: &Folder) -> Value {
    folder.results()["q1"]["layers"]["citation"].clone()
}

fn codes(layer: &Value) -> Vec<String> {
    let findings = layer["findings"].as_array().cloned().unwrap_or_default();
    let faults = findings.iter().filter(|f| f["note"] != json!(true));
    faults.map(|f| f["code"].as_str().unwrap().to_owned()).collect()
}

/// B11.
#[test]
fn what_is_cited_is_resolved_to_what_was_retrieved() {
    let keys = "    evidence: [{ doc: b.md }]\n";
    for (answer, pass, code, cited, words) in [
        (
            "Yes [1].",
            false,
            Some("citation-not-evidence"),
            json!([0]),
            "Passage 1 is cited; the evidence stands in passage 2",
        ),
        ("Yes [3].", false, Some("citation-dangling"), json!([]), "Citation [3]"),
        ("Yes [2][2][2].", true, None, json!([1]), ""),
        ("Yes [87] and [2].", false, Some("citation-dangling"), json!([1]), "Citation [87]"),
        ("See list[0] for details.", false, Some("citation-missing"), json!([]), "The answer cites nothing"),
        ("Yes [0].", false, Some("citation-dangling"), json!([]), "Citation [0]"),
    ] {
        let contexts = json!([{ "doc": "a.md", "text": "It is closed on Monday." }, { "doc": "b.md", "text": "It is open on Sunday." }]);
        let (folder, ran) = answered(keys, &json!({ "answer": answer, "contexts": contexts }));
        let ran = ran.exits(i32::from(!pass)).shows(&[words]);
        let layer = citation(&folder);
        assert_eq!(layer["outcome"] == "pass", pass, "{answer}: {layer}\n{}", ran.out);
        assert_eq!(codes(&layer), code.into_iter().collect::<Vec<_>>(), "{answer}");
        assert_eq!(layer["cited"], cited, "{answer}");
        if pass {
            assert_eq!(
                (layer["metrics"]["gold_precision"].as_f64(), layer["metrics"]["recall"].as_f64()),
                (Some(1.0), Some(1.0))
            );
        }
    }
}

/// A citation that exists and says nothing of its sentence: a note, and a fault where the suite says so.
#[test]
fn a_citation_that_does_not_bear_out_its_sentence_fails_where_the_suite_says_so() {
    let contexts = json!([{ "doc": "a.md", "text": "Returns are free within 7 days." }, { "doc": "b.md", "text": "Delivery costs 3 euro." }]);
    let response = json!({ "answer": "Returns are free within 7 days [2].", "contexts": contexts });
    let told = |keys: &str, exit: i32| {
        let (folder, ran) = answered(&format!("    facts: [7 days]\n{keys}"), &response);
        let ran = ran.exits(exit);
        (citation(&folder), ran.out)
    };
    let (note, _) = told("", 0);
    assert_eq!((note["outcome"].as_str(), codes(&note)), (Some("pass"), vec![]));
    assert_eq!(note["findings"][0]["code"], "citation-unsupported");
    assert_eq!((note["metrics"]["precision"].as_f64(), note["metrics"]["recall"].as_f64()), (Some(0.0), Some(0.0)));
    let (fault, out) = told("    citation: { support: fail }\n", 1);
    assert_eq!((fault["outcome"].as_str(), codes(&fault)), (Some("fail"), vec!["citation-unsupported".to_owned()]));
    assert!(out.contains("cites passage 2, and “7 days” is not grounded there"), "{out}");
    let (off, _) = told("    citation: { support: off }\n", 0);
    assert_eq!((off["findings"].as_array(), off["metrics"].as_object()), (None, None));
    // What the suite says is for all questions, and a question's own word goes before it.
    let text = "version: 1\nsuite: s\ntarget: bot\ncitation: { support: fail, count_from: 0 }\nquestions:\n  - { id: q1, question: W?, facts: [7 days] }\n  - { id: q2, question: W?, facts: [7 days], citation: { support: note } }\n";
    let lines = ["q1", "q2"].map(|id| {
        let mut line = response.clone();
        line["id"] = json!(id);
        line["answer"] = json!("Returns are free within 7 days [1].");
        format!("{line}\n")
    });
    let folder = Folder::with(&[
        ("ragline.toml", "version = 1\n[targets.bot]\nkind = \"recorded\"\nfile = \"r.jsonl\"\n"),
        THRESHOLDS,
        ("suites/s.yaml", text),
        ("r.jsonl", &format!("{{\"version\":1,\"kind\":\"responses\",\"suite\":\"s\"}}\n{}", lines.concat())),
    ]);
    folder.run(&["run"]).exits(1);
    let results = folder.results();
    assert_eq!([outcome(&results["q1"], "citation"), outcome(&results["q2"], "citation")], ["fail", "pass"]);
    // A word that is none is refused with what would be right.
    let wrong = text.replace("support: note", "support: maybe");
    Folder::with(&[("suites/s.yaml", &wrong)]).run(&["lint"]).exits(2).says(&["`support`", "fail", "note", "off"]);
}

/// B05: where there is nothing to look at, no layer of what is cited or retrieved passes.
#[test]
fn nothing_passes_where_there_is_no_output() {
    let keys = "    evidence: [{ doc: b.md }]\n    must_not: [password]\n";
    for (response, code) in [
        (json!({ "error": "HTTP 500" }), "response-error"),
        (json!({ "answer": "" , "contexts": [] }), "answer-empty"),
        (json!({ "answer": "   ", "contexts": [] }), "answer-empty"),
        (json!({ "answer": null, "contexts": [] }), "answer-missing"),
        // A marker alone says nothing either.
        (json!({ "answer": "[1]", "contexts": [{ "doc": "b.md" }] }), "answer-empty"),
    ] {
        let (folder, ran) = answered(keys, &response);
        assert!(matches!(ran.exit, 1 | 3), "{response}: {}{}", ran.out, ran.err);
        let results = folder.results();
        assert_ne!(results["q1"]["outcome"], "pass", "{response}");
        let layer = citation(&folder);
        assert_eq!(
            (layer["outcome"].as_str(), codes(&layer)),
            (Some("unmeasured"), vec![code.to_owned()]),
            "{response}"
        );
        assert_eq!(outcome(&results["q1"], "facts"), "unmeasured", "{response}");
    }
}

/// I05: chunk ids meet names of documents by a rule of the target's mapping, and without it the run says that no label fits.
#[test]
fn a_rule_makes_chunk_ids_meet_names_of_documents() {
    let questions: String =
        (0..10).map(|i| format!("  - {{ id: q{i}, question: W{i}?, evidence: [{{ doc: guide.md }}] }}\n")).collect();
    let suite = format!("version: 1\nsuite: s\nlanguage: en\ntarget: bot\nquestions:\n{questions}");
    let reply = r#"{"docs":[{"id":"guide.md::chunk-3","t":"x"}]}"#;
    let with = |doc: &str| {
        let settings = format!(
            "version = 1\n[targets.bot]\nkind = \"command\"\ncommand = [\"sh\", \"bot.sh\"]\nprovides = [\"contexts\"]\n\
             [targets.bot.response]\ncontexts = \"$.docs[*]\"\ncontext = {{ text = \"$.t\", doc = {doc} }}\n"
        );
        let folder = Folder::with(&[
            ("ragline.toml", &settings),
            THRESHOLDS,
            ("suites/s.yaml", &suite),
            ("bot.sh", &format!("echo '{reply}'\n")),
        ]);
        let ran = folder.run(&["run"]);
        (folder, ran)
    };
    let (folder, ran) = with("{ path = \"$.id\", regex = '^(.+)::' }");
    ran.exits(0);
    assert!(folder.results().values().all(|r| outcome(r, "retrieval") == "pass"));
    let (folder, ran) = with("\"$.id\"");
    ran.exits(3).shows(&["guide.md", "guide.md::chunk-3"]);
    assert!(folder.results().values().all(|r| outcome(r, "retrieval") == "unmeasured"));
}

/// I06 and I08 in the figures of a run: an empty list is 0 and in the mean, and labels carry their cut-off.
#[test]
fn an_empty_list_is_zero_and_a_cut_off_is_part_of_the_name() {
    let (folder, ran) =
        answered("    evidence: [{ doc: b.md }]\n    top_k: 4\n", &json!({ "answer": "Yes.", "contexts": [] }));
    ran.exits(1);
    let metrics = folder.results()["q1"]["layers"]["retrieval"]["metrics"].clone();
    let names = metrics.as_object().unwrap();
    assert!(names.values().all(|v| v.as_f64() == Some(0.0)), "{metrics}");
    for kind in ["hit", "p", "r", "f1", "ndcg"] {
        assert!(names.contains_key(&format!("{kind}@4")) && !names.contains_key(kind), "{metrics}");
    }
    for kind in ["context_precision", "context_precision_ap", "rr", "ap"] {
        assert!(names.contains_key(kind), "{metrics}");
    }
    assert!(!names.contains_key("span_recall"), "no words were named: {metrics}");
}
