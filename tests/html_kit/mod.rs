//! Reads the HTML report: elements, attributes and texts, and panics where they are not as the report promises.
#![allow(
    dead_code,
    unreachable_pub,
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::string_slice,
    reason = "for tests"
)]

/// Elements without an end.
const VOID: [&str; 4] = ["meta", "link", "input", "br"];

/// Every element that the report may hold.
const KNOWN: [&str; 57] = [
    "html",
    "head",
    "meta",
    "link",
    "title",
    "style",
    "body",
    "a",
    "header",
    "main",
    "footer",
    "section",
    "div",
    "span",
    "p",
    "h1",
    "h2",
    "h3",
    "h4",
    "ul",
    "ol",
    "li",
    "dl",
    "dt",
    "dd",
    "table",
    "caption",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
    "svg",
    "line",
    "circle",
    "details",
    "summary",
    "form",
    "label",
    "input",
    "select",
    "option",
    "button",
    "code",
    "pre",
    "b",
    "ins",
    "del",
    "mark",
    "noscript",
    "blockquote",
    "script",
    "br",
    "kbd",
    "dialog",
    "textarea",
    "fieldset",
];

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Element {
    pub name: String,
    pub attributes: Vec<(String, String)>,
    /// All text in it, blocks apart by a line break.
    pub text: String,
    /// The index of the element around it.
    pub parent: Option<usize>,
}

impl Element {
    pub fn get(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(n, _)| n == name).map(|(_, v)| v.as_str())
    }

    pub fn is(&self, class: &str) -> bool {
        self.get("class").is_some_and(|c| c.split(' ').any(|c| c == class))
    }
}

#[derive(Debug)]
pub struct Read {
    pub all: Vec<Element>,
}

impl Read {
    /// Reads a page; only names and quoted values that the report itself writes are markup.
    pub fn new(html: &str) -> Read {
        let mut rest = html.strip_prefix("<!doctype html>").expect("a doctype");
        let mut all: Vec<Element> = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        while let Some(at) = rest.find('<') {
            say(&mut all, &open, &unescaped(&rest[..at]));
            let end = at + rest[at..].find('>').unwrap_or_else(|| panic!("a tag without an end: {:.80}", &rest[at..]));
            let inside = &rest[at + 1..end];
            rest = &rest[end + 1..];
            if let Some(name) = inside.strip_prefix('/') {
                let last = open.pop().unwrap_or_else(|| panic!("</{name}> ends nothing"));
                assert_eq!(all[last].name, name, "elements nest");
                if !matches!(name, "span" | "b" | "mark" | "ins" | "del" | "code" | "a") {
                    say(&mut all, &open, "\n");
                }
                continue;
            }
            let (name, attributes) = tag(inside);
            assert!(KNOWN.contains(&name.as_str()), "<{name}>");
            all.push(Element { name: name.clone(), attributes, text: String::new(), parent: open.last().copied() });
            if VOID.contains(&name.as_str()) {
                continue;
            }
            open.push(all.len() - 1);
            if name == "script" || name == "style" {
                let end = rest.find(&format!("</{name}>")).unwrap();
                let last = all.len() - 1;
                all[last].text = rest[..end].to_owned();
                rest = &rest[end..];
            }
        }
        assert!(open.is_empty() && rest.trim().is_empty(), "all is closed");
        Read { all }
    }

    pub fn named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Element> {
        self.all.iter().filter(move |e| e.name == name)
    }

    pub fn id(&self, id: &str) -> &Element {
        self.all.iter().find(|e| e.get("id") == Some(id)).unwrap_or_else(|| panic!("no element {id}"))
    }

    /// The elements of a name inside of one with an id.
    pub fn within(&self, id: &str, name: &str) -> Vec<&Element> {
        let outer = self.all.iter().position(|e| e.get("id") == Some(id)).unwrap_or_else(|| panic!("no element {id}"));
        let inside = |e: &&Element| {
            let mut at = e.parent;
            while let Some(p) = at {
                if p == outer {
                    return e.name == name;
                }
                at = self.all[p].parent;
            }
            false
        };
        self.all.iter().filter(inside).collect()
    }

    /// Nothing of it runs or loads but the one script and the one style.
    pub fn is_still(&self) {
        for e in &self.all {
            for (name, value) in &e.attributes {
                assert!(
                    !name.starts_with("on") && name != "style" && name != "src" && name != "srcset",
                    "{name}={value}"
                );
                if name == "href" {
                    assert!(value.starts_with('#') || value == "data:,", "{value}");
                }
            }
        }
        let scripts: Vec<Option<&str>> = self.named("script").map(|s| s.get("type")).collect();
        assert!(matches!(scripts[..], [Some("application/json"), None] | []), "{scripts:?}");
        assert!(self.named("style").count() <= 1);
    }
}

fn say(all: &mut [Element], open: &[usize], text: &str) {
    for at in open {
        all[*at].text.push_str(text);
    }
}

fn tag(inside: &str) -> (String, Vec<(String, String)>) {
    let (name, mut rest) = inside.split_once(' ').unwrap_or((inside, ""));
    let mut attributes = Vec::new();
    while !rest.trim().is_empty() {
        rest = rest.trim_start();
        let end = rest.find(['=', ' ']).unwrap_or(rest.len());
        let key = rest[..end].to_owned();
        assert!(key.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-'), "an attribute: {inside}");
        rest = &rest[end..];
        let mut value = String::new();
        if let Some(quoted) = rest.strip_prefix("=\"") {
            let end = quoted.find('"').unwrap_or_else(|| panic!("a value without an end: {inside}"));
            value = unescaped(&quoted[..end]);
            rest = &quoted[end + 1..];
        }
        attributes.push((key, value));
    }
    (name.to_owned(), attributes)
}

fn unescaped(text: &str) -> String {
    let mut out = text.to_owned();
    for (entity, c) in [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")] {
        out = out.replace(entity, c);
    }
    out
}
