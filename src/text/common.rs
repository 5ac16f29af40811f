//! Words that nearly every text of a language has.

/// Words so common that finding one says nothing about an answer.
const COMMON: &[(&str, &[&str])] = &[
    (
        "en",
        &[
            "a", "an", "and", "are", "at", "be", "by", "can", "for", "from", "in", "is", "it", "no", "not", "of", "on",
            "or", "that", "the", "this", "to", "was", "will", "with", "yes", "you", "your",
        ],
    ),
    (
        "vi",
        &[
            "có", "không", "là", "và", "được", "của", "cho", "thì", "các", "những", "với", "này", "đó", "khi", "bạn",
            "trong", "để", "một", "vâng", "dạ",
        ],
    ),
    ("th", &["ได้", "ไม่", "ใช่", "มี", "และ", "ที่", "ของ", "ใน", "เป็น", "จะ", "ค่ะ", "ครับ"]),
    ("zh", &["的", "是", "有", "不", "在", "和", "可以", "不是", "没有", "我们", "您"]),
];

/// Whether a word (in matching form) is so common in a language that finding it says nothing; English is asked for every
/// language, which borrows its words.
pub fn is_common(word: &str, lang: &str) -> bool {
    COMMON.iter().filter(|(of, _)| *of == "en" || *of == lang).any(|(_, words)| words.contains(&word))
}
