//! Resolving never loosens: whatever one of two sides that both changed a question would have blocked, the merged block
//! blocks too. Judged by the state table itself, for every layer, outcome and day.
#![allow(clippy::panic, clippy::expect_used, clippy::unwrap_used)]

use jiff::civil::Date;
use proptest::prelude::*;
use ragline::baseline::compare::{Standing, layer_change};
use ragline::baseline::file::{Baseline, Entry, Floor, LayerBase};
use ragline::baseline::merge::{Base, Fits, Merged, merge};
use ragline::core::Change;
use ragline::layer::{LayerId, LayerMap, Outcome, Skip};
use ragline::problem::Place;
use ragline::suite::QuestionId;
use std::collections::BTreeSet;

fn day(n: u8) -> Date {
    Date::new(2027, 1, 1 + i8::try_from(n).unwrap()).unwrap()
}

fn layer() -> impl Strategy<Value = Option<LayerBase>> {
    prop_oneof![
        Just(None),
        Just(Some(LayerBase::Pass)),
        Just(Some(LayerBase::Pass)),
        Just(Some(LayerBase::Fail)),
        Just(Some(LayerBase::Fail)),
        Just(Some(LayerBase::Skipped)),
    ]
}

/// A block as the file may hold it; of few values, so that sides often agree in part.
fn entry() -> impl Strategy<Value = Entry> {
    let words = ("[ab]", "[xyz]", proptest::option::of("[cd]"));
    let until = proptest::option::of(0_u8..4);
    let floor = proptest::option::of((0_u32..4, 4_u32..6));
    (proptest::array::uniform5(layer()), words, until, 0_u8..3, floor).prop_map(
        |(layers, (expects, reason, owner), until, flaky, floor)| {
            let mut all = layers.into_iter();
            let layers = LayerMap::from_fn(|_| all.next().unwrap());
            let flaky = flaky == 0;
            Entry {
                question: "?".to_owned(),
                expects,
                layers,
                reason: Some(reason),
                owner,
                issue: None,
                until: until.map(day),
                flaky,
                quarantined: false,
                floor: floor.filter(|_| flaky).map(|(passes, runs)| Floor { passes, runs }),
                runs: None,
                place: Place::default(),
            }
        },
    )
}

const ID: &str = "q";

fn baseline(entry: Option<&Entry>) -> Baseline {
    let id = QuestionId::new(ID).unwrap();
    Baseline { measure: Some("m".to_owned()), entries: entry.map(|e| (id, e.clone())).into_iter().collect() }
}

/// Whether a layer of a question with this outcome keeps the gate shut on a day: broken, or not measured.
fn blocks(entry: Option<&Entry>, layer: LayerId, now: Outcome, today: Date) -> bool {
    let standing = entry.map_or(Standing::Plain, |e| Standing::of(e, today));
    let change = layer_change(layer, entry.and_then(|e| e.layers[layer]), standing, now);
    matches!(change, Change::Regressed | Change::Expired | Change::NewFail | Change::Unmeasured)
}

const OUTCOMES: [Outcome; 4] =
    [Outcome::Pass, Outcome::Fail, Outcome::Unmeasured, Outcome::Skipped(Skip::NotApplicable)];

fn merged(base: Option<&Entry>, ours: Option<&Entry>, theirs: Option<&Entry>, fits: &Fits) -> Option<Merged> {
    let (b, o, t) = (baseline(base), baseline(ours), baseline(theirs));
    merge(Base::Known(&b, &BTreeSet::new()), &o, &t, "s.baseline.toml", &|_| fits.clone()).ok()
}

/// The first way in which the result passes what a side would have blocked.
fn looser(result: Option<&Entry>, sides: [Option<&Entry>; 2]) -> Option<String> {
    for today in (0..6).map(day) {
        for layer in LayerId::ALL {
            for now in OUTCOMES {
                let by = sides.map(|s| blocks(s, layer, now, today));
                // An answer that gives a layer nothing to check is held against what both sides say: an accepted failure
                // that has expired and a layer that was skipped differ about it, and neither is the stricter for it.
                let wanted = if matches!(now, Outcome::Skipped(_)) { by == [true, true] } else { by.contains(&true) };
                if wanted && !blocks(result, layer, now, today) {
                    return Some(format!("{layer} {now:?} on {today}"));
                }
            }
        }
    }
    // Not judged yet, and kept all the same: the floor of a flaky question never sinks.
    let height = |f: Floor| f64::from(f.passes) / f64::from(f.runs);
    let wanted =
        sides.into_iter().flatten().filter(|e| e.flaky).filter_map(|e| e.floor).map(height).fold(0.0, f64::max);
    let has = result.filter(|e| e.flaky).map(|e| e.floor.map_or(0.0, height));
    has.is_some_and(|has| has < wanted).then(|| format!("floor {has:?} below {wanted}"))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, ..ProptestConfig::default() })]

    /// Both sides changed the question in different ways, or one removed it and the other changed it.
    #[test]
    fn resolving_never_loosens(
        base in proptest::option::of(entry()),
        ours in proptest::option::of(entry()),
        theirs in proptest::option::of(entry()),
        fit in 0_u8..4,
    ) {
        let fits = match fit {
            0 => Fits::Gone,
            1 => Fits::Unknown("unread".to_owned()),
            2 => Fits::Expects("a".to_owned()),
            _ => Fits::Expects("b".to_owned()),
        };
        let same = |a: &Option<Entry>, b: &Option<Entry>| a == b;
        let Some(m) = merged(base.as_ref(), ours.as_ref(), theirs.as_ref(), &fits) else {
            // Refused: nothing is written. Only what needs the suite is, and only where the suite cannot be read.
            prop_assert_eq!(fits, Fits::Unknown("unread".to_owned()));
            return Ok(());
        };
        let result = m.baseline.entries.get(ID);
        // What is written can be read, and says the same.
        let text = m.baseline.to_toml();
        let read = Baseline::parse(&std::sync::Arc::new(ragline::problem::Source { path: "s".into(), text })).unwrap();
        prop_assert!(read.entries.get(ID).zip(result).is_none_or(|(a, b)| a.says_what(b)));
        if same(&ours, &theirs) {
            prop_assert_eq!(result, ours.as_ref());
        } else if same(&base, &ours) {
            prop_assert_eq!(result, theirs.as_ref());
        } else if same(&base, &theirs) {
            prop_assert_eq!(result, ours.as_ref());
        } else {
            prop_assert_eq!(m.told.len(), 1, "both changed it, and nothing is said");
            let other = |e: &Option<Entry>| e.as_ref().map(|e| e.expects.clone());
            let apart = matches!((other(&ours), other(&theirs)), (Some(o), Some(t)) if o != t);
            match (&fits, apart) {
                // The side that fits speaks of the question as it stands; the other of another question.
                (Fits::Expects(now), true) => {
                    let fitting = [&ours, &theirs].into_iter().flatten().find(|e| e.expects == *now);
                    prop_assert_eq!(result, fitting);
                }
                // A question that the suite does not hold blocks as removed as long as it has a block.
                (Fits::Gone, true) => prop_assert!(result.is_some()),
                _ => {
                    let found = looser(result, [ours.as_ref(), theirs.as_ref()]);
                    prop_assert!(found.is_none(), "{}: {result:?}", found.unwrap_or_default());
                    // A block that either side left does not vanish with the question.
                    prop_assert!(fits != Fits::Gone || result.is_some());
                }
            }
        }
        // Ours and theirs are names: what is blocked does not depend on who merges whom.
        let back = merged(base.as_ref(), theirs.as_ref(), ours.as_ref(), &fits).unwrap();
        let outcome = |m: &Merged| m.baseline.entries.get(ID).map(|e| (e.layers, e.flaky, e.until, e.floor.map(|f| f64::from(f.passes) / f64::from(f.runs))));
        if fits != Fits::Gone {
            prop_assert_eq!(outcome(&m), outcome(&back));
        }
    }

    /// Only the two sides are known: nothing that either would have blocked passes, or it is refused.
    #[test]
    fn without_a_base_nothing_is_loosened_either(ours in proptest::option::of(entry()), theirs in proptest::option::of(entry())) {
        let (o, t) = (baseline(ours.as_ref()), baseline(theirs.as_ref()));
        let fits = Fits::Expects("a".to_owned());
        match merge(Base::Unknown, &o, &t, "s.baseline.toml", &|_| fits.clone()) {
            Ok(m) => {
                let apart = matches!((&ours, &theirs), (Some(o), Some(t)) if o.expects != t.expects);
                let found = looser(m.baseline.entries.get(ID), [ours.as_ref(), theirs.as_ref()]).filter(|_| !apart);
                prop_assert!(found.is_none(), "{}", found.unwrap_or_default());
            }
            Err(_) => {
                let one = ours.as_ref().xor(theirs.as_ref()).unwrap();
                prop_assert!(one.fails() || one.flaky);
            }
        }
    }
}

/// The property can fail: the looser of two sides is found out.
#[test]
fn the_looser_side_is_found_out() {
    let entry = |base| Entry {
        question: String::new(),
        expects: "a".to_owned(),
        layers: LayerMap::from_fn(|_| Some(base)),
        reason: Some("r".to_owned()),
        owner: None,
        issue: None,
        until: None,
        flaky: false,
        quarantined: false,
        floor: None,
        runs: None,
        place: Place::default(),
    };
    let (pass, fail) = (entry(LayerBase::Pass), entry(LayerBase::Fail));
    assert!(looser(Some(&fail), [Some(&pass), Some(&fail)]).is_some());
    assert!(looser(Some(&pass), [Some(&pass), Some(&fail)]).is_none());
    let late = Entry { until: Some(day(3)), ..fail.clone() };
    let early = Entry { until: Some(day(1)), ..fail.clone() };
    assert!(looser(Some(&late), [Some(&late), Some(&early)]).is_some());
    assert!(looser(Some(&fail), [Some(&fail), None]).is_some(), "an accepted failure against no block");
    let flaky = Entry { flaky: true, ..fail.clone() };
    assert!(looser(Some(&flaky), [Some(&pass), Some(&flaky)]).is_some());
    assert!(looser(Some(&fail), [Some(&fail), Some(&flaky)]).is_none(), "today flaky blocks no more than a failure");
}
