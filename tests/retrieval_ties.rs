//! Ties and the random line against every order that there is.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may")]

use ragline::layer::retrieval::metrics::{Gain, Ranking};
use ragline::layer::retrieval::random::Random;
use ragline::layer::retrieval::ties::Tied;

#[track_caller]
fn near(got: Option<f64>, right: f64) {
    let got = got.expect("a value");
    assert!((got - right).abs() < 0.000_05, "{got} is not {right}");
}

#[track_caller]
fn exact(got: Option<f64>, right: f64) {
    let got = got.expect("a value");
    assert!((got - right).abs() < 0.000_000_51, "{got} is not {right}");
}

/// Equal scores without an order: the mean over all orders, and never the order of the names.
#[test]
fn ties_are_the_mean_of_their_orders() {
    let tied = Tied::new(&[0.0, 0.0, 1.0], &[1.0; 3], &[]).unwrap();
    // Found at rank 1, 2 or 3 alike; sorted by name it would be 1 or 1/3.
    near(tied.average_precision(None), 0.6111);
    near(tied.reciprocal_rank(None), 0.6111);
    near(tied.hit(1), 0.3333);
    assert_eq!(tied.first_rank(), Some(2.0));
    // The order that is given stays where scores differ, whatever they are.
    let ordered = Tied::new(&[0.0, 1.0], &[1.0, 2.0], &[]).unwrap();
    assert!(!ordered.any());
    near(ordered.reciprocal_rank(None), 0.5);
    assert_eq!(Tied::new(&[1.0], &[], &[]), None);
    let none = Tied::new(&[0.0, 0.0], &[1.0; 2], &[]).unwrap();
    assert_eq!((none.hit(1), none.ndcg(None, Gain::Linear), none.first_rank()), (None, None, None));
}

/// Units that lie in several passages, against all orders of a small pool.
#[test]
fn the_random_line_is_the_mean_of_all_orders() {
    // Six passages: unit 0 in two of them, unit 1 in one.
    let r = Random { pool: 6, units: vec![(3.0, 2), (1.0, 1)] };
    let all = orders(6);
    let mean = |of: &dyn Fn(&Ranking) -> f64| all.iter().map(|o| of(&listed(o))).sum::<f64>() / all.len() as f64;
    fn listed(order: &[usize]) -> Ranking {
        let mut found = [false; 2];
        let mut ranking = Ranking { grades: vec![3.0, 1.0], ..Ranking::default() };
        for passage in order {
            let unit = [Some(0), Some(0), Some(1), None, None, None][*passage];
            let newly = unit.filter(|u| !std::mem::replace(&mut found[*u], true));
            ranking.relevant.push(unit.is_some());
            ranking.newly.push(newly.into_iter().collect());
        }
        ranking
    }
    for k in 1..=6 {
        exact(r.hit(k), mean(&|l| l.hit(k).unwrap()));
        exact(r.precision(k), mean(&|l| l.precision(k).unwrap()));
        exact(r.recall(k), mean(&|l| l.recall(k).unwrap()));
        exact(r.all(k), mean(&|l| f64::from(u8::from(l.recall(k) == Some(1.0)))));
        exact(r.reciprocal_rank(Some(k)), mean(&|l| l.reciprocal_rank(Some(k)).unwrap()));
        exact(r.ndcg(Some(k)), mean(&|l| l.ndcg(Some(k), Gain::Linear).unwrap()));
        let cut = |l: &Ranking| Ranking {
            relevant: l.relevant[..k].to_vec(),
            newly: l.newly[..k].to_vec(),
            grades: l.grades.clone(),
        };
        exact(r.context_precision_ratio(k), mean(&|l| cut(l).context_precision_ratio().unwrap()));
        exact(r.context_precision_ap(k), mean(&|l| cut(l).context_precision_ap().unwrap()));
    }
}

/// Every order of n things.
fn orders(n: usize) -> Vec<Vec<usize>> {
    if n == 0 {
        return vec![Vec::new()];
    }
    let with = |order: Vec<usize>| {
        (0..n).map(move |at| {
            let mut order = order.clone();
            order.insert(at, n - 1);
            order
        })
    };
    orders(n - 1).into_iter().flat_map(with).collect()
}

proptest::proptest! {
    /// Against each order of the tied passages.
    #[test]
    fn ties_against_all_orders(
        grades in proptest::collection::vec(0u8..3, 1..6), scores in proptest::collection::vec(0u8..2, 6),
        missing in proptest::collection::vec(1u8..3, 0..3), k in 1usize..7,
    ) {
        let n = grades.len();
        let f = |v: &[u8]| v.iter().map(|g| f64::from(*g)).collect::<Vec<_>>();
        let (grades, scores, missing) = (f(&grades), f(&scores[..n]), f(&missing));
        let tied = Tied::new(&grades, &scores, &missing).unwrap();
        // An order is allowed where the scores stay as they are.
        let allowed: Vec<Vec<f64>> = orders(n)
            .into_iter()
            .filter(|o| {
                let groups = |i: usize| scores[..i].windows(2).filter(|w| w[0] != w[1]).count() + usize::from(i > 0 && scores[i - 1] != scores[i]);
                o.iter().enumerate().all(|(at, from)| groups(at) == groups(*from))
            })
            .map(|o| o.into_iter().map(|i| grades[i]).collect())
            .collect();
        let mean = |of: &dyn Fn(&Ranking) -> Option<f64>| -> Option<f64> {
            let values: Option<Vec<f64>> = allowed.iter().map(|g| of(&Ranking::simple(g, &missing))).collect();
            values.map(|v| v.iter().sum::<f64>() / v.len() as f64)
        };
        let same = |a: Option<f64>, b: Option<f64>| match (a, b) {
            (None, None) => true,
            (Some(a), Some(b)) => (a - b).abs() < 1e-9,
            _ => false,
        };
        for (name, got, right) in [
            ("hit", tied.hit(k), mean(&|r| r.hit(k))),
            ("precision", tied.precision(k), mean(&|r| r.precision(k))),
            ("recall", tied.recall(k), mean(&|r| r.recall(k))),
            ("f1", tied.f1(k), mean(&|r| r.f1(k))),
            ("rr", tied.reciprocal_rank(None), mean(&|r| r.reciprocal_rank(None))),
            ("rr@k", tied.reciprocal_rank(Some(k)), mean(&|r| r.reciprocal_rank(Some(k)))),
            ("ap", tied.average_precision(None), mean(&|r| r.average_precision(None))),
            ("ap@k", tied.average_precision(Some(k)), mean(&|r| r.average_precision(Some(k)))),
            ("ndcg@k", tied.ndcg(Some(k), Gain::Exponential), mean(&|r| r.ndcg(Some(k), Gain::Exponential))),
            ("ratio", tied.context_precision_ratio(), mean(&|r| r.context_precision_ratio())),
            ("ratio ap", tied.context_precision_ap(), mean(&|r| r.context_precision_ap())),
            ("rank", tied.first_rank(), mean(&|r| r.first_rank().map(|r| r as f64))),
        ] {
            proptest::prop_assert!(same(got, right), "{}: {:?}, not {:?}", name, got, right);
        }
    }
}
