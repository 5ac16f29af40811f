//! Several tests at once.

/// Holm's adjusted p-values (1979), in the order of the given ones: `max over j ≤ i of min(1, (m-j+1) p_(j))`. Each may be
/// compared with the level as if it stood alone, and the chance of any false alarm among all stays below it.
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    let value = |i: usize| p_values.get(i).copied().unwrap_or(1.0);
    order.sort_by(|a, b| value(*a).total_cmp(&value(*b)));
    let mut out = vec![1.0; p_values.len()];
    let mut highest = 0.0_f64;
    for (rank, i) in order.iter().enumerate() {
        highest = highest.max(((p_values.len() - rank) as f64 * value(*i)).min(1.0));
        if let Some(cell) = out.get_mut(*i) {
            *cell = highest;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::holm;

    #[test]
    fn adjusted_values_never_fall() {
        let adjusted = holm(&[0.01, 0.04, 0.03, 0.005]);
        for (found, want) in adjusted.iter().zip([0.03, 0.06, 0.06, 0.02]) {
            assert!((found - want).abs() < 1e-12, "{adjusted:?}");
        }
        assert!(holm(&[]).is_empty());
        assert_eq!(holm(&[0.9, 0.8]), [1.0, 1.0]);
    }
}
