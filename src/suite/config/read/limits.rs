//! Reads what bounds a target: its time-outs, and what it costs.

use super::quoted;
use super::units::duration;
use crate::confirm::{FEWEST, MOST, Spend};
use crate::suite::config::live::{Price, Timeouts};
use crate::suite::node::{Node, Reader, Shape};

/// The keys of `timeout`.
pub(crate) const TIMEOUT: Shape =
    Shape { what: "`timeout`", keys: &["connect", "idle", "attempt", "question", "run"], reserved: &[] };

/// The keys of `confirm`.
pub(crate) const CONFIRM: Shape = Shape { what: "`confirm`", keys: &["most", "budget"], reserved: &[] };

/// The keys of `price`.
pub(crate) const PRICE: Shape =
    Shape { what: "`price`", keys: &["input", "output", "call", "currency"], reserved: &[] };

/// The nested time-outs. What is not said gives way to what is said; what is said must nest.
pub(super) fn timeouts(reader: &Reader<'_>, node: &Node<'_>) -> Timeouts {
    let default = Timeouts::default();
    let Some(fields) = reader.fields(node, &TIMEOUT) else { return default };
    let get = |key: &'static str| {
        let node = fields.get(key)?;
        Some((duration(reader, node, &format!("`{key}`"))?, node))
    };
    let said = ["connect", "idle", "attempt", "question", "run"].map(|key| (key, get(key)));
    for (i, (inner_name, inner)) in said.iter().enumerate() {
        for (outer_name, outer) in said.iter().skip(i + 1).filter(|(outer, _)| *outer != "idle") {
            if let (Some((short, node)), Some((long, _))) = (inner, outer)
                && short > long
            {
                let title = format!("`{inner_name}` is longer than `{outer_name}`, which holds it");
                let help = "connect, idle ≤ attempt ≤ question, with all its attempts and waits, ≤ run";
                reader.push(reader.error("timeout-order", node.span, title).help(help));
            }
        }
    }
    let [connect, idle, attempt, question, run] = said.map(|(_, said)| said.map(|(time, _)| time));
    let inner = connect.unwrap_or_default().max(idle.unwrap_or_default());
    let least = |time: std::time::Duration, outer: &[Option<std::time::Duration>]| {
        outer.iter().flatten().fold(time, |least, o| least.min(*o))
    };
    let attempt = attempt.unwrap_or_else(|| least(default.attempt.max(inner), &[question, run]));
    let question = question.unwrap_or_else(|| least(default.question.max(attempt), &[run]));
    Timeouts {
        connect: connect.unwrap_or(default.connect.min(attempt)),
        idle: idle.unwrap_or(default.idle.min(attempt)),
        attempt,
        question,
        run: run.unwrap_or(default.run.max(question)),
    }
}

/// How much is spent on asking anew. A budget is enough for one question at least.
pub(super) fn spend(reader: &Reader<'_>, node: &Node<'_>) -> Option<Spend> {
    const LARGEST: u64 = 1_000_000;
    let fields = reader.fields(node, &CONFIRM)?;
    let whole = |key: &str, min: u32, max: u64| {
        let number = reader.integer(fields.get(key)?, &format!("`{key}`"), u64::from(min), max)?;
        u32::try_from(number).ok()
    };
    let most = whole("most", FEWEST, MOST.into()).unwrap_or(MOST);
    Some(Spend { most, budget: whole("budget", most, LARGEST) })
}

/// What a call costs.
pub(super) fn price(reader: &Reader<'_>, node: &Node<'_>) -> Option<Price> {
    let fields = reader.fields(node, &PRICE)?;
    let amount = |key: &str| {
        let Some(n) = fields.get(key) else { return 0.0 };
        let amount = reader.number(n, &format!("`{key}`")).unwrap_or(0.0);
        if amount < 0.0 {
            reader.push(reader.error("number-range", n.span, format!("`{key}` is {amount}, expected 0 or more")));
        }
        amount
    };
    if !["input", "output", "call"].iter().any(|key| fields.get(key).is_some()) {
        let help = "write price = { input = 0.15, output = 0.60 } for a million tokens each, or call = 0.002";
        reader.push(reader.error("price-empty", node.span, "`price` names no amount").help(help));
    }
    Some(Price {
        input: amount("input"),
        output: amount("output"),
        call: amount("call"),
        currency: fields
            .get("currency")
            .and_then(|n| quoted(reader, n, "`currency`"))
            .unwrap_or_else(|| "$".to_owned()),
    })
}
