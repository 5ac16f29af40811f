//! Other samples of the kinds that the tables of right values show: other values, words and units, thought out before they
//! were read, through the real binary.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test may")]

mod inspect_kit;

use inspect_kit::ask;
use serde_json::{Value, json};

/// Language, text, and `value unit` of each number, with `;` between them. `!unit` is any other unit. Nothing: no claim.
const TEXTS: &str = "\
vi|2.350.000 đồng|2350000 VND
vi|12,5 triệu|12500000
vi|3 tỷ rưỡi|3500000000
vi|2 tỷ 350 triệu đồng|2350000000 VND
vi|750 nghìn|750000
vi|hai trăm linh năm nghìn đồng|205000 VND
vi|một triệu hai|1200000
vi|ba mươi tư|34
vi|chín phẩy bảy lăm|9.75
vi|một phần tư giá|0.25
vi|giảm 7,5 phần trăm|7.5 percent
vi|tăng 2 điểm phần trăm|2 !percent
vi|tháng 2 năm 2025|2025-02
vi|mồng 5 tháng 8|--08-05
vi|2 giờ 15 sáng|135 minute
vi|5 giờ chiều|1020 minute
vi|đóng cửa lúc 21h30|1290 minute
vi|60.000–80.000đ|60000 VND;80000 VND
vi|vài chục người|
vi|hàng nghìn khách|
vi|Bước 3: bấm OK|
vi|2 ngày rưỡi|2.5 day
vi|gọi 0987.654.321|0987654321
vi|Nghị định 99/2011/NĐ-CP|99/2011/NĐ-CP
vi|hai mươi lăm phần trăm|25 percent
vi|1.250,75 m²|1250.75 m2
vi|10% của 2.000.000đ|10 percent;2000000 VND
vi|sáu tháng|6 month
vi|một nghìn rưỡi|1500
vi|lãi 0,75%/tháng|0.75 percent
vi|32 độ C|32 celsius
vi|ngày 2/9|--09-02
vi|hơn 1,2 tỉ USD|1200000000 USD
vi|5 lít xăng|5 l
vi|nửa giờ|0.5 hour
vi|hai tuần rưỡi|2.5 week
vi|ba phẩy mười bốn|3.14
th|๒,๕๐๐ บาท|2500 THB
th|๑๕ มกราคม ๒๕๖๘|2025-01-15
th|๑๕/๐๑/๒๕๖๘|2025-01-15
th|สองร้อยห้าสิบบาท|250 THB
th|หนึ่งพันเก้าร้อยบาท|1900 THB
th|ยี่สิบเอ็ดปี|21 year
th|ห้าหมื่นสามพันบาท|53000 THB
th|1.5 แสนบาท|150000 THB
th|สามล้านครึ่ง|3500000
th|2 ล้าน 4 แสนบาท|2400000 THB
th|ร้อยละ ๑๒.๕|12.5 percent
th|ร้อยละสิบ|10 percent
th|12.5 เปอร์เซ็นต์|12.5 percent
th|09.00 น.|540 minute
th|๐๙.๐๐-๑๗.๓๐ น.|540 minute;1050 minute
th|9 โมงเช้า|540 minute
th|บ่าย 2 โมง|840 minute
th|2 ทุ่มครึ่ง|1230 minute
th|ตีสาม|180 minute
th|15 ก.พ. 67|2024-02-15
th|3-5 วันทำการ|3 day;5 day
th|ครึ่งชั่วโมง|0.5 hour
th|หนึ่งชั่วโมงครึ่ง|1.5 hour
th|หลายร้อยบาท|
th|ห้างสรรพสินค้าและเก้าอี้|
th|โทร 02-345-6789|023456789
th|๐๘๑-๒๓๔-๕๖๗๘|0812345678
th|30 ตารางเมตร|30 m2
th|1.2 กก.|1.2 kg
th|2 สัปดาห์|2 week
th|สิบห้านาที|15 minute
th|พ.ศ. ๒๕๖๖|2023
th|ห้าสิบล้านบาท|50000000 THB
th|สามจุดหนึ่งสี่|3.14
th|1 โหล|12
zh|两千三百块|2300 CNY
zh|一千零五十元|1050 CNY
zh|一万八|18000
zh|3.5亿元|350000000 CNY
zh|两万五千|25000
zh|壹仟贰佰元整|1200 CNY
zh|十五点五公里|15.5 km
zh|百分之零点五|0.5 percent
zh|七五折|75 percent
zh|八成五|85 percent
zh|三分之二|0.666
zh|一年半|1.5 year
zh|两个月|2 month
zh|五月一日|--05-01
zh|二〇二五年五月|2025-05
zh|上午十点一刻|615 minute
zh|晚上8点|1200 minute
zh|凌晨两点半|150 minute
zh|12：30|750 minute
zh|１２：３０|750 minute
zh|第25条|25 ordinal
zh|3-5个工作日|3 day;5 day
zh|几百元|
zh|成千上万的人|
zh|一旦发现|
zh|千方百计|
zh|５００毫升|500 ml
zh|零下5度|-5 celsius
zh|半小时|0.5 hour
zh|400-820-8820|4008208820
zh|三公斤|3 kg
zh|120万辆|1200000
zh|二十四小时|24 hour
zh|两个半月|2.5 month
zh|四分之三|0.75
zh|1万2千元|12000 CNY
en|one thousand two hundred and fifty dollars|1250 USD
en|thirty-five|35
en|two dozen|24
en|a dozen eggs|12
en|three quarters of an hour|0.75 hour
en|one and a half hours|1.5 hour
en|$2.5bn|2500000000 USD
en|€1,250.50|1250.5 EUR
en|£15 million|15000000 GBP
en|ten percent|10 percent
en|5 percentage points|5 !percent
en|7:45 p.m.|1185 minute
en|half past nine|570 minute
en|quarter to six|345 minute
en|the 21st of March 2024|2024-03-21
en|March 21|--03-21
en|98.6°F|98.6 fahrenheit
en|nineteen ninety-nine|1999
en|twenty twenty-five|2025
en|one of the best|
en|thousands of users|
en|a hundred and one|101
en|sixty-four thousand|64000
en|3/4 cup|0.75 cup
en|12 a.m.|0 minute
en|half a million|500000
en|5 MB|5 MB
en|COVID-19|COVID-19
en|2.5-inch screen|2.5 inch
en|five to seven days|5 day;7 day
";

/// Language, question, answer, passage, `status …` of each number of the answer.
const ANSWERS: &str = "\
vi||48 giờ|2 ngày|grounded
vi||3 tuần|21 ngày|grounded
vi||2 năm|24 tháng|grounded
vi||2 tháng|60 ngày|ungrounded
vi||2,5 kg|2500 g|grounded
vi||5 ngày|3–7 ngày|ungrounded
vi||13 ngày|3 ngày, 130.000đ|ungrounded
vi||1.200.000đ|1,2 triệu đồng|grounded
vi||khoảng 200 km|198 km|grounded_minor
vi||200 km|198 km|ungrounded
vi||10 ngày|10 ngày làm việc|unit_qualifier
vi|Mua 4 hộp hết bao nhiêu?|Tổng 320.000 đồng|80.000 đồng/hộp|derived
vi|Giảm 20% thì còn bao nhiêu?|Còn 800.000 đồng|Giá 1.000.000 đồng|derived
vi||15%|0,15|grounded_minor
vi||mã AB-12|mã AB12|grounded
vi||gọi 0909 111 222|+84 909 111 222|grounded
vi||30/4/2026|ngày 30 tháng 4 năm 2026|grounded
vi||ngày 30/4|30/4/2026|grounded
vi||500 đồng|500 USD|unit_mismatch
vi||mười hai tháng|12 tháng|grounded
th||2 ปี|24 เดือน|grounded
th||72 ชั่วโมง|3 วัน|grounded
th||ปี 2025|พ.ศ. 2568|grounded
th||1 ม.ค. 2569|1/1/2026|grounded
th||5 วัน|๕ วันทำการ|unit_qualifier
th||ห้าร้อยบาท|500.-|grounded
th||3 เดือน|3 วัน|unit_mismatch
th||ประมาณ 100 บาท|99 บาท|grounded_minor
th||6 วัน|5-7 วัน|ungrounded
th|สั่ง 3 ชิ้นเท่าไร|รวม 450 บาท|ชิ้นละ 150 บาท|derived
th||15.30 น.|บ่าย 3 โมงครึ่ง|grounded
zh||两周|14天|grounded
zh||七折|70%|grounded
zh||1.5万元|15000元|grounded
zh||半年|6个月|grounded
zh||10天|10个工作日|unit_qualifier
zh||8小时|8分钟|unit_mismatch
zh||下午2点|14:00|grounded
zh||6天|5-7天|ungrounded
zh||大约100元|99元|grounded_minor
zh||2公斤|2000克|grounded
zh|买3件多少钱？|共450元|每件150元|derived
en||two weeks|14 days|grounded
en||36 months|3 years|grounded
en||6 days|5-7 days|ungrounded
en||10 days|10 business days|unit_qualifier
en||about 100 km|99 km|grounded_minor
en||$5|€5|unit_mismatch
en||5 pm|17:00|grounded
en|How much for 3?|It is $45.|$15 each|derived
en||1,500 m|1.5 km|grounded
en||20 items|20 days|unit_mismatch
";

fn cells<const N: usize>(table: &'static str) -> Vec<[&'static str; N]> {
    table.lines().map(|l| l.split('|').collect::<Vec<_>>().try_into().unwrap()).collect()
}

fn is_right(mention: &Value, right: &str) -> bool {
    let (value, unit) = right.split_once(' ').unwrap_or((right, ""));
    let found = mention["value"].as_str().unwrap();
    // Two thirds have no last digit.
    let same = if value == "0.666" { found.starts_with(value) } else { found == value };
    let found = mention["unit"].as_str().unwrap_or_default();
    same && match unit.strip_prefix('!') {
        Some(other) => found != other,
        None => unit.is_empty() || found == unit,
    }
}

fn all_right(wrong: &[(String, String)], all: usize) {
    println!("{} of {all} right", all - wrong.len());
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn texts_say_what_they_say() {
    let rows = cells::<3>(TEXTS);
    let asked: Vec<Value> = rows.iter().map(|[lang, text, _]| json!({ "lang": lang, "text": text })).collect();
    let mut wrong = Vec::new();
    for ([_, text, right], out) in rows.iter().zip(ask(&asked)) {
        let all = out["mentions"].as_array().unwrap();
        let found: Vec<&Value> = all.iter().filter(|m| !right.is_empty() || m["claim"] == true).collect();
        let right: Vec<&str> = right.split(';').filter(|r| !r.is_empty()).collect();
        if found.len() != right.len() || !found.iter().zip(&right).all(|(m, r)| is_right(m, r)) {
            wrong.push(((*text).to_owned(), format!("{right:?}, not {}", out["mentions"])));
        }
    }
    all_right(&wrong, rows.len());
}

#[test]
fn answers_get_their_verdicts() {
    let rows = cells::<5>(ANSWERS);
    let ask_one = |[lang, question, answer, passage, _]: &[&str; 5]| json!({ "lang": lang, "question": question, "answer": answer, "contexts": [passage] });
    let asked: Vec<Value> = rows.iter().map(ask_one).collect();
    let mut wrong = Vec::new();
    for ([_, _, answer, passage, right], out) in rows.iter().zip(ask(&asked)) {
        let found: Vec<&str> =
            out["numbers"].as_array().unwrap().iter().map(|n| n["status"].as_str().unwrap()).collect();
        if found.join(" ") != *right {
            wrong.push(((*answer).to_owned(), format!("{passage}: {found:?}, not {right}")));
        }
    }
    all_right(&wrong, rows.len());
}
