//! What stands in a corpus, and where.

use super::*;

fn evidence(doc: &str, section: &[&str], span: &str) -> Evidence {
    let some = |s: &str| (!s.is_empty()).then(|| s.to_owned());
    Evidence {
        doc: some(doc),
        section: section.iter().map(|s| (*s).to_owned()).collect(),
        span: some(span),
        chunk: None,
        url: None,
        grade: 1,
        at: None,
        union: false,
        place: Place::default(),
    }
}

fn corpus(texts: &[(&str, &str)]) -> Corpus {
    Corpus::from_texts(texts.iter().map(|(id, text)| ((*id).to_owned(), (*text).to_owned())))
}

fn paths(text: &str) -> Vec<String> {
    Document::new(text.to_owned(), true).sections.iter().map(|s| format!("{}:{}", s.line, s.path.join(" > "))).collect()
}

#[test]
fn headings_make_sections() {
    assert_eq!(
        paths("intro\n\n# A #\na\n## B\nb\n#### C##\nc\n## D ##\n# E\n"),
        ["1:", "3:A", "5:A > B", "7:A > B > C##", "9:A > D", "10:E"]
    );
    assert_eq!(paths("Title\n=====\n\nSub\n---\ntext\nmore\n---\n"), ["1:Title", "4:Title > Sub"]);
    assert_eq!(paths("no heading\n#tag\n    # code\n####### seven\n"), ["1:"]);
    assert_eq!(paths("---\ntitle: x\n---\n# A\n"), ["1:", "4:A"]);
    assert_eq!(paths("- item\n---\n| a |\n---\n\n---\n"), ["1:"]);
    assert_eq!(paths(""), ["1:"]);
    assert_eq!(paths("\n\n# A"), ["3:A"]);
}

#[test]
fn headings_in_fenced_code_are_none() {
    assert_eq!(
        paths("# A\n```sh\n# not\n~~~\n```\n## B\n~~~~\n# not\n~~~\n# not\n~~~~\n# C\n"),
        ["1:A", "6:A > B", "12:C"]
    );
    assert_eq!(paths("``` a`b\n# A\n"), ["1:", "2:A"]);
    assert_eq!(paths("```\n# never closed\n"), ["1:"]);
}

#[test]
fn bodies_are_the_text_between_headings() {
    let d = Document::new("intro\n# A\nbody\n## B\nend".into(), true);
    let bodies: Vec<&str> = d.sections.iter().map(|s| d.body(s)).collect();
    assert_eq!(bodies, ["intro\n", "body\n", "end"]);
}

#[test]
fn standing_names_what_is_missing() {
    let c = corpus(&[
        (
            "a.md",
            "# Bảo hành\nMáy được bảo hành\n12 tháng.\n## Từ chối\nMáy rơi vỡ.\n# Phí\nPhí là 45.000 đồng, 17 ngày.",
        ),
        ("b.txt", "# not a heading\nnước vào động cơ"),
    ]);
    let standing = |doc, section: &[&str], span| c.standing(&evidence(doc, section, span));
    assert_eq!(standing("a.md", &["Bảo hành"], "bảo hành 12 tháng"), Standing::Found, "over a line end");
    assert_eq!(standing("a.md", &["Bảo hành"], "rơi vỡ"), Standing::Found, "in a subsection");
    assert_eq!(standing("a.md", &["bảo HÀNH", "Từ chối"], "rơi vỡ"), Standing::Found);
    assert_eq!(standing("a.md", &["Bảo hành", "Từ chối"], "12 tháng"), Standing::NoSpan);
    assert_eq!(standing("a.md", &["Từ chối"], "rơi vỡ"), Standing::Found, "the only path that ends so");
    assert_eq!(standing("a.md", &["Từ chối"], "12 tháng"), Standing::NoSpan);
    assert_eq!(standing("a.md", &["Phí", "Từ chối"], "rơi vỡ"), Standing::NoSection);
    assert_eq!(standing("a.md", &["Phí"], "000 đồng"), Standing::NoSpan, "a number is not cut in two");
    assert_eq!(standing("a.md", &["Phí"], "7 ngày"), Standing::NoSpan);
    assert_eq!(standing("a.md", &["Phí"], "17 ngày"), Standing::Found);
    assert_eq!(standing("c.md", &[], "17 ngày"), Standing::NoDocument);
    assert_eq!(standing("a.md", &[], ""), Standing::Found);
    assert_eq!(standing("", &[], "nước vào"), Standing::Found, "anywhere");
    assert_eq!(standing("", &["Phí"], "45.000 đồng"), Standing::Found);
    assert_eq!(standing("", &["Phí"], "46.000 đồng"), Standing::NoSpan);
    assert_eq!(standing("", &["Nirgends"], "17 ngày"), Standing::NoSection);
    assert_eq!(standing("", &[], ""), Standing::Unknown);
}

#[test]
fn a_part_of_a_path_names_a_section_only_where_one_path_ends_so() {
    let c = corpus(&[
        ("a.md", "# Leave\n## Days\n10 days\n## Pay\nfull\n# Trips\n## Pay\nhalf\n# Days\n3 days"),
        ("b.md", "# Hours\n## Nights\n## Nights\n8 hours"),
    ]);
    let standing = |doc, section: &[&str], span| c.standing(&evidence(doc, section, span));
    assert_eq!(standing("a.md", &["Pay"], "half"), Standing::NoSection, "two sections end so");
    assert_eq!(c.sections_ending(&evidence("a.md", &["pay"], "")), ["Leave › Pay", "Trips › Pay"]);
    assert_eq!(standing("a.md", &["Days"], "10 days"), Standing::NoSpan, "the very path goes before one that ends so");
    assert_eq!(standing("b.md", &["Nights"], "8 hours"), Standing::Found, "one path, twice in the document");
    let part = |doc, path: &[&str]| {
        let path: Vec<String> = path.iter().map(|h| (*h).to_owned()).collect();
        c.section_ending(doc, &path).map(|h| format!("{} {}", h.doc, h.path.join("/")))
    };
    assert_eq!(part(Some("a.md"), &["days"]), None, "of a passage it may be either");
    assert_eq!(part(Some("b.md"), &["nights"]), Some("b.md hours/nights".into()));
    assert_eq!(part(None, &["nights"]), Some("b.md hours/nights".into()));
    assert_eq!(part(None, &["pay"]), None);
    assert_eq!(part(None, &[]), None);
}

#[test]
fn locate_gives_the_line_of_the_words() {
    let c = corpus(&[("a.md", "# A\n\none\n\ntwo  %\n## B\nthree\nfour"), ("b.md", "# Z\nfour")]);
    let line = |doc, section: &[&str], span| c.locate(&evidence(doc, section, span)).map(|(d, l)| format!("{d}:{l}"));
    assert_eq!(line("a.md", &["A"], "two"), Some("a.md:5".into()));
    assert_eq!(line("a.md", &["A"], "%"), Some("a.md:5".into()));
    assert_eq!(line("a.md", &["A"], "THREE four"), Some("a.md:7".into()));
    assert_eq!(line("", &["Z"], "four"), Some("b.md:2".into()));
    assert_eq!(line("a.md", &["A", "B"], ""), Some("a.md:6".into()));
    assert_eq!(line("a.md", &[], ""), Some("a.md:1".into()));
    assert_eq!(line("b.md", &[], "five"), None);
}

#[test]
fn loads_a_folder() {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| {
        let path = dir.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    };
    write("b.md", b"\xef\xbb\xbf# B\r\nx\r\n");
    write("deep/er/a.TXT", b"# text");
    write("deep/c.markdown", b"# C");
    write(".git/x.md", b"# no");
    write("data.json", b"{}");
    let c = Corpus::load(dir.path(), "corpus").unwrap();
    assert_eq!(c.documents.keys().collect::<Vec<_>>(), ["b.md", "deep/c.markdown", "deep/er/a.TXT"]);
    assert_eq!(c.documents["b.md"].text, "# B\nx\n");
    assert_eq!(c.documents["deep/er/a.TXT"].sections[0].path, Vec::<String>::new());
    let same = corpus(&[("b.md", "# B\nx\n"), ("deep/c.markdown", "# C"), ("deep/er/a.TXT", "# text")]);
    assert_eq!(c.digest(), same.digest());
    assert_ne!(c.digest(), corpus(&[("b.md", "# B\nx\n")]).digest());
    assert_eq!(Corpus::default().digest(), "e3b0c44298fc1c14");

    write("bad.md", b"caf\xe9\n");
    assert_eq!(Corpus::load(dir.path(), "corpus").unwrap_err().place.to_string(), "corpus/bad.md:1");
    assert_eq!(Corpus::load(&dir.path().join("none"), "none").unwrap_err().code, "corpus-unreadable");
    std::fs::create_dir(dir.path().join("empty")).unwrap();
    assert_eq!(Corpus::load(&dir.path().join("empty"), "empty").unwrap_err().code, "corpus-empty");
}
