//! What `ragline init` writes: a small project that runs at once, in the language of its questions.

/// A file of the start: its path in the project, and its text.
pub type StartFile = (&'static str, &'static str);

/// The policy of a new project: the defaults, each said.
const THRESHOLDS: StartFile = ("thresholds.toml", include_str!("start/thresholds.toml"));

/// The settings of a new project that asks the builtin retriever.
pub const SETTINGS: StartFile = ("ragline.toml", include_str!("start/ragline.toml"));

/// The languages that there is a start in.
pub const LANGUAGES: [&str; 4] = ["en", "vi", "th", "zh"];

/// The suite, its document and the policy in a language; English where there is no start in that language.
pub fn files(language: &str) -> [StartFile; 3] {
    let base = language.split('-').next().unwrap_or_default();
    let (suite, document) = match base {
        "vi" => (include_str!("start/vi/first.yaml"), ("corpus/doi-tra.md", include_str!("start/vi/doi-tra.md"))),
        "th" => (include_str!("start/th/first.yaml"), ("corpus/returns.md", include_str!("start/th/returns.md"))),
        "zh" => (include_str!("start/zh/first.yaml"), ("corpus/returns.md", include_str!("start/zh/returns.md"))),
        _ => (include_str!("start/en/first.yaml"), ("corpus/returns.md", include_str!("start/en/returns.md"))),
    };
    [("suites/first.yaml", suite), document, THRESHOLDS]
}

/// Words of a first suite for a system that is asked live.
struct Words {
    comment: &'static str,
    observed: &'static str,
    foreign: &'static str,
    refuse: &'static str,
}

/// The first suite for a system that is asked live: the question that it answered, with its answer to make facts of, and a
/// question that no documents hold the answer to.
pub fn live_suite(language: &str, target: &str, question: &str, answer: Option<&str>) -> String {
    let words = match language.split('-').next().unwrap_or_default() {
        "vi" => Words {
            comment: "Mỗi câu hỏi chỉ cần một mã, một câu hỏi và một điều để kiểm tra.",
            observed: "hãy viết những điều phải có trong câu trả lời, ví dụ [14 ngày]",
            foreign: "Cửa hàng có bán vé máy bay đi Lisbon không?",
            refuse: "tài liệu không nói đến: câu trả lời đúng là \"không có thông tin\"",
        },
        "th" => Words {
            comment: "คำถามหนึ่งข้อต้องมีเพียงรหัส ข้อความ และสิ่งที่จะตรวจหนึ่งอย่าง",
            observed: "เขียนสิ่งที่คำตอบต้องกล่าว เช่น [14 วัน]",
            foreign: "ที่ร้านขายตั๋วเครื่องบินไปลิสบอนไหม",
            refuse: "เอกสารไม่ได้กล่าวถึง คำตอบที่ถูกคือไม่มีข้อมูล",
        },
        "zh" => Words {
            comment: "每个问题只需要编号、内容和一项检查。",
            observed: "写出回答里必须有的内容，例如 [14天]",
            foreign: "你们卖去里斯本的机票吗？",
            refuse: "文档没有提到：正确的回答是\"没有相关信息\"",
        },
        _ => Words {
            comment: "An id, a text, and one thing to check is all that a question needs.",
            observed: "say what the answer must state, such as [14 days]",
            foreign: "Do you sell airline tickets to Lisbon?",
            refuse: "your documents do not say: the right answer is \"I do not know\"",
        },
    };
    // A JSON string is a YAML string.
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    // What has neither an answer to compare with nor a fact would assert nothing, and be no suite.
    let reference = format!("    reference: {}\n", quoted(answer.unwrap_or("?")));
    let Words { comment, observed, foreign, refuse } = words;
    format!(
        "# {comment}\nversion: 1\nlanguage: {language}\ntarget: {target}\nquestions:\n  - id: first\n    question: {}\n{reference}    \
         # facts: […]             # {observed}\n\n  - id: not-in-the-documents\n    question: {foreign}\n    expect: refuse             # {refuse}\n",
        quoted(question)
    )
}

/// The policy and the empty settings of a project whose target is written behind them.
pub fn live_files() -> [StartFile; 2] {
    [("ragline.toml", "# What is asked, and how. `ragline schema ragline` lists every key.\nversion = 1\n"), THRESHOLDS]
}

/// A question to ask a system of which nothing is known.
pub fn first_question(language: &str) -> &'static str {
    match language.split('-').next().unwrap_or_default() {
        "vi" => "Bạn có thể giúp tôi việc gì?",
        "th" => "คุณช่วยอะไรฉันได้บ้าง",
        "zh" => "你能帮我做什么？",
        _ => "What can you help me with?",
    }
}
