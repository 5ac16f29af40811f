//! What a run says is to be done next.

use crate::{Folder, project, reports};

const QUESTIONS: &str = "  - id: good\n    question: When does it open?\n    facts: [\"09:00\"]\n  - id: bad\n    question: When \
                         does it close?\n    facts: [\"21:00\"]\n";

fn answers(close: &str) -> String {
    format!("{{\"id\":\"good\",\"answer\":\"At 09:00.\"}}\n{{\"id\":\"bad\",\"answer\":\"{close}\"}}\n")
}

#[test]
fn a_first_run_names_what_to_look_at_and_tells_the_failures() {
    let folder = project("", QUESTIONS, &answers("At 22:00."));
    let (ran, md, xml) = reports(&folder);
    ran.exits(2).shows(&["show     ragline show s::bad", "accept --first"]);
    folder.run(&["show", "s::bad"]).exits(0);
    let doc = roxmltree::Document::parse(&xml).unwrap();
    let case = doc.descendants().find(|n| n.attribute("name") == Some("bad")).unwrap();
    let skipped = case.children().find(|n| n.has_tag_name("skipped")).unwrap();
    assert!(skipped.attribute("message").unwrap().starts_with("no baseline yet; it fails: "), "{xml}");
    let story = skipped.text().unwrap();
    for part in ["When does it close?", "“21:00” is", "blame", "At ‹22:00›."] {
        assert!(story.contains(part) || part.starts_with("At"), "{part} is not in {story}");
    }
    assert!(md.contains("s::bad<br>When does it close?") && md.contains("blame: "), "{md}");
}

#[test]
fn no_first_baseline_is_offered_while_a_question_could_not_be_judged() {
    // Unmeasured.
    let folder =
        project("", QUESTIONS, "{\"id\":\"good\",\"answer\":\"At 09:00.\"}\n{\"id\":\"bad\",\"error\":\"503\"}\n");
    let (ran, md, _) = reports(&folder);
    let ran = ran.exits(2).shows(&["ragline show s::bad"]);
    assert!(!ran.out.contains("accept --first") && !md.contains("accept --first"), "{}", ran.out);
    // One layer of a question that fails in another: `accept` would refuse it.
    let passages = "{\"id\":\"good\",\"answer\":\"At 09:00.\"}\n{\"id\":\"bad\",\"answer\":\"For 30 USD.\"}\n";
    let folder = project("", QUESTIONS, passages);
    folder.write(
        "ragline.toml",
        b"version = 1\n[targets.bot]\nkind = \"recorded\"\nfile = \"answers.jsonl\"\nprovides = [\"answer\", \"contexts\"]\n",
    );
    let (ran, _, _) = reports(&folder);
    let ran = ran.exits(2);
    assert_eq!(folder.results()["bad"]["layers"]["numbers"]["outcome"], "unmeasured");
    assert!(!ran.out.contains("accept --first"), "{}", ran.out);
    folder.run(&["accept", "--first", "--reason", "x"]).exits(2).says(&["not-measured"]);
    // Evidence that does not stand in the corpus.
    let stale = QUESTIONS.replace("    facts: [\"21:00\"]\n", "    evidence: [{ doc: hours.md, span: until ten }]\n");
    let folder = project("corpus: ../corpus\n", &stale, &answers("At 21:00."));
    folder.write("corpus/hours.md", b"# Hours\n\nFrom nine until nine.\n");
    let (ran, md, _) = reports(&folder);
    let ran = ran.exits(2).shows(&["next     ragline lint\n"]);
    assert!(!ran.out.contains("accept --first") && !md.contains("accept --first"), "{}", ran.out);
    // The same where a fact fails beside it.
    folder.write("answers.jsonl", answers("At 22:00.").as_bytes());
    let both = folder.read("suites/s.yaml").replace("    evidence:", "    facts: [\"21:00\"]\n    evidence:");
    folder.write("suites/s.yaml", both.as_bytes());
    let ran = reports(&folder).0.exits(2).shows(&["next     ragline lint\n"]);
    assert!(!ran.out.contains("accept --first"), "{}", ran.out);
}

#[test]
fn an_open_gate_lists_what_is_known_and_a_closed_one_accepts_all() {
    let folder = project("", QUESTIONS, &answers("At 22:00."));
    reports(&folder).0.exits(2);
    folder.run(&["accept", "--first", "--reason", "the sign is wrong"]).exits(0);
    let (ran, md, _) = reports(&folder);
    ran.exits(0);
    assert!(md.contains("- **s::bad** When does it close? — the sign is wrong\n"), "{md}");
    let both = QUESTIONS.replace("09:00", "08:00").replace("21:00", "20:00");
    let head = "version: 1\nsuite: s\nlanguage: en\ntarget: bot\nquestions:\n";
    folder.write("suites/s.yaml", format!("{head}{both}").as_bytes());
    let (ran, md, _) = reports(&folder);
    let command = "ragline accept s::good s::bad --reason \"…\"";
    ran.exits(1).shows(&[command]);
    // A reader of the comment has the run of the job, and not a run of his own.
    assert!(md.contains("ragline accept s::good s::bad --run rag.zip --reason \"…\""), "{md}");
}

/// A policy that only advises shows no failure, and tells each all the same.
#[test]
fn an_advisory_run_tells_what_failed() {
    let folder = project("", QUESTIONS, &answers("At 22:00."));
    folder.write("thresholds.toml", b"version = 1\nbaseline = \"none\"\nmode = \"advisory\"\n");
    let (ran, _, xml) = reports(&folder);
    ran.exits(0).shows(&["ragline show s::bad"]);
    assert!(!xml.contains("<failure"), "{xml}");
    assert!(xml.contains("When does it close?") && xml.contains("[fact-"), "{xml}");
}

/// Recordings of another subject: one story, and the way out.
#[cfg(unix)]
#[test]
fn recordings_that_no_longer_fit_are_told_once() {
    let toml = "version = 1\n[targets.bot]\nkind = \"command\"\ncommand = [\"sh\", \"bot.sh\"]\nwatch = [\"prompt.txt\"]\nprovides = [\"answer\"]\n";
    let mut questions = String::new();
    for n in 0..6 {
        questions += &format!("  - id: q{n}\n    question: When does door {n} open?\n    facts: [\"09:00\"]\n");
    }
    let folder = project("", &questions, "");
    folder.write("ragline.toml", toml.as_bytes());
    folder.write("bot.sh", b"cat >/dev/null; echo '{\"answer\":\"At 09:00.\"}'\n");
    folder.write("prompt.txt", b"Be brief.");
    let ran = folder.run(&["run", "--answers", "fill"]).exits(2);
    assert!(ran.out.contains("accept --first"), "{}\n{}", ran.out, ran.err);
    folder.run(&["accept", "--first", "--reason", "first"]).exits(0);
    folder.write("prompt.txt", b"Be kind.");
    let ran = stale(&folder);
    let out = &ran.out;
    assert_eq!(out.matches("recorded f").count(), 1, "{out}");
    assert!(out.contains("? 6 questions") && out.contains("and 5 alike"), "{out}");
    assert!(out.contains("The recording is of another request; ask again: `ragline run --answers fill`."), "{out}");
    assert!(out.contains("repeat   ragline run s --answers fill\n"), "{out}");
    assert!(!out.contains("--answers replay") && !out.contains("Fix the call"), "{out}");
}

#[cfg(unix)]
fn stale(folder: &Folder) -> crate::Ran {
    folder.run(&["run", "--answers", "replay"]).exits(3)
}
