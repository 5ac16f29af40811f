//! A system of which nothing is known but its address: `init --target`, `target check`, `ask`, `show`.
#![cfg(feature = "http")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by a panic")]

mod binary_kit;
mod server_kit;

use binary_kit::Folder;
use serde_json::{Value, json};
use server_kit::{Script, Seen, Server, dead_port};

const QUESTION: &str = "Đổi trả \"trong\" bao lâu?";

/// An API that takes the question at one place, says so in its own words when it stands elsewhere, and describes itself or
/// not.
fn api(
    description: Option<Value>,
    take: impl Fn(&Seen) -> Result<String, (u16, Value)> + Send + Sync + 'static,
) -> Server {
    Server::start(move |seen| {
        if seen.path() == "/openapi.json" {
            return match &description {
                Some(doc) => Script::json(200, &doc.to_string()),
                None => Script::json(404, r#"{"detail":"Not Found"}"#),
            };
        }
        if seen.path() != "/v2/talk" {
            return Script::json(404, r#"{"detail":"Not Found"}"#);
        }
        match take(seen) {
            Ok(question) => {
                assert_eq!(question, QUESTION, "escaped as JSON, and nothing else");
                Script::json(200, &answer().to_string())
            }
            Err((status, body)) => Script::json(status, &body.to_string()),
        }
    })
}

fn answer() -> Value {
    json!({
        "trace": "9f0c7be1d2a34455a0c1",
        "payload": {
            "reply": "Quý khách được đổi trả trong 7 ngày. [1]",
            "kb": [
                { "blob": "Quý khách được đổi trả hàng trong 7 ngày kể từ ngày nhận.", "meta": { "file": "kb/doi-tra.md" }, "sim": 0.8 },
                { "blob": "Phí giao hàng ngoại thành là 55.000 đồng cho mỗi đơn.", "meta": { "file": "kb/giao-hang.md" }, "sim": 0.3 }
            ]
        }
    })
}

fn text(value: &Value, missing: Value) -> Result<String, (u16, Value)> {
    value.as_str().map(str::to_owned).ok_or((422, missing))
}

/// Connects, and looks at what was written by asking with it.
fn connects(server: &Server, way: &str) {
    let folder = Folder::new();
    let url = server.url("/v2/talk");
    let init = ["init", "--target", &url, "--question", QUESTION, "--language", "vi"];
    folder.run(&init).exits(0).shows(&["Quý khách được đổi trả trong 7 ngày.", "passages 2"]);
    let settings = folder.read("ragline.toml");
    assert!(settings.contains(way), "{way} is not in\n{settings}");
    assert!(server.count() <= 16, "{} requests", server.count());
    let check = folder.run(&["target", "check", "app", "--question", QUESTION]).exits(0);
    check.shows(&["passages  2", "theirs: doi-tra.md, giao-hang.md", "all that is mapped came"]);
    let asked = folder.run(&["ask", QUESTION, "--target", "app", "--fact", "7 ngày"]).exits(0);
    asked.shows(&["facts     ✓", "7 ngày grounded", "doi-tra.md"]);
    folder.run(&["ask", QUESTION, "--target", "app", "--fact", "17 ngày"]).exits(1).shows(&["fact-wrong-value"]);
}

#[test]
fn an_api_that_describes_itself() {
    let doc = json!({
        "paths": { "/v2/talk": { "post": { "requestBody": { "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Talk" } } } } } } },
        "components": { "schemas": { "Talk": {
            "type": "object", "required": ["utterance_text", "channel"],
            "properties": { "utterance_text": { "type": "string" }, "channel": { "type": "string", "enum": ["web", "app"] } }
        } } }
    });
    let server = api(Some(doc), |seen| {
        let body = seen.json();
        assert_eq!(body["channel"], "web", "the first request is right already");
        text(&body["utterance_text"], json!({}))
    });
    connects(&server, "utterance_text");
}

#[test]
fn an_api_that_says_what_is_missing() {
    let missing =
        json!({ "detail": [{ "type": "missing", "loc": ["body", "input", "user_text"], "msg": "Field required" }] });
    let server = api(None, move |seen| text(&seen.json()["input"]["user_text"], missing.clone()));
    connects(&server, r#"{"input":{"user_text":{{ question }}}}"#);
}

#[test]
fn an_api_that_says_it_in_words() {
    let server = api(None, |seen| text(&seen.json()["prompt"], json!({ "error": "prompt is required" })));
    connects(&server, r#"{"prompt":{{ question }}}"#);
}

#[test]
fn an_api_that_says_nothing() {
    let server = api(None, |seen| match seen.json()["messages"][0]["content"].as_str() {
        Some(text) => Ok(text.to_owned()),
        None => Err((400, json!({ "message": "bad request" }))),
    });
    connects(&server, "messages");
}

#[test]
fn an_api_that_wants_a_key_says_so_once() {
    let server = Server::start(|seen| match seen.header("authorization") {
        Some("Bearer s3cr3t-value-77") => Script::json(200, &answer().to_string()),
        _ => Script::json(401, r#"{"error":"no token"}"#),
    });
    let folder = Folder::new();
    let url = server.url("/v2/talk");
    folder.run(&["init", "--target", &url]).exits(2).says(&["401", "--header"]);
    assert!(server.count() <= 3, "it is not knocked at again and again: {}", server.count());
    assert!(folder.files().is_empty(), "nothing was written");
}

#[test]
fn an_api_that_wants_more_gets_a_skeleton_to_fill_in() {
    let server = Server::start(|seen| {
        if seen.method != "POST" {
            return Script::json(405, r#"{"fault":{"code":"METHOD_NOT_ALLOWED","message":"POST only"}}"#);
        }
        let body = seen.json();
        if body["origin"]["channel"].is_null() {
            return Script::json(422, r#"{"fault":{"code":"FIELD_REQUIRED","message":"'origin' is required."}}"#);
        }
        match body["enquiry"].as_str() {
            Some(_) => Script::json(200, &answer().to_string()),
            None => Script::json(422, r#"{"fault":{"code":"FIELD_REQUIRED","message":"'enquiry' is required."}}"#),
        }
    });
    let folder = Folder::new();
    let init = folder.run(&["init", "--target", &server.url("/v2"), "--header", "X-Desk: 4"]).exits(2);
    init.says(&["'origin' is required.", "ragline target check app --write"]);
    let toml = folder.read("ragline.toml");
    assert!(toml.contains("X-Desk"), "{toml}");
    let body = "body = '{\"origin\": {\"channel\": \"web\"}, \"enquiry\": {{ question }}}'";
    let line = toml.lines().find(|l| l.starts_with("# body = ")).unwrap();
    assert!(
        !toml.lines().any(|l| l.starts_with("body")),
        "a body that was refused is not written as if it worked: {toml}"
    );
    folder.write("ragline.toml", toml.replace(line, body).as_bytes());
    folder.run(&["target", "check", "app", "--write"]).exits(0);
    folder.run(&["target", "check", "app"]).exits(0).shows(&["passages  2", "none: no suite names a document"]);
}

#[test]
fn what_is_no_api_is_told_with_what_it_said() {
    let folder = Folder::new();
    let dead = format!("http://127.0.0.1:{}/chat", dead_port());
    folder.run(&["init", "--target", &dead]).exits(2).says(&["refused"]);
    let page = Server::start(|_| Script::html(200, "<title>Welcome</title>"));
    folder.run(&["init", "--target", &page.url("/")]).exits(2).says(&["Welcome"]);
    assert!(folder.files().is_empty(), "nothing was written");
}

#[test]
fn a_mapping_is_proposed_and_written_on_request_only() {
    let server = Server::start(|_| Script::json(200, &answer().to_string()));
    let settings = format!(
        "version = 1\n[targets.app]\nkind = \"http\"\nurl = \"{}\"\nbody = '{{\"q\": {{{{ question }}}}}}'\n",
        server.url("/v2/talk")
    );
    let suite = "version: 1\nlanguage: vi\ntarget: app\nquestions:\n  - id: q1\n    question: Đổi trả trong bao lâu?\n    \
                 facts: [7 ngày]\n    evidence: [{ doc: doi-tra.md }]\n";
    let folder = Folder::with(&[("ragline.toml", &settings), ("suites/s.yaml", suite)]);
    folder.run(&["run"]).exits(2).says(&["ragline target check app"]);
    folder.run(&["target", "check", "app"]).exits(0).shows(&["[targets.app.response]", "$.payload.reply"]);
    assert_eq!(folder.read("ragline.toml"), settings);
    folder.run(&["target", "check", "app", "--write"]).exits(0);
    folder.run(&["target", "check", "app"]).exits(0).shows(&["theirs: doi-tra.md", "ours:   doi-tra.md"]);
    folder.run(&["run"]).exits(2).shows(&["1 new pass"]);
    folder.run(&["accept", "--first", "--reason", "x"]).exits(0);
    folder.run(&["run"]).exits(0);
    folder.run(&["show", "q1"]).exits(0).shows(&["unchanged", "doi-tra.md", "facts     ✓ “7 ngày” ✓"]);
    let line: Value = serde_json::from_str(&folder.run(&["show", "q1", "--json"]).exits(0).out).unwrap();
    assert_eq!(line["response"]["contexts"][0]["doc"], "doi-tra.md");
    assert_eq!(line["was"]["answer"], "Quý khách được đổi trả trong 7 ngày. [1]");
    folder.run(&["show", "q9"]).exits(2);
}

#[test]
fn names_that_do_not_meet_are_told_with_what_would_make_them() {
    let server = Server::start(|_| {
        Script::json(
            200,
            r#"{"answer":"Trong 7 ngày.","docs":[{"text":"Trong 7 ngày.","source":"/srv/kb/doi-tra.md"}]}"#,
        )
    });
    let settings = format!(
        "version = 1\n[targets.app]\nkind = \"http\"\nurl = \"{}\"\nbody = '{{\"q\": {{{{ question }}}}}}'\n\
         [targets.app.response]\nanswer = \"$.answer\"\ncontexts = \"$.docs[*]\"\ncontext = {{ text = \"$.text\", doc = \"$.source\" }}\n",
        server.url("/")
    );
    let suite = "version: 1\nlanguage: vi\ntarget: app\nquestions:\n  - { id: q1, question: Bao lâu?, facts: [7 ngày], evidence: [{ doc: doi-tra.md }] }\n";
    let folder = Folder::with(&[("ragline.toml", &settings), ("suites/s.yaml", suite)]);
    folder
        .run(&["target", "check", "app"])
        .exits(0)
        .shows(&["missing   names differ by their folders", "basename = true"]);
}

#[test]
fn hints_add_up() {
    let server = Server::start(|_| {
        Script::json(
            200,
            r#"{"answer":"Trong 7 ngày.","state":"NO_MATCH","docs":[{"text":"Trong 7 ngày.","source":"/srv/kb/doi-tra.md@r9#2"}]}"#,
        )
    });
    let settings = |doc: &str, refused: &str| {
        format!(
            "version = 1\n[targets.app]\nkind = \"http\"\nurl = \"{}\"\nbody = '{{\"q\": {{{{ question }}}}}}'\n\
             [targets.app.response]\nanswer = \"$.answer\"\ncontexts = \"$.docs[*]\"\n{refused}\n\
             context = {{ text = \"$.text\", doc = {doc} }}\n",
            server.url("/")
        )
    };
    let suite = "version: 1\nlanguage: vi\ntarget: app\nquestions:\n  - { id: q1, question: Bao lâu?, facts: [7 ngày], evidence: [{ doc: doi-tra.md }] }\n";
    let folder = Folder::with(&[("ragline.toml", &settings("\"$.source\"", "")), ("suites/s.yaml", suite)]);
    let mut doc = "\"$.source\"".to_owned();
    // What each hint says is written down as it stands: in at most two steps the names meet.
    for step in 0.. {
        let out = folder.run(&["target", "check", "app"]).exits(0).out;
        let Some(hint) = out.lines().find_map(|l| l.split_once("write doc = ").filter(|_| l.starts_with("missing")))
        else {
            assert!(out.contains("theirs: doi-tra.md") && step > 0, "{out}");
            break;
        };
        assert!(step < 2, "{doc}: {out}");
        doc = hint.1.to_owned();
        folder.write("ragline.toml", settings(&doc, "").as_bytes());
    }
    // A refusal flag that is a word: nothing is silently ignored.
    folder.write("ragline.toml", settings(&doc, "refused = \"$.state\"").as_bytes());
    folder.run(&["target", "check", "app"]).exits(3).shows(&["NO_MATCH", "neither true nor false", "regex"]);
    folder.write("ragline.toml", settings(&doc, "refused = { path = \"$.state\", regex = '^NO_MATCH$' }").as_bytes());
    folder.run(&["target", "check", "app"]).exits(0).shows(&["refused   true"]);
}

#[test]
fn a_look_masks_what_a_run_would() {
    let server = Server::start(|_| Script::json(200, r#"{"answer":"Gọi 0912 345 678 hoặc an@shop.vn."}"#));
    let settings = format!(
        "version = 1\n[privacy]\nmask = [\"phone\", \"email\"]\n[targets.app]\nkind = \"http\"\nurl = \"{}\"\n\
         body = '{{\"q\": {{{{ question }}}}}}'\n[targets.app.response]\nanswer = \"$.answer\"\n",
        server.url("/")
    );
    let folder = Folder::with(&[("ragline.toml", &settings)]);
    for args in [
        &["target", "check", "app", "--raw"][..],
        &["ask", "Gọi số nào?", "--target", "app", "--language", "vi"],
        &["ask", "Gọi số nào?", "--target", "app", "--language", "vi", "--json"],
    ] {
        let ran = folder.run(args).exits(0).shows(&["‹phone›", "‹email›"]);
        assert!(!ran.out.contains("345 678") && !ran.out.contains("an@shop"), "{args:?}: {}", ran.out);
    }
    // The layers look at the answer as it came.
    folder.run(&["ask", "Gọi số nào?", "--target", "app", "--language", "vi", "--fact", "an@shop.vn"]).exits(0);
}
