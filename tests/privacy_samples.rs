//! Thirty samples of each kind of personal data that are found whole, and thirty of what looks like it and is not.
//!
//! Every number is invented; those with a check digit get it here, from the published rule, so that the samples are valid.
#![allow(clippy::unwrap_used, clippy::panic, clippy::string_slice, reason = "a test fails by a panic")]

use ragline::privacy::{Kind, find};

/// Every sample stands where `{}` stands in one of these sentences.
const AROUND: [&str; 8] = [
    "Xin gọi {} trong giờ làm việc.",
    "Please write to {}, or come by.",
    "ติดต่อ{}ได้ทุกวัน",
    "请联系{}谢谢",
    "{}",
    "Khách (số {}) đã trả 250.000đ ngày 30/11/2026.",
    "1. {}\n2. 45 phút",
    "“{}”; 3 lần",
];

#[track_caller]
fn right(kind: Kind, samples: &[String]) {
    assert!(samples.len() >= 30, "{kind}: {}", samples.len());
    let mut wrong = Vec::new();
    for (i, sample) in samples.iter().enumerate() {
        for frame in [AROUND[i % AROUND.len()], AROUND[(i + 3) % AROUND.len()]] {
            let text = frame.replace("{}", sample);
            let found = find(&text);
            let ours: Vec<&str> = found.iter().filter(|f| f.kind == kind).map(|f| &text[f.range.clone()]).collect();
            if ours != [sample.as_str()] || found.len() != 1 {
                wrong.push(format!("{sample} in {text:?}: {found:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{kind}:\n{}", wrong.join("\n"));
}

#[track_caller]
fn near(kind: Kind, texts: &[String]) {
    assert!(texts.len() >= 30, "{kind}: {}", texts.len());
    let wrong: Vec<String> = texts
        .iter()
        .flat_map(|t| {
            find(t).into_iter().filter(|f| f.kind == kind).map(move |f| format!("{:?} in {t:?}", &t[f.range]))
        })
        .collect();
    assert!(wrong.is_empty(), "{kind}:\n{}", wrong.join("\n"));
}

fn all(samples: &[&str]) -> Vec<String> {
    samples.iter().map(|s| (*s).to_owned()).collect()
}

fn digits(s: &str) -> Vec<u32> {
    s.chars().filter_map(|c| c.to_digit(10)).collect()
}

/// Written in another script's digits.
fn native(s: &str, zero: char) -> String {
    s.chars().map(|c| c.to_digit(10).map_or(c, |d| char::from_u32(u32::from(zero) + d).unwrap())).collect()
}

/// Groups of these lengths.
fn grouped(s: &str, lengths: &[usize], separator: &str) -> String {
    let mut at = 0;
    let parts: Vec<&str> = lengths
        .iter()
        .map(|n| {
            at += n;
            &s[at - n..at]
        })
        .collect();
    assert_eq!(at, s.len());
    parts.join(separator)
}

/// The first digits with the check digit of Luhn: doubled from the right, the check digit's neighbour first.
fn card(first: &str) -> String {
    let sum: u32 = digits(first)
        .iter()
        .rev()
        .enumerate()
        .map(|(i, d)| if i % 2 == 0 { d * 2 / 10 + d * 2 % 10 } else { *d })
        .sum();
    format!("{first}{}", (10 - sum % 10) % 10)
}

/// The first twelve digits with the Thai check digit.
fn thai(first: &str) -> String {
    let d = digits(first);
    assert_eq!(d.len(), 12);
    let sum: u32 = (0..12).map(|i| d[i as usize] * (13 - i)).sum();
    format!("{first}{}", (11 - sum % 11) % 10)
}

/// The first seventeen digits with the check character of GB 11643, by its published weights.
fn chinese(first: &str) -> String {
    const WEIGHTS: [u32; 17] = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
    let d = digits(first);
    assert_eq!(d.len(), 17);
    let sum: u32 = d.iter().zip(WEIGHTS).map(|(d, w)| d * w).sum();
    format!("{first}{}", &"10X98765432"[(sum % 11) as usize..=(sum % 11) as usize])
}

/// A number whose last digit is another than the right one.
fn off_by_one(s: &str) -> String {
    let last = digits(s).pop().unwrap_or(9);
    format!("{}{}", &s[..s.len() - 1], (last + 1) % 10)
}

#[test]
fn the_rules_of_the_check_digits_are_the_published_ones() {
    // Worked examples that stand in public documentation.
    assert_eq!(thai("111203456356"), "1112034563562");
    assert_eq!(thai("310060044563"), "3100600445635");
    assert_eq!(card("7992739871"), "79927398713");
    assert_eq!(chinese("11010519491231002"), "11010519491231002X");
}

#[rustfmt::skip]
#[test]
fn emails() {
    right(
        Kind::Email,
        &all(&[
            "lan@example.com", "nguyen.van.an@example.vn", "a.b-c_d@mail.example.co.th", "x@y.io", "user+tag@example.org",
            "TRAN.THI@EXAMPLE.COM", "o'brien@example.ie", "123456@qq.example.cn", "first.last@sub.domain.example.museum",
            "support_2026@example.net", "h%c@example.com", "lan-anh@xn--vi-xyz.example", "me@example.xn--p1ai",
            "a1@b2.cd", "jürgen@müller.example", "đặng@example.vn", "nghĩa.lê@thư.vn", "lan@cửa-hàng.vn", "josé@correo.es",
            "q@1and1.example.de", "long.name.of.many.parts@example.com", "n_@example.com", "_lan@example.com", "0912345678@example.vn",
            "no-reply@shop.example", "lan@8.example.com", "lan.2@example-shop.com", "иван@почта.рф", "kontakt@straße.de",
            "a~b@example.com", "lan＠example.com",
        ]),
    );
    // Scripts without blanks are parted where the script changes, and are whole where it does not.
    for (text, wanted) in [
        ("邮箱：用户@例子.中国。", "用户@例子.中国"),
        ("อีเมล สมชาย@ตัวอย่าง.ไทย ครับ", "สมชาย@ตัวอย่าง.ไทย"),
        ("请联系lan@example.com谢谢", "lan@example.com"),
        ("邮箱123456@qq.example.cn。", "123456@qq.example.cn"),
        ("用户123@例子.中国", "用户123@例子.中国"),
        ("ส่งที่lan@example.comค่ะ", "lan@example.com"),
        ("mailto:lan@example.com?subject=x", "lan@example.com"),
        ("**lan@example.com**", "lan@example.com"),
        ("email=lan@example.com&x=1", "lan@example.com"),
        ("<lan@example.com>, lan@example.org.", "lan@example.com"),
    ] {
        let found = find(text);
        assert_eq!(found.first().map(|f| (f.kind, &text[f.range.clone()])), Some((Kind::Email, wanted)), "{text}");
    }
    near(
        Kind::Email,
        &all(&[
            "a@b", "@lan", "hỏi @lan.nguyen nhé", "lan@", "lan@.com", "lan@com", "lan@example", "lan@@example.com x", "lan @ example.com",
            "https://user@host.example/x", "https://user:pw@host.example/x", "ftp://lan@files.example.org", "git@code.example.org:org/repo.git",
            "ssh://git@host.example/repo", "react@18.2.0", "@types/node@20.1.0", "pkg@latest", "icon@2x.png", "logo@3x.webp",
            "x@1.2.3.4", "x@y.z", "x@-a.com", "5 cái @ 20.000đ", "giá @35.000", "tỷ lệ 3@5", "lan.@example.com", "lan..an@example.com",
            "ติดตาม @ร้านเถิมนัง", "关注 @店铺 吧", "vào lúc @ 08:30", "user@localhost", "a＠b",
        ]),
    );
}

#[rustfmt::skip]
#[test]
fn phones() {
    let mut samples = all(&[
        "0912345678", "0912 345 678", "0912.345.678", "0912-345-678", "091 234 5678", "035 912 3456", "0700 11 22 33",
        "09.12.34.56.78", "(091) 234 5678", "+84912345678", "+84 912 345 678", "+84.912.345.678", "(+84) 912 345 678",
        "+84 (0)912 345 678", "+84-28-3825-1234", "0084 912 345 678", "024 3825 1234", "(024) 3825 1234", "0236 3 123 456",
        "02838251234", "081-234-5678", "08-1234-5678", "+66 81 234 5678", "02-123-4567", "053-123-456", "13812345678",
        "138 1234 5678", "138-1234-5678", "+86 138 1234 5678", "010-12345678", "0755-12345678", "(021) 6123 4567",
        "(415) 555-0132", "415-555-0132", "415.555.0132", "1-415-555-0132", "+1 (415) 555-0132", "+44 20 7946 0958",
        "+49 30 901820", "+855 12 345 678",
    ]);
    samples.push(native("081-234-5678", '๐'));
    samples.push(native("0912345678", '๐'));
    samples.push(native("13812345678", '０'));
    samples.push("＋８６ １３８ １２３４ ５６７８".to_owned());
    right(Kind::Phone, &samples);
    near(
        Kind::Phone,
        &all(&[
            "hotline 1900 1234", "tổng đài 1800 6868", "โทร 1800-123-456", "hotline 1900 636 468", "400-820-8820", "800-820-5100", "1-800-555-0199",
            "5.500.000 VND", "12,345,678,901 đồng", "13812345678 元", "¥13800138000", "2026-11-30", "30/11/2026", "2026-11-30 08:15:30", "30.11.2026",
            "v1.2.3", "10.0.19045.3803", "192.168.100.200", "08:30", "08:30-19:30", "đơn hàng 0912345678", "order no. 13812345678", "订单号：13812345678",
            "หมายเลขคำสั่งซื้อ 0812345678", "mã vận đơn: 0351234567", "SKU-0912345678", "DH0912345678", "#0912345678", "0.912345678", "1732950000",
            "1732950000123", "+10 000 000 điểm", "+5.000.000đ", "+55.000.000đ", "0123456789", "0212345678", "091234567", "09123456789", "05 12 23 34 45",
            "12345678901", "012 345 678", "19,277724692395445", "ISBN 978-604-0-12345-6", "1.500.000 - 2.500.000", "300-400-5000", "C++ 11 1234 5678",
        ]),
    );
}

#[rustfmt::skip]
#[test]
fn cards() {
    let mut samples = Vec::new();
    for first in ["411111111111111", "424242000012345", "555555123456789", "222100123456789", "352812345678901", "601112345678901", "620012345678901", "970412345678901", "650001234567890"] {
        let c = card(first);
        samples.push(c.clone());
        samples.push(grouped(&c, &[4, 4, 4, 4], " "));
        samples.push(grouped(&c, &[4, 4, 4, 4], "-"));
    }
    let amex = card("37123456789012");
    samples.extend([grouped(&amex, &[4, 6, 5], " "), amex]);
    let diners = card("3012345678901");
    samples.extend([grouped(&diners, &[4, 6, 4], "-"), diners]);
    let napas = card("970412345678901234");
    samples.extend([grouped(&napas, &[4, 4, 4, 4, 3], " "), napas]);
    samples.push(card("622202123456789012"));
    samples.push(native(&card("411111111111111"), '０'));
    samples.push(native(&grouped(&card("411111111111111"), &[4, 4, 4, 4], " "), '๐'));
    samples.push(grouped(&card("411111111111111"), &[4, 4, 4, 4], "\u{a0}"));
    right(Kind::Card, &samples);

    let mut texts = Vec::new();
    for first in ["411111111111111", "424242000012345", "555555123456789", "222100123456789", "352812345678901", "601112345678901", "620012345678901", "970412345678901"] {
        let c = off_by_one(&card(first));
        texts.push(c.clone());
        texts.push(grouped(&c, &[4, 4, 4, 4], " "));
    }
    // Of no issuer, of another length, in another form, or named something else.
    texts.extend(["111111111111111", "799273987112345", "999999999999999", "012345678901234", "811111111111111"].map(card));
    let good = card("411111111111111");
    texts.extend([
        format!("0.{good}"),
        format!("{good}.5"),
        format!("order {good}"),
        format!("đơn hàng số {good}"),
        format!("订单号 {good}"),
        format!("ใบเสร็จเลขที่ {good}"),
        format!("x{good}"),
        format!("{good}0"),
        format!("ID-{good}-7"),
        grouped(&good, &[2, 2, 2, 2, 2, 2, 2, 2], " "),
        grouped(&good, &[4, 4, 4, 4], "."),
        grouped(&good, &[1, 3, 3, 3, 3, 3], "."),
        card("34123456789012")[..14].to_owned(),
        "2026 1130 0815 3000".to_owned(),
        "1732950000123".to_owned(),
        "8934567890123".to_owned(),
    ]);
    near(Kind::Card, &texts);
}

#[test]
fn thai_identity_numbers() {
    let mut samples = Vec::new();
    for first in [
        "110170012345",
        "310060044512",
        "512345678901",
        "812340987654",
        "234567890123",
        "450011223344",
        "667788990011",
        "799887766554",
    ] {
        let id = thai(first);
        samples.push(grouped(&id, &[1, 4, 5, 2, 1], "-"));
        samples.push(grouped(&id, &[1, 4, 5, 2, 1], " "));
        samples.push(native(&grouped(&id, &[1, 4, 5, 2, 1], "-"), '๐'));
        samples.push(native(&id, '๐'));
        samples.push(id);
    }
    right(Kind::ThId, &samples);
    let mut texts = Vec::new();
    for first in [
        "110170012345",
        "310060044512",
        "512345678901",
        "812340987654",
        "234567890123",
        "450011223344",
        "667788990011",
        "799887766554",
    ] {
        let id = off_by_one(&thai(first));
        texts.push(grouped(&id, &[1, 4, 5, 2, 1], "-"));
        texts.push(format!("เลข {id} นะ"));
        texts.push(native(&id, '๐'));
    }
    let good = thai("110170012345");
    texts.extend([
        thai("012345678901"),
        thai("912345678901"),
        format!("บาร์โค้ด {good}"),
        format!("barcode: {good}"),
        format!("{good}4"),
        good[..12].to_owned(),
        grouped(&good, &[1, 3, 3, 3, 3], "."),
        grouped(&good, &[3, 3, 3, 4], "-"),
        format!("TH{good}"),
        format!("{good}%"),
    ]);
    near(Kind::ThId, &texts);
}

#[rustfmt::skip]
#[test]
fn vietnamese_personal_numbers() {
    let mut samples = Vec::new();
    for id in ["001099012345", "079185123456", "031200004567", "048301998877", "096065000111", "034194567890", "002315112233", "087084000999"] {
        samples.push(id.to_owned());
        samples.push(grouped(id, &[3, 3, 3, 3], " "));
        samples.push(grouped(id, &[4, 4, 4], " "));
        samples.push(grouped(id, &[3, 9], "-"));
    }
    samples.push(native("001099012345", '๐'));
    samples.push(native("079185123456", '０'));
    right(Kind::VnCccd, &samples);
    near(
        Kind::VnCccd,
        &all(&[
            // Codes of no province, centuries to come, years to come, years too long ago.
            "003099012345", "005099012345", "000099012345", "097099012345", "099185123456", "100099012345", "047185123456", "078185123456",
            "001499012345", "079585123456", "079985123456", "001236012345", "079350123456", "031299004567", "001000012345", "079105123456",
            // Another length, another form, another name.
            "00109901234", "0010990123456", "001 0990 12345", "001.099.012.345", "0-010-990-123-45", "001/099/012345", "12.001099012345", "001099012345.5",
            "đơn hàng 001099012345", "mã vận đơn: 079185123456", "invoice 001099012345", "订单 001099012345", "HD001099012345", "012345678", "123456789",
            "CMND 012 345 678", "202611300815",
        ]),
    );
}

#[rustfmt::skip]
#[test]
fn chinese_identity_numbers() {
    let firsts = ["11010519491231002", "44030619900115123", "31011520000229456", "51010719851130789", "65010220120606001", "81000019750707888", "33010619680909222", "42011119990430345"];
    let mut samples = Vec::new();
    for first in firsts {
        let id = chinese(first);
        samples.push(native(&id, '０'));
        samples.push(grouped(&id, &[6, 8, 4], " "));
        samples.push(id);
    }
    // Enough that end in X, in each way of writing it.
    let with_x: Vec<String> =
        (100..400).map(|n| chinese(&format!("11010519900101{n}"))).filter(|id| id.ends_with('X')).take(4).collect();
    for id in &with_x {
        samples.push(id.clone());
        samples.push(id.to_lowercase());
        samples.push(native(id, '０').replace('X', "Ｘ"));
    }
    right(Kind::ZhId, &samples);
    let mut texts: Vec<String> = Vec::new();
    for first in firsts {
        let id = chinese(first);
        texts.push(if id.ends_with('X') { id.replace('X', "1") } else { off_by_one(&id) });
        if !id.ends_with('X') {
            texts.push(format!("{first}X"));
        }
    }
    // Days that are none, years that are none, districts of no province.
    texts.extend(
        ["11010519900230123", "11010519901301123", "11010519900100123", "11010518991231002", "11010520400101123", "10010519900101123", "99010519900101123", "00010519900101123", "38010519900101123"]
            .map(chinese),
    );
    let good = chinese("44030619900115123");
    texts.extend([
        format!("订单号 {good}"),
        format!("运单号：{good}"),
        format!("order {good}"),
        format!("đơn hàng {good}"),
        format!("{good}7"),
        format!("A{good}"),
        good[..17].to_owned(),
        grouped(&good, &[3, 3, 3, 3, 3, 3], " "),
        grouped(&good, &[6, 8, 4], "."),
        format!("0.{good}"),
        "110105491231002".to_owned(),
    ]);
    near(Kind::ZhId, &texts);
}

#[test]
fn equally_long_claims_are_decided_by_the_check_digit() {
    // A Chinese number that is a valid number of a card too, as one in ten with such a beginning is.
    let both = (100..1000)
        .map(|n| chinese(&format!("62010219900101{n}")))
        .find(|id| !id.ends_with('X') && card(&id[..17]) == *id)
        .unwrap();
    let found = find(&both);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].kind, Kind::ZhId);
}

/// A text of this length takes a moment, whatever it holds.
#[test]
fn hostile_texts_take_no_longer_than_others() {
    let long = |piece: &str| piece.repeat(200_000 / piece.len() + 1);
    let began = std::time::Instant::now();
    for piece in [
        "lan@example.com ",
        "@",
        "a@",
        "a.",
        "1",
        "1 ",
        "12-",
        "0912345678,",
        "(",
        "(1)",
        "+1",
        "4111 1111 1111 1111 ",
        "๑",
        "://",
        "a@a.",
        "‹phone›",
    ] {
        let text = long(piece);
        let found = find(&text);
        assert!(found.iter().all(|f| text.get(f.range.clone()).is_some()), "{piece}");
    }
    assert!(began.elapsed().as_secs() < 20, "{:?}", began.elapsed());
}
