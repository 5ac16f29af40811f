//! The fuzz target without a fuzzer, for a stable toolchain: mutates the seeds, and what grew from them, for a while.
//!
//!     cargo run --release --no-default-features --bin loop -- [SECONDS [SEED]]
//!
//! Prints how many inputs were tried. An input that breaks a rule is written to `artifacts/`, and the exit code is 1.

mod input;
#[path = "../../tests/numbers_kit/mod.rs"]
mod numbers_kit;

use fastrand::Rng;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// What is kept of what grew, beside the seeds.
const POOL: usize = 2_000;

/// A run shows at most so many inputs that break a rule.
const MOST: usize = 20;

/// Pieces that mean something to a reader of numbers.
const PIECES: &[&str] = &[
    "0",
    "1",
    "5",
    "10",
    "24",
    "1.500",
    "1,5",
    "1,234.5",
    "%",
    "$",
    "đồng",
    "triệu",
    "rưỡi",
    "một",
    "năm",
    "ngày",
    "tháng 11",
    "giờ",
    "phần",
    "วัน",
    "บาท",
    "ล้าน",
    "สิบ",
    "จุด",
    "๓๐",
    "พ.ศ.",
    "น.",
    "天",
    "月",
    "年",
    "百",
    "万",
    "点",
    "半",
    "百分之",
    "第",
    "one",
    "half",
    "a ",
    "and ",
    "hundred ",
    "twenty-",
    "days",
    "May ",
    "pm",
    "kg",
    "m²",
    "-",
    "–",
    "/",
    ":",
    ".",
    ",",
    " ",
    "\u{a0}",
    "\u{200b}",
    "\u{200d}",
    "\u{202e}",
    "\u{301}",
    "\u{323}",
    "[1]",
    "【",
    "】",
    "(",
    ")",
    "\n",
    "\n1. ",
    "\n- ",
    "=",
    "×",
    "½",
    "٣",
    "７",
    "v1.2",
    "MX-204",
    "8h30",
    "30/11/2026",
    "0912 345 678",
    "😀",
    "\0",
    "。",
    "，",
    "ẤỆ",
    "à",
    "nd",
    "st",
    "~",
    "'",
];

fn seeds() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds");
    let mut paths: Vec<_> = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path()).collect();
    paths.sort();
    paths.iter().filter_map(|p| std::fs::read(p).ok()).collect()
}

fn place(text: &str, rng: &mut Rng) -> usize {
    let mut at = rng.usize(..=text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn mutated(pool: &[Vec<u8>], rng: &mut Rng) -> Vec<u8> {
    let mut data = rng.choice(pool).cloned().unwrap_or_else(|| vec![0]);
    for _ in 0..rng.usize(1..5) {
        let text = String::from_utf8_lossy(data.get(1..).unwrap_or_default()).into_owned();
        let (a, b) = (place(&text, rng), place(&text, rng));
        let (a, b) = (a.min(b), a.max(b));
        let near = text.get(a..).and_then(|t| t.char_indices().nth(rng.usize(0..6))).map_or(text.len(), |(i, _)| a + i);
        let other = rng.choice(pool).map(|d| String::from_utf8_lossy(d.get(1..).unwrap_or_default()).into_owned());
        let other = other.unwrap_or_default();
        let (c, d) = (place(&other, rng), place(&other, rng));
        let piece = rng.choice(PIECES).copied().unwrap_or_default();
        let (head, tail) = (&text[..a], &text[a..]);
        let next = match rng.u8(0..8) {
            0 | 1 => format!("{head}{piece}{tail}"),
            2 => format!("{head}{}", &text[near..]),
            3 => format!("{head}{piece}{}", &text[near..]),
            4 => format!("{head}{}{tail}", &other[c.min(d)..c.max(d)]),
            5 => format!("{head}{}{tail}", &text[a..b]),
            6 => format!("{head}{}{tail}", char::from_u32(rng.u32(0..0x3000)).unwrap_or('\u{fffd}')),
            _ => format!("{head}{}", &text[b..]),
        };
        let first = if rng.u8(0..10) == 0 { rng.u8(..) } else { data.first().copied().unwrap_or(0) };
        data = vec![first];
        data.extend(next.bytes().take(600));
    }
    data
}

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1).map(|a| a.parse::<u64>().unwrap_or(1));
    let seconds = args.next().unwrap_or(60);
    let mut rng = Rng::with_seed(args.next().unwrap_or(1));
    let mut pool = seeds();
    let given = pool.len();
    assert!(given > 0, "there are no seeds");
    let start = Instant::now();
    let until = start + Duration::from_secs(seconds);
    let (mut tried, mut found) = (0_u64, BTreeSet::new());
    std::panic::set_hook(Box::new(|_| {}));
    while Instant::now() < until && found.len() < MOST {
        let data = match pool.get(usize::try_from(tried).unwrap_or(usize::MAX)).filter(|_| tried < given as u64) {
            Some(seed) => seed.clone(),
            None => mutated(&pool, &mut rng),
        };
        tried += 1;
        let Some(asked) = input::read(&data) else { continue };
        if let Err(why) = catch_unwind(AssertUnwindSafe(|| numbers_kit::everything_holds(&asked))) {
            let why = why.downcast_ref::<String>().cloned().unwrap_or_default();
            if found.insert(data.clone()) {
                println!("{why}\n");
                let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("artifacts");
                let _ = std::fs::create_dir_all(&folder);
                let _ = std::fs::write(folder.join(format!("loop-{tried}")), &data);
            }
        } else if rng.u8(0..8) == 0 {
            if pool.len() < given + POOL {
                pool.push(data);
            } else {
                let at = rng.usize(given..pool.len());
                pool[at] = data;
            }
        }
    }
    let seconds = start.elapsed().as_secs();
    println!("{tried} inputs in {seconds} s from {given} seeds: {} break a rule", found.len());
    if found.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
