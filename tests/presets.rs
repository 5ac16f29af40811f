//! The presets: each asks for what its server's documentation shows, and reads the answer, every passage and the usage out of
//! a response of that shape (tests/presets), and an error as an error.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by them")]

use ragline::suite::config::live::{EnvText, Stream};
use ragline::suite::config::preset::{self, Preset};
use ragline::target::response::{Answer, OwnedResponse};
use ragline::target::template::{Escape, Template, Values};
use ragline::target::{Environment, FailureKind, mapping};
use serde_json::{Value, json};

/// Everything that a question may hold and that a template must not trip over.
const QUESTION: &str = "Đổi trả \"trong\" mấy ngày? {{ id }} ${HOME} \\ 退货\nประกัน";

fn sample(name: &str, ending: &str) -> Vec<u8> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/presets/{name}{ending}"));
    std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The values of a sample in the way that the preset says.
fn events(preset: &Preset, error: &str) -> Vec<Value> {
    match preset.stream {
        Stream::Json => vec![mapping::json(&sample(preset.name, &format!("{error}.json"))).unwrap()],
        Stream::Ndjson => {
            let text = String::from_utf8(sample(preset.name, &format!("{error}.ndjson"))).unwrap();
            text.lines().map(|l| mapping::json(l.as_bytes()).unwrap()).collect()
        }
        Stream::Sse => {
            let text = String::from_utf8(sample(preset.name, &format!("{error}.sse"))).unwrap();
            let data = text.lines().filter_map(|l| l.strip_prefix("data: ")).filter(|d| *d != "[DONE]");
            data.map(|d| mapping::json(d.as_bytes()).unwrap()).collect()
        }
    }
}

fn found(name: &str) -> Preset {
    preset::find(name).unwrap_or_else(|| panic!("no preset {name}"))
}

/// A passage: document, chunk, address, text, score.
type Passage<'a> = (Option<&'a str>, Option<&'a str>, Option<&'a str>, Option<&'a str>, Option<f64>);

/// A document with its text and score.
fn doc<'a>(doc: &'a str, text: &'a str, score: Option<f64>) -> Passage<'a> {
    (Some(doc), None, None, Some(text), score)
}

/// The same with a chunk.
fn chunk<'a>(doc: &'a str, chunk: &'a str, text: &'a str, score: Option<f64>) -> Passage<'a> {
    (Some(doc), Some(chunk), None, Some(text), score)
}

#[track_caller]
fn reads(name: &str, answer: &str, passages: Option<&[Passage<'_>]>, usage: Option<(u64, u64)>) {
    let preset = found(name);
    let response = mapping::streamed(&preset.mapping, &mapping::unnamed(&events(&preset, "")), None)
        .unwrap_or_else(|e| panic!("{name}: {e}"));
    assert_eq!(response.answer, Answer::Text(answer.into()), "{name}");
    let found: Option<Vec<Passage<'_>>> = response.contexts.as_ref().map(|all| {
        all.iter()
            .map(|c| {
                assert!(c.section.is_empty() && c.start.is_none() && c.end.is_none() && c.in_prompt(), "{name}: {c:?}");
                (c.doc.as_deref(), c.chunk.as_deref(), c.url.as_deref(), c.text.as_deref(), c.score)
            })
            .collect()
    });
    assert_eq!(found.as_deref(), passages, "{name}");
    let used = response.usage.map(|u| (u.input_tokens.unwrap(), u.output_tokens.unwrap()));
    assert_eq!(used, usage, "{name}");
    let OwnedResponse { citations, refused, error, .. } = response;
    assert_eq!((citations, refused, error), (None, None, None), "{name}: no preset maps these");
}

#[test]
fn every_part_of_a_response_is_read() {
    reads("openai-chat", "Quý khách được đổi trả trong 7 ngày kể từ ngày nhận hàng.", None, Some((412, 19)));
    reads("openai-chat-stream", "Bảo hành 12 tháng.", None, Some((380, 9)));
    reads("ollama", "สินค้ารับประกัน 12 เดือน", None, Some((126, 14)));
    reads("ollama-stream", "ส่งฟรีเมื่อซื้อครบ 500 บาท", None, Some((98, 17)));
    reads(
        "azure-openai-data",
        "保修期为12个月 [doc1]，电池为6个月 [doc2]。",
        Some(&[
            (
                Some("zh/baoxiu.md"),
                Some("0"),
                Some("https://kb.shop.example/zh/baoxiu"),
                Some("整机保修期为12个月，自购买之日起计算。"),
                Some(3.25),
            ),
            chunk("dianchi.md", "2", "电池的保修期为6个月。", Some(0.5)),
        ]),
        Some((1840, 31)),
    );
    reads(
        "langserve",
        "You may return a lamp within 14 days.",
        Some(&[
            chunk("policies/returns.md", "c-14", "Lamps may be returned within 14 days.", Some(0.875)),
            doc("fees.md", "Returns are free of charge.", None),
        ]),
        None,
    );
    reads(
        "hayhooks",
        "Phí vận chuyển là 30.000 ₫.",
        Some(&[
            chunk("van-chuyen.md", "9c0d", "Phí vận chuyển nội thành: 30.000 ₫.", Some(0.71)),
            chunk("khuyen-mai.md", "9c0e", "Miễn phí cho đơn từ 500.000 ₫.", Some(0.5)),
        ]),
        None,
    );
    reads(
        "llamaindex",
        "退货期限为7天。",
        Some(&[
            chunk("tuihuo.md", "n-7", "签收后7天内可以退货。", Some(0.8125)),
            chunk("zh/yunfei.md", "n-8", "退货运费由商店承担。", None),
        ]),
        None,
    );
    reads(
        "dify",
        "Bảo hành 12 tháng tại cửa hàng.",
        Some(&[
            chunk("bao-hanh.md", "ed59", "Sản phẩm được bảo hành 12 tháng.", Some(0.984375)),
            chunk("cua-hang.md", "ed60", "Bảo hành tại mọi cửa hàng.", Some(0.5)),
        ]),
        Some((1033, 28)),
    );
    reads(
        "dify-stream",
        "Đổi hàng trong 7 ngày.",
        Some(&[chunk("doi-tra.md", "ed61", "Đổi hàng trong 7 ngày.", Some(0.75))]),
        Some((900, 11)),
    );
    reads(
        "ragflow",
        "รับคืนสินค้าได้ภายใน 15 วัน [ID:0]",
        Some(&[chunk("khuen-sinkha.md", "895d", "ลูกค้าคืนสินค้าได้ภายใน 15 วัน", Some(0.625))]),
        None,
    );
    reads(
        "lightrag",
        "整机保修12个月，电池保修6个月。",
        Some(&[
            doc("zh/baoxiu.md", "整机保修期为12个月。", None),
            doc("zh/baoxiu.md", "电池的保修期为6个月。", None),
            doc("zh/tuihuo.md", "签收后7天内可以退货。", None),
            // An older server gives no texts.
            (Some("zh/mendian.md"), None, None, None, None),
        ]),
        None,
    );
    reads(
        "openwebui",
        "Bảo hành 12 tháng [1], đổi trả trong 7 ngày.",
        Some(&[
            doc("bao-hanh.md", "Bảo hành 12 tháng.", Some(0.75)),
            doc("doi-tra.md", "Đổi trả trong 7 ngày.", Some(0.5)),
            doc("gio-mo-cua.md", "Mở cửa 09:00–21:00.", None),
        ]),
        Some((640, 24)),
    );
    reads(
        "anythingllm",
        "The shop opens at 09:00.",
        Some(&[
            (
                Some("hours.txt"),
                Some("s-1"),
                Some("file:///app/collector/hotdir/hours.txt"),
                Some("Open daily from 09:00 to 21:00."),
                Some(0.8125),
            ),
            doc("fees.txt", "Delivery costs 30 baht.", None),
        ]),
        Some((210, 8)),
    );
    reads(
        "flowise",
        "ค่าจัดส่ง 30 บาท",
        Some(&[
            chunk("kha-song.md", "d-1", "ค่าจัดส่งทั่วประเทศ 30 บาท", None),
            doc("promotion.md", "ส่งฟรีเมื่อซื้อครบ 500 บาท", None),
        ]),
        None,
    );
    reads(
        "vectara",
        "Gift cards are valid for 24 months [1].",
        Some(&[
            doc("gift-cards.md", "A gift card is valid for 24 months.", Some(0.90625)),
            doc("gift-cards.md", "Gift cards cannot be exchanged for cash.", Some(0.5)),
        ]),
        None,
    );
}

/// Sources that disagree, and versions: what else a preset reads.
#[test]
fn other_shapes_of_the_same_servers_are_read() {
    let answer = |name: &str, value: Value| match mapping::response(&found(name).mapping, &value, None) {
        Ok(r) => (r.answer, r.contexts.map_or(0, |c| c.len())),
        Err(e) => panic!("{name}: {e}"),
    };
    let text = |t: &'static str| Answer::Text(t.into());
    assert_eq!(answer("langserve", json!({ "output": "ok", "metadata": {} })), (text("ok"), 0));
    assert_eq!(answer("langserve", json!({ "output": { "content": "ok", "type": "ai" } })), (text("ok"), 0));
    let older = json!({ "output": { "result": "ok", "source_documents": [{ "page_content": "a", "metadata": { "source": "b" } }] } });
    assert_eq!(answer("langserve", older), (text("ok"), 1));
    assert_eq!(answer("hayhooks", json!({ "result": "ok" })), (text("ok"), 0));
    let yaml = json!({ "replies": ["ok"], "documents": [{ "id": "1", "content": "a" }] });
    assert_eq!(answer("hayhooks", yaml.clone()), (text("ok"), 1));
    assert_eq!(answer("hayhooks", json!({ "result": yaml })), (text("ok"), 1));
    assert_eq!(answer("llamaindex", json!({ "result": "ok" })), (text("ok"), 0));
    let event = json!({ "error": null, "result": { "value": { "answer": "ok", "source_nodes": [{ "node": { "text": "a", "id_": "n" } }] }, "type": "Answer" } });
    assert_eq!(answer("llamaindex", event), (text("ok"), 1));
    assert_eq!(
        answer("llamaindex", json!({ "result": { "value": { "result": "ok" }, "type": "StopEvent" } })),
        (text("ok"), 0)
    );
    // RAGFlow's OpenAI-like routes give chunks as a map; 0.27 has an empty message.
    let map = json!({ "code": 0, "message": "", "data": { "answer": "ok", "reference": { "chunks": { "20": { "id": "a", "content": "b" } } } } });
    assert_eq!(answer("ragflow", map), (text("ok"), 1));
    assert_eq!(answer("ragflow", json!({ "code": 0, "data": { "answer": "ok", "reference": {} } })), (text("ok"), 0));
}

#[test]
fn an_error_is_an_error_and_says_why() {
    for (name, said) in [
        ("anythingllm", "No text completion could be completed with this input."),
        ("azure-openai-data", "Field required"),
        ("dify", "App unavailable, please check your app configurations."),
        ("dify-stream", "Completion request failed."),
        ("flowise", "node is not connected"),
        ("hayhooks", "Pipeline 'shop' not found"),
        ("langserve", "Internal Server Error"),
        ("lightrag", "rerank model is not configured"),
        ("llamaindex", "index is empty"),
        ("ollama", "model 'llama9' not found"),
        ("ollama-stream", "unexpected EOF"),
        ("openai-chat", "The model `shop-9b` does not exist"),
        ("openai-chat-stream", "The server had an error while processing your request"),
        ("openwebui", "Model not found"),
        ("ragflow", "Please input your question."),
        ("vectara", "The corpus key shopp does not exist."),
    ] {
        let preset = found(name);
        let failure =
            mapping::streamed(&preset.mapping, &mapping::unnamed(&events(&preset, ".error")), None).unwrap_err();
        assert_eq!(failure.kind, FailureKind::ErrorBody, "{name}: {failure}");
        assert!(failure.why.contains(said), "{name}: {failure}");
    }
}

/// What a preset asks for: its address, headers, parameters and body.
#[track_caller]
fn asks(name: &str, url: &str, address: &str, headers: &[(&str, &str)], body: &Value) {
    let preset = found(name);
    let mut vars = preset.vars.clone();
    for (need, what) in &preset.needs {
        assert!(!what.trim().is_empty(), "{name}: {need}");
        vars.insert(need.clone(), format!("{need} ü/?\""));
    }
    let environment: Environment = preset.variables().into_iter().map(|n| (n.clone(), format!("sk-\"{n}"))).collect();
    let values = Values { question: QUESTION, id: "q1", suite: "shop", language: "vi", repeat: 0, session: "fresh-1" };
    let render = |text: &EnvText, escape| {
        let template = Template::compile(text, escape, &vars, &environment).unwrap_or_else(|e| panic!("{name}: {e:?}"));
        template.render(&values).unwrap()
    };
    let asked = EnvText { raw: preset.address(url), ..preset.body.clone().unwrap() };
    let mut sent = render(&asked, Escape::Url).sent.expose().to_owned();
    for (i, (key, value)) in preset.query.iter().enumerate() {
        sent += &format!("{}{key}={}", if i == 0 { '?' } else { '&' }, render(value, Escape::Url).sent.expose());
    }
    assert_eq!(sent, address, "{name}");
    let found: Vec<(String, String)> =
        preset.headers.iter().map(|(n, v)| (n.clone(), render(v, Escape::None).sent.expose().to_owned())).collect();
    let right: Vec<(String, String)> = headers.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
    assert_eq!(found, right, "{name}");
    let rendered = render(&preset.body.unwrap(), Escape::Json);
    let found: Value = serde_json::from_str(rendered.sent.expose()).unwrap_or_else(|e| panic!("{name}: {e}"));
    assert_eq!(found, *body, "{name}");
    assert!(!rendered.shown.contains("sk-"), "{name}: {}", rendered.shown);
}

/// A value that a user gives, and what it becomes in an address.
const GIVEN: &str = " ü/?\"";
const ENCODED: &str = "%20%C3%BC%2F%3F%22";

#[test]
fn requests_are_those_of_the_documentation() {
    let given = |name: &str| format!("{name}{GIVEN}");
    let message = json!([{ "role": "user", "content": QUESTION }]);
    let openai = [("Authorization", "Bearer sk-\"OPENAI_API_KEY")];
    let chat = |stream| json!({ "model": given("model"), "messages": message, "temperature": 0, "stream": stream });
    asks("openai-chat", "http://a/v1", "http://a/v1/chat/completions", &openai, &chat(false));
    let mut streamed = chat(true);
    streamed["stream_options"] = json!({ "include_usage": true });
    asks("openai-chat-stream", "http://a", "http://a/v1/chat/completions", &openai, &streamed);
    asks(
        "azure-openai-data",
        "https://shop.openai.azure.com",
        &format!(
            "https://shop.openai.azure.com/openai/deployments/deployment{ENCODED}/chat/completions?api-version=2024-05-01-preview"
        ),
        &[("api-key", "sk-\"AZURE_OPENAI_API_KEY")],
        &json!({ "messages": message, "stream": false, "data_sources": [{ "type": "azure_search", "parameters": {
            "endpoint": given("search_endpoint"),
            "index_name": given("search_index"),
            "authentication": { "type": "api_key", "key": "sk-\"AZURE_SEARCH_KEY" },
        }}]}),
    );
    for (name, stream) in [("ollama", false), ("ollama-stream", true)] {
        let body = json!({ "model": given("model"), "messages": message, "stream": stream, "options": { "temperature": 0, "seed": 1 } });
        asks(name, "http://127.0.0.1:11434", "http://127.0.0.1:11434/api/chat", &[], &body);
    }
    asks(
        "langserve",
        "http://a/rag/",
        "http://a/rag/invoke",
        &[],
        &json!({ "input": { "input": QUESTION }, "config": {} }),
    );
    asks(
        "hayhooks",
        "http://a:1416",
        &format!("http://a:1416/pipeline{ENCODED}/run"),
        &[],
        &json!({ "query": QUESTION }),
    );
    asks(
        "llamaindex",
        "http://a:8080",
        &format!("http://a:8080/workflows/workflow{ENCODED}/run"),
        &[],
        &json!({ "start_event": { "query": QUESTION } }),
    );
    for (name, mode) in [("dify", "blocking"), ("dify-stream", "streaming")] {
        let body = json!({ "inputs": {}, "query": QUESTION, "response_mode": mode, "conversation_id": "", "user": "ragline", "auto_generate_name": false });
        asks(
            name,
            "https://a/v1",
            "https://a/v1/chat-messages",
            &[("Authorization", "Bearer sk-\"DIFY_API_KEY")],
            &body,
        );
    }
    asks(
        "ragflow",
        "http://a",
        "http://a/api/v1/chat/completions",
        &[("Authorization", "Bearer sk-\"RAGFLOW_API_KEY")],
        &json!({ "chat_id": given("chat"), "question": QUESTION, "stream": false }),
    );
    asks(
        "lightrag",
        "http://a:9621",
        "http://a:9621/query",
        &[("X-API-Key", "sk-\"LIGHTRAG_API_KEY")],
        &json!({ "query": QUESTION, "mode": "mix", "include_references": true, "include_chunk_content": true, "stream": false }),
    );
    asks(
        "openwebui",
        "http://a:3000",
        "http://a:3000/api/chat/completions",
        &[("Authorization", "Bearer sk-\"OPENWEBUI_API_KEY")],
        &json!({ "model": given("model"), "messages": message, "files": [{ "type": "collection", "id": given("knowledge") }], "stream": false }),
    );
    asks(
        "anythingllm",
        "http://a:3001",
        &format!("http://a:3001/api/v1/workspace/workspace{ENCODED}/chat"),
        &[("Authorization", "Bearer sk-\"ANYTHINGLLM_API_KEY")],
        &json!({ "message": QUESTION, "mode": "query", "sessionId": "fresh-1" }),
    );
    asks(
        "flowise",
        "http://a:3000",
        &format!("http://a:3000/api/v1/prediction/flow{ENCODED}"),
        &[("Authorization", "Bearer sk-\"FLOWISE_API_KEY")],
        &json!({ "question": QUESTION, "streaming": false, "overrideConfig": { "sessionId": "fresh-1" } }),
    );
    asks(
        "vectara",
        "https://api.vectara.io",
        "https://api.vectara.io/v2/query",
        &[("x-api-key", "sk-\"VECTARA_API_KEY")],
        &json!({
            "query": QUESTION,
            "search": { "corpora": [{ "corpus_key": given("corpus") }], "limit": 5 },
            "generation": { "max_used_search_results": 5 },
            "stream_response": false,
            "save_history": false,
        }),
    );
}

/// A preset that nobody asks with or reads is not tested above.
#[test]
fn no_preset_is_left_out() {
    let own = include_str!("presets.rs");
    for name in preset::NAMES {
        let named = own.matches(&format!("\"{name}\"")).count();
        assert!(named >= 3, "{name} is named {named} times: its request, its response and its error are to be tested");
    }
}

/// The manual's table and its notes are those of the files.
#[test]
fn the_manual_lists_every_preset() {
    let page = include_str!("../docs/presets.md");
    let code = |names: Vec<String>, none: &str| {
        let all: Vec<String> = names.iter().map(|n| format!("`{n}`")).collect();
        if all.is_empty() { none.to_owned() } else { all.join(", ") }
    };
    for p in preset::all() {
        let returns = if p.mapping.contexts.is_mapped() { "answer, contexts" } else { "answer" };
        let needs = code(p.needs.keys().cloned().collect(), "nothing");
        let mut keys = p.variables();
        keys.sort();
        let vars = code(p.vars.iter().map(|(k, v)| format!("{k} = \"{v}\"")).collect(), "none");
        let Preset { name, title, checked, docs, .. } = &p;
        let keys = code(keys, "none");
        let row =
            format!("| [{name}](#{name}) | {title} | {returns} | {needs} | {keys} | {vars} | [{checked}]({docs}) |");
        assert!(page.lines().any(|l| l == row), "docs/presets.md has no line\n{row}");
        let section = page.split(&format!("\n## {name}\n")).nth(1).unwrap_or_else(|| panic!("no section {name}"));
        let section = section.split("\n## ").next().unwrap();
        assert!(section.contains(&format!("preset = \"{name}\"")), "{name}");
        for (need, what) in &p.needs {
            assert!(
                section.contains(&format!("{need} = \"")) && section.contains(&format!("`{need}`: {what}.")),
                "{name}: {need}"
            );
        }
        let note = p.note.as_deref().unwrap();
        assert!(section.contains(note), "docs/presets.md, {name}: the note is\n{note}");
    }
}
