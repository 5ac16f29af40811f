//! The names of retrieval metrics: `hit@3`, `rr`.

use std::fmt;

/// A metric with its cut-off. Cheap to copy and to compare: every question carries some twenty of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MetricName {
    kind: &'static str,
    /// 0: the whole list.
    k: usize,
}

/// The kinds there are.
const KINDS: [&str; 14] = [
    "hit",
    "p",
    "r",
    "f1",
    "ndcg",
    "rr",
    "ap",
    "context_precision",
    "context_precision_ap",
    "span_recall",
    "precision",
    "recall",
    "gold_precision",
    "gold_recall",
];

impl MetricName {
    /// The metric that is written so; none where nothing computes it.
    pub fn parse(text: &str) -> Option<Self> {
        let (kind, k) = match text.split_once('@') {
            Some((kind, k)) => (kind, k.parse().ok().filter(|k| *k > 0)?),
            None => (text, 0),
        };
        KINDS.into_iter().find(|known| *known == kind).map(|kind| MetricName { kind, k })
    }

    /// A metric of the first `k` passages.
    pub const fn at(kind: &'static str, k: usize) -> Self {
        MetricName { kind, k }
    }

    /// A metric of the whole list.
    pub const fn whole(kind: &'static str) -> Self {
        MetricName { kind, k: 0 }
    }

    /// Pushes its text: every question of a report has dozens.
    pub(crate) fn push_to(self, out: &mut String) {
        out.push_str(self.kind);
        match u8::try_from(self.k) {
            Ok(0) => {}
            Ok(k @ 1..10) => out.extend(['@', char::from(b'0' + k)]),
            Ok(_) | Err(_) => out.push_str(&format!("@{}", self.k)),
        }
    }

    /// Whether it is written so.
    pub fn is(self, text: &str) -> bool {
        match text.split_once('@') {
            Some((kind, k)) => kind == self.kind && self.k > 0 && k.parse() == Ok(self.k),
            None => self.k == 0 && text == self.kind,
        }
    }
}

impl fmt::Display for MetricName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind)?;
        if self.k > 0 { write!(f, "@{}", self.k) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::MetricName;

    #[test]
    fn a_name_is_what_it_prints() {
        for name in
            [MetricName::at("hit", 3), MetricName::at("ndcg", 10), MetricName::at("p", 256), MetricName::whole("rr")]
        {
            assert!(name.is(&name.to_string()));
            let mut text = String::new();
            name.push_to(&mut text);
            assert_eq!(text, name.to_string());
            assert_eq!(MetricName::parse(&text), Some(name));
        }
        assert!(!MetricName::at("hit", 3).is("hit") && !MetricName::at("hit", 3).is("hit@30"));
        assert!(!MetricName::whole("rr").is("rr@0"));
        assert_eq!(["rr@0", "hit@", "luck"].map(MetricName::parse), [None; 3]);
    }
}
