//! What stands around a number and says that it is something else: an order, a bar code, money.

/// Words right before a number that is no person's: numbers of orders, parcels, bills, goods and devices.
const OTHER: &[&str] = &[
    // English
    "order",
    "invoice",
    "tracking",
    "parcel",
    "shipment",
    "receipt",
    "bill",
    "sku",
    "isbn",
    "ean",
    "gtin",
    "upc",
    "barcode",
    "bar code",
    "serial",
    "imei",
    "voucher",
    "coupon",
    "ticket",
    "part",
    "model",
    "version",
    "ref",
    "reference",
    "transaction",
    // Vietnamese
    "đơn hàng",
    "mã đơn",
    "hóa đơn",
    "hoá đơn",
    "vận đơn",
    "mã vạch",
    "seri",
    "sê-ri",
    "phiếu",
    "biên nhận",
    "giao dịch",
    "mã hàng",
    "mã sản phẩm",
    // Thai
    "คำสั่งซื้อ",
    "ใบสั่งซื้อ",
    "ใบเสร็จ",
    "ใบแจ้งหนี้",
    "พัสดุ",
    "บาร์โค้ด",
    "ซีเรียล",
    "คูปอง",
    "บิล",
    "สินค้า",
    // Chinese
    "订单",
    "运单",
    "快递",
    "发票",
    "条码",
    "条形码",
    "序列",
    "型号",
    "优惠券",
    "流水",
    "交易",
];

/// What may stand between such a word and its number.
const BETWEEN: &[&str] = &[
    "number",
    "code",
    "num",
    "no",
    "id",
    "is",
    "số",
    "mã",
    "là",
    "号码",
    "编号",
    "号",
    "码",
    "为",
    "是",
    "หมายเลข",
    "เลขที่",
    "เลข",
    "คือ",
];

/// So much of the text before a number is looked at, in code points.
const LOOK_BACK: usize = 48;

/// Whether the words before this byte of the text say that the number is something else.
pub(super) fn is_labelled_otherwise(text: &str, at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default();
    let from = before.char_indices().rev().nth(LOOK_BACK - 1).map_or(0, |(i, _)| i);
    let before = before.get(from..).unwrap_or_default().to_lowercase();
    let trim = |t: &str| t.trim_end_matches(|c: char| c.is_whitespace() || ":：.#№\"“*`-–=（(".contains(c)).len();
    let mut end = trim(&before);
    for _ in 0..3 {
        let rest = before.get(..end).unwrap_or_default();
        match BETWEEN.iter().find(|w| ends_with_word(rest, w)) {
            Some(word) => end = trim(rest.get(..end - word.len()).unwrap_or_default()),
            None => break,
        }
    }
    let rest = before.get(..end).unwrap_or_default();
    OTHER.iter().any(|w| ends_with_word(rest, w))
}

fn ends_with_word(text: &str, word: &str) -> bool {
    let Some(before) = text.strip_suffix(word) else { return false };
    // Thai and Chinese have no blanks between words; elsewhere `border` is not `order`.
    let blanks = word.chars().all(|c| c < '\u{0e00}' || ('\u{1e00}'..'\u{2000}').contains(&c));
    !blanks || !before.ends_with(char::is_alphanumeric)
}

/// Signs of money and of counted things, before or behind a number.
const BEFORE: &[&str] = &["$", "€", "£", "¥", "￥", "₫", "฿", "usd", "vnd", "thb", "rmb", "cny"];
const BEHIND: &[&str] = &[
    "$",
    "€",
    "£",
    "¥",
    "₫",
    "฿",
    "%",
    "đ",
    "vnd",
    "vnđ",
    "đồng",
    "usd",
    "thb",
    "baht",
    "rmb",
    "cny",
    "dollars",
    "points",
    "điểm",
    "元",
    "块",
    "圆",
    "分",
    "积分",
    "บาท",
    "คะแนน",
    "แต้ม",
];

/// Whether the bytes `start..end` of the text are an amount.
pub(super) fn is_amount(text: &str, start: usize, end: usize) -> bool {
    let near = |t: &str| t.chars().take(12).collect::<String>().to_lowercase();
    let before: String = text.get(..start).unwrap_or_default().chars().rev().take(6).collect();
    let before: String = before.chars().rev().collect::<String>().to_lowercase();
    if BEFORE.iter().any(|w| before.trim_end().ends_with(w)) {
        return true;
    }
    let behind = near(text.get(end..).unwrap_or_default());
    let behind = behind.strip_prefix([' ', '\u{a0}']).unwrap_or(&behind);
    BEHIND.iter().any(|w| {
        behind.strip_prefix(w).is_some_and(|rest| {
            let letters = w.chars().all(|c| c.is_alphabetic() && c < '\u{0e00}');
            !letters || !rest.starts_with(char::is_alphabetic)
        })
    })
}
