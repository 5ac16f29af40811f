//! Connecting a system that is none of the usual: a stream with an event for each passage, names that differ by more than
//! their folders.
#![cfg(feature = "http")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by a panic")]

mod binary_kit;
mod server_kit;

use binary_kit::Folder;
use server_kit::{Script, Server};

/// Each passage, each piece and each citation in an event of its own.
const STREAM: &str = "event: started\ndata: {\"ref\": \"INQ-1\"}\n\n\
    event: passage\ndata: {\"rank\": 1, \"doc\": \"kb/2026-10/Annual-leave.v4.md\", \"excerpt\": \"Staff have 18 days of leave each year.\", \"used\": true}\n\n\
    event: passage\ndata: {\"rank\": 2, \"doc\": \"kb/2026-08/Sick-leave.v11.md\", \"excerpt\": \"A certificate is required from the third day.\", \"used\": false}\n\n\
    event: token\ndata: {\"seq\": 1, \"t\": \"You have\"}\n\n\
    event: token\ndata: {\"seq\": 2, \"t\": \" 18 days of leave. [1]\"}\n\n\
    event: citation\ndata: {\"mark\": 1, \"passageRank\": 1, \"doc\": \"kb/2026-10/Annual-leave.v4.md\"}\n\n\
    : hb\n\n\
    event: finished\ndata: {\"outcome\": \"ANSWERED\"}\n\n";

fn stream() -> Server {
    Server::start(|_| Script::reply(200, &["content-type: text/event-stream"], STREAM))
}

fn settings(server: &Server, response: &str) -> String {
    format!(
        "version = 1\n[targets.desk]\nkind = \"http\"\nurl = \"{}\"\nbody = '{{\"q\": {{{{ question }}}}}}'\nstream = \"sse\"\n{response}",
        server.url("/ask")
    )
}

const SUITE: &str = "version: 1\nlanguage: en\ntarget: desk\nquestions:\n  - id: q1\n    question: How much leave do I have?\n    \
                     facts: [18 days]\n    evidence: [{ doc: annual-leave.md }, { doc: sick-leave.md }]\n";

const MAPPING: &str = "[targets.desk.response]\ndelta = { path = \"$.t\", event = \"token\" }\n\
    contexts = { path = \"$\", event = \"passage\" }\n\
    citations = { path = \"$\", event = \"citation\" }\ncitation = { context = \"$.passageRank\" }\n";

#[test]
fn a_passage_an_event_is_a_list() {
    let server = stream();
    let mapping = format!("{MAPPING}context = {{ doc = \"$.doc\", text = \"$.excerpt\", in_prompt = \"$.used\" }}\n");
    let folder = Folder::with(&[("ragline.toml", &settings(&server, &mapping)), ("suites/s.yaml", SUITE)]);
    let check = folder.run(&["target", "check", "desk"]).exits(0);
    check.shows(&["passages  2 from 2 events", "cited     1", "You have 18 days of leave. [1]"]);
    // The names of events are shown where the whole response is.
    folder.run(&["target", "check", "desk", "--raw"]).exits(0).shows(&[
        "event: passage",
        "event: citation",
        "event: finished",
    ]);
    // What a mapping without a name takes for a passage is said with the name of its event.
    let loose = settings(&server, &mapping.replace("{ path = \"$\", event = \"passage\" }", "\"$\""));
    folder.write("ragline.toml", loose.as_bytes());
    folder.run(&["target", "check", "desk"]).exits(3).shows(&["passage 1 has no", "an event `started`", "event = "]);
    // One text an event, without a name: all of them.
    let texts = "[targets.desk.response]\ndelta = \"$.t\"\ncontexts = \"$.excerpt\"\n";
    folder.write("ragline.toml", settings(&server, texts).as_bytes());
    folder.run(&["target", "check", "desk"]).exits(0).shows(&["passages  2 from 2 events", "third day"]);
}

#[test]
fn names_meet_without_folders_versions_and_capitals() {
    let server = stream();
    let settings = |doc: &str| {
        settings(
            &server,
            &format!("{MAPPING}context = {{ doc = {doc}, text = \"$.excerpt\", in_prompt = \"$.used\" }}\n"),
        )
    };
    let folder = Folder::with(&[("ragline.toml", &settings("\"$.doc\"")), ("suites/s.yaml", SUITE)]);
    let out = folder.run(&["target", "check", "desk"]).exits(0).out;
    assert!(out.contains("the same but for their folders, letter case and “.v4”"), "{out}");
    let hint =
        out.lines().find_map(|l| l.strip_prefix("missing").and_then(|l| l.split_once("write doc = "))).unwrap().1;
    assert!(
        hint.contains("basename = true") && hint.contains("lowercase = true") && hint.contains("replace = "),
        "{hint}"
    );
    // Written as it stands, all of them meet.
    folder.write("ragline.toml", settings(hint).as_bytes());
    let check = folder.run(&["target", "check", "desk"]).exits(0);
    check.shows(&["theirs: annual-leave.md, sick-leave.md", "all that is mapped came"]);
    folder.run(&["run"]).exits(2).shows(&["1 new pass"]);
    folder.run(&["run", "doc:annual-leave.md"]).exits(2).shows(&["1 new pass"]);
}

#[test]
fn a_list_that_lost_passages_is_told() {
    let list = |docs: &str| format!("data: {{\"sources\": [{docs}]}}\n\n");
    let (a, b) =
        ("{\"doc\": \"annual-leave.md\", \"text\": \"18 days\"}", "{\"doc\": \"sick-leave.md\", \"text\": \"day 3\"}");
    let answer = "data: {\"answer\": \"18 days\"}\n\n";
    for (events, lost) in
        [(list(a) + &list(&format!("{a},{b}")) + answer, false), (list(&format!("{a},{b}")) + &list(b) + answer, true)]
    {
        let server = Server::start(move |_| Script::reply(200, &["content-type: text/event-stream"], events.clone()));
        let mapping = "[targets.desk.response]\nanswer = \"$.answer\"\ncontexts = \"$.sources[*]\"\n";
        let folder = Folder::with(&[("ragline.toml", &settings(&server, mapping)), ("suites/s.yaml", SUITE)]);
        let out = folder.run(&["target", "check", "desk"]).exits(0).out;
        let count = if lost { "passages  1 from 1 event" } else { "passages  2 from 1 event" };
        assert!(out.contains(count), "{out}");
        assert_eq!(out.contains("1 of the earlier passages are not in the last list"), lost, "{out}");
    }
}

#[test]
fn a_stream_without_a_mapping_is_proposed_one() {
    let server = stream();
    let bare = settings(&server, "");
    let folder = Folder::with(&[("ragline.toml", &bare), ("suites/s.yaml", SUITE)]);
    // What came is short, and what the proposal makes of it is shown at once.
    let check = folder.run(&["target", "check", "desk", "--write"]).exits(0);
    let check =
        check.shows(&["event: token", "… and 2 more events like these", "passages  2 from 2 events", "cited     1"]);
    let check = check.shows(&["answer    You have 18 days of leave. [1]"]);
    assert!(!check.out.contains("no answer is mapped"), "{}", check.out);
    check.says(&[
        "wrote    [targets.desk.response]",
        "delta = \"$.t\"",
        "in_prompt = \"$.used\"",
        "event = \"citation\"",
    ]);
    let written = folder.read("ragline.toml");
    assert!(written.contains("# refused = { path = \"$.outcome\"") && written.contains("\"ANSWERED\""), "{written}");
    let again = folder.run(&["target", "check", "desk", "--write"]).exits(0);
    again.shows(&["passages  2 from 2 events"]).says(&["has a mapping already"]);
    assert_eq!(folder.read("ragline.toml"), written);
    // Where nothing came, nothing is there to be mapped, and that is no mapping.
    folder.write("ragline.toml", bare.replace("stream = \"sse\"\n", "").as_bytes());
    let check = folder.run(&["target", "check", "desk", "--write"]).exits(3);
    let check = check.shows(&["set stream = \"sse\""]).says(&["no response came that a mapping could be made of"]);
    assert!(!check.err.contains("already"), "{}", check.err);
}

#[test]
fn the_source_of_a_refusal_is_shown() {
    let server = Server::start(|_| Script::json(200, r#"{"answer": "I could not find this.", "outcome": "NO_MATCH"}"#));
    let with = |refused: &str| {
        settings(&server, &format!("[targets.desk.response]\nanswer = \"$.answer\"\nrefused = {refused}\n"))
    };
    let folder = Folder::with(&[("ragline.toml", &with("{ path = \"$.outcome\", regex = '^DECLINED$' }"))]);
    folder
        .run(&["target", "check", "desk"])
        .exits(0)
        .shows(&["refused   false ($.outcome = \"NO_MATCH\" does not match ^DECLINED$)"]);
    folder.write("ragline.toml", with("{ path = \"$.outcome\", regex = '^NO_MATCH$' }").as_bytes());
    folder
        .run(&["target", "check", "desk"])
        .exits(0)
        .shows(&["refused   true ($.outcome = \"NO_MATCH\" matches ^NO_MATCH$)"]);
    // Without a mapping, the word is proposed.
    folder.write("ragline.toml", settings(&server, "").as_bytes());
    folder
        .run(&["target", "check", "desk"])
        .exits(0)
        .shows(&["refused   true", "refused = { path = \"$.outcome\", regex = \"^NO_MATCH$\" }"]);
}

#[test]
fn a_look_asks_again_as_a_run_does() {
    let count = std::sync::atomic::AtomicUsize::new(0);
    let server = Server::start(move |_| match count.fetch_add(1, std::sync::atomic::Ordering::Relaxed) {
        0 | 3 => Script::json(503, r#"{"message": "The library is being refreshed."}"#),
        1 => Script::json(200, r#"{"answer": "18 days"}"#),
        _ => Script::json(503, r#"{"message": "Gone for good."}"#),
    });
    let mapping = "retries = 1\n[targets.desk.response]\nanswer = \"$.answer\"\n";
    let folder = Folder::with(&[("ragline.toml", &settings(&server, mapping))]);
    let check = folder.run(&["target", "check", "desk"]).exits(0);
    check.shows(&["repeated  HTTP 503", "The library is being refreshed.", "answer    18 days"]);
    folder.run(&["target", "check", "desk"]).exits(3).shows(&["repeated  HTTP 503", "failed    HTTP 503"]);
    assert_eq!(server.count(), 4, "as often as the settings say");
}

#[test]
fn a_key_in_two_pieces_is_not_shown() {
    // A server that gives the key back, half in each event: no piece is one.
    let server = Server::start(|seen| {
        let key = seen.header("x-key").unwrap_or_default().to_owned();
        let (a, b) = key.split_at(key.len() / 2);
        let events = format!(
            "event: token\ndata: {{\"t\": \"It is {a}\"}}\n\nevent: token\ndata: {{\"t\": \"{b} I think\"}}\n\n"
        );
        Script::reply(200, &["content-type: text/event-stream"], events)
    });
    let key = env!("CARGO_MANIFEST_DIR");
    let folder = Folder::new();
    let init = [
        "init",
        "--target",
        &server.url("/"),
        "--header",
        "X-Key: ${CARGO_MANIFEST_DIR}",
        "--body",
        "{\"q\": {{ question }}}",
    ];
    let ran = folder.run(&init).exits(0);
    assert!(!ran.out.contains(key) && ran.out.contains("***"), "{}", ran.out);
    assert!(!folder.read("suites/first.yaml").contains(key));
    let toml = folder.read("ragline.toml");
    folder.write("ragline.toml", toml.split("[targets.app.response]").next().unwrap().as_bytes());
    let ran = folder.run(&["target", "check", "app"]).exits(0);
    assert!(!ran.out.contains(key) && ran.out.contains("***"), "{}", ran.out);
}

#[test]
fn one_target_is_asked_in_the_language_of_each_suite() {
    let server = Server::start(|seen| {
        let body = seen.json();
        let answer = match body["locale"].as_str() {
            Some("VI_VN") => "Bạn có 18 ngày phép.",
            Some("EN_GB") => "You have 18 days of leave.",
            _ => return Script::json(422, r#"{"message": "locale is EN_GB or VI_VN"}"#),
        };
        Script::json(200, &serde_json::json!({ "answer": answer }).to_string())
    });
    let settings = format!(
        "version = 1\n[targets.desk]\nkind = \"http\"\nurl = \"{}\"\n\
         body = '{{\"q\": {{{{ question }}}}, \"lang\": {{{{ language }}}}, \"locale\": {{% if language == \"vi\" %}}\"VI_VN\"{{% else %}}\"EN_GB\"{{% endif %}}}}'\n\
         [targets.desk.response]\nanswer = \"$.answer\"\n",
        server.url("/ask")
    );
    // The same question in both: only the language tells the requests apart.
    let suite = |language: &str, fact: &str| {
        format!(
            "version: 1\nlanguage: {language}\ntarget: desk\nquestions:\n  - {{ id: q1, question: \"Leave 2026?\", facts: [{fact}] }}\n"
        )
    };
    let folder = Folder::with(&[
        ("ragline.toml", &settings),
        ("suites/en.yaml", &suite("en", "18 days")),
        ("suites/vi.yaml", &suite("vi", "18 ngày")),
    ]);
    folder.run(&["run", "--answers", "fill"]).exits(2).shows(&["2 new passes"]);
    let sent: Vec<String> = server.log().iter().map(|s| s.json()["lang"].as_str().unwrap().to_owned()).collect();
    assert!(sent.len() == 2 && sent.contains(&"en".to_owned()) && sent.contains(&"vi".to_owned()), "{sent:?}");
    let recorded = folder.read("recordings/desk.jsonl");
    let keys: std::collections::BTreeSet<&str> =
        recorded.lines().filter_map(|l| l.split_once("\"key\":\"")).filter_map(|(_, r)| r.split('"').next()).collect();
    assert_eq!(keys.len(), 2, "each has a key of its own:\n{recorded}");
    folder.run(&["run", "--answers", "replay"]).exits(2).shows(&["2 new passes"]);
    assert_eq!(server.count(), 2, "and is found by it");
}

#[test]
fn a_typed_question_is_asked_like_the_suite_in_its_language() {
    let server = Server::start(|seen| {
        let (question, answer) =
            (seen.json()["q"].to_string(), "I could not find this in our policies. Please call 1900 5550.");
        let vietnamese = "Tôi không tìm thấy thông tin này trong quy định. Vui lòng gọi 1900 5550.";
        let answer = if question.contains('ô') { vietnamese } else { answer };
        Script::json(200, &serde_json::json!({ "answer": answer, "sources": [] }).to_string())
    });
    let target = |name: &str| {
        format!(
            "[targets.{name}]\nkind = \"http\"\nurl = \"{}\"\nbody = '{{\"q\": {{{{ question }}}}}}'\n\
             [targets.{name}.response]\nanswer = \"$.answer\"\ncontexts = \"$.sources\"\n",
            server.url("/ask")
        )
    };
    let suite = |language: &str, target: &str, numbers: &str| {
        format!(
            "version: 1\nlanguage: {language}\ntarget: {target}\n{numbers}questions:\n  - {{ id: q1, question: \"Leave 2026?\", facts: [18] }}\n"
        )
    };
    let allow = "numbers: { allow: [\"1900 5550\"] }\n";
    let folder = Folder::with(&[
        ("ragline.toml", &format!("version = 1\n{}{}", target("desk-en"), target("desk-vi"))),
        ("suites/en.yaml", &suite("en", "desk-en", allow)),
        ("suites/vi.yaml", &suite("vi", "desk-vi", "")),
    ]);
    // The number that the suite allows is allowed here too.
    let asked = folder.run(&["ask", "Can I bring my cat?", "--refuse"]).exits(0);
    asked.shows(&["desk-en  passes"]).says(&["asked like suite `en` of 2: target desk-en, language en"]);
    // The Vietnamese suite allows none; what fails is not new where nothing is compared.
    let asked = folder.run(&["ask", "Tôi có được mang mèo đến không?", "--refuse"]).exits(1);
    let asked = asked
        .says(&["asked like suite `vi` of 2: target desk-vi, language vi"])
        .shows(&["desk-vi  fails", "number-ungrounded"]);
    assert!(!asked.out.contains("new"), "{}", asked.out);
    // Who is asked, or like which suite, may be said.
    folder.run(&["ask", "Can I bring my cat?", "--refuse", "--suite", "vi"]).exits(1).shows(&["desk-vi"]);
    let asked = folder.run(&["ask", "Can I bring my cat?", "--target", "desk-vi"]).exits(0);
    asked.shows(&["desk-vi"]).says(&["like suite `vi`"]);
}
