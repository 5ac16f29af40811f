//! A refusal flag that says one thing and a text that says the other.

use crate::{finding, judged, project};

const REFUSES: &str = "I am sorry, I could not find this in our policies. Please call 1900 5550.";
const FLAG: &str = "The response says refused = false, its text reads like a refusal (en.";

fn asked(expects: &str, answer: &str, flag: bool) -> crate::Folder {
    let question = format!("  - id: q\n    question: Can I bring my dog?\n    {expects}\n");
    let response = format!(
        "{{\"id\":\"q\",\"answer\":\"{answer}\",\"refused\":{flag},\"contexts\":[{{\"doc\":\"a.md\",\"text\":\"A night \
         may cost 210 USD.\"}}]}}\n"
    );
    project("", &question, &response)
}

#[test]
fn a_flag_against_the_text_is_told_first_everywhere() {
    let folder = asked("expect: refuse", REFUSES, false);
    let (ran, md, xml) = judged(&folder);
    let ran = ran.exits(1);
    let message = finding(&folder, "q", "refusal")["message"].as_str().unwrap().to_owned();
    assert!(message.starts_with(FLAG) && message.ends_with("; a refusal was expected."), "{message}");
    let line = &folder.results()["q"];
    assert_eq!(
        (&line["diagnosis"]["row"], &line["diagnosis"]["layer"]),
        (&24.into(), &"mapping (refusal flag)".into())
    );
    for text in [&ran.out, &md, &xml] {
        assert!(text.contains("The response says refused = false"), "{text}");
        assert!(text.contains("`refused` mapping") || text.contains("&#96;refused&#96; mapping"), "{text}");
        assert!(!text.contains("says nowhere") && !text.contains("fabrication"), "{text}");
    }
    ran.shows(&["ragline explain refusal-flag-disagrees"]);
    folder.run(&["show", "q"]).exits(0).shows(&["the text: refusal", "The response says refused = false"]);
}

#[test]
fn a_fact_that_a_refusal_does_not_state_is_not_blamed_on_the_prompt() {
    let folder = asked("facts: [210 USD]", "I could not find the hotel limit in our policies.", false);
    let (ran, md, xml) = judged(&folder);
    let ran = ran.exits(1);
    assert_eq!(folder.results()["q"]["diagnosis"]["row"], 23);
    for text in [&ran.out, &md, &xml] {
        let at = |what: &str| text.find(what).unwrap_or_else(|| panic!("{what} is not in {text}"));
        assert!(at("The response says refused = false") < at("“210 USD” is not stated"), "{text}");
        assert!(!text.contains("over-refusal"), "{text}");
    }
}

#[test]
fn a_flag_of_a_refusal_on_a_plain_answer_is_the_flag_too() {
    let folder = asked("facts: [210 USD]", "A night may cost 210 USD.", true);
    let (ran, _, xml) = judged(&folder);
    let ran = ran.exits(1);
    assert_eq!(folder.results()["q"]["diagnosis"]["row"], 23);
    for text in [&ran.out, &xml] {
        assert!(text.contains("The response says refused = true, its text does not read like a refusal"), "{text}");
        assert!(!text.contains("over-refusal"), "{text}");
    }
}

#[test]
fn an_invention_stays_one_whatever_the_flag_says() {
    let folder = asked("expect: refuse", "The bonus is 12 months of pay, and dogs are fine on Fridays.", false);
    judged(&folder).0.exits(1).shows(&["fabrication"]);
    assert_eq!(finding(&folder, "q", "refusal")["code"], "not-refused");
}
