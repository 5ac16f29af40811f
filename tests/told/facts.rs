//! Facts and citations as a reader sees them.

use crate::{judged, project};

#[test]
fn an_exception_that_is_left_out_is_missing_and_no_wrong_value() {
    let question = "  - id: q\n    question: When may I fly business class?\n    facts: [8 hours, 5 hours]\n";
    let answer = "{\"id\":\"q\",\"answer\":\"Hello. You may on flights of 8 hours or more. Happy to help.\"}\n";
    let folder = project("", question, answer);
    let (ran, md, xml) = judged(&folder);
    let ran = ran.exits(1).shows(&["fact-missing", "“5 hours” is not stated. Nearest: “You may on flights of 8 hours"]);
    for text in [&ran.out, &md, &xml] {
        assert!(!text.contains("fact-wrong-value") && !text.contains("hours” is wanted"), "{text}");
    }
}

#[test]
fn citations_are_counted_from_1_and_say_what_was_not_in_the_prompt() {
    let question = "  - id: q\n    question: When does it open?\n    facts: [\"09:00\"]\n";
    let of = |n: usize| {
        format!(
            "{{\"id\":\"q\",\"answer\":\"At 09:00.\",\"citations\":[{{\"context\":{n}}}],\"contexts\":[{{\"doc\":\"a.md\",\
             \"text\":\"Open at 09:00.\"}},{{\"doc\":\"b.md\",\"text\":\"Closed.\",\"in_prompt\":false}}]}}\n"
        )
    };
    let folder = project("", question, &of(1));
    judged(&folder).0.exits(0);
    folder.run(&["show", "q"]).exits(0).shows(&["cites passage 1"]);
    let folder = project("", question, &of(2));
    judged(&folder).0.exits(1).shows(&["Citation 2 leads to passage 2, which was not in the prompt."]);
}
