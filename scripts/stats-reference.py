#!/usr/bin/env python3
"""Holds our statistics against scipy, statsmodels, scikit-learn, irrCAC and ppi-python: `scripts/stats-reference.py [NAME…]`.

Each statistic is reckoned for `--inputs` seeded random inputs (1,000) by `ragline inspect stats` and by the others' code, and the
largest difference is printed with the input that it came of. What is drawn at random (the bootstrap, the permutation of many
signs) is held against the difference between two seeds of the others' code: it may not be larger. Exit 1 where a difference is
larger than it may be. Needs scipy, statsmodels, scikit-learn, irrCAC and ppi-python; RAGLINE names the binary
(target/release/ragline).
"""
import argparse, json, math, os, subprocess, sys
import numpy as np
import pandas as pd
from irrCAC.table import CAC
from ppi_py import ppi_mean_ci, ppi_mean_pointestimate
from scipy import optimize, stats
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.inter_rater import cohens_kappa
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

EXACT = 1e-9
DRAWS = 9999


def ask(rows):
    """One answer for each row, in order."""
    path = os.environ.get("RAGLINE", "target/release/ragline")
    if not os.path.exists(path):
        sys.exit(f"{path} is not there: cargo build --release, or name the binary in RAGLINE")
    text = "".join(json.dumps(r) + "\n" for r in rows)
    done = subprocess.run([path, "inspect", "stats"], input=text.encode(), capture_output=True)
    out = [json.loads(line) for line in done.stdout.decode().splitlines()]
    if len(out) != len(rows):
        sys.exit(f"{len(rows)} rows asked, {len(out)} answered: {done.stderr.decode()[:400]}")
    for row, answer in zip(rows, out):
        if "error" in answer:
            sys.exit(f"{answer['error']}: {json.dumps(row)[:400]}")
    return out


def rate(rng):
    n = int(rng.choice([rng.integers(1, 31), rng.integers(31, 301), rng.integers(301, 5001)]))
    return int(rng.binomial(n, rng.beta(1, 0.3))), n


def counts(rng, most):
    return int(rng.integers(0, most)), int(rng.integers(0, most))


def confint(name, method):
    def draw(rng):
        return {name: rate(rng), "level": float(rng.choice([0.9, 0.95, 0.99]))}

    def reference(row):
        hits, n = row[name]
        return dict(zip(("low", "high"), proportion_confint(hits, n, alpha=1 - row["level"], method=method)))

    return draw, reference


def of_mcnemar(row):
    b, c = row["mcnemar"]
    exact = mcnemar([[0, b], [c, 0]], exact=True).pvalue if b + c else 1.0
    toss = stats.binom(b + c, 0.5)
    mid = 1.0 if b == c else min(1.0, 2 * toss.cdf(min(b, c)) - toss.pmf(min(b, c)))
    worse = toss.sf(b - 1) - toss.pmf(b) / 2 if b + c else 1.0
    return {"exact": min(exact, 1.0), "mid": mid, "worse": worse}


def of_tango(row):
    """The score test of a paired difference, its nuisance parameter found by a numerical search, inverted by Brent's method."""
    b, c, n = row["tango"]

    def q_of(d):
        low, high = max(0.0, -d), (1 - d) / 2
        rest = n - b - c
        f = lambda q: -(b * math.log(max(q, 1e-300)) + c * math.log(max(q + d, 1e-300))
                        + rest * math.log(max(1 - 2 * q - d, 1e-300)))
        return optimize.minimize_scalar(f, bounds=(low, high), method="bounded", options={"xatol": 1e-13}).x

    def score(d):
        return (c - b - n * d) / math.sqrt(max(n * (2 * q_of(d) + d - d * d), 1e-300))

    z, point, edge = stats.norm.ppf(0.975), (c - b) / n, 1 - 1e-9
    out = {}
    for side, end, sign in (("low", -edge, 1), ("high", edge, -1)):
        f = lambda d: score(d) - sign * z
        out[side] = optimize.brentq(f, min(point, end), max(point, end), xtol=1e-12) if f(point) * f(end) < 0 else end
    return out


def draw_tango(rng):
    n = int(rng.integers(5, 300))
    b = int(rng.integers(0, n // 2))
    return {"tango": [b, int(rng.integers(0, n - b - 1)), n]}


def of_fisher(row):
    a, n, b, m = row["fisher"]
    return {"worse": stats.fisher_exact([[a, n - a], [b, m - b]], alternative="greater").pvalue}


def draw_fisher(rng):
    pairs = [rate(rng) for _ in range(2)]
    return {"fisher": [*pairs[0], *pairs[1]]}


def draw_binomial(rng):
    return {"binomial": [*rate(rng), float(rng.uniform(0.01, 0.99))]}


def of_binomial(row):
    hits, n, share = row["binomial"]
    return {"worse": stats.binom.cdf(hits, n, share)}


def draw_holm(rng):
    values = rng.uniform(size=int(rng.integers(1, 30))) ** 3
    return {"holm": [float(v) for v in np.round(values, int(rng.integers(1, 6)))]}


def of_holm(row):
    return {"adjusted": list(multipletests(row["holm"], method="holm")[1])}


def draw_agreement(rng):
    return {"agreement": [int(x) for x in rng.integers(0, 60, size=4)]}


def of_agreement(row):
    a, b, c, d = row["agreement"]
    found = cohens_kappa([[a, b], [c, d]])
    clip = lambda x: min(1.0, max(-1.0, x))
    return {"kappa": found.kappa, "se": found.std_kappa, "low": clip(found.kappa_low), "high": clip(found.kappa_upp)}


def of_ac1(row):
    """Gwet's AC1 by irrCAC, which rounds to five digits, and PABAK from its definition."""
    a, b, c, d = row["agreement"]
    found = CAC(pd.DataFrame([[a, b], [c, d]]), weights="identity", digits=12).gwet()
    return {"ac1": found["est"]["coefficient_value"], "pabak": 2 * (a + d) / (a + b + c + d) - 1}


def draw_weighted(rng):
    k = int(rng.integers(2, 6))
    return {"weighted_kappa": [int(x) for x in rng.integers(1, 40, size=k * k)],
            "weights": str(rng.choice(["linear", "quadratic"]))}


def of_weighted(row):
    """Value, error and interval by statsmodels; the value by scikit-learn too."""
    k = math.isqrt(len(row["weighted_kappa"]))
    table = np.array(row["weighted_kappa"]).reshape(k, k)
    first, second = np.indices((k, k))
    value = cohen_kappa_score(np.repeat(first, table.ravel()), np.repeat(second, table.ravel()), weights=row["weights"])
    found = cohens_kappa(table, wt=row["weights"])
    assert abs(value - found.kappa) < EXACT
    clip = lambda x: min(1.0, max(-1.0, x))
    return {"kappa": value, "se": found.std_kappa, "low": clip(found.kappa_low), "high": clip(found.kappa_upp)}


def draw_ppi(rng):
    n, many = int(rng.integers(30, 200)), int(rng.integers(100, 1000))
    truth = rng.beta(3, 1.5, size=n + many)
    judge = np.clip(truth + rng.normal(0, rng.uniform(0.05, 0.4), size=n + many), 0, 1)
    pairs = np.round(np.stack([judge[:n], truth[:n]], axis=1), 4)
    return {"ppi": [float(f) for f in np.round(judge[n:], 4)], "labelled": pairs.tolist()}


def of_ppi(row):
    """Estimates and intervals by ppi-python with the weight 1 and with ours. It divides variances by n where we divide by n - 1:
    its interval for values that are spread out by that much is ours."""
    f, y = np.array(row["labelled"]).T
    others = np.array(row["ppi"])
    wide = lambda x: x.mean() + (x - x.mean()) * math.sqrt(len(x) / (len(x) - 1))

    def powered(w):
        value = float(np.clip(ppi_mean_pointestimate(y, f, others, lam=w)[0], 0, 1))
        low, high = ppi_mean_ci(wide(y), wide(f), wide(others), alpha=0.05, lam=w)
        return {"value": value, "low": float(max(0, low[0])), "high": float(min(1, high[0]))}

    spread = (1 + len(y) / len(others)) * others.var(ddof=1)
    w = float(np.clip(np.cov(y, f)[0, 1] / spread, 0, 1))
    return {"ppi": powered(1.0), "weight": w, "tuned": powered(w)}


def draw_labels(rng):
    return {"labels": [*(int(x) for x in rng.integers(5, 60, size=4)), int(rng.integers(100, 3000)),
                       float(np.round(rng.uniform(0.3, 0.9), 3))]}


def of_labels(row):
    """Prediction-powered means from the values themselves, by numpy."""
    both, judge, person, neither, many, share = row["labels"]
    f = np.repeat([1.0, 1.0, 0.0, 0.0], [both, judge, person, neither])
    y = np.repeat([1.0, 0.0, 1.0, 0.0], [both, judge, person, neither])
    spread = share * (1 - share) * many / (many - 1)

    def powered(w):
        off = y - w * f
        return [float(np.clip(w * share + off.mean(), 0, 1)),
                float(np.sqrt(w * w * spread / many + off.var(ddof=1) / len(y)))]

    w = float(np.clip(np.cov(y, f)[0, 1] / ((1 + len(y) / many) * spread), 0, 1))
    return {"ppi": powered(1.0), "weight": w, "tuned": powered(w)}


def draw_power(rng):
    return {"power": [int(rng.integers(10, 120)), float(rng.choice([0.0, rng.uniform(0.005, 0.1)]))],
            "sides": int(rng.integers(1, 3))}


def of_power(row):
    """The fall at which four of five outcomes are significant, all outcomes counted out."""
    n, gains = row["power"]
    total, lost = np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij")
    gained = total - lost
    possible = gained >= 0
    toss = stats.binom(np.where(possible, total, 0), 0.5)
    if row["sides"] == 1:
        p = toss.sf(lost - 1) - toss.pmf(lost) / 2
    else:
        p = 2 * toss.cdf(gained) - toss.pmf(gained)
    seen = possible & (lost > gained) & (p <= 0.05 + 1e-12)

    def power(fall):
        changed = fall + 2 * gains
        of_total = stats.binom.pmf(total, n, changed)
        return float((of_total * stats.binom.pmf(lost, total, (fall + gains) / changed))[seen].sum())

    high = 1 - 2 * gains - 1e-9
    if power(high) < 0.8:
        return {"smallest_fall": None}
    return {"smallest_fall": optimize.brentq(lambda d: power(d) - 0.8, 1e-9, high, xtol=1e-12)}


def draw_few_signs(rng):
    values = np.round(rng.normal(rng.uniform(-1, 1), 1, size=int(rng.integers(2, 13))), 2)
    return {"sign_flip": [float(v) for v in values]}


def of_few_signs(row):
    found = stats.permutation_test((np.array(row["sign_flip"]),), lambda x, axis: np.sum(x, axis=axis),
                                   permutation_type="samples", vectorized=True, n_resamples=np.inf)
    return {"p": found.pvalue}


CLOSED = {
    "wilson": (*confint("wilson", "wilson"), EXACT),
    "clopper_pearson": (*confint("clopper_pearson", "beta"), EXACT),
    "mcnemar": (lambda rng: {"mcnemar": counts(rng, int(rng.choice([8, 40, 400])))}, of_mcnemar, EXACT),
    "tango": (draw_tango, of_tango, 1e-5),
    "fisher": (draw_fisher, of_fisher, EXACT),
    "binomial": (draw_binomial, of_binomial, EXACT),
    "holm": (draw_holm, of_holm, EXACT),
    "kappa": (draw_agreement, of_agreement, EXACT),
    "ac1": (draw_agreement, of_ac1, EXACT),
    "weighted_kappa": (draw_weighted, of_weighted, EXACT),
    "ppi": (draw_ppi, of_ppi, EXACT),
    "labels": (draw_labels, of_labels, EXACT),
    "power": (draw_power, of_power, 1e-7),
    "few_signs": (draw_few_signs, of_few_signs, EXACT),
}


def gap(ours, theirs):
    if isinstance(theirs, dict):
        return max(gap(ours[k], v) for k, v in theirs.items())
    if isinstance(theirs, list):
        return max(gap(a, b) for a, b in zip(ours, theirs, strict=True))
    if ours is None or theirs is None:
        return 0.0 if ours is None and theirs is None else math.inf
    return abs(ours - theirs)


def closed(name, rng, inputs):
    draw, reference, most = CLOSED[name]
    rows = [draw(rng) for _ in range(inputs)]
    worst, row, key = 0.0, rows[0], "-"
    for r, ours in zip(rows, ask(rows)):
        for k, theirs in reference(r).items():
            g = gap(ours[k], theirs)
            if g > worst or math.isnan(g):
                worst, row, key = g, r, k
    good = worst <= most
    print(f"{name:<16} n {len(rows):>5}  largest difference {worst:.2e} ({key})  {json.dumps(row)[:110]}  {'ok' if good else 'TOO FAR'}")
    return good


def drawn(name, rng, inputs):
    """What is drawn: our differences from the others', beside those of the others' two seeds."""
    rows, ours, first, second, units = [], [], [], [], []
    for _ in range(inputs):
        if name == "bca":
            n = int(rng.integers(8, 80))
            values = np.round(rng.beta(rng.uniform(0.4, 3), rng.uniform(0.4, 3), size=n), 3)
        else:
            n = int(rng.integers(21, 80))
            values = np.round(rng.normal(rng.uniform(-0.4, 0.4), 1, size=n), 2)
        rows.append({name: [float(v) for v in values]})
    for row, answer in zip(rows, ask(rows)):
        values = np.array(row[name])
        for out in (first, second):
            seed = np.random.default_rng(rng.integers(1 << 62))
            if name == "bca":
                i = stats.bootstrap((values,), np.mean, n_resamples=DRAWS, method="BCa", vectorized=True,
                                    rng=seed).confidence_interval
                out.append((i.low, i.high))
            else:
                found = stats.permutation_test((values,), lambda x, axis: np.sum(x, axis=axis), rng=seed,
                                               permutation_type="samples", vectorized=True, n_resamples=DRAWS)
                out.append((found.pvalue,))
        ours.append((answer["low"], answer["high"]) if name == "bca" else (answer["p"],))
        units.append(first[-1][1] - first[-1][0] if name == "bca" else 1.0)
    a, b, c = (np.array(x) / np.array(units)[:, None] for x in (ours, first, second))
    mine, theirs = np.abs(a - b), np.abs(b - c)
    at = int(np.argmax(mine.max(axis=1)))
    rms = lambda x: float(np.sqrt((x ** 2).mean()))
    ratio, bias = rms(mine) / rms(theirs), float((a - b).mean())
    good = ratio < 1.15 and abs(bias) < 4 * rms(theirs) / math.sqrt(a.size)
    unit = "of the width" if name == "bca" else "of p"
    print(f"{name:<16} n {len(rows):>5}  largest difference {mine.max():.4f} {unit}, of two seeds of theirs {theirs.max():.4f}; "
          f"root mean square {rms(mine):.5f} against {rms(theirs):.5f}, ratio {ratio:.3f}, mean {bias:+.5f}  "
          f"{json.dumps(rows[at])[:70]}…  {'ok' if good else 'TOO FAR'}")
    return good


def main():
    names = [*CLOSED, "bca", "sign_flip"]
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(names)}; all")
    options.add_argument("--inputs", type=int, default=1000)
    options.add_argument("--seed", type=int, default=20260917)
    args = options.parse_args()
    good = True
    for name in args.names or names:
        rng = np.random.default_rng([args.seed, names.index(name)])
        good &= (closed if name in CLOSED else drawn)(name, rng, args.inputs)
    sys.exit(0 if good else 1)


main()
