//! Numbers as a careful person reads them in Vietnamese, Thai and Chinese: policy sentences through the real binary, each
//! with all that it states. The form of a right value is that of `numbers_inspect.rs`: `value unit kind`, `~` for what
//! counts as evidence only.

#![allow(clippy::unwrap_used, clippy::panic, clippy::string_slice, reason = "a test may")]

mod inspect_kit;

use inspect_kit::{ask, shown};
use serde_json::{Value, json};

fn each(lang: &str, rows: &[(&str, &str)]) {
    let input: Vec<Value> = rows.iter().map(|(text, _)| json!({ "lang": lang, "text": text })).collect();
    let mut wrong = Vec::new();
    for ((text, right), out) in rows.iter().zip(ask(&input)) {
        let read = shown(&out);
        if read != *right {
            wrong.push(format!("{lang} {text}\n   right {right}\n   read  {read}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
}

#[test]
fn vietnamese_times_days_and_ranges() {
    each(
        "vi",
        &[
            ("Mở cửa từ 8h đến 21h30", "480 minute time, 1290 minute time"),
            ("8:00 – 17:30, thứ hai đến thứ bảy", "480 minute time, 1050 minute time"),
            ("9 giờ sáng đến 5 giờ chiều, 10 giờ đêm", "540 minute time, 1020 minute time, 1320 minute time"),
            ("2 giờ đêm, 12 giờ đêm", "120 minute time, 1440 minute time"),
            ("11 giờ trưa, 1 giờ trưa, 12 giờ trưa", "660 minute time, 780 minute time, 720 minute time"),
            ("đóng cửa lúc nửa đêm", "0 minute time"),
            ("chiều 3 giờ, tám giờ sáng", "900 minute time, 480 minute time"),
            ("không gian 3 chiều, 3 ngày 2 đêm", "3, 3 day, 2 night"),
            ("nghỉ thứ 2, thứ hai và thứ Sáu", "2 ordinal ~"),
            ("Khách hàng thứ 100", "100 ordinal"),
            ("từ ngày mùng 1 tháng 3", "--03-01 date"),
            ("3–5 ngày làm việc, tối đa 7 ngày", "3 day, 5 day, 7 day"),
            ("trong vòng 30 ngày kể từ ngày nhận hàng", "30 day"),
            ("Đổi trả trong 07 ngày; 02 (hai) năm", "7 day, 2 year"),
            ("Quý 3/2026, quý III/2026", "3 ordinal, 2026, 3 ordinal ~, 2026"),
            ("đầu thế kỷ XIX, thế kỷ 21", "19 ordinal ~, 21 ordinal"),
            ("tháng 11/2026", "2026-11 date"),
        ],
    );
}

#[test]
fn vietnamese_money_shares_and_things() {
    each(
        "vi",
        &[
            ("50.000đ/kg, tối thiểu 20 nghìn", "50000|50 VND, 20000"),
            ("Giá 1.200.000₫ (đã gồm VAT 10%)", "1200000 VND, 10 percent"),
            ("giảm hai mươi lăm phần trăm", "25 percent"),
            ("một phần ba, hai phần ba số tiền, ba phần tư", "0.333333333333333, 0.666666666666667, 0.75"),
            ("giảm một nửa, một kg rưỡi, hai tiếng rưỡi", "0.5, 1.5 kg, 2.5 hour"),
            ("½ viên, 2 lần/ngày, mỗi lần 500mg", "0.5 tablet, 2 times, 500 mg"),
            ("từ 6 đến 12 tuổi", "6 year, 12 year"),
            ("56 x 36 x 23 cm, 23kg", "56 cm, 36 cm, 23 cm, 23 kg"),
            ("2 đồng thời, 3 đơn vị, 4 phần mềm, 9 phân khúc", "2, 3, 4, 9"),
            ("tỉ số 2-1, dân số 5 triệu, trong số 20.000", "2, 1, 5000000, 20000|20"),
            ("Theo Điều 7 và khoản 2, số 12 đường Láng, quận 3", "7 ordinal, 2 ordinal, 12 ordinal, 3 ordinal"),
            ("phiên bản 2.3.1", "2.3.1 version"),
        ],
    );
}

#[test]
fn phone_numbers() {
    each(
        "vi",
        &[
            ("Hotline: 1900 6868 hoặc 028 3829 1234", "19006868 phone, 02838291234 phone"),
            ("Gọi +84 28 3829 1234 hay (028) 3829 1234", "842838291234 phone, 02838291234 phone"),
            ("SĐT: 0912345678, 0987654321", "0912345678 phone, 0987654321 phone"),
            ("0912.345.678 - 0987 654 321", "0912345678 phone, 0987654321 phone"),
            ("tổng đài 18001090 (miễn phí)", "18001090 phone"),
            ("phí 19006868 đồng, 13800000000 đồng", "19006868 VND, 13800000000 VND"),
            ("gọi tổng đài 3 lần, tổng đài 100 máy", "3 times, 100 phone"),
        ],
    );
    each(
        "th",
        &[
            ("โทร 02-123-4567 หรือ 081-234-5678", "021234567 phone, 0812345678 phone"),
            ("0-2123-4567 หรือ +66 2 123 4567", "021234567 phone, 6621234567 phone"),
            ("สายด่วน 1669 ตลอด 24 ชั่วโมง", "1669 phone, 24 hour"),
            ("โทร 3 ครั้ง", "3 times"),
        ],
    );
    each(
        "zh",
        &[
            ("客服电话400-123-4567或010-12345678", "4001234567 phone, 01012345678 phone"),
            ("热线400 820 8820，传真+86 10 6552 9988", "4008208820 phone, 861065529988 phone"),
            ("021-6123 4567、13812345678", "02161234567 phone, 13812345678 phone"),
            ("请拨打12345或95588", "12345 phone, 95588"),
            ("售价13812345678元", "13812345678 CNY"),
        ],
    );
}

/// Wikipedia, "Thai six-hour clock", gives the hour of each.
#[test]
fn thai_hours() {
    each(
        "th",
        &[
            ("8.30 น. ถึง 17.00 น.", "510 minute time, 1020 minute time"),
            ("ปิดเที่ยงคืน เปิดตี 3", "0 minute time, 180 minute time"),
            ("บ่ายสองโมง ถึงสองทุ่ม", "840 minute time, 1200 minute time"),
            ("บ่าย 3 โมง, 4 โมงเย็น, 3 ทุ่มครึ่ง", "900 minute time, 960 minute time, 1290 minute time"),
            ("ตีสอง ตีห้าครึ่ง", "120 minute time, 330 minute time"),
            ("แปดโมงเช้า สองโมงเช้า 6 โมงเช้า", "480 minute time, 480 minute time, 360 minute time"),
            ("10 โมง 11 โมงครึ่ง", "600 minute time, 690 minute time"),
            ("6 โมง, 4 โมง", "360|1080 minute time, 960|600 minute time"),
            ("เที่ยงวัน บ่ายโมง บ่ายโมงครึ่ง", "720 minute time, 780 minute time, 810 minute time"),
            ("17 นาฬิกา 30 นาที", "1050 minute time"),
            ("สามทุ่มสิบห้านาที", "1275 minute time"),
            ("โจมตี 3 เมือง, ตีพิมพ์ 2 ครั้ง", "3, 2 times"),
        ],
    );
}

#[test]
fn thai_units_end_where_a_phrase_ends() {
    each(
        "th",
        &[
            ("เด็กอายุต่ำกว่า 12 ปี ครึ่งราคา", "12 year, 0.5"),
            ("สองสัปดาห์ ครึ่งชั่วโมง หนึ่งชั่วโมงครึ่ง", "2 week, 0.5 hour, 1.5 hour"),
            ("ร้อยละสิบห้า ร้อยละ 7.5 ต่อปี", "15 percent, 7.5 percent"),
            ("ครั้งที่ 3 อันดับ 1", "3 ordinal, 1 ordinal"),
            ("ครั้งละ 1-2 เม็ด วันละ 3 ครั้ง", "1 tablet, 2 tablet, 3 times"),
            ("40x30x20 ซม. ไม่เกิน 15 กก.", "40 cm, 30 cm, 20 cm, 15 kg"),
            ("ราคา 1,290.- กว่า 3 พันคน", "1290|1.29 THB, 3000 person"),
            ("3 ชม. 30 นาที", "3 hour, 30 minute"),
            ("ครึ่งหนึ่ง เศษหนึ่งส่วนสอง สามส่วนสี่", "0.5, 0.5, 0.75"),
            ("พ.ศ. 2569 ปีงบประมาณ 2569", "2026 year date, 2026 year date"),
            ("31 ธ.ค. 69 31/12/69", "2026-12-31 date, 2026-12-31 date"),
            ("ไตรมาส 3/2569", "3 ordinal, 2569|2026"),
            ("๑๕ วัน ๒,๕๐๐ บาท", "15 day, 2500|2.5 THB"),
        ],
    );
}

#[test]
fn chinese_times_and_days() {
    each(
        "zh",
        &[
            ("早上10点开门，晚上9点半关门", "600 minute time, 1290 minute time"),
            ("下午三点一刻，三点三刻", "915 minute time, 225 minute time"),
            ("中午11点半，中午1点，中午12点", "690 minute time, 780 minute time, 720 minute time"),
            ("晚上12点，夜里2点", "1440 minute time, 120 minute time"),
            ("9时至17时30分，上午十时三十分", "540 minute time, 1050 minute time, 630 minute time"),
            ("年满18时", "18"),
            ("这一点是两点要求", "1 count ~, 2 count ~"),
            ("两个半小时，半小时，一个半月，一年半", "2.5 hour, 0.5 hour, 1.5 month, 1.5 year"),
            ("十天半个月", "10 day, 0.5 month"),
            ("第3天，第三天，第7条", "3 ordinal, 3 ordinal ~, 7 ordinal"),
            ("7×24小时服务", "24/7 ratio"),
            ("2001-02年", "2001, 2002|2"),
            ("年满18周岁，6-12岁", "18 year, 6 year, 12 year"),
            ("3单元1201室，2天津，5日本", "3, 1201, 2, 5"),
        ],
    );
}

#[test]
fn chinese_money_shares_and_vague_numbers() {
    each(
        "zh",
        &[
            ("全场92折，会员九二折，8.5折，第二件半价", "92 percent, 92 percent, 85 percent, 2 ordinal ~"),
            ("3万5，3万五千，12万8千元", "35000, 35000, 128000 CNY"),
            ("千分之三，万分之五", "3 permille, 0.05 percent"),
            ("零下18度，-18℃", "-18 celsius, -18|18 celsius"),
            ("1000多元，三千余元，二十多天", "1000 CNY, 3000 CNY, 20 day"),
            ("两三天", "2 day, 3 day"),
            ("三五个，七八十人，上百人，十分抱歉", ""),
            ("五一假期", "51 ~"),
            ("五分", "5 cent"),
            ("每次半片，尺寸55×40×20厘米", "0.5 tablet, 55 cm, 40 cm, 20 cm"),
            ("百万富翁", ""),
        ],
    );
}

/// Letters behind digits: a unit, a magnitude before a currency, or the name of a thing.
#[test]
fn letters_behind_digits() {
    each(
        "en",
        &[("30 MUSD were paid, 120 MEUR", "30000000 USD, 120000000 EUR"), ("satellite 33C at 4G", "33C code, 4G code")],
    );
}

/// Language, answer, passage, statuses.
#[test]
fn what_bears_out_what() {
    let rows = [
        ("vi", "7 ngày", "Theo Điều 7", "unit_mismatch"),
        ("zh", "7天", "第7条规定", "unit_mismatch"),
        ("th", "7 วัน", "มาตรา 7", "unit_mismatch"),
        ("vi", "từ 8h đến 17h", "mở cửa 8:00 – 17:00", "grounded,grounded"),
        ("vi", "5 giờ chiều", "17h", "grounded"),
        ("th", "บ่ายสองโมง", "14.00 น.", "grounded"),
        ("th", "สองทุ่ม", "20.00 น.", "grounded"),
        ("th", "เที่ยงคืน", "24.00 น.", "grounded"),
        ("th", "4 โมง", "10.00 น.", "grounded_minor"),
        ("th", "สองทุ่ม", "8.00 น.", "ungrounded"),
        ("zh", "晚上9点半", "21:30", "grounded"),
        ("zh", "3万五千元", "35,000元", "grounded"),
        ("vi", "gọi (028) 3829 1234", "028.3829.1234", "grounded"),
        ("zh", "400-820-8820", "4008208820", "grounded"),
        ("vi", "2 viên", "2 lần", "unit_mismatch"),
    ];
    let input: Vec<Value> =
        rows.iter().map(|(l, a, c, _)| json!({ "lang": l, "question": "", "answer": a, "contexts": [c] })).collect();
    for ((lang, answer, passage, right), out) in rows.iter().zip(ask(&input)) {
        let list = out["numbers"].as_array().unwrap();
        let read: Vec<&str> = list.iter().map(|n| n["status"].as_str().unwrap()).collect();
        assert_eq!(read.join(","), *right, "{lang}: {answer} against {passage}");
    }
}

/// What the question asks for tells apart numbers that stand equally near to its words.
#[test]
fn a_number_of_another_sort_than_asked_for_is_suspect() {
    let rows = [
        ("vi", "Công ty Lan được thành lập khi nào?", "300", "Công ty Lan được thành lập năm 1998 với 300 nhân viên."),
        ("th", "บริษัทหลานก่อตั้งเมื่อใด", "300", "บริษัทหลานก่อตั้งในปี 1998 มีพนักงาน 300 คน"),
        ("zh", "兰公司什么时候成立？", "300", "兰公司于1998年成立，有300人。"),
        ("en", "When was Lan Ltd founded?", "300", "Lan Ltd was founded in 1998 with 300 people."),
    ];
    let ask_for = |right: bool| -> Vec<Value> {
        let row = |(l, q, a, c): &(&str, &str, &str, &str)| json!({ "lang": l, "question": q, "answer": if right { "1998" } else { a }, "contexts": [c] });
        ask(&rows.iter().map(row).collect::<Vec<_>>())
    };
    for (row, out) in rows.iter().zip(ask_for(false)) {
        assert_eq!(out["numbers"][0]["status"], "suspect_subject", "{row:?}");
    }
    for (row, out) in rows.iter().zip(ask_for(true)) {
        assert_eq!(out["numbers"][0]["status"], "grounded", "{row:?}");
    }
}

/// Where no blank stands between words, a number in front of an address is none of its figures.
#[test]
fn what_stands_in_front_of_an_address() {
    each(
        "zh",
        &[
            ("价格5元见https://a.cn/7", "5 CNY"),
            ("共12件www.a.cn/7", "12 count"),
            ("付5元给a3@b.cn", "5 CNY"),
            ("见h2c://a.cn/7", ""),
            ("见h２c://a.cn/7", ""),
        ],
    );
    each("th", &[("ราคา 5 บาทhttps://a.co/7", "5 THB"), ("ค่าส่ง20บาทติดต่อa30@b.co", "20 THB")]);
}
