//! Facts: a language, a way of looking, a question, an answer, and what the answer must state or must not.

use crate::input;
use crate::layer_kit;
use crate::numbers_kit::is_written;
use crate::rules;
use ragline::layer::{Exam, LayerResult, Outcome, Reading, facts};
use ragline::suite::{Expect, Fact, Question};
use ragline::text::pack::{Lang, Pack};
use serde_json::{Map, Value, json};

/// At most so many facts.
const FACTS: usize = 6;

/// Pieces that mean something to a reader of facts, and what begins a fact of a form; see [`fact`].
pub const PIECES: &[&str] = &[
    "\0",
    "\0#",
    "\0@",
    "\0?",
    "\0/",
    "\0!",
    "\0>",
    "\0|",
    "\0&",
    "\0$",
    "7",
    "7 days",
    "30 ngày",
    "7 วัน",
    "三十天",
    "5 triệu",
    "2026-11-30",
    "30/11/2026",
    "not ",
    "no ",
    "isn't ",
    "never ",
    "without ",
    "không ",
    "chưa ",
    "không chỉ ",
    "ไม่",
    "ห้าม",
    "ไม่ใช่",
    "不",
    "没有",
    "不仅",
    "nicht ",
    "kein ",
    "ne ",
    " pas",
    "no es ",
    "ません",
    "않",
    "yes",
    "no",
    "Yes, ",
    "Không ạ",
    "ได้ค่ะ",
    "可以",
    "được ",
    "must ",
    "may ",
    "refund",
    "đổi trả",
    "คืนสินค้า",
    "退货",
    "hoà",
    "hòa",
    "Röntgen",
    "covered",
    "is it ",
    "có được ",
    "ไหม",
    "吗",
    "unless ",
    "trừ khi ",
    "at most ",
    "không quá ",
    "ไม่เกิน",
    "不超过",
    "more than ",
    " le ",
    " ge ",
    " eq ",
    "day",
    "VND",
    "{\"a\": ",
    "\"",
    "}",
    "[",
    "]",
    ": ",
    "$.a",
    "$..a",
    "[*]",
    "\\u00e9",
    "[1]",
    "【1】",
    "“",
    "”",
    "\n",
    "\n- ",
    "\n1. ",
    ". ",
    "。",
    ", ",
    " ",
    "\u{a0}",
    "\u{200b}",
    "\u{301}",
    "\u{323}",
    "\u{e33}",
    "😀",
    ".*",
    "(a|b)+",
    "\\d+",
    "[A-Z]{2}-[0-9]{4}",
    "^",
    "$",
];

/// What a fuzzer's bytes say.
#[derive(Debug)]
struct Asked {
    lang: &'static str,
    question: String,
    answer: String,
    /// In the writing of a suite.
    facts: Vec<Value>,
    must_not: Vec<Value>,
}

/// How the facts are looked for, by the bits of a byte.
fn looking(bits: u8) -> Map<String, Value> {
    let mut map = Map::new();
    if bits & 1 == 1 {
        map.insert("fold".to_owned(), json!(true));
    }
    if bits & 2 == 2 {
        map.insert("fuzzy".to_owned(), json!(true));
    }
    let share = [0.0, 0.3, 0.6, 1.0].get(usize::from(bits >> 2 & 3)).copied().filter(|s| *s > 0.0);
    map.extend(share.map(|s| ("min_recall".to_owned(), json!(s))));
    let negation = [None, Some("strict"), Some("warn"), Some("off")].get(usize::from(bits >> 4 & 3)).copied().flatten();
    map.extend(negation.map(|n| ("negation".to_owned(), json!(n))));
    map
}

/// A fact of the form that the first letter of a text says: `#` a number (`#7 day le`), `@` a date, `?` a yes or no, `/` a
/// regular expression, any other letter words.
fn fact(text: &str, looking: &Map<String, Value>) -> Value {
    let mut map = Map::new();
    let mut letters = text.chars();
    let first = letters.next();
    let rest = letters.as_str();
    let (form, value) = match first {
        Some('#') => {
            let mut words = rest.split_whitespace();
            let mut number = Map::new();
            number.insert(
                "value".to_owned(),
                words.next().and_then(|w| serde_json::from_str(w).ok()).unwrap_or(json!(7)),
            );
            number.extend(words.next().map(|w| ("unit".to_owned(), json!(w))));
            number.extend(words.next().map(|w| ("op".to_owned(), json!(w))));
            ("number", Value::Object(number))
        }
        Some('@') => ("date", json!(rest)),
        Some('?') => ("yes_no", json!(rest)),
        Some('/') => ("regex", json!(rest)),
        _ => ("text", json!(text)),
    };
    map.insert(form.to_owned(), value);
    if form == "text" {
        map.extend(looking.clone());
    }
    Value::Object(map)
}

impl Asked {
    fn read(data: &[u8]) -> Option<Asked> {
        let (lang, rest) = input::first(data)?;
        let (bits, rest) = input::first(rest)?;
        let looking = looking(bits);
        let mut texts = input::texts(rest).into_iter();
        let (question, answer) = (texts.next()?, texts.next()?);
        let (mut facts, mut must_not) = (Vec::<Value>::new(), Vec::new());
        for text in texts.take(FACTS) {
            let mut letters = text.chars();
            let first = letters.next();
            let rest = letters.as_str();
            // What joins the fact in front of it: the list of a combined one, its condition, its path.
            match (first, facts.last_mut()) {
                (Some('!'), _) => must_not.push(fact(rest, &looking)),
                (Some(mark @ ('>' | '|')), Some(last)) => {
                    let name = if mark == '>' { "order" } else { "any_of" };
                    *last = json!({ name: [last.take(), fact(rest, &looking)] });
                }
                (Some('&'), Some(last)) => last["condition"] = fact(rest, &Map::new()),
                (Some('$'), Some(last)) => last["path"] = json!(text),
                _ => facts.push(fact(&text, &looking)),
            }
        }
        let asked = Asked { lang: input::one_of(&input::LANGS, lang)?, question, answer, facts, must_not };
        // What a suite refuses is never asked.
        let fits = |list: &[Value]| list.is_empty() || loaded(list).is_some();
        (fits(&asked.facts) && fits(&asked.must_not)).then_some(asked)
    }

    /// All texts in another form. A regular expression is what it is written as.
    fn map(&self, f: &dyn Fn(&str) -> String) -> Asked {
        let list = |list: &[Value]| list.iter().map(|v| mapped(v, f)).collect();
        Asked {
            lang: self.lang,
            question: f(&self.question),
            answer: f(&self.answer),
            facts: list(&self.facts),
            must_not: list(&self.must_not),
        }
    }

    fn texts(&self) -> Vec<String> {
        let mut texts = vec![self.question.clone(), self.answer.clone()];
        texts.extend(self.facts.iter().chain(&self.must_not).map(Value::to_string));
        texts
    }

    /// What the layer says of it.
    fn checked(&self) -> Option<LayerResult> {
        let question = Question {
            facts: loaded(&self.facts)?,
            must_not: loaded(&self.must_not)?,
            ..layer_kit::question(&self.question, Expect::Answer)
        };
        let lang = Lang::new(self.lang)?;
        let response = layer_kit::says(&self.answer);
        let exam = Exam { pack: Pack::of(&lang), ..layer_kit::exam(&question, &response, &lang) };
        Some(facts::check(&exam, &Reading::new(&exam)))
    }
}

fn mapped(value: &Value, f: &dyn Fn(&str) -> String) -> Value {
    match value {
        Value::String(s) => Value::String(f(s)),
        Value::Array(list) => list.iter().map(|v| mapped(v, f)).collect(),
        Value::Object(map) => {
            map.iter().map(|(k, v)| (k.clone(), if k == "regex" { v.clone() } else { mapped(v, f) })).collect()
        }
        other => other.clone(),
    }
}

fn loaded(list: &[Value]) -> Option<Vec<Fact>> {
    if list.is_empty() {
        return Some(Vec::new());
    }
    ragline::suite::load::facts_of_json(&Value::from(list.to_vec()).to_string()).ok()
}

/// Panics where a rule is broken: those of [`rules`], and that letters composed or decomposed say the same.
pub fn holds(data: &[u8]) {
    let Some(asked) = Asked::read(data) else { return };
    let look = |asked: &Asked| asked.checked().unwrap_or_else(|| LayerResult::plain(Outcome::Unmeasured));
    rules::holds_of(&asked, &asked.answer, &|| look(&asked));
    if asked.texts().iter().all(|t| is_written(t)) {
        let of = |form: &dyn Fn(&str) -> String| rules::verdict(&look(&asked.map(form)));
        assert_eq!(of(&rules::composed), of(&rules::decomposed), "{asked:?}");
    }
}
