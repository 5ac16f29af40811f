//! Numbers: a language, then a question, an answer and passages. What [`numbers_kit`](super::numbers_kit) says must hold.

use crate::input;
use crate::numbers_kit::{Asked, LANGS, everything_holds};

/// At most so many passages.
const PASSAGES: usize = 4;

/// Pieces that mean something to a reader of numbers.
pub const PIECES: &[&str] = &[
    "0",
    "1",
    "5",
    "10",
    "24",
    "1.500",
    "1,5",
    "1,234.5",
    "%",
    "$",
    "đồng",
    "triệu",
    "rưỡi",
    "một",
    "năm",
    "ngày",
    "tháng 11",
    "giờ",
    "phần",
    "วัน",
    "บาท",
    "ล้าน",
    "สิบ",
    "จุด",
    "๓๐",
    "พ.ศ.",
    "น.",
    "天",
    "月",
    "年",
    "百",
    "万",
    "点",
    "半",
    "百分之",
    "第",
    "one",
    "half",
    "a ",
    "and ",
    "hundred ",
    "twenty-",
    "days",
    "May ",
    "pm",
    "kg",
    "m²",
    "-",
    "–",
    "/",
    ":",
    ".",
    ",",
    " ",
    "\u{a0}",
    "\u{200b}",
    "\u{200d}",
    "\u{202e}",
    "\u{301}",
    "\u{323}",
    "[1]",
    "【",
    "】",
    "(",
    ")",
    "\n",
    "\n1. ",
    "\n- ",
    "=",
    "×",
    "½",
    "٣",
    "７",
    "v1.2",
    "MX-204",
    "8h30",
    "30/11/2026",
    "0912 345 678",
    "😀",
    "\0",
    "。",
    "，",
    "ẤỆ",
    "à",
    "nd",
    "st",
    "~",
    "'",
];

fn read(data: &[u8]) -> Option<Asked> {
    let (first, rest) = input::first(data)?;
    let lang = input::one_of(&LANGS, first)?;
    let mut texts = input::texts(rest).into_iter();
    let (question, answer) = (texts.next()?, texts.next().unwrap_or_default());
    Some(Asked { lang, question, answer, passages: texts.take(PASSAGES).collect() })
}

/// Panics where something that is read of numbers breaks a rule.
pub fn holds(data: &[u8]) {
    if let Some(asked) = read(data) {
        everything_holds(&asked);
    }
}
