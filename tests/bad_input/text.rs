//! Text: spellings and digits that are one.

use crate::binary_kit::outcome;
use crate::{HEADER, RUN, project, suite};
use serde_json::json;

/// The outcomes of facts against answers in one language.
fn facts(language: Option<&str>, pairs: &[(&str, &str)]) -> Vec<bool> {
    let mut header = json!({ "version": 1, "suite": "s" });
    if let Some(l) = language {
        header["language"] = l.into();
    }
    let id = |i: usize| format!("q{i:02}");
    let (mut text, mut recording) = (format!("{header}\n"), HEADER.to_owned());
    for (i, (fact, answer)) in pairs.iter().enumerate() {
        text += &format!("{}\n", json!({ "id": id(i), "question": "?", "facts": [fact] }));
        recording +=
            &format!("{}\n", json!({ "id": id(i), "answer": answer, "contexts": [{ "doc": "a", "text": answer }] }));
    }
    let folder = project(&text, recording);
    folder.run(&RUN);
    let results = folder.results();
    (0..pairs.len()).map(|i| outcome(&results[&id(i)], "facts") == "pass").collect()
}

/// J01, J02, J07.
#[test]
fn spellings_of_one_word_are_one_word() {
    let thai = [
        ("\u{e19}\u{e49}\u{e33}", "\u{e19}\u{e49}\u{e33}"),
        ("\u{e19}\u{e49}\u{e33}", "\u{e19}\u{e49}\u{e4d}\u{e32}"),
        ("\u{e19}\u{e49}\u{e33}", "\u{e19}\u{e4d}\u{e49}\u{e32}"),
        ("แมว", "\u{e40}\u{e40}มว"),
        ("นำ", "\u{e19}\u{e49}\u{e33}"),
        ("มา", "ม"),
    ];
    assert_eq!(facts(Some("th"), &thai), [true, true, true, true, false, false]);
    let vietnamese = [("Hòa Bình", "Hoà Bình"), ("thủy", "thuỷ"), ("Hòa Bình", "Hoa Bình")];
    assert_eq!(facts(Some("vi"), &vietnamese), [true, true, false]);
    assert_eq!(facts(None, &vietnamese), [false, false, false]);
    let invisible = [
        ("order-4711 is paid", "order-\u{200b}4711 is\u{a0}paid"),
        ("order-4711 is paid", "or\u{ad}der-4711 is paid"),
        ("order-4711 is paid", "\u{feff}order-4711\u{202f} is\n\tpaid"),
        ("order-4711 is paid", "\u{202a}order-4711\u{202c} is paid"),
        ("میخواهم", "می\u{200c}خواهم"),
    ];
    assert_eq!(facts(None, &invisible), [true, true, true, true, false]);
}

/// J04.
#[test]
fn digits_of_other_scripts_are_digits() {
    let passage = "ค่าปรับ ๕๐๐ บาท; السعر ١٬٢٠٠٫٥; ５０％; 10² m";
    for (answer, grounded) in [("500 baht", true), ("1200.5", true), ("50 %", true), ("102", false), ("100", false)] {
        let line = json!({ "id": "q1", "answer": answer, "contexts": [{ "doc": "a", "text": passage }] });
        let folder =
            project(&suite("language: th\n", &format!("    facts: [\"{answer}\"]\n")), format!("{HEADER}{line}\n"));
        folder.run(&RUN);
        let is = outcome(&folder.results()["q1"], "numbers") == "pass";
        assert_eq!(is, grounded, "{answer}");
    }
}
