//! A real judge, by opt-in (`scripts/judge-real.sh`): what it says, how much of it can be used, and that nothing is made up.
//!
//! Nothing is asserted of how good the judge is: that is measured by calibration. Asserted is what must hold of any judge:
//! a `yes` has words that stand in the source, a value comes of known verdicts alone, and the same replies give the same.
#![cfg(feature = "http")]
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stderr, reason = "a test fails by a panic")]

mod judge_kit;

use judge_kit::inquiry;
use ragline::drive::judged::Bench;
use ragline::drive::stop::Stop;
use ragline::judge::cache::Cache;
use ragline::judge::endpoint::{Endpoint, Settings};
use ragline::judge::inquest::{Found, Inquest, Inquiry, Terms};
use ragline::judge::quote;
use ragline::judge::{Verdict, vote::flip_rate};
use ragline::suite::config::{TargetKind, load_file};
use ragline::target::{Corpora, Environment, Surroundings, Target};
use std::sync::Arc;
use std::time::Instant;

/// A language, a passage, and statements with what a person says of them.
type Labelled = (&'static str, &'static str, &'static [(&'static str, bool)]);

const CASES: [Labelled; 4] = [
    (
        "en",
        "Goods may be returned within 30 days of delivery. Opened software is not taken back.",
        &[
            ("Goods may be returned within 30 days of delivery.", true),
            ("Goods may be returned within 90 days of delivery.", false),
            ("Opened software is taken back.", false),
        ],
    ),
    (
        "vi",
        "Khách hàng được đổi trả trong 7 ngày kể từ ngày nhận hàng. Hàng giảm giá không được đổi.",
        &[
            ("Khách hàng được đổi trả trong 7 ngày.", true),
            ("Khách hàng được đổi trả trong 17 ngày.", false),
            ("Hàng giảm giá được đổi.", false),
        ],
    ),
    (
        "th",
        "ลูกค้าคืนสินค้าได้ภายใน 30 วันนับจากวันที่ได้รับ สินค้าลดราคาไม่สามารถคืนได้",
        &[("ลูกค้าคืนสินค้าได้ภายใน 30 วัน", true), ("ลูกค้าคืนสินค้าได้ภายใน 99 วัน", false), ("สินค้าลดราคาสามารถคืนได้", false)],
    ),
    (
        "zh",
        "顾客自收到商品起七天内可以退货。特价商品不能退货。",
        &[
            ("顾客自收到商品起七天内可以退货。", true),
            ("顾客自收到商品起三十天内可以退货。", false),
            ("特价商品可以退货。", false),
        ],
    ),
];

fn endpoint(url: &str, model: &str) -> Arc<Endpoint> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ragline.toml");
    let text = format!(
        "version = 1\n[targets.judge]\nkind = \"http\"\nurl = \"{url}/v1/chat/completions\"\n\
         body = '{{\"input\": {{{{ question }}}}}}'\nresponse = {{ answer = \"$.x\" }}\nconcurrency = 1\nretries = 1\n\
         timeout = {{ attempt = \"120s\", question = \"240s\", run = \"30m\", idle = \"120s\" }}\n"
    );
    std::fs::write(&path, text).unwrap();
    let (project, _) = load_file(&path, "ragline.toml").unwrap_or_else(|p| panic!("{p}"));
    let TargetKind::Http(chat) = &project.targets["judge"].kind else { panic!("no http target") };
    let settings =
        Settings { chat: chat.as_ref().clone(), model: model.to_owned(), reply_tokens: 160, embeddings: None };
    let environment: Environment = std::iter::empty().collect();
    let around = Surroundings {
        name: "judge",
        provides: None,
        concurrency: 1,
        subject: None,
        environment: &environment,
        corpora: Corpora::default(),
    };
    Arc::new(Endpoint::new(&settings, &around).unwrap_or_else(|p| panic!("{p}")))
}

#[test]
fn what_a_real_judge_says_is_checked_before_it_counts() {
    let (Ok(url), Ok(model)) = (std::env::var("JUDGE_URL"), std::env::var("JUDGE_MODEL")) else {
        eprintln!("SKIPPED: JUDGE_URL and JUDGE_MODEL are not set, no real judge was asked (scripts/judge-real.sh)");
        return;
    };
    let terms = Terms { votes: 1, batch: 1, window: Some(8192), reply_tokens: 160 };
    let endpoint = endpoint(&url, &model);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    // All languages unless some are named; a model that reads a script byte by byte takes long over it.
    let wanted = std::env::var("JUDGE_LANGUAGES").unwrap_or_default();
    let cases: Vec<_> = CASES.iter().filter(|(code, ..)| wanted.is_empty() || wanted.contains(code)).collect();
    let inquiries: Vec<Inquiry> = cases
        .iter()
        .map(|(code, passage, statements)| {
            let texts: Vec<&str> = statements.iter().map(|(s, _)| *s).collect();
            inquiry(code, &[passage], &texts)
        })
        .collect();
    let inquests = || -> Vec<Inquest> { inquiries.iter().map(|i| Inquest::new(i.clone(), terms)).collect() };
    let conduct = |repeat: u32, cache: Cache| -> (Vec<Found>, Cache, usize) {
        let target: Arc<dyn Target> = Arc::clone(&endpoint) as Arc<dyn Target>;
        let bench = Bench::new(target, model.clone(), terms, 1, cache, Stop::new()).unwrap().repeat(repeat);
        let bench = Arc::new(bench);
        let found = runtime.block_on(bench.conduct(inquests()));
        (found, bench.cache(), bench.cost().made)
    };
    let began = Instant::now();
    let (first, cache, made) = conduct(0, Cache::default());
    let took = began.elapsed();
    let (again, _, none) = conduct(0, cache);
    assert_eq!(again, first, "the same replies give the same verdicts");
    eprintln!("the second time {none} calls");
    let mut table = [0_usize; 5];
    for ((code, passage, statements), found) in cases.iter().zip(&first) {
        for (i, (statement, right)) in statements.iter().enumerate() {
            let verdict = found.voted[i].verdict;
            eprintln!("{code}  {:<8} {}  {statement}", verdict.name(), if *right { "right" } else { "wrong" });
            match verdict {
                Verdict::Yes => {
                    let words = found.quotes[i].as_ref().expect("a yes has words");
                    assert!(quote::stands(words, &[passage], &judge_kit::lang(code)), "{words}");
                    table[if *right { 0 } else { 1 }] += 1;
                }
                Verdict::No => table[if *right { 2 } else { 3 }] += 1,
                Verdict::Unclear | Verdict::Unknown => table[4] += 1,
            }
        }
        if let Some(lost) = &found.lost {
            eprintln!("    {lost}");
        }
    }
    let [right_yes, wrong_yes, right_no, wrong_no, unknown] = table;
    eprintln!(
        "right and said so {right_yes}, wrong and passed {wrong_yes}, right and refused {right_no}, wrong and found {wrong_no}, unmeasured {unknown}"
    );
    eprintln!("{made} calls in {took:?}; the endpoint {}", endpoint.manner().note());
    let (second, ..) = conduct(1, Cache::default());
    let pairs: Vec<_> = first
        .iter()
        .zip(&second)
        .flat_map(|(a, b)| a.verdicts().into_iter().zip(b.verdicts()))
        .map(|(a, b)| ragline::judge::vote::Voted::of(vec![a, b]))
        .collect();
    eprintln!("flip rate of two runs on the same bytes: {:?}", flip_rate(&pairs));
}
