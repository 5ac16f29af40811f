use super::*;
use proptest::prelude::*;

fn of(values: &[&str]) -> Secrets {
    Secrets::new(values.iter().map(|v| Secret::new(*v)))
}

/// A second writer of base64, bit by bit, so that the one under test is not its own witness.
fn base64(bytes: &[u8], alphabet: &str, pad: bool) -> String {
    let bits: Vec<u8> = bytes.iter().flat_map(|b| (0..8).rev().map(move |i| b >> i & 1)).collect();
    let letters: Vec<char> = alphabet.chars().collect();
    let mut out: String =
        bits.chunks(6).map(|c| letters[(0..6).fold(0, |n, i| n * 2 + usize::from(*c.get(i).unwrap_or(&0)))]).collect();
    while pad && !out.len().is_multiple_of(4) {
        out.push('=');
    }
    out
}

const STANDARD: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const URL_SAFE: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

fn percent(text: &str, all: bool, upper: bool) -> String {
    let keep = |b: u8| !all && (b.is_ascii_alphanumeric() || b"-_.~".contains(&b));
    text.bytes()
        .map(|b| match (keep(b), upper) {
            (true, _) => char::from(b).to_string(),
            (false, true) => format!("%{b:02X}"),
            (false, false) => format!("%{b:02x}"),
        })
        .collect()
}

fn html(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;").replace('\'', "&#x27;")
}

fn unicode(text: &str) -> String {
    text.encode_utf16().map(|u| format!("\\u{u:04x}")).collect()
}

/// Every way in which a server may say a value.
fn said(value: &str) -> Vec<(&'static str, String)> {
    let json = serde_json::to_string(value).unwrap();
    let json = json.strip_prefix('"').and_then(|j| j.strip_suffix('"')).unwrap().to_owned();
    let hex: String = value.bytes().map(|b| format!("{b:02x}")).collect();
    vec![
        ("raw", value.to_owned()),
        ("percent upper", percent(value, false, true)),
        ("percent lower", percent(value, false, false)),
        ("percent of all", percent(value, true, true)),
        ("form", percent(value, false, true).replace("%20", "+")),
        ("json", json.clone()),
        ("json with slashes", json.replace('/', "\\/")),
        ("json in json", json.replace('\\', "\\\\").replace('"', "\\\"")),
        ("unicode escapes", unicode(value)),
        ("html", html(value)),
        ("html decimal", value.chars().map(|c| format!("&#{};", u32::from(c))).collect()),
        ("json within html", json.replace('&', "&amp;")),
        ("percent twice", percent(&percent(value, false, true), false, true)),
        ("hex", hex.clone()),
        ("HEX", hex.to_uppercase()),
        ("base64", base64(value.as_bytes(), STANDARD, true)),
        ("base64 without padding", base64(value.as_bytes(), STANDARD, false)),
        ("base64 for urls", base64(value.as_bytes(), URL_SAFE, false)),
        ("base64 in percent", percent(&base64(value.as_bytes(), STANDARD, true), false, true)),
        ("json in base64", base64(json.as_bytes(), STANDARD, true)),
        ("percent in base64", base64(percent(value, false, true).as_bytes(), URL_SAFE, false)),
        ("base64 in json", base64(value.as_bytes(), STANDARD, true).replace('/', "\\/")),
    ]
}

#[test]
fn each_form_is_hidden_and_the_rest_stays() {
    for value in [
        "tok_9f3c77aa12",
        "p&ss \"w/or\\d<é>",
        "mật khẩu của tôi 123",
        "密码是一二三四五",
        "รหัสลับ๑๒๓๔",
        "sk-a+b/c==d e%41f",
    ] {
        let secrets = of(&[value]);
        for (form, text) in said(value) {
            let around = format!("401: bad token <{text}> for you");
            assert_eq!(secrets.hide(&around), "401: bad token <***> for you", "{form} of {value}: {around}");
        }
    }
}

#[test]
fn nothing_is_hidden_that_is_no_secret() {
    let secrets = of(&["tok_9f3c77aa12", "abc"]);
    for text in ["", "tok_9f3c77aa1", "abc abc", "100%25 of it & more \\n", "dG9r", "746f6b"] {
        assert!(matches!(secrets.hide(text), Cow::Borrowed(t) if t == text), "{text}");
    }
    assert!(of(&["abc", "", "  "]).is_empty());
    assert!(of(&[]).is_empty());
    assert_eq!(of(&[]).hide("tok"), "tok");
}

#[test]
fn four_code_points_are_enough() {
    assert_eq!(of(&["mật1"]).hide("là mật1."), "là ***.");
    assert_eq!(of(&["mật"]).hide("là mật."), "là mật.");
}

#[test]
fn a_scheme_is_no_part_of_the_secret() {
    let secrets = of(&["Bearer tok_9f3c77aa12"]);
    assert_eq!(secrets.hide("Authorization: Bearer tok_9f3c77aa12"), "Authorization: ***");
    assert_eq!(secrets.hide("bad token tok_9f3c77aa12, bearer wanted"), "bad token ***, bearer wanted");
}

#[test]
fn basic_authentication_is_hidden_with_its_password() {
    let pair = base64(b"user:pw123456", STANDARD, true);
    let secrets = of(&[&format!("Basic {pair}")]);
    assert_eq!(secrets.hide("user:pw123456, pw123456 and user"), "***, *** and user");
    let secrets = Secrets::new(Secret::basic("user", "pw123456"));
    assert_eq!(secrets.hide(&format!("Authorization: Basic {pair}.")), "Authorization: Basic ***.");
    assert_eq!(secrets.hide("http://user:pw123456@host/"), "http://***@host/");
}

#[test]
fn base64_is_found_at_each_of_its_three_beginnings() {
    let secrets = of(&["pw1234567"]);
    for before in ["", "u", "us", "use", "user:", "tên:"] {
        for behind in ["", "x", "xy", "xyz"] {
            let text = base64(format!("{before}pw1234567{behind}").as_bytes(), STANDARD, true);
            let hidden = secrets.hide(&text);
            assert!(hidden.contains(HIDDEN), "{before}…{behind}: {text}");
            let left: usize = hidden.replace(HIDDEN, "").trim_end_matches('=').len();
            let most = before.len() * 8 / 6 + (behind.len() * 8).div_ceil(6);
            assert!(left <= most, "{before}…{behind}: {hidden}");
        }
    }
}

#[test]
fn only_hexadecimal_keys_are_known_in_the_other_case() {
    assert_eq!(of(&["9f3c77aa12"]).hide("9F3C77AA12"), "***");
    assert_eq!(of(&["Summer2026"]).hide("summer2026"), "summer2026");
}

#[test]
fn secrets_that_overlap_are_hidden_as_one() {
    let secrets = of(&["abcd1234", "1234wxyz", "1234"]);
    assert_eq!(secrets.hide("<abcd1234wxyz>"), "<***>");
    assert_eq!(secrets.hide("<1234> <1234wxyz>"), "<***> <***>");
    assert_eq!(secrets.hide("1234 1234"), "*** ***");
}

#[test]
fn each_line_of_a_key_is_hidden() {
    let key =
        "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0\nBAQEFAASCBKcwggSjAgEAAo\n-----END PRIVATE KEY-----\n";
    let secrets = of(&[key]);
    assert_eq!(secrets.hide("key: BAQEFAASCBKcwggSjAgEAAo!"), "key: ***!");
    assert_eq!(secrets.hide(&format!("<{key}>")), "<***>");
    assert_eq!(secrets.hide("-----END PRIVATE KEY-----"), "-----END PRIVATE KEY-----");
}

#[test]
fn bytes_that_are_no_text_are_searched_too() {
    let secrets = of(&["tok_9f3c77aa12"]);
    assert_eq!(secrets.hide_bytes(b"\xff\xfetok_9f3c77aa12\xff").as_ref(), b"\xff\xfe***\xff");
}

#[test]
fn names_and_numbers_of_json_are_searched() {
    let secrets = of(&["tok_9f3c77aa12", "998877665544"]);
    let mut value = serde_json::json!({
        "tok_9f3c77aa12": ["x tok_9f3c77aa12", 998877665544_u64, 12, null, true],
        "deep": {"a": {"Bearer tok_9f3c77aa12": "tok%5F9f3c77aa12"}}
    });
    secrets.hide_value(&mut value);
    let wanted = serde_json::json!({"***": ["x ***", "***", 12, null, true], "deep": {"a": {"Bearer ***": "***"}}});
    assert_eq!(value, wanted);
}

#[test]
fn nothing_shows_a_secret() {
    assert_eq!(format!("{:?} {:?}", Secret::new("tok_9f3c"), of(&["tok_9f3c"])), "*** Secrets(1)");
    assert_eq!(format!("{:?}", Some(Secret::new("tok_9f3c"))), "Some(***)");
}

#[test]
fn merged_secrets_hide_both() {
    let both = of(&["tok_9f3c"]).merge(&of(&["zz998877"]));
    assert_eq!(both.hide("tok_9f3c zz998877"), "*** ***");
}

/// Values as people choose them, hostile ones among them; without `*`, which is what hides them.
fn value() -> impl Strategy<Value = String> {
    prop_oneof![
        "[A-Za-z0-9_+/=.~-]{6,40}",
        "[a-f0-9]{6,64}",
        "[ -)+-~]{6,30}",
        "[a-zàáảãạăâđêôơư0-9 ]{6,20}",
        "[ก-ฮ๐-๙]{6,12}",
        "[一-龥]{6,12}",
        r#"[&;%\\"'<>+/u0-9 x]{6,20}"#,
    ]
    .prop_filter("not blank at its ends", |v| v.trim() == v)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn no_form_of_a_secret_is_left(value in value(), before in "[ -)+-~]{0,12}", behind in "[ -)+-~]{0,12}") {
        let secrets = of(&[&value]);
        for (form, text) in said(&value) {
            let hidden = secrets.hide(&text).into_owned();
            prop_assert_eq!(&hidden, HIDDEN, "{} of {:?}: {}", form, value, text);
            // Whatever stands around it: `%`, `&` or `\` may change how the escapes read.
            let raw = format!("{before}{value}{behind}");
            let hidden = secrets.hide(&raw);
            prop_assert!(!hidden.contains(&value) && hidden.contains(HIDDEN), "{}", hidden);
        }
    }

    #[test]
    fn hiding_is_done_once(values in proptest::collection::vec(value(), 1..4), text in "[ -~]{0,40}") {
        let secrets = Secrets::new(values.iter().map(Secret::new));
        let text = format!("{text}{}{text}", values.join("|"));
        let once = secrets.hide(&text).into_owned();
        for v in &values {
            prop_assert!(!once.contains(v.as_str()), "{:?} in {}", v, once);
        }
        prop_assert_eq!(secrets.hide(&once).into_owned(), once.clone());
    }

    #[test]
    fn no_text_breaks_it(values in proptest::collection::vec(".{0,12}", 0..4), bytes in proptest::collection::vec(any::<u8>(), 0..80), text in ".{0,80}") {
        let secrets = Secrets::new(values.iter().map(Secret::new));
        let _ = secrets.hide_bytes(&bytes);
        let _ = secrets.hide(&text);
    }
}
