//! The standard normal distribution.

/// The distribution function, by the complementary error function.
pub(super) fn cdf(z: f64) -> f64 {
    0.5 * libm::erfc(-z / std::f64::consts::SQRT_2)
}

/// The quantile of a probability within 0 and 1, by bisection: 80 halvings of [-40, 40] reach the last digit.
pub(super) fn quantile(p: f64) -> f64 {
    let (mut low, mut high) = (-40.0, 40.0);
    for _ in 0..80 {
        let middle = (low + high) / 2.0;
        if cdf(middle) < p {
            low = middle;
        } else {
            high = middle;
        }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_tables() {
        for (p, z) in [
            (0.5, 0.0),
            (0.975, 1.959_963_984_540_054),
            (0.995, 2.575_829_303_548_900_4),
            (0.05, -1.644_853_626_951_472_7),
        ] {
            assert!((quantile(p) - z).abs() < 1e-9 && (cdf(z) - p).abs() < 1e-12, "{p}");
        }
    }
}
