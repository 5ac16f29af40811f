#!/usr/bin/env python3
"""Measures the refusal layer on labelled data: `RAGLINE_DATA=FOLDER scripts/refusal-real.py [PART…]`.

Parts: `phrases` (sentences of public programs with a person's label, e_refusal_phrases), `prose` (hits in a thousand
sentences of encyclopaedia paragraphs, a_xquad), `xstest` (answers of two models to prompts that are or only look unsafe,
with two people's labels, e_xstest), `evouna` (answers to trivia that a person called right, f_evouna), by default all.
RAGLINE names the binary (target/release/ragline). `--misses` lists the rows on which rule and label differ, those of xstest
sorted by kind. Shares come with Wilson's 95 % interval, kappa with a bootstrap one over the prompts (seed 1).
"""
import argparse, collections, csv, json, math, os, random, re, subprocess, sys, tempfile


def binary():
    path = os.path.abspath(os.environ.get("RAGLINE", "target/release/ragline"))
    if not os.path.exists(path):
        sys.exit(f"{path} is not there: cargo build --release, or name the binary in RAGLINE")
    return path


def ask(rows):
    """What the command says of each row, in order; asked outside any project, whose wordings would count."""
    text = "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in rows)
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([binary(), "inspect", "refusal"], input=text.encode(), capture_output=True, cwd=folder)
    out = [json.loads(line) for line in done.stdout.decode().splitlines()]
    if len(out) != len(rows):
        sys.exit(f"{len(rows)} rows asked, {len(out)} answered: {done.stderr.decode()[:400]}")
    return out


def wilson(k, n):
    """The 95 % interval of a share."""
    if n == 0:
        return (0.0, 1.0)
    z = 1.959964
    p, d = k / n, 1 + z * z / n
    mid, half = p + z * z / (2 * n), z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return (max(0.0, (mid - half) / d), min(1.0, (mid + half) / d))


def share(k, n):
    low, high = wilson(k, n)
    return f"{k} of {n} = {k / max(n, 1):.4f} [{low:.4f}, {high:.4f}]"


def data(path):
    folder = os.environ.get("RAGLINE_DATA")
    if not folder:
        sys.exit("RAGLINE_DATA names no folder of labelled data")
    return os.path.join(folder, path)


def phrases(misses):
    with open(data("e_refusal_phrases/phrases.tsv"), encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    said = ask([{"lang": r["lang"], "answer": r["phrase"]} for r in rows])
    # A refusal with facts of its own beside it refuses all the same.
    right = {"refusal": ["refusal"], "near_miss": ["none"], "error_fallback": ["error"]}
    for lang in sorted({r["lang"] for r in rows}):
        for kind in right:
            mine = [(r, s) for r, s in zip(rows, said) if r["lang"] == lang and r["label"] == kind]
            if mine:
                good = sum(s["label"] in right[kind] for _, s in mine)
                print(f"phrases {lang} {kind}: {share(good, len(mine))}")
            for r, s in mine:
                if misses and s["label"] not in right[kind]:
                    print(json.dumps([lang, kind, s, r["phrase"]], ensure_ascii=False))


# Where a sentence ends: full stops before a blank, the wide marks. Thai has none: whole paragraphs are asked, and counted
# as the sentences of the English text that they are a translation of.
ENDS = {"th": "(?!)", "zh": r"(?<=[。！？；])"}


def prose(misses):
    bars = {"vi": 1.0, "en": 0.8, "zh": 0.8, "th": 2.0}
    english = 0
    for lang, bar in sorted(bars.items()):
        with open(data(f"a_xquad/xquad.{lang}.json"), encoding="utf-8") as file:
            articles = json.load(file)["data"]
        texts = [p["context"] for a in articles for p in a["paragraphs"]]
        sentences = [s.strip() for t in texts for s in re.split(ENDS.get(lang, r"(?<=[.!?;])\s+"), t) if s.strip()]
        said = ask([{"lang": lang, "answer": s} for s in sentences])
        hits = [(s, a) for s, a in zip(sentences, said) if a["label"] in ("refusal", "partial", "error")]
        english = english or len(sentences)
        n = english if lang == "th" else len(sentences)
        low, high = (1000 * x for x in wilson(len(hits), n))
        rate = 1000 * len(hits) / n
        print(f"prose {lang}: {len(hits)} of {n} sentences, {rate:.2f} [{low:.2f}, {high:.2f}] in a thousand (bar {bar})")
        if misses:
            for s, a in hits:
                print(json.dumps([lang, a, s], ensure_ascii=False))


def kappa(pairs):
    """Cohen's kappa of pairs of labels (Cohen 1960): agreement beyond that of chance."""
    n = len(pairs)
    observed = sum(a == b for a, b in pairs) / n
    first, second = (collections.Counter(p[i] for p in pairs) for i in (0, 1))
    chance = sum(first[c] * second[c] for c in first) / (n * n)
    return 1.0 if chance == 1 else (observed - chance) / (1 - chance)


def with_interval(pairs):
    draw = random.Random(1)
    drawn = sorted(kappa([draw.choice(pairs) for _ in pairs]) for _ in range(1000))
    return f"kappa {kappa(pairs):.3f} [{drawn[25]:.3f}, {drawn[974]:.3f}] n {len(pairs)}"


def table(pairs):
    """Rows: the rule; columns: people."""
    counts = collections.Counter(pairs)
    return ", ".join(f"{r}/{p} {counts[r, p]}" for r, p in sorted(counts))


def kind(row, rule):
    """What a disagreement is about, roughly."""
    text = row["completion"].lower()
    if rule == "refuses":
        if row["final_label"].startswith("1"):
            return "a caveat beside an answer" if len(text) > 300 else "a negative answer about the world"
        return "other"
    if re.search(r"\bit(?:'s| is| would be) (?:not|never|important|illegal|crucial|essential)|should(?: not|n't| never)", text):
        return "it lectures, and refuses nothing in words"
    if re.search(r"fictional|not (?:real|possible|aware)|does(?: not|n't) exist|no (?:evidence|such)", text):
        return "it denies what the question takes for granted"
    return "it answers another question"


def xstest(misses):
    pooled = []
    short = {"1": "complies", "2": "refuses", "3": "refuses"}
    for model in ["gpt4", "mistralinstruct"]:
        path = data(f"e_xstest/xstest_v2_completions_{model}_gpteval.csv")
        with open(path, encoding="utf-8", newline="") as file:
            rows = [r for r in csv.DictReader(file) if r["completion"].strip()]
        said = ask([{"lang": "en", "question": r["prompt"], "answer": r["completion"]} for r in rows])
        rule = ["refuses" if s["label"] in ("refusal", "partial") else "complies" for s in said]
        for person in ["annotation_1", "annotation_2", "final_label"]:
            people = [short[r[person][0]] for r in rows]
            print(f"xstest {model} against {person}: {with_interval(list(zip(rule, people)))}; {table(list(zip(rule, people)))}")
        three = [(s["label"], r["final_label"]) for s, r in zip(said, rows)]
        print(f"  in full: {table(three)}")
        pooled += list(zip(rule, [short[r["final_label"][0]] for r in rows]))
        odd = [(kind(r, x), s, r) for r, s, x in zip(rows, said, rule) if x != short[r["final_label"][0]]]
        print(f"  disagreements: {dict(collections.Counter(k for k, *_ in odd).most_common())}")
        if misses:
            for k, s, r in sorted(odd, key=lambda o: (o[0], o[2]["id"])):
                print(json.dumps([model, k, r["id"], s, r["final_label"], r["prompt"], r["completion"]], ensure_ascii=False))
    print(f"xstest both models against final_label: {with_interval(pooled)}")


def evouna(misses):
    rows = []
    with open(data("f_evouna/TQ.json"), encoding="utf-8") as file:
        for row in json.load(file):
            for name in ["fid", "gpt35", "chatgpt", "gpt4", "newbing"]:
                label, answer = row.get(f"judge_{name}"), row.get(f"answer_{name}")
                if row["improper"] is not True and isinstance(label, bool) and isinstance(answer, str) and answer.strip():
                    rows.append((row["question"], answer, label))
    said = ask([{"lang": "en", "question": q, "answer": a} for q, a, _ in rows])
    right = sum(l for *_, l in rows)
    for label in ["refusal", "partial", "error"]:
        of = [(q, a, l) for (q, a, l), s in zip(rows, said) if s["label"] == label]
        called = [x for x in of if x[2]]
        print(f"evouna {label}: {len(of)} of {len(rows)} answers; called right: {share(len(called), len(of))}; of all right ones: {share(len(called), right)}")
        if misses:
            for q, a, _ in called:
                print(json.dumps([label, q, a], ensure_ascii=False))


if __name__ == "__main__":
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("parts", nargs="*")
    args.add_argument("--misses", action="store_true")
    args = args.parse_args()
    parts = {"phrases": phrases, "prose": prose, "xstest": xstest, "evouna": evouna}
    for name in args.parts or parts:
        parts[name](args.misses)
