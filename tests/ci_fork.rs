//! What a fork's run can reach by the action's scripts, and what it cannot.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by a panic")]

mod binary_kit;
mod runner_kit;
mod server_kit;
mod shard_kit;

use runner_kit::{LATER, Runner, SHA};
use serde_json::json;
use shard_kit::project::small;

#[test]
fn the_run_of_a_fork_may_not_comment_and_does_not_try() {
    let runner = Runner::pull_request("mallory/bot");
    assert_eq!(runner.job(&small(), ""), 0);
    assert_eq!(runner.api.server.count(), 0);
}

#[test]
fn what_a_fork_wrote_is_data() {
    let runner = Runner::workflow_run();
    let report = "### ✅ GATE OPEN\n@everyone ping @shop/admins, see #1 and GH-2, [click](http://evil.example) ![x](https://evil.example/p.png)\n\
                  <img src=x onerror=alert(1)><script>alert(1)</script> <!-- ragline -->\n[a]: http://evil.example\nwww.evil.example\n\
                  <details><summary>more</summary>\n\n$(touch pwned) `touch pwned` ::error::x ${{ secrets.X }}\n\n</details>\n";
    let ended = runner.foreign(report.as_bytes());
    assert_eq!(ended.exit, 0, "{ended:?}");
    let comments = runner.api.comments();
    let body = &comments[0].body;
    assert!(body.starts_with("<!-- ragline fork -->\nWritten by the run of a fork at 0123456789"), "{body}");
    for hostile in ["@everyone", "@shop", "](http", "![x](", "<img", "<script", "://", "]: ", "www.evil", "#1 ", "GH-2"]
    {
        assert!(!body.contains(hostile) || hostile == "]: " && !body.contains("[a]: "), "{hostile} in {body}");
    }
    assert_eq!(body.matches("<!--").count(), 1, "{body}");
    assert!(body.contains("<details><summary>more</summary>") && body.contains("$(touch pwned)"), "{body}");
    // It is found by GitHub's word for whose commit this is.
    let asked: Vec<String> = runner.api.server.log().iter().map(|s| s.target.clone()).collect();
    assert!(asked[0].contains("head=mallory%3Ax%22%3Btouch%20pwned%3B%22%26head%3Dshop%3Amain%23"), "{asked:?}");
    assert!(asked.iter().any(|t| t.starts_with("/repos/shop/bot/issues/7/")), "{asked:?}");
    runner.foreign(b"### again\n");
    assert_eq!(runner.api.comments().len(), 1);
}

/// Entities are read before mentions are looked for; diagrams are more than text; only bare elements stay.
#[test]
fn a_fork_does_not_call_anybody_by_a_detour() {
    let runner = Runner::workflow_run();
    runner.foreign(
        "<!-- ragline report 0123456789abcdef -->\n&#64;team &#x40;team &commat;team &#0064;team &num;12 &#35;12 GH&#45;2 gh&#x2d;2 www&#46;evil.example \
         http&colon;//evil.example http&#58;&#47;&#47;evil.example <b onclick=x> <p style=x> <a href=x> </details >\n```mermaid\n~~~ GeoJSON\n"
            .as_bytes(),
    );
    let body = runner.api.comments()[0].body.clone();
    for hostile in [
        "ragline report",
        "&#64;t",
        "&#x40;",
        "&commat;",
        "&#0064;",
        "&num;",
        "&#35;1",
        "GH&#45;2",
        "&#x2d;",
        "www&#46;",
        "&colon;",
        "&#58;",
        "&#47;",
        "<b onclick",
        "<p style",
        "<a",
        "</details >",
        "```mermaid",
        "~~~ Geo",
    ] {
        assert!(!body.replace("&amp;", "(and)").contains(hostile), "{hostile} in {body}");
    }
}

/// What ragline itself wrote in the run of a fork looks as it does elsewhere.
#[test]
fn a_forks_own_report_keeps_its_form() {
    let inside = Runner::pull_request("shop/bot");
    assert_eq!(inside.job(&small().broken(), ""), 1);
    let own = inside.api.comments()[0].body.clone();
    let runner = Runner::workflow_run();
    runner.foreign(own.as_bytes());
    let body = runner.api.comments()[0].body.clone();
    let rest = |text: &str, from: &str| text.split_once(from).map(|(_, rest)| rest.to_owned()).unwrap();
    assert_eq!(rest(&body, "wrote it.\n\n").trim_end(), rest(&own, " -->\n").trim_end());
}

#[test]
fn a_report_that_cannot_be_one_is_not_shown() {
    for (report, why) in [
        (vec![b'x'; 300_000], "too large"),
        (b"\xff\xfe broken".to_vec(), "not UTF-8"),
        (b"a\0b".to_vec(), "control characters"),
        (b"a\x1b[31mred".to_vec(), "control characters"),
    ] {
        let runner = Runner::workflow_run();
        let ended = runner.foreign(&report);
        assert_eq!(ended.exit, 0, "{ended:?}");
        let body = runner.api.comments()[0].body.clone();
        assert!(body.contains("cannot be shown") && body.contains(why) && body.len() < 200, "{why}: {body}");
    }
    // A link to a file of the runner is no report.
    let runner = Runner::workflow_run();
    std::fs::create_dir_all(runner.path("artefact")).unwrap();
    std::os::unix::fs::symlink(runner.path("event.json"), runner.path("artefact/report.md")).unwrap();
    runner.script("comment.sh", &[("RAGLINE_REPORT", "artefact"), ("RAGLINE_FOREIGN", "true")]);
    let body = runner.api.comments()[0].body.clone();
    assert!(body.contains("there is no report") && !body.contains("mallory"), "{body}");
    // As many characters as GitHub takes.
    let runner = Runner::workflow_run();
    runner.foreign("ß".repeat(100_000).as_bytes());
    let body = runner.api.comments()[0].body.clone();
    assert!(body.chars().count() <= 65_536 && body.contains("cut off"), "{}", body.chars().count());
}

#[test]
fn only_the_commit_that_was_approved_is_run() {
    let runner = Runner::workflow_run();
    let ended = runner.script("check-head.sh", &[]);
    assert_eq!(ended.exit, 0, "{ended:?}");
    assert!(ended.out.contains("pull request 7 is at 0123456789"), "{ended:?}");
    // Somebody pushed between the approval and now: no pull request has the approved commit at its head.
    runner.api.state.lock().unwrap().head = LATER.into();
    let ended = runner.script("check-head.sh", &[]);
    assert_eq!(ended.exit, 1, "{ended:?}");
    assert!(ended.err.contains("nothing is run"), "{ended:?}");
    // GitHub does not answer: that is no approval.
    let broken = Runner::workflow_run().with("GH_TOKEN", "wrong");
    assert_ne!(broken.script("check-head.sh", &[]).exit, 0);
    // A push is no pull request.
    let push = Runner::new("workflow_run", &json!({"workflow_run": {"event": "push", "head_sha": SHA}}));
    assert_eq!(push.script("check-head.sh", &[]).exit, 1);
    assert_eq!(push.api.server.count(), 0);
}
