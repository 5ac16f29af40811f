//! How people write and say amounts, times and shares in the four languages, with what each means: thought out by kind
//! (parts behind magnitudes and units, money in two parts, years in pairs, what is said of two numbers at once) and read by
//! the real binary.

#![allow(clippy::unwrap_used, reason = "a test may")]

mod inspect_kit;

use inspect_kit::ask;
use serde_json::{Value, json};

/// Language, text, and `value unit` of each number, with `;` between them; `~` in front of a value that goes on. Nothing: no
/// claim.
const SAID: &str = "\
vi|chín phẩy bảy lăm|9.75
vi|ba phẩy mười bốn|3.14
vi|cao 1m25, dài 2m30|1.25 m;2.3 m
vi|1m7|1.7 m
vi|cao 1m65|1.65 m
vi|1 mét 65|1.65 m
vi|một mét bảy|1.7 m
vi|1kg2|1.2 kg
vi|trăm rưỡi|150
vi|nghìn rưỡi|1500
vi|triệu rưỡi|1500000
vi|triệu hai|1200000
vi|5 triệu 600|5600000
vi|một tá|12
vi|2 tá|24
vi|hai tá trứng|24
vi|nửa tá|6
vi|giữa 5 và 10 triệu|5000000;10000000
vi|5 hoặc 6 ngày|5 day;6 day
vi|5 hay 6 ngày|5 day;6 day
vi|năm sáu ngày|5 day;6 day
vi|hai ba ngày|2 day;3 day
vi|9 giờ kém 15|525 minute
vi|9 giờ kém 10 phút|530 minute
vi|9h kém 15|525 minute
vi|8 rưỡi sáng|510 minute
vi|8g30|510 minute
vi|một phần trăm|1 percent
vi|tỷ rưỡi|1500000000
vi|tỷ hai|1200000000
vi|2 tỷ tư|2400000000
vi|2 nghìn 500 tỷ đồng|2500000000000 VND
vi|năm hai nghìn không trăm hai mươi lăm|2025
vi|ngày mười lăm tháng tám|--08-15
vi|6 tháng đầu năm|6 month
vi|100 m vuông|100 m2
vi|lãi suất 6,5%/năm|6.5 percent
vi|1 triệu 250|1250000
vi|khoảng 5-7%/năm|5 percent;7 percent
vi|trăm rưỡi nghìn|150000
vi|hăm lăm|25
vi|trăm mốt|110
vi|nghìn tám|1800
vi|3 tỷ 250|3250000000
vi|tiếng rưỡi|1.5 hour
th|พันห้า|1500
th|แสนห้า|150000
th|หมื่นห้า|15000
th|ล้านห้า|1500000
th|ร้อยห้าสิบ|150
th|ร้อยห้าสิบบาท|150 THB
th|พันสองร้อยบาท|1200 THB
th|ปีครึ่ง|1.5 year
th|เดือนครึ่ง|1.5 month
th|ชั่วโมงครึ่ง|1.5 hour
th|สองบาทห้าสิบสตางค์|2.5 THB
th|หนึ่งในสาม|~0.333
th|หนึ่งในสี่|0.25
th|สามในสี่|0.75
th|โหลครึ่ง|18
th|2 โหลครึ่ง|30
th|ระหว่าง 5 และ 10 บาท|5 THB;10 THB
th|5 หรือ 6 วัน|5 day;6 day
th|ห้าหรือหกวัน|5 day;6 day
th|สองสามวัน|2 day;3 day
th|ร้อยละ 5 ถึง 10|5 percent;10 percent
th|ร้อยเปอร์เซ็นต์|100 percent
th|๑.๓e๖|1300000
th|๗ ๑/๒ กก.|7.5 kg
th|5 ธันวา 67|2024-12-05
th|10 กว่าคน|10 person
th|สิบกว่าบาท|10 THB
th|สองร้อยกว่าบาท|200 THB
th|กิโลครึ่ง|1.5 kg
th|2 ล้านกว่าบาท|2000000 THB
th|2 หรือ 3 วัน|2 day;3 day
th|ห้าร้อยบาทห้าสิบสตางค์|500.5 THB
th|หนึ่งในสามของราคา|~0.333
th|1 ใน 3|~0.333
th|1 ใน 3 ของราคา|~0.333
th|สองในสาม|~0.666
th|สองในสามของสมาชิก|~0.666
th|วันครึ่ง|1.5 day
zh|八成五|85 percent
zh|块半|1.5 CNY
zh|半个亿|50000000
zh|一个亿|100000000
zh|1个亿|100000000
zh|两个亿|200000000
zh|3.5个亿|350000000
zh|七成半|75 percent
zh|介于5和10元之间|5 CNY;10 CNY
zh|五或六天|5 day;6 day
zh|5或6天|5 day;6 day
zh|八点差五分|475 minute
zh|一打半|18
zh|负百分之五|-5 percent
zh|三十七度五|37.5 celsius
zh|一米七|1.7 m
zh|一米七五|1.75 m
zh|1米75|1.75 m
zh|新台币100元|100 TWD
zh|三千多万|30000000
zh|3000多万元|30000000 CNY
zh|100多万|1000000
zh|一百余万元|1000000 CNY
zh|二十几岁|
zh|三或四天|3 day;4 day
zh|3或4天|3 day;4 day
zh|一两个月|1 month;2 month
zh|两三个小时|2 hour;3 hour
zh|七八天|7 day;8 day
zh|四五公里|4 km;5 km
zh|三成五|35 percent
zh|百分之五到十|5 percent;10 percent
zh|十两|10 liang
zh|二两|2 liang
zh|一斤二两|1 jin;2 liang
zh|一米八|1.8 m
zh|1米8|1.8 m
zh|身高一米六五|1.65 m
zh|体温三十八度二|38.2 celsius
zh|38度2|38.2 celsius
zh|10w元|100000 CNY
zh|5元5角5分|5.55 CNY
zh|欧元500万|5000000 EUR
en|4 million and a quarter|4250000
en|4 million and a half|4500000
en|$4 million and a half|4500000 USD
en|thirteen dollars forty five|13.45 USD
en|five pounds fifty|5.5 GBP
en|ten pounds and fifty pence|10.5 GBP
en|£10 and 50p|10.5 GBP
en|twenty twenty-five|2025
en|twenty ten|2010
en|twenty oh five|2005
en|nineteen oh one|1901
en|twenty twenty|2020
en|in twenty thirty|2030
en|the one hundredth customer|100 ordinal
en|the one thousandth|1000 ordinal
en|a 5-million-dollar fee|5000000 USD
en|a $5-million deal|5000000 USD
en|a $ 4.4-billion plan|4400000000 USD
en|a multi-million-dollar deal|
en|between 5 and 10 dollars|5 USD;10 USD
en|a dollar|1 USD
en|a dollar fifty|1.5 USD
en|a buck fifty|1.5 USD
en|a penny|1 cent
en|a couple of dollars|2 USD
en|an hour and a half|1.5 hour
en|a day and a half|1.5 day
en|one year and a half|1.5 year
en|two years and a half|2.5 year
en|2 hours and a half|2.5 hour
en|2 hours and a quarter|2.25 hour
en|quarter of an hour|0.25 hour
en|-1.1^--23|~-8.954
en|minus ¾|-0.75
en|half of one percent|0.5 percent
en|five hundred and 12|512
en|two thousand and 5|2005
en|$7-8 billion|7000000000 USD;8000000000 USD
en|$7 to 8 billion|7000000000 USD;8000000000 USD
en|Canadian $30|30 CAD
en|three or four days|3 day;4 day
en|3 or 4 days|3 day;4 day
en|7 o'clock|420 minute
en|seven o'clock|420 minute
en|half past nine|570 minute
en|half past 9|570 minute
en|quarter past nine|555 minute
en|quarter to six|345 minute
en|noon|720 minute
en|midnight|0 minute
en|down 3/4 of a cent|0.75 cent
en|$3-billion-a-year|3000000000 USD
en|£5 50p|5.5 GBP
en|two dollars and a half|2.5 USD
en|$2 1/2|2.5 USD
en|$2 1/2 million|2500000 USD
en|between 5 and 10 million dollars|5000000 USD;10000000 USD
en|between five and ten dollars|5 USD;10 USD
en|between two and three weeks|2 week;3 week
en|5, 10 or 20 dollars|5;10 USD;20 USD
en|$1 bil|1000000000 USD
en|1 million and 200 thousand|1200000
en|sixtyfour|64
en|twentyone|21
en|point oh five|0.05
en|zero point oh five|0.05
en|one oh one|101
en|3-1/2|3.5
en|1 half|0.5
en|1 quarter|0.25
en|1 third|~0.333
en|1 half cup|0.5 cup
en|one - tenth|0.1
en|3 thousand and 7 hundred|3700
en|one hundred 5|105
en|one hundred and 5|105
en|1 & 1/2|1.5
en|fourscore|80
en|one tenth|0.1
en|one-tenth|0.1
en|one-twelfth|~0.08333
en|one twentieth|0.05
en|one-twentieth|0.05
en|1,674.5 B|1674500000000
en|1.1^--23|~8.954
en|three-aught-four|3;0;4
en|4 thousand and 3 hundred|4300
en|6 crore and 2 hundred|60000200
en|½ dozen|6
en|½ million|500000
en|between 5 and 10 percent|5 percent;10 percent
en|seven am|420 minute
en|twenty-twenty|2020
en|one sixteenth|0.0625
en|3 fourths|0.75
en|1 fifth|0.2
en|1 tenth|0.1
en|one thirtieth|~0.0333
en|4 billion and one half|4500000000
en|2 trillion and a half|2500000000000
en|2 thousand and a half|2500
en|a 50p coin|50 cent
en|5p a day|5 cent
en|a 1080p picture|1080p
en|see p. 50|50
en|5 grand|5000
en|£5 grand in cash|5000 GBP
en|fifty grand a year|50000
en|5 grand pianos|5
en|ten grand slams|
en|a quarter to six|345 minute
en|from a quarter to a third of it|0.25;~0.333
en|ten past six|370 minute
en|at twenty past 7 pm|1160 minute
en|ten minutes to six|350 minute
en|10 minutes to 6 am|350 minute
en|twenty-five to nine pm|1235 minute
en|10 minutes to 2 hours|10 minute;2 hour
en|five to ten days|5 day;10 day
en|8 to 6 pm|480 minute;1080 minute
en|five thousand 678|5678
en|5 thousand 678 people|5678 person
en|two million 500 thousand|2500000
en|1 million 234 thousand 567|1234567
en|five thousand 2026|5000;2026
en|three million 12|3000000;12
en|3 hundred and 21%|321 percent
en|1/1,000 of it|0.001
en|3 of 5/6, 700 of the rest|3;~0.8333;700
en|the two millionth visitor|2000000 ordinal
vi|hai triệu 500 nghìn|2500000
vi|1 phần 4|0.25
vi|3 phần 4 dân số|0.75
vi|1 phần 4 người|1 part;4 person
vi|1/1.000|0.001
vi|gấp rưỡi|1.5 times
vi|gấp 3 lần trước|3 times
vi|gấp ba mức cũ|3 times
th|2 แสน 5|250000
th|2 แสน 5 บาท|250000 THB
th|2 แสนห้า|250000
th|2 แสน 5 หมื่น|250000
th|สองล้าน 5 แสน|2500000
th|ราคา 2 แสน 5  สีแดง|250000
th|ราคา 2 แสน 5 ครับ|250000
th|ราคา 3 แสน5 แต่ลดได้|350000
th|ราคา 2 แสน 5 สี|200000;5
th|2 ล้าน 5 คน|2000000;5 person
th|เศษ 3 ส่วน 4|0.75
zh|差五分八点|475 minute
zh|差一刻九点|525 minute
zh|下午差10分3点|890 minute
zh|差五分钱|5 cent
";

fn is_right(mention: &Value, right: &str) -> bool {
    let (value, unit) = right.split_once(' ').unwrap_or((right, ""));
    let found = mention["value"].as_str().unwrap();
    let same = value.strip_prefix('~').map_or(found == value, |head| found.starts_with(head));
    same && mention["unit"].as_str().unwrap_or_default() == unit
}

#[test]
fn amounts_mean_what_a_reader_takes_them_for() {
    let rows: Vec<[&str; 3]> = SAID.lines().map(|l| l.split('|').collect::<Vec<_>>().try_into().unwrap()).collect();
    let asked: Vec<Value> = rows.iter().map(|[lang, text, _]| json!({ "lang": lang, "text": text })).collect();
    let mut wrong = Vec::new();
    for ([lang, text, right], out) in rows.iter().zip(ask(&asked)) {
        let all = out["mentions"].as_array().unwrap();
        let found: Vec<&Value> = all.iter().filter(|m| !right.is_empty() || m["claim"] == true).collect();
        let right: Vec<&str> = right.split(';').filter(|r| !r.is_empty()).collect();
        if found.len() != right.len() || !found.iter().zip(&right).all(|(m, r)| is_right(m, r)) {
            wrong.push(format!("{lang} {text}: {right:?}, not {}", out["mentions"]));
        }
    }
    assert!(wrong.is_empty(), "{} of {}: {wrong:#?}", wrong.len(), rows.len());
}
