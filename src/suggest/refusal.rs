//! Model answers that say no answer is wanted: a refusal as a system would word it, or an instruction to refuse.

use super::{Asked, yes_no};
use crate::inspect;
use crate::layer::refusal::{Label, read};
use crate::text::norm::plain;
use crate::text::pack::Pack;
use regex::Regex;
use std::sync::LazyLock;

/// How people write into a sheet that the system must refuse. Who must do it is a bot by name, and then it may refuse anything
/// (`the bot must refuse medical advice`); or nobody is named, and then it is the answer that is refused, for a shop may have to
/// refuse a parcel. Names, obligations and verbs are given for each language by itself; a sheet may mix them.
const OBLIGED: [(&str, &str, &str); 4] = [
    (
        r"(?:the |this |our )?(?:chat ?bot|bot|virtual assistant|assistant|ai)\s+",
        r"(?:must|should|shall|has to|needs to|ought to|is (?:expected|supposed) to|will)\s+(?:\w+ly\s+)?(?:refuse|decline|abstain|not answer)\b",
        r"\s+(?:to (?:answer|reply|respond)|because|since|as|when|if|politely|and)\b",
    ),
    (
        r"(?:con\s+)?(?:chat ?bot|bot|trợ lý(?: ảo| ai)?)\s+",
        r"(?:(?:bắt buộc |cần )?phải|cần|nên|sẽ|được yêu cầu)\s+(?:lịch sự\s+)?(?:từ chối|không trả lời)|(?:không được(?: phép)?|cấm) trả lời",
        r"\s+(?:trả lời|vì|do|bởi|khi|nếu|một cách|lịch sự|và)\b",
    ),
    (
        r"(?:แชทบอท|แชตบอต|แชทบอต|บอท|บอต|ผู้ช่วย|chatbot|bot)\s*",
        r"(?:จะต้อง|ต้อง|ควรจะ|ควร)\s*(?:ตอบ)?ปฏิเสธ|(?:ห้าม|ต้องไม่|ไม่ควร)ตอบ",
        r"\s+|(?:การตอบ|ที่จะตอบ|ตอบ|คำถาม|เพราะ|เนื่องจาก|เมื่อ|หาก|ถ้า|อย่างสุภาพ)",
    ),
    (
        r"(?:聊天机器人|聊天機器人|机器人|機器人|助手|助理|bot)\s*",
        r"(?:必须|必須|应当|應當|应该|應該|应|應|需要|需|须|須|要)(?:礼貌地?|禮貌地?|委婉地?)?(?:拒绝|拒絕|拒答)|(?:不得|不应|不應|不能|不可以|禁止)回答",
        r"(?:回答|答复|答覆|作答|因为|因為|由于|由於|若|如果)",
    ),
];

/// A cell that says it in a word.
const BARE: &str = r"refuse|refuse to answer|decline to answer|refusal|abstain|từ chối trả lời|ปฏิเสธการตอบ|ปฏิเสธที่จะตอบ|拒绝回答|拒絕回答|拒答";

static INSTRUCTION: LazyLock<Option<Regex>> = LazyLock::new(|| {
    const FRONT: &str = r#"^[\s(\[（【"'“*-]*"#;
    const END: &str = r"\s*(?:$|[.,;:!()。，；：！（）])";
    let all = OBLIGED.iter().map(|(who, must, what)| format!("(?:{who})(?:{must})|(?:{must})(?:{END}|{what})"));
    let all = all.collect::<Vec<_>>().join("|");
    Regex::new(&format!(r"{FRONT}(?:{all}|(?:{BARE})\W*$)")).ok()
});

/// Whether the model answer says that the system must refuse, or refuses itself. A `no` to a question of yes or no is an answer.
pub(super) fn wanted(asked: &Asked<'_>) -> bool {
    instructed(asked.reference) || (refuses(asked) && yes_no(asked).is_none())
}

fn instructed(reference: &str) -> bool {
    let text = plain(reference).to_lowercase();
    INSTRUCTION.as_ref().is_some_and(|r| r.is_match(&text))
}

fn refuses(asked: &Asked<'_>) -> bool {
    inspect::question(asked.question)
        .is_some_and(|q| read(Some(asked.reference), &q, Pack::of(asked.lang)).label == Label::Refusal)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_to_refuse() {
        for text in [
            "Bot phải từ chối",
            "Bot phải từ chối tư vấn thuốc, vì không có trong tài liệu.",
            "Phải từ chối trả lời.",
            "Không được trả lời",
            "The bot must refuse.",
            "must refuse",
            "Should politely decline to answer.",
            "ต้องปฏิเสธ",
            "บอทต้องปฏิเสธคำถามนี้",
            "ห้ามตอบ",
            "必须拒绝",
            "机器人应该礼貌地拒绝",
            "不得回答。",
            "REFUSE",
        ] {
            assert!(instructed(text), "{text}");
        }
        for text in [
            "Cửa hàng phải từ chối đơn hàng quá hạn.",
            "Phải từ chối đơn hàng quá hạn",
            "The courier must refuse parcels above 30 kg.",
            "Must refuse parcels above 30 kg.",
            "Refuse is collected on Monday.",
            "พนักงานต้องปฏิเสธพัสดุที่เสียหาย",
            "ต้องปฏิเสธพัสดุที่เสียหาย",
            "商家必须拒绝破损的包裹。",
            "必须拒绝破损的包裹。",
            "Từ chối nhận hàng nếu hộp rách",
        ] {
            assert!(!instructed(text), "{text}");
        }
    }
}
