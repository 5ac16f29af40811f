#!/usr/bin/env python3
"""Measures the facts layer on labelled data: `RAGLINE_DATA=FOLDER scripts/facts-real.py [PART…]`.

Parts: `answers` (people's right or wrong on answers of five systems to questions of TriviaQA, f_evouna), by default all.
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


def ask(rows):
    """One answer of `inspect facts` for each row, in order."""
    text = "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in rows)
    done = subprocess.run([binary(), "inspect", "facts"], input=text.encode(), capture_output=True)
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


def answers(misses):
    rows = list(labelled())
    for share in [1.0, 0.6]:
        asked = [
            {
                "lang": "en",
                "question": question,
                "answer": answer,
                "facts": [{"any_of": [{"text": g, "min_recall": share} for g in gold]}],
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
            f"answers, min_recall {share}: agreement {observed:.4f} [{low:.4f}, {high:.4f}] of {n}, "
            f"precision {right / max(said_right, 1):.4f}, recall {right / max(are_right, 1):.4f}, "
            f"kappa {(observed - chance) / (1 - chance):.3f}"
        )
        if misses:
            for (question, gold, answer, label), p, s in zip(rows, passed, said):
                if p != label:
                    reason = s["facts"][0]["reason"] if s.get("facts") else s
                    print(json.dumps([share, "right" if label else "wrong", reason, question, gold, answer], ensure_ascii=False))


if __name__ == "__main__":
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("parts", nargs="*")
    args.add_argument("--rows", choices=["odd", "even", "all"], default="odd")
    args.add_argument("--misses", action="store_true")
    args = args.parse_args()
    ROWS = args.rows
    parts = {"answers": answers}
    for name in args.parts or parts:
        parts[name](args.misses)
