#!/usr/bin/env python3
"""Measures the facts layer on labelled data: `RAGLINE_DATA=FOLDER scripts/facts-real.py [PART…]`.

Parts: `answers` (people's right or wrong on answers of five systems to questions of TriviaQA, f_evouna), `invented` (500
questions with a right and an invented answer over the same knowledge, b_halueval: facts proposed from the right answer by
`facts suggest`), by default all.
RAGLINE names the binary (target/release/ragline). Rows are split by the hash of the question: `--rows even` is for
development, `odd` is what is reported, `all` both. `--misses` lists the rows on which rule and label differ.
"""
import argparse, hashlib, json, math, os, subprocess, sys

ROWS = "odd"


def binary():
    path = os.environ.get("RAGLINE", "target/release/ragline")
    if not os.path.exists(path):
        sys.exit(f"{path} is not there: cargo build --release, or name the binary in RAGLINE")
    return path


def ask(rows, words=("inspect", "facts")):
    """One answer of a command for each row, in order."""
    text = "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in rows)
    done = subprocess.run([binary(), *words], input=text.encode(), capture_output=True)
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
    return ((mid - half) / d, (mid + half) / d)


def chosen(key):
    even = hashlib.sha256(key.encode()).digest()[0] % 2 == 0
    return ROWS == "all" or even == (ROWS == "even")


def data(path):
    folder = os.environ.get("RAGLINE_DATA")
    if not folder:
        sys.exit("RAGLINE_DATA names no folder of labelled data")
    return os.path.join(folder, path)


def labelled():
    """Question, gold variants, answer and label of every answer that a person judged."""
    for row in json.load(open(data("f_evouna/TQ.json"), encoding="utf-8")):
        if row["improper"] is True or not chosen(row["question"]):
            continue
        for name in ["fid", "gpt35", "chatgpt", "gpt4", "newbing"]:
            label, answer = row.get(f"judge_{name}"), row.get(f"answer_{name}")
            if isinstance(label, bool) and isinstance(answer, str) and answer.strip():
                yield row["question"], [g for g in row["golden_answer"].split("/") if g.strip()], answer, label


def readings(rows):
    """The gold variants of each row, and the other ways of saying them that `facts suggest` proposes."""
    asked = [{"lang": "en", "question": q, "reference": g} for q, gold, *_ in rows for g in gold]
    proposed = iter(ask(asked, ("facts", "suggest", "--jsonl")))
    out = []
    for question, gold, answer, label in rows:
        more = []
        for variant in gold:
            for fact in next(proposed)["facts"]:
                if isinstance(fact, dict) and "yes_no" in fact:
                    more.append(fact)
                    continue
                texts = fact.get("any_of", []) if isinstance(fact, dict) else [fact]
                more += [t for t in texts if t != variant and t not in gold]
        out.append((question, gold + more, answer, label))
    return out


def answers(misses):
    plain = list(labelled())
    for how, share in [("as written", 1.0), ("as written", 0.6), ("as suggested", 1.0), ("as suggested", 0.6)]:
        rows = plain if how == "as written" else readings(plain)
        asked = [
            {
                "lang": "en",
                "question": question,
                "answer": answer,
                "facts": [{"any_of": [g if isinstance(g, dict) else {"text": g, "min_recall": share} for g in gold]}],
            }
            for question, gold, answer, _ in rows
        ]
        said = ask(asked)
        passed = [s.get("facts", [{}])[0].get("outcome") == "pass" if s.get("facts") else False for s in said]
        labels = [label for *_, label in rows]
        agree = sum(p == l for p, l in zip(passed, labels))
        right = sum(p and l for p, l in zip(passed, labels))
        n, said_right, are_right = len(rows), sum(passed), sum(labels)
        low, high = wilson(agree, n)
        observed, p, l = agree / n, said_right / n, are_right / n
        chance = p * l + (1 - p) * (1 - l)
        print(
            f"answers, gold {how}, min_recall {share}: agreement {observed:.4f} [{low:.4f}, {high:.4f}] of {n}, "
            f"precision {right / max(said_right, 1):.4f}, recall {right / max(are_right, 1):.4f}, "
            f"kappa {(observed - chance) / (1 - chance):.3f}"
        )
        if misses:
            for (question, gold, answer, label), p, s in zip(rows, passed, said):
                if p != label:
                    reason = s["facts"][0]["reason"] if s.get("facts") else s
                    print(json.dumps([share, "right" if label else "wrong", reason, question, gold, answer], ensure_ascii=False))


def kind(answer, reason, facts):
    """What a wrong verdict is about, roughly."""
    if not facts:
        return "no fact was proposed"
    if "polarity" in reason:
        return "yes or no"
    if any("number" in json.dumps(f) or "date" in json.dumps(f) for f in facts):
        return "number or date"
    return "one word" if all(isinstance(f, str) and len(f.split()) == 1 for f in facts) else "several words"


def invented(misses):
    rows = [json.loads(line) for line in open(data("b_halueval/qa_one-turn_data.json"), encoding="utf-8") if line.strip()]
    rows = [r for r in rows if chosen(r["question"])]
    proposed = ask(
        [
            {"lang": "en", "question": r["question"], "reference": r["right_answer"], "evidence": r["knowledge"]}
            for r in rows
        ],
        ("facts", "suggest", "--jsonl"),
    )
    facts = [p.get("facts", []) for p in proposed]
    with_facts = [(r, f) for r, f in zip(rows, facts) if f]
    print(f"invented: facts proposed for {len(with_facts)} of {len(rows)} questions")
    for name, key, expected in [("right", "right_answer", "pass"), ("invented", "hallucinated_answer", "fail")]:
        said = ask([{"lang": "en", "question": r["question"], "answer": r[key], "facts": f} for r, f in with_facts])
        good = [s["outcome"] == expected for s in said]
        low, high = wilson(sum(good), len(good))
        print(f"  {name} answers that {expected}: {sum(good)} of {len(good)} = {sum(good) / max(len(good), 1):.3f} [{low:.3f}, {high:.3f}]")
        kinds = {}
        for (r, f), s, ok in zip(with_facts, said, good):
            if not ok:
                reason = "; ".join(x["reason"] for x in s.get("facts", []))
                what = kind(r[key], reason, f)
                kinds[what] = kinds.get(what, 0) + 1
                if misses:
                    print(json.dumps([name, what, reason, r["question"], f, r[key]], ensure_ascii=False))
        print(f"    otherwise: {kinds}")


if __name__ == "__main__":
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("parts", nargs="*")
    args.add_argument("--rows", choices=["odd", "even", "all"], default="odd")
    args.add_argument("--misses", action="store_true")
    args = args.parse_args()
    ROWS = args.rows
    parts = {"answers": answers, "invented": invented}
    for name in args.parts or parts:
        parts[name](args.misses)
