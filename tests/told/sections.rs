//! A heading path of the suite against the one that a service returns.

use crate::binary_kit::{Folder, outcome};
use crate::{finding, judged, project};

const LEAVE: &str = "# Annual leave\n\n## Carrying days over\n\nUp to 5 unused days must be taken by 31 March.\n\n\
                     ## Booking\n\nTwo weeks ahead.\n";
const TRIPS: &str = "# Trips\n\n## Hotels\n\n### Limits\n\nA night may cost 210 USD.\n\n## Meals\n\n### Limits\n\nA day may \
                     cost 40 USD.\n";

/// A question whose evidence names this section, and one answer with a passage under that heading path.
fn asked(corpus: bool, doc: &str, section: &str, span: &str, heading: &str) -> Folder {
    let head = if corpus { "corpus: ../corpus\n" } else { "" };
    let question = format!(
        "  - id: q\n    question: How is it?\n    evidence:\n      - {{ doc: {doc}, section: {section}, span: {span} }}\n"
    );
    let text = match doc {
        "leave.md" => "Up to 5 unused days must be taken by 31 March.",
        _ => "A night may cost 210 USD.",
    };
    let answer = format!(
        "{{\"id\":\"q\",\"answer\":\"So.\",\"contexts\":[{{\"doc\":\"{doc}\",\"section\":{heading},\"text\":\"{text}\"}}]}}\n"
    );
    let folder = project(head, &question, &answer);
    folder.write("corpus/leave.md", LEAVE.as_bytes());
    folder.write("corpus/trips.md", TRIPS.as_bytes());
    folder
}

fn retrieval(folder: &Folder) -> String {
    outcome(&folder.results()["q"], "retrieval").to_owned()
}

#[test]
fn a_part_of_the_path_is_the_section_where_the_corpus_proves_it() {
    let span = "taken by 31 March";
    for (section, heading) in [
        ("[Annual leave, Carrying days over]", r#"["Carrying days over"]"#),
        ("[Carrying days over]", r#"["Annual leave","Carrying days over"]"#),
        ("Carrying days over", r#"["Carrying days over"]"#),
        ("[Annual leave]", r#"["carrying days over"]"#),
    ] {
        let folder = asked(true, "leave.md", section, span, heading);
        judged(&folder).0.exits(0);
        assert_eq!(retrieval(&folder), "pass", "{section} {heading}");
        folder.run(&["lint", "--strict"]).exits(0);
    }
    // A part from the middle: the title is missing on one side, the last heading on the other.
    let folder = asked(true, "trips.md", "[Hotels]", "210 USD", r#"["Hotels","Limits"]"#);
    judged(&folder).0.exits(0);
    assert_eq!(retrieval(&folder), "pass");
}

#[test]
fn a_part_that_proves_nothing_is_told_as_what_it_is() {
    // Two heading paths of the document end with `Limits`.
    let folder = asked(true, "trips.md", "[Trips, Hotels, Limits]", "210 USD", r#"["Limits"]"#);
    let (ran, md, xml) = judged(&folder);
    let ran = ran.exits(1);
    let told = "passage 1 holds these words under the heading path “Limits”, the evidence wants “Trips › Hotels › Limits”; \
                the corpus does not tell whether the two are one section; the corpus holds it at trips.md:7.";
    let message = finding(&folder, "q", "retrieval")["message"].as_str().unwrap().to_owned();
    assert!(message.ends_with(told), "{message}");
    assert!(!message.contains("in none of"), "{message}");
    for text in [ran.out.replace("\n            ", " ").as_str(), &md, &xml] {
        assert!(text.contains("holds these words under the heading path"), "{text}");
    }
    assert_eq!(folder.results()["q"]["diagnosis"]["row"], 22, "nothing says that the retriever missed it");

    // Without a corpus nothing can be proved.
    let folder =
        asked(false, "leave.md", "[Annual leave, Carrying days over]", "31 March", r#"["Carrying days over"]"#);
    judged(&folder).0.exits(1);
    let message = finding(&folder, "q", "retrieval")["message"].as_str().unwrap().to_owned();
    assert!(message.contains("passage 1 holds these words under the heading path “Carrying days over”"), "{message}");
    assert!(message.contains("with a `corpus`"), "{message}");
    assert_eq!(folder.results()["q"]["diagnosis"]["row"], 22);
}

#[test]
fn the_same_words_in_another_section_are_a_miss() {
    // The passage claims the words for `Meals › Limits`: another section, as the corpus shows.
    let folder = asked(true, "trips.md", "[Trips, Hotels]", "210 USD", r#"["Meals","Limits"]"#);
    judged(&folder).0.exits(1);
    let message = finding(&folder, "q", "retrieval")["message"].as_str().unwrap().to_owned();
    assert!(message.contains("passage 1 holds these words under the heading path “Meals › Limits”"), "{message}");
    assert_eq!(folder.results()["q"]["diagnosis"]["row"], 5, "the retriever is asked");
}

#[test]
fn lint_names_a_form_that_holds() {
    let folder = asked(true, "trips.md", "[Limits]", "210 USD", r#"["Limits"]"#);
    folder.run(&["lint", "--strict"]).exits(2).says(&[
        "2 sections of document `trips.md` end with “Limits”",
        "“Trips › Hotels › Limits”, “Trips › Meals › Limits”",
    ]);
    let (ran, ..) = judged(&folder);
    ran.exits(3).shows(&["is stale: 2 sections end with these"]);
    let folder = asked(true, "trips.md", "[Trips, Hotels, Limits]", "210 USD", r#"["Trips","Hotels","Limits"]"#);
    folder.run(&["lint", "--strict"]).exits(0);
    judged(&folder).0.exits(0);
    let folder = asked(true, "trips.md", "[Nights]", "210 USD", r#"["Limits"]"#);
    folder.run(&["lint", "--strict"]).exits(2).says(&["document `trips.md` has no section “Nights”"]);
}
