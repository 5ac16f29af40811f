//! Right answers turned into their contrary, in four languages: a negation put in or taken out, an exception dropped, yes and
//! no exchanged. Every right answer must pass, and every contrary fail.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test may")]

use ragline::inspect::facts::{Stated, judge};
use ragline::suite::load::facts;
use ragline::text::pack::Lang;
use std::collections::BTreeMap;

/// How an answer was turned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Flip {
    Negation,
    Exception,
    YesNo,
}
use Flip::{Exception, Negation, YesNo};

/// Kind, language, question, facts as a suite writes them, a right answer and a wrong one.
type Row = (Flip, &'static str, &'static str, &'static str, &'static str, &'static str);

const ROWS: &[Row] = &[
    // English
    (
        Negation,
        "en",
        "What about cash?",
        "[accepted]",
        "Cash is accepted at every till.",
        "Cash isn't accepted at any till.",
    ),
    (
        Negation,
        "en",
        "What about a receipt?",
        "[a receipt is required]",
        "For a return a receipt is required.",
        "For a return no receipt is required.",
    ),
    (
        Negation,
        "en",
        "What about batteries?",
        "[covered by the warranty]",
        "Batteries are covered by the warranty.",
        "Batteries are never covered by the warranty.",
    ),
    (
        Negation,
        "en",
        "What about parking?",
        "[free for guests]",
        "Parking is free for guests.",
        "Parking is not free for guests.",
    ),
    (
        Negation,
        "en",
        "What about sale items?",
        "[cannot be returned]",
        "Sale items cannot be returned.",
        "Sale items can be returned.",
    ),
    (Negation, "en", "What about dogs?", "[dogs may enter]", "Small dogs may enter.", "Small dogs may not enter."),
    (Negation, "en", "How long do I have?", "[14 days]", "You have 14 days.", "You do not have 14 days but 7."),
    (
        Exception,
        "en",
        "Are refunds paid?",
        "[{ text: refund, condition: unless opened }]",
        "You get a refund unless the box was opened.",
        "You get a refund.",
    ),
    (
        Exception,
        "en",
        "How long is the warranty?",
        "[{ text: 24 months, condition: { any_of: [except the battery, not the battery] } }]",
        "24 months, except the battery.",
        "24 months.",
    ),
    (
        Exception,
        "en",
        "When is delivery free?",
        "[{ text: free, condition: from 50 euro }]",
        "Delivery is free from 50 euro.",
        "Delivery is free.",
    ),
    (
        Exception,
        "en",
        "May I cancel?",
        "[{ yes_no: \"yes\", condition: 24 hours }]",
        "Yes, up to 24 hours before.",
        "Yes, at any time.",
    ),
    (YesNo, "en", "Is water damage covered?", "[{ yes_no: \"no\" }]", "No, it is not.", "Yes, it is."),
    (YesNo, "en", "Can I pay by card?", "[{ yes_no: \"yes\" }]", "You can pay by card.", "You cannot pay by card."),
    (
        YesNo,
        "en",
        "Do you deliver on Sundays?",
        "[{ yes_no: \"no\" }]",
        "We don't deliver on Sundays.",
        "We deliver on Sundays.",
    ),
    // Vietnamese
    (
        Negation,
        "vi",
        "Tiền mặt thì sao?",
        "[được chấp nhận]",
        "Tiền mặt được chấp nhận ở mọi quầy.",
        "Tiền mặt không được chấp nhận ở quầy nào.",
    ),
    (
        Negation,
        "vi",
        "Giao hàng thì sao?",
        "[miễn phí giao hàng]",
        "Shop miễn phí giao hàng nội thành.",
        "Shop không miễn phí giao hàng nội thành.",
    ),
    (
        Negation,
        "vi",
        "Hàng thanh lý thì sao?",
        "[không được đổi trả]",
        "Hàng thanh lý không được đổi trả.",
        "Hàng thanh lý được đổi trả.",
    ),
    (
        Negation,
        "vi",
        "Máy vào nước thì sao?",
        "[từ chối bảo hành]",
        "Cửa hàng từ chối bảo hành máy vào nước.",
        "Cửa hàng không từ chối bảo hành máy vào nước.",
    ),
    (Negation, "vi", "Cần gì?", "[phải có hóa đơn]", "Khách phải có hoá đơn.", "Khách không phải có hoá đơn."),
    (Negation, "vi", "Bao lâu?", "[7 ngày]", "Thời hạn là bảy ngày.", "Thời hạn không phải là 7 ngày."),
    (
        Exception,
        "vi",
        "Bảo hành bao lâu?",
        "[{ text: 24 tháng, condition: trừ pin }]",
        "Bảo hành 24 tháng, trừ pin.",
        "Bảo hành 24 tháng.",
    ),
    (
        Exception,
        "vi",
        "Đổi hàng thế nào?",
        "[{ text: 7 ngày, condition: { any_of: [trừ khi đã bóc tem, chưa bóc tem] } }]",
        "Trong 7 ngày, trừ khi đã bóc tem.",
        "Trong 7 ngày.",
    ),
    (
        Exception,
        "vi",
        "Phí thế nào?",
        "[{ text: miễn phí, condition: từ 500.000 đồng }]",
        "Miễn phí cho đơn từ 500 nghìn đồng.",
        "Miễn phí.",
    ),
    (YesNo, "vi", "Máy vào nước có được bảo hành không?", "[{ yes_no: \"no\" }]", "Dạ không ạ.", "Dạ có ạ."),
    (
        YesNo,
        "vi",
        "Shop có hỗ trợ trả góp không?",
        "[{ yes_no: \"yes\" }]",
        "Shop hỗ trợ trả góp qua thẻ.",
        "Shop không hỗ trợ trả góp.",
    ),
    (
        YesNo,
        "vi",
        "Tôi có được hủy đơn không ạ?",
        "[{ yes_no: \"no\" }]",
        "Đơn đã giao thì không được hủy.",
        "Bạn được hủy đơn.",
    ),
    // Thai
    (Negation, "th", "เงินสดล่ะ", "[รับเงินสด]", "ร้านรับเงินสด", "ร้านไม่รับเงินสด"),
    (Negation, "th", "ค่าส่งล่ะ", "[ส่งฟรี]", "ในเมืองส่งฟรี", "ในเมืองไม่ได้ส่งฟรี"),
    (Negation, "th", "สินค้าลดราคาล่ะ", "[คืนสินค้าได้]", "สินค้าลดราคาคืนสินค้าได้", "สินค้าลดราคาไม่สามารถคืนสินค้าได้"),
    (Negation, "th", "ต้องใช้อะไร", "[ต้องใช้ใบเสร็จ]", "ต้องใช้ใบเสร็จ", "ไม่ต้องใช้ใบเสร็จ"),
    (Negation, "th", "นานเท่าไร", "[7 วัน]", "ภายใน 7 วัน", "ไม่ใช่ 7 วัน"),
    (
        Exception,
        "th",
        "ประกันกี่เดือน",
        "[{ text: 24 เดือน, condition: ยกเว้นแบตเตอรี่ }]",
        "รับประกัน 24 เดือน ยกเว้นแบตเตอรี่",
        "รับประกัน 24 เดือน",
    ),
    (Exception, "th", "ส่งฟรีไหม", "[{ text: ส่งฟรี, condition: 500 บาท }]", "ส่งฟรีเมื่อซื้อครบ 500 บาท", "ส่งฟรีทุกออเดอร์"),
    (YesNo, "th", "คืนสินค้าได้ไหม", "[{ yes_no: \"yes\" }]", "ได้ค่ะ", "ไม่ได้ค่ะ"),
    (
        YesNo,
        "th",
        "เครื่องโดนน้ำเคลมประกันได้ไหมคะ",
        "[{ yes_no: \"no\" }]",
        "เครื่องโดนน้ำไม่สามารถเคลมประกันได้",
        "เครื่องโดนน้ำเคลมประกันได้",
    ),
    // Chinese
    (Negation, "zh", "现金呢？", "[接受现金]", "本店接受现金。", "本店不接受现金。"),
    (Negation, "zh", "运费呢？", "[免费配送]", "市内免费配送。", "市内并非免费配送。"),
    (Negation, "zh", "清仓商品呢？", "[不予退换]", "清仓商品不予退换。", "清仓商品可以退换。"),
    (Negation, "zh", "要什么？", "[需要发票]", "退货需要发票。", "退货不需要发票。"),
    (Negation, "zh", "几天？", "[七天]", "期限是7天。", "期限不是七天。"),
    (
        Exception,
        "zh",
        "保修多久？",
        "[{ text: 24个月, condition: 电池除外 }]",
        "保修24个月，电池除外。",
        "保修24个月。",
    ),
    (
        Exception,
        "zh",
        "可以退货吗？",
        "[{ text: 可以退货, condition: { any_of: [除非已拆封, 未拆封] } }]",
        "可以退货，除非已拆封。",
        "可以退货。",
    ),
    (YesNo, "zh", "进水可以保修吗？", "[{ yes_no: \"no\" }]", "不可以。", "可以的。"),
    (YesNo, "zh", "能不能用信用卡支付？", "[{ yes_no: \"yes\" }]", "可以用信用卡支付。", "不支持用信用卡支付。"),
    (YesNo, "zh", "特价商品可以退货吗？", "[{ yes_no: \"no\" }]", "特价商品不能退货。", "特价商品能退货。"),
];

#[test]
fn the_contrary_fails() {
    let mut tally: BTreeMap<(&str, Flip), usize> = BTreeMap::new();
    let mut wrong = Vec::new();
    for (flip, lang, question, wanted, right, contrary) in ROWS {
        let of = |answer: &str| {
            let stated = Stated { question, answer, facts: facts(wanted).unwrap(), must_not: Vec::new() };
            judge(stated, &Lang::new(lang).unwrap())
        };
        for (answer, expected) in [(right, "pass"), (contrary, "fail")] {
            let judged = of(answer);
            if judged["outcome"] != expected {
                wrong.push(format!("{lang} {flip:?} {wanted} in “{answer}” is no {expected}: {}", judged["facts"]));
            }
        }
        *tally.entry((lang, *flip)).or_default() += 1;
    }
    println!("{tally:?}");
    assert_eq!(tally.len(), 12, "each kind in each language");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
