//! A sixth set of answers, written before its author had seen the patterns or the other sets: 34 refusals, 6 answers that
//! refuse one thing and answer another, 40 look-alikes and 4 failures of a system in each of four languages
//! (`refusal_sets/sixth.tsv`). At first sight 137 of the 160 were called a refusal or one in part, and 8 of the 160 others.
//! The misses of the rows of even places were then read and mended by rules; the rows of odd places were not. A seventh set
//! (`refusal_sets/seventh.tsv`), of refusals in rarer words and of answers near to them, was written to make more rules on:
//! before them 35 of its 90 refusals were called one.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test fails by the first and reports by the second")]

mod layer_kit;

use layer_kit::question;
use ragline::layer::refusal::{Label, RefusalDetail, read};
use ragline::suite::Expect;
use ragline::text::pack::Pack;

const SIXTH: &str = include_str!("refusal_sets/sixth.tsv");
const SEVENTH: &str = include_str!("refusal_sets/seventh.tsv");

fn of(lang: &str, answer: &str) -> RefusalDetail {
    read(Some(answer), &question("?", Expect::Answer), Pack::by_code(lang))
}

/// The rows of a language in a set with their places in it, from 0.
fn rows<'l>(set: &'static str, lang: &'l str) -> impl Iterator<Item = (usize, &'static str, &'static str)> + use<'l> {
    let rows = set.lines().skip(1).filter_map(move |line| {
        let (code, rest) = line.split_once('\t').unwrap();
        (code == lang).then(|| rest.split_once('\t').unwrap())
    });
    rows.enumerate().map(|(i, (label, text))| (i, label, text))
}

/// Of the rows of one parity: refusals seen, refusals, false hits, look-alikes.
fn counted(lang: &str, parity: usize) -> [usize; 4] {
    let mut counts = [0; 4];
    for (_, wanted, text) in rows(SIXTH, lang).filter(|(i, ..)| i % 2 == parity) {
        let found = of(lang, text);
        let hit = found.label != Label::None;
        match wanted {
            "refusal" | "partial" => {
                counts[1] += 1;
                counts[0] += usize::from(matches!(found.label, Label::Refusal | Label::Partial));
            }
            "none" => {
                counts[3] += 1;
                counts[2] += usize::from(hit);
            }
            _ => {}
        }
        if found.label.name() != wanted {
            eprintln!("{lang} {} ({}), not {wanted}: {text}", found.label.name(), found.pattern.unwrap_or_default());
        }
    }
    eprintln!("{lang} {parity}: {} of {}, false {} of {}", counts[0], counts[1], counts[2], counts[3]);
    counts
}

#[test]
fn the_half_that_rules_were_made_on() {
    for lang in ["vi", "th", "zh", "en"] {
        let [seen, refusals, hit, others] = counted(lang, 0);
        assert_eq!((refusals, others), (20, 20), "{lang}");
        assert_eq!((seen, hit), (20, 0), "{lang}");
    }
}

/// The misses of this half were not read while the patterns were widened. Its sentences come from the same hand as the other
/// half's, so that it flatters: wordings of others fare a little worse.
#[test]
fn the_half_whose_misses_were_not_read() {
    let counts = ["vi", "th", "zh", "en"].map(|lang| counted(lang, 1));
    let [seen, refusals, hit, others] = counts.iter().fold([0; 4], |sum, c| std::array::from_fn(|i| sum[i] + c[i]));
    assert_eq!((refusals, others), (80, 80));
    assert!(seen >= 70 && hit <= 5, "{seen} of 80, {hit} false");
}

#[test]
fn rarer_words() {
    let mut wrong = Vec::new();
    for lang in ["vi", "th", "zh", "en"] {
        for (_, wanted, text) in rows(SEVENTH, lang) {
            let found = of(lang, text);
            if found.label.name() != wanted {
                wrong.push(format!("{lang} {} ({:?}), not {wanted}: {text}", found.label.name(), found.pattern));
            }
        }
    }
    assert!(wrong.len() <= 3, "{wrong:#?}");
}

/// What the answer is called, for sentences made to try one rule in each language.
fn each(cases: &[(&str, Label, &str)]) {
    let wrong: Vec<String> = cases
        .iter()
        .map(|(lang, right, text)| (lang, right, text, of(lang, text)))
        .filter(|(_, right, _, found)| found.label != **right)
        .map(|(lang, right, text, found)| format!("{lang} {text:?}: {found:?}, not {right:?}"))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn what_cannot_be_told_from_these_texts() {
    each(&[
        ("en", Label::Refusal, "It is impossible to work out the total from the documents provided."),
        ("en", Label::Refusal, "One cannot rank the plans using the given data."),
        ("en", Label::None, "You cannot print from the attached files menu."),
        ("vi", Label::Refusal, "Không thể so sánh hai gói cước từ các thông tin hiện có."),
        ("vi", Label::Refusal, "Dựa vào tài liệu trên thì không tính được tổng chi phí."),
        ("vi", Label::None, "Khách không thể đổi hàng theo chính sách hiện có."),
        ("th", Label::Refusal, "ไม่สามารถเปรียบเทียบราคาจากเอกสารที่แนบ"),
        ("th", Label::Refusal, "จากข้อมูลชุดนี้ยังประเมินมูลค่าไม่ได้ครับ"),
        ("th", Label::None, "ร้านไม่สามารถเปลี่ยนสินค้าตามนโยบายนี้"),
        ("zh", Label::Refusal, "从上述材料推断不出作者的年龄。"),
        ("zh", Label::None, "根据规定，员工不能把年假转到下一年。"),
        ("zh", Label::None, "科学家从这些文献中推断不出确切年代。"),
    ]);
}

#[test]
fn one_who_answers_and_will_not() {
    each(&[
        ("en", Label::Refusal, "I won't teach you how to pick that lock."),
        ("en", Label::Refusal, "I don't give medical advice."),
        ("en", Label::None, "The store won't give you a code."),
        ("vi", Label::Refusal, "Tôi sẽ không hướng dẫn việc đó."),
        ("vi", Label::Refusal, "Công ty xin phép không bình luận về vụ kiện này."),
        ("vi", Label::None, "Nhân viên từ chối cung cấp hàng mẫu."),
        ("vi", Label::None, "Xin không chia sẻ mã OTP cho bất kỳ ai."),
        ("th", Label::Refusal, "ฉันจะไม่บอกวิธีทำระเบิด"),
        ("th", Label::Refusal, "ผมช่วยทำการบ้านให้ไม่ได้ครับ"),
        ("th", Label::None, "ผมไม่ส่งของวันอาทิตย์ครับ"),
        ("zh", Label::Refusal, "我不会教你怎么开锁。"),
        ("zh", Label::Refusal, "我不能替您做投资决定。"),
        ("zh", Label::None, "我不会写错地址的，请放心。"),
    ]);
}

#[test]
fn nothing_to_tell() {
    each(&[
        ("en", Label::Refusal, "We haven't announced those dates yet."),
        ("en", Label::Refusal, "I have nothing to share at this point."),
        ("en", Label::None, "There is nothing to pay on delivery."),
        ("vi", Label::Refusal, "Không có gì để trả lời ạ."),
        ("vi", Label::None, "Không có gì để lo, đơn đã được giao."),
        ("th", Label::Refusal, "ไม่มีอะไรจะบอกเพิ่มเติมค่ะ"),
        ("th", Label::None, "ไม่มีอะไรต้องจ่ายเพิ่มค่ะ"),
        ("zh", Label::Refusal, "这件事我没什么可以告诉您的。"),
        ("zh", Label::None, "没有什么可以阻止您退货。"),
    ]);
}

/// A case behind a quotation is a case, the world's want of evidence is no want of knowledge, and what somebody asks about
/// people (`员工人数`) is no clause about them.
#[test]
fn words_around_a_hit() {
    each(&[
        ("en", Label::None, "The bot says \"I am not sure\" when the context holds no answer."),
        ("vi", Label::None, "Bot sẽ nói \"em không rõ\" khi ngữ cảnh không chứa câu trả lời."),
        ("th", Label::None, "ไม่มีหลักฐานว่ายานี้เป็นอันตราย"),
        ("th", Label::None, "แทบไม่มีหลักฐานมารองรับคำกล่าวอ้างนี้เลย"),
        ("th", Label::Refusal, "ไม่มีหลักฐานในเอกสาร"),
        ("zh", Label::Refusal, "资料中没有任何内容涉及公司的员工人数。"),
        ("zh", Label::None, "没有发票的顾客也可以保修。"),
        (
            "en",
            Label::None,
            "The exact number of victims is difficult to determine, but estimates range from ten to twelve.",
        ),
        ("th", Label::Refusal, "ขอไม่ตอบคำถามนี้นะครับ เพราะเกี่ยวกับข้อมูลส่วนบุคคลของผู้อื่น"),
        ("th", Label::Partial, "ค่าส่งในกรุงเทพฯ 50 บาท ส่วนต่างจังหวัดไม่มีข้อมูลค่ะ"),
        ("th", Label::Refusal, "ไม่มีข้อมูล ส่วนนี้ค่ะ"),
    ]);
}

#[test]
fn a_server_out_of_reach() {
    each(&[
        ("en", Label::Error, "Couldn't reach the server. Please retry."),
        ("en", Label::None, "The server room is on the third floor."),
    ]);
}
