//! What is sent, what is kept to itself, and what is never opened.
#![cfg(feature = "http")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests fail by a panic")]

mod server_kit;

use ragline::target::{Reply, Request, Target};
use serde_json::json;
use server_kit::asking::{answer, failure, open, open_in, refused, response, runtime};
use server_kit::{Script, Server, dead_port};
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::time::Duration;

const MAPPED: &str = "\n[targets.shop.response]\nanswer = \"$.answer\"\n";

fn yes() -> Script {
    Script::json(200, r#"{"answer": "yes"}"#)
}

#[test]
fn a_request_is_what_the_settings_say() {
    let server = Server::start(|_| yes());
    let target = open_in(
        &format!(
            "url = \"{}/{{{{ suite }}}}/ask?fixed=1\"\nmethod = \"PUT\"\nquery = {{ q = \"{{{{ question }}}}\", n = \"x y\" }}\n\
             headers = {{ X-Tenant = \"{{{{ tenant }}}}-{{{{ id }}}}\", Authorization = \"Bearer ${{KEY}}\" }}\n\
             vars = {{ tenant = \"acme\" }}\nbody = '{{\"q\": {{{{ question }}}}, \"k\": \"${{KEY}}\"}}'{MAPPED}",
            server.url("")
        ),
        &[("KEY", "ab\"cdefg")],
        None,
    )
    .unwrap();
    assert_eq!(answer(&response(&target, "Giá & \"hạn\"?\n")), "yes");
    let seen = &server.log()[0];
    assert_eq!((seen.method.as_str(), seen.path()), ("PUT", "/shop/ask"));
    assert_eq!(seen.query(), "fixed=1&q=Gi%C3%A1%20%26%20%22h%E1%BA%A1n%22%3F%0A&n=x%20y");
    assert_eq!(seen.header("x-tenant"), Some("acme-q1"));
    assert_eq!(seen.header("authorization"), Some("Bearer ab\"cdefg"));
    assert_eq!(seen.header("content-type"), Some("application/json"));
    assert_eq!(seen.header("accept"), Some("application/json"));
    assert!(seen.header("user-agent").unwrap().starts_with("ragline/"));
    assert_eq!(seen.json(), json!({"q": "Giá & \"hạn\"?\n", "k": "ab\"cdefg"}));
    // Without a body: GET.
    let target = open(&format!("url = \"{}/a?q={{{{ question }}}}\"{MAPPED}", server.url("")));
    response(&target, "a b");
    let seen = &server.log()[1];
    assert_eq!((seen.method.as_str(), seen.query(), seen.body.len()), ("GET", "q=a%20b", 0));
    assert_eq!(seen.header("content-type"), None);
}

#[test]
fn hostile_questions_arrive_as_they_were_asked() {
    let server = Server::start(|seen| Script::json(200, &json!({"answer": seen.json()["q"]}).to_string()));
    let target = open(&format!("url = \"{}\"\nbody = '{{\"q\": {{{{ question }}}}}}'{MAPPED}", server.url("/")));
    for question in [
        "Máy \"bị vào nước\" có bảo hành không?\n\t\\",
        "รับประกันน้ำเข้าไหม {{ question }} {% for %}",
        "保修期是多久？\u{2028}𠮷\u{0}\u{1f}",
        "'; DROP TABLE -- ${HOME} </script> \\u0041",
    ] {
        assert_eq!(answer(&response(&target, question)), question);
    }
}

/// Sets a cookie, and answers from the conversation before when it is shown the cookie or a session that it knows.
fn forgetful() -> Server {
    let known = Mutex::new(BTreeSet::new());
    Server::start(move |seen| {
        let session = seen.json()["session"].as_str().unwrap().to_owned();
        let fresh = known.lock().unwrap().insert(session.clone());
        let text = if seen.header("cookie").is_some() || !fresh || session.is_empty() {
            "as said before".to_owned()
        } else {
            format!("to {}", seen.json()["q"])
        };
        let body = json!({"answer": text}).to_string();
        Script::reply(200, &["content-type: application/json", "set-cookie: sid=1; Path=/"], body)
            .after(Duration::from_millis(20))
    })
}

#[test]
fn questions_do_not_share_a_conversation() {
    let server = forgetful();
    let settings = format!(
        "url = \"{}\"\nbody = '{{\"session\": {{{{ session }}}}, \"q\": {{{{ question }}}}}}'{MAPPED}",
        server.url("/")
    );
    let target = open(&settings);
    let runtime = runtime();
    let ask = |target: Arc<dyn Target>, n: u32, repeat: u32| async move {
        let question = format!("question {n}");
        match target.ask(Request { repeat, ..Request::new("s", "q", &question) }).await {
            Reply::Response(r) => (n, answer(&r).to_owned()),
            other @ (Reply::Line { .. } | Reply::Missing(_) | Reply::Failed(_)) => panic!("{other:?}"),
        }
    };
    let run = |order: Vec<u32>, at_once: bool| -> BTreeMap<u32, String> {
        runtime.block_on(async {
            let mut answers = BTreeMap::new();
            if at_once {
                let tasks: Vec<_> = order.iter().map(|n| tokio::spawn(ask(Arc::clone(&target), *n, 0))).collect();
                for task in tasks {
                    answers.extend([task.await.unwrap()]);
                }
            } else {
                for n in order {
                    answers.extend([ask(Arc::clone(&target), n, 0).await]);
                }
            }
            answers
        })
    };
    let first = run((0..8).collect(), false);
    assert_eq!(first[&3], "to \"question 3\"");
    assert_eq!(run((0..8).rev().collect(), false), first);
    assert_eq!(run((0..8).collect(), true), first);
    assert!(server.most_at_once() > 1, "the third run asked several at once");
    // The same question once more, as another run of it.
    assert_eq!(runtime.block_on(ask(Arc::clone(&target), 0, 1)).1, first[&0]);
    let sessions: BTreeSet<String> =
        server.log().iter().map(|s| s.json()["session"].as_str().unwrap().to_owned()).collect();
    assert_eq!(sessions.len(), 25);
    assert!(server.log().iter().all(|s| s.header("cookie").is_none()));
    assert!(server.connections() < 25, "connections are kept");
}

const SECRET: [(&str, &str); 1] = [("RAG_TOKEN", "tok_9f3c77aa12")];

#[test]
fn secrets_come_back_hidden() {
    let server = Server::start(|seen| match seen.path() {
        "/echo" => Script::json(
            200,
            "{\"answer\": \"tok_9f3c77aa12 zz998877 pw123456 dXNlcjpwdzEyMzQ1Ng==\", \"tok_9f3c77aa12\": 1}",
        ),
        "/unmapped" => Script::json(200, "{\"tok_9f3c77aa12\": \"\\u0074ok_9f3c77aa12 pw123456\"}"),
        "/moved" => Script::redirect(302, "/login?token=tok_9f3c77aa12"),
        "/page" => Script::html(200, "<title>tok_9f3c77aa12</title>"),
        "/long" => Script::reply(400, &[], format!("{}tok_9f3c77aa12", "x".repeat(295))),
        _ => Script::reply(401, &[], "bad token tok_9f3c77aa12 for zz998877"),
    });
    let at = |path: &str| {
        let url = server.url(path).replace("http://", "http://user:pw123456@");
        let headers = "headers = { X-Trace = \"${RAG_TOKEN}\", X-Session-Token = \"literal-token-1\" }";
        let body = "body = '{\"q\": {{ question }}}'";
        open_in(&format!("url = \"{url}?api_key=zz998877\"\n{headers}\n{body}{MAPPED}"), &SECRET, None).unwrap()
    };
    let clean = |text: &str| {
        for secret in ["tok_9f3c77aa12", "tok_9f3c", "zz998877", "pw123456", "dXNlcjpwdzEyMzQ1Ng", "literal-token-1"] {
            assert!(!text.contains(secret), "{secret} is in {text}");
        }
    };
    let f = failure(&at("/ask"), "?");
    assert!(f.why.contains("HTTP 401") && f.why.contains("bad token *** for ***"), "{f}");
    for path in ["/ask", "/unmapped", "/moved", "/page", "/long"] {
        clean(&failure(&at(path), "?").why);
    }
    clean(answer(&response(&at("/echo"), "?")));
    let basic = server.log()[0].header("authorization").unwrap().to_owned();
    assert_eq!(basic, "Basic dXNlcjpwdzEyMzQ1Ng==", "the password in the address is sent");
    let target = at("/ask");
    let secrets = target.secrets().unwrap();
    for text in ["tok_9f3c77aa12", "zz998877", "pw123456", "dXNlcjpwdzEyMzQ1Ng==", "literal-token-1", "user:pw123456"] {
        clean(&secrets.hide(text));
    }
    clean(&format!("{:?}", target.manners()));
}

#[test]
fn the_key_tells_requests_apart_and_holds_no_secret() {
    let body = "body = '{\"q\": {{ question }}, \"s\": {{ session }}}'";
    let key = |more: &str, token: &str, question: &str| {
        let lines = format!(
            "url = \"http://127.0.0.1:1/ask\"\nheaders = {{ Authorization = \"Bearer ${{T}}\" }}\n{more}{MAPPED}"
        );
        let target = open_in(&lines, &[("T", token)], None).unwrap();
        target.key(Request::new("s", "q", question)).unwrap()
    };
    let first = key(body, "token-one", "a");
    assert_eq!(key(body, "token-two", "a"), first, "a new token is the same request");
    assert_ne!(key(body, "token-one", "b"), first);
    assert_ne!(key(&format!("{body}\nmethod = \"PUT\""), "token-one", "a"), first);
    assert_ne!(key(&format!("{body}\nquery = {{ k = \"3\" }}"), "token-one", "a"), first);
    assert_ne!(key("body = '{\"q\": {{ question }}, \"t\": {{ session }}}'", "token-one", "a"), first);
}

#[test]
fn what_cannot_be_asked_is_not_opened() {
    let url = "url = \"http://127.0.0.1:1/ask\"";
    let body = "body = '{\"q\": {{ question }}}'";
    let all = |words: &[&str], text: &str| {
        for w in words {
            assert!(text.contains(w), "{w:?} is not in {text}");
        }
    };
    all(&["mapping-missing", "ragline target check shop"], &refused(&format!("{url}\n{body}"), &[]));
    all(&["question-missing", "nowhere in the request"], &refused(&format!("{url}\nbody = '{{}}'{MAPPED}"), &[]));
    all(&["question-missing"], &refused(&format!("{url}\nheaders = {{ Q = \"{{{{ question }}}}\" }}{MAPPED}"), &[]));
    let quoted = format!("{url}\nbody = '{{\"q\": \"{{{{ question }}}}\"}}'{MAPPED}");
    all(&["template-quotes", "write {{ question }} without quotes", "ragline.toml:5"], &refused(&quoted, &[]));
    let keys = format!("{url}\n{body}\nheaders = {{ A = \"${{ONE}}\", B = \"${{TWO}}\" }}{MAPPED}");
    all(&["env-missing", "`ONE`", "`TWO`", "ragline.toml:6", "--without-keys"], &refused(&keys, &[("TWO", "")]));
    all(&["ftp"], &refused(&format!("url = \"ftp://h/\"\n{body}{MAPPED}"), &[]));
    let secret = refused(&format!("url = \"//user:pw123456@h/\"\n{body}{MAPPED}"), &[]);
    all(&["expected an address"], &secret);
    assert!(!secret.contains("pw123456"), "{secret}");
    all(&["`bad name`"], &refused(&format!("{url}\n{body}\nheaders = {{ \"bad name\" = \"x\" }}{MAPPED}"), &[]));
    all(
        &["`Content-Length`"],
        &refused(&format!("{url}\n{body}\nheaders = {{ Content-Length = \"3\" }}{MAPPED}"), &[]),
    );
    all(&["`ca`", "cannot read"], &refused(&format!("{url}\n{body}\nca = \"none.pem\"{MAPPED}"), &[]));
    all(&["proxy"], &refused(&format!("{url}\n{body}\nproxy = \"not an address\"{MAPPED}"), &[]));
}

#[test]
fn proxies() {
    // A proxy is asked for the whole address.
    let proxy = Server::start(|_| yes());
    let lines = |host: &str, proxy: &str| {
        format!("url = \"http://{host}/ask\"\nbody = '{{\"q\": {{{{ question }}}}}}'\n{proxy}{MAPPED}")
    };
    let through = format!("proxy = \"http://user:proxy-pass@{}\"", proxy.host());
    let target = open(&lines("rag.example", &through));
    assert_eq!(answer(&response(&target, "?")), "yes");
    let seen = &proxy.log()[0];
    assert_eq!(seen.target, "http://rag.example/ask");
    assert!(seen.header("proxy-authorization").unwrap().starts_with("Basic "));
    assert_eq!(target.secrets().unwrap().hide("proxy-pass"), "***");
}

#[test]
fn a_dead_proxy_of_the_environment_is_not_asked_for_this_machine() {
    // The variables are those of a process of its own.
    const INNER: &str = "RAGLINE_TEST_INNER";
    if let Ok(host) = std::env::var(INNER) {
        for host in [host.clone(), host.replace("127.0.0.1", "localhost")] {
            let target = open(&format!("url = \"http://{host}/\"\nbody = '{{\"q\": {{{{ question }}}}}}'{MAPPED}"));
            assert_eq!(answer(&response(&target, "?")), "yes");
        }
        let target = open(&format!("url = \"http://rag.example/\"\nbody = '{{\"q\": {{{{ question }}}}}}'{MAPPED}"));
        let f = failure(&target, "?");
        assert!(f.why.contains("refused"), "elsewhere the proxy is asked: {f}");
        return;
    }
    let server = Server::start(|_| yes());
    let dead = format!("http://127.0.0.1:{}", dead_port());
    let done = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "a_dead_proxy_of_the_environment_is_not_asked_for_this_machine"])
        .env(INNER, server.host())
        .envs(["HTTP_PROXY", "http_proxy", "ALL_PROXY"].map(|n| (n, dead.as_str())))
        .env_remove("NO_PROXY")
        .env_remove("no_proxy")
        .env_remove("REQUEST_METHOD")
        .output()
        .unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stdout));
    assert_eq!(server.count(), 2);
}
