//! Refusal, citation and retrieval: a language, what is expected and said beside the texts, a question, an answer, passages,
//! evidence and citations of a field.

use crate::input;
use crate::layer_kit;
use crate::numbers_kit::is_written;
use crate::rules;
use ragline::layer::{Exam, LayerId, LayerResult, Reading, citation, refusal, retrieval};
use ragline::suite::{Evidence, EvidenceItem, Expect, Need, Question};
use ragline::target::response::{Answer, Citation, Context, Response};
use ragline::text::pack::{Lang, Pack};
use std::borrow::Cow;

/// At most so many passages, places of evidence and citations together.
const PARTS: usize = 10;

/// Pieces that mean something to these layers, and what begins a part; see [`Asked::read`].
pub const PIECES: &[&str] = &[
    "\0",
    "\0^",
    "\0!",
    "\0|",
    "%",
    "#",
    "doc",
    "doc.md",
    "Đổi trả",
    "[1]",
    "[2, 3]",
    "[1-3]",
    "[^1]",
    "[^1]: ",
    "【1】",
    "【4:0†source】",
    "（来源：",
    "(Nguồn: ",
    "(source: ",
    "Sources:\n",
    "Nguồn:\n",
    "¹",
    "[doc.md](https://a.example/x)",
    "https://a.example/x",
    "`",
    "```\n",
    "(",
    ")",
    "[",
    "]",
    "(a) ",
    "\n",
    "\n- ",
    "\n1. ",
    ". ",
    "。",
    ", ",
    "; ",
    " but ",
    " nhưng ",
    " แต่ ",
    "但是",
    "I could not find ",
    "The documents do not mention ",
    "I don't know",
    "Sorry, ",
    "Xin lỗi, ",
    "tài liệu không đề cập",
    "không có thông tin",
    "không tìm thấy",
    "ไม่พบข้อมูล",
    "ขออภัย",
    "ไม่มีข้อมูล",
    "没有找到",
    "文档中未提及",
    "抱歉",
    "无法回答",
    "keine Informationen",
    "aucune information",
    "no hay información",
    "情報がありません",
    "정보가 없습니다",
    "call us at 1900 1234",
    "7 days",
    "7 ngày",
    "30 วัน",
    "30天",
    "no fee",
    "not covered",
    "không được",
    "\u{301}",
    "\u{323}",
    "\u{200b}",
    "\u{a0}",
    "😀",
    "\u{202e}",
];

/// What a fuzzer's bytes say.
#[derive(Debug, Clone)]
struct Asked {
    lang: &'static str,
    bits: u8,
    question: String,
    answer: String,
    /// `document#heading|text` each.
    passages: Vec<[String; 3]>,
    /// `document#heading%words` each.
    evidence: Vec<[String; 3]>,
    /// The same.
    cited: Vec<[String; 3]>,
}

/// A text in three parts: up to a first and a second mark.
fn three(text: &str, second: char) -> [String; 3] {
    let (head, tail) = text.split_once(second).unwrap_or((text, ""));
    let (name, heading) = head.split_once('#').unwrap_or((head, ""));
    [name, heading, tail].map(str::to_owned)
}

/// A text, where there is one.
fn some(text: &str) -> Option<&str> {
    Some(text).filter(|t| !t.is_empty())
}

impl Asked {
    /// A part that begins with `^` is evidence, one with `!` a citation of a field, any other a passage.
    fn read(data: &[u8]) -> Option<Asked> {
        let (lang, rest) = input::first(data)?;
        let (bits, rest) = input::first(rest)?;
        let mut texts = input::texts(rest).into_iter();
        let (question, answer) = (texts.next()?, texts.next()?);
        let lang = input::one_of(&input::LANGS, lang)?;
        let mut asked =
            Asked { lang, bits, question, answer, passages: Vec::new(), evidence: Vec::new(), cited: Vec::new() };
        for text in texts.take(PARTS) {
            match (text.strip_prefix('^'), text.strip_prefix('!')) {
                (Some(place), _) => asked.evidence.push(three(place, '%')),
                (None, Some(place)) => asked.cited.push(three(place, '%')),
                (None, None) => asked.passages.push(three(&text, '|')),
            }
        }
        Some(asked)
    }

    fn bit(&self, at: u8) -> bool {
        self.bits >> at & 1 == 1
    }

    fn map(&self, f: impl Fn(&str) -> String) -> Asked {
        let list = |list: &[[String; 3]]| list.iter().map(|t| [0, 1, 2].map(|i| f(&t[i]))).collect();
        Asked {
            question: f(&self.question),
            answer: f(&self.answer),
            passages: list(&self.passages),
            evidence: list(&self.evidence),
            cited: list(&self.cited),
            ..self.clone()
        }
    }

    fn texts(&self) -> impl Iterator<Item = &String> {
        let parts = self.passages.iter().chain(&self.evidence).chain(&self.cited).flatten();
        [&self.question, &self.answer].into_iter().chain(parts)
    }

    /// What a layer says of it.
    fn checked(&self, layer: LayerId) -> LayerResult {
        let expect = [Expect::Answer, Expect::Refuse, Expect::Either, Expect::Answer][usize::from(self.bits & 3)];
        let place = |[doc, section, span]: &[String; 3]| {
            let evidence = Evidence {
                section: some(section).map(str::to_owned).into_iter().collect(),
                span: some(span).map(str::to_owned),
                ..layer_kit::evidence(some(doc))
            };
            EvidenceItem::One(evidence)
        };
        let named = |[doc, section, span]: &&[String; 3]| !(doc.is_empty() && span.is_empty() && section.is_empty());
        let evidence = self.evidence.iter().filter(named).map(place).collect();
        let need = if self.bit(2) { Need::All } else { Need::Any };
        let question = Question { evidence, evidence_match: need, ..layer_kit::question(&self.question, expect) };
        let list = |text: &str| some(text).map(|t| Cow::Owned(t.to_owned())).into_iter().collect();
        let contexts = self.passages.iter().map(|[doc, section, text]| Context {
            doc: some(doc).map(Cow::from),
            section: list(section),
            text: some(text).map(Cow::from),
            ..Context::default()
        });
        let citations = self.cited.iter().map(|[doc, section, quote]| Citation {
            context: doc.parse().ok(),
            doc: some(doc).filter(|d| d.parse::<i64>().is_err()).map(Cow::from),
            section: list(section),
            quote: some(quote).map(Cow::from),
            ..Citation::default()
        });
        let response = Response {
            answer: Answer::Text(self.answer.as_str().into()),
            contexts: (!self.bit(3)).then(|| contexts.collect()),
            citations: self.bit(4).then(|| citations.collect()),
            refused: self.bit(5).then_some(self.bit(6)),
            ..Response::default()
        };
        let lang = Lang::new(self.lang).unwrap_or_else(|| panic!("{} is no language", self.lang));
        let top_k = self.bit(7).then_some(2);
        let exam = Exam { pack: Pack::of(&lang), top_k, ..layer_kit::exam(&question, &response, &lang) };
        let reading = Reading::new(&exam);
        self.markers_are_sound(&reading);
        match layer {
            LayerId::Refusal => refusal::check(&exam, &reading),
            LayerId::Citation => citation::check(&exam, &reading),
            LayerId::Retrieval => retrieval::check(&exam),
            LayerId::Facts | LayerId::Numbers => panic!("{layer} has a target of its own"),
        }
    }

    /// Markers come in order and lie within the answer, and what is left of it is as long as what was kept.
    fn markers_are_sound(&self, reading: &Reading<'_>) {
        let length = self.answer.chars().count();
        let mut last = 0;
        for marker in &reading.cited.markers {
            let fits = last <= marker.start && marker.start <= marker.end && marker.end <= length;
            assert!(fits, "{self:?}: {marker:?}");
            last = marker.start;
        }
        let kept = reading.cited.plain.chars().count();
        assert!(kept <= length, "{self:?}: {:?}", reading.cited.plain);
        if let Some(end) = kept.checked_sub(1) {
            assert!(reading.cited.original(end) < length, "{self:?}: {:?}", reading.cited);
        }
    }
}

/// Panics where a layer breaks a rule: those of [`rules`], and that letters composed or decomposed say the same.
fn holds(layer: LayerId, data: &[u8]) {
    let Some(asked) = Asked::read(data) else { return };
    rules::holds_of(&asked, &asked.answer, &|| asked.checked(layer));
    if asked.texts().all(|t| is_written(t)) {
        let of = |form: fn(&str) -> String| rules::verdict(&asked.map(form).checked(layer));
        assert_eq!(of(rules::composed), of(rules::decomposed), "{asked:?}");
    }
}

/// Panics where the refusal layer breaks a rule.
pub fn refusal(data: &[u8]) {
    holds(LayerId::Refusal, data);
}

/// Panics where the citation layer breaks a rule.
pub fn citation(data: &[u8]) {
    holds(LayerId::Citation, data);
}

/// Panics where the retrieval layer breaks a rule.
pub fn retrieval(data: &[u8]) {
    holds(LayerId::Retrieval, data);
}
