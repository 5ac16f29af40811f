#!/usr/bin/env python3
"""Measures citations and retrieval on real data: `RAGLINE_DATA=FOLDER scripts/evidence-real.py [PART…]`.

Parts: `citation` (a_xquad: a claim is the question with its short answer; it cites each paragraph of its article in turn, and
only its own bears it out), `trec` (c_trec_eval and c_xquad_runs: the metrics of every topic beside those that the C program
trec_eval printed), by default all. RAGLINE names the binary (target/release/ragline). `--few N` looks at the first N questions
of each article, `--misses` lists what differs.
"""
import argparse, collections, json, math, os, subprocess, sys

LANGUAGES = ["vi", "th", "zh", "en"]
FEW = None


def binary():
    path = os.environ.get("RAGLINE", "target/release/ragline")
    if not os.path.exists(path):
        sys.exit(f"{path} is not there: cargo build --release, or name the binary in RAGLINE")
    return path


def data(*path):
    folder = os.environ.get("RAGLINE_DATA")
    if not folder:
        sys.exit("RAGLINE_DATA names no folder of real data")
    return os.path.join(folder, *path)


def ask(layer, rows):
    """One answer of `inspect LAYER` for each row, in order."""
    text = "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in rows)
    done = subprocess.run([binary(), "inspect", layer], input=text.encode(), capture_output=True)
    out = [json.loads(line) for line in done.stdout.decode().splitlines()]
    if len(out) != len(rows):
        sys.exit(f"{len(rows)} rows asked, {len(out)} answered: {done.stderr.decode()[:400]}")
    for row, answer in zip(rows, out):
        if "error" in answer:
            sys.exit(f"{answer['error']}: {json.dumps(row, ensure_ascii=False)[:400]}")
    return out


def share(k, n):
    """A share with its 95 % interval by Wilson."""
    if n == 0:
        return "- (0)"
    z = 1.959964
    p, d = k / n, 1 + z * z / n
    mid, half = p + z * z / (2 * n), z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return f"{p:.3f} [{(mid - half) / d:.3f}, {(mid + half) / d:.3f}] ({k} of {n})"


def claims(lang):
    """For each question its claim, the paragraphs of its article, and which of them is its own."""
    for article in json.load(open(data("a_xquad", f"xquad.{lang}.json"), encoding="utf-8"))["data"]:
        paragraphs = [p["context"] for p in article["paragraphs"]]
        asked = 0
        for own, p in enumerate(article["paragraphs"]):
            for qa in p["qas"]:
                asked += 1
                if FEW is None or asked <= FEW:
                    question = qa["question"].strip().rstrip("?？").strip()
                    yield f"{question} {qa['answers'][0]['text'].strip()}", paragraphs, own


def citation(misses):
    """How often a claim is borne out by its own paragraph and by another of the same article."""
    for lang in LANGUAGES:
        found = list(claims(lang))
        rows = []
        for claim, paragraphs, own in found:
            for i in range(len(paragraphs)):
                rows.append({"lang": lang, "answer": f"{claim} [{i + 1}]", "contexts": paragraphs})
        said = iter(ask("citation", rows))
        right = wrong = right_n = wrong_n = picked = untold = 0
        why = collections.Counter()
        for claim, paragraphs, own in found:
            answers = [next(said)["claims"] for _ in paragraphs]
            # A claim that was cut into several sentences is judged by the last, which bears the marker.
            last = [a[-1] if a else None for a in answers]
            if any(c is None or c["supported"] is None for c in last):
                untold += 1
                continue
            picked += last[own]["best"] == own + 1
            for i, c in enumerate(last):
                if i == own:
                    right_n += 1
                    right += c["supported"]
                    if not c["supported"]:
                        why[next(iter(c["lacks"]))] += 1
                        if misses:
                            print(json.dumps([lang, "right", claim, c["lacks"]], ensure_ascii=False))
                else:
                    wrong_n += 1
                    wrong += c["supported"]
                    if misses and c["supported"]:
                        print(json.dumps([lang, "wrong", claim, paragraphs[i]], ensure_ascii=False))
        print(f"citation {lang}: picked {share(picked, right_n)}")
        print(f"  own paragraph bears it out {share(right, right_n)}; otherwise for {dict(why)}; not told {untold}")
        print(f"  another paragraph bears it out {share(wrong, wrong_n)}")


def fields(path):
    with open(path, encoding="utf-8") as file:
        return [line.split() for line in file if line.strip()]


def topics(qrels, run):
    """For each topic the grades of its judged documents, and its ranking as trec_eval sorts it: by falling score (kept as a
    32-bit float), equal scores by falling document id."""
    import struct

    judged, ranked = collections.defaultdict(dict), collections.defaultdict(list)
    for topic, _, doc, grade in fields(qrels):
        judged[topic][doc] = int(grade)
    for topic, _, doc, _, score, _ in fields(run):
        ranked[topic].append((struct.unpack("f", struct.pack("f", float(score)))[0], doc))
    for topic in ranked:
        ranked[topic].sort(key=lambda r: r[1].encode(), reverse=True)
        ranked[topic].sort(key=lambda r: r[0], reverse=True)
    return judged, ranked


# Ours and trec_eval's name, with the cut-offs that its files have.
SHARED = [
    ("ap", "map"), ("mrr", "recip_rank"), ("ndcg", "ndcg"),
    *[(f"precision@{k}", f"P_{k}") for k in (5, 10, 15, 20, 30, 100, 200, 500, 1000)],
    *[(f"recall@{k}", f"recall_{k}") for k in (5, 10, 15, 20, 30, 100, 200, 500, 1000)],
    *[(f"ndcg@{k}", f"ndcg_cut_{k}") for k in (5, 10, 15, 20, 30, 100, 200, 500, 1000)],
    *[(f"ap@{k}", f"map_cut_{k}") for k in (5, 10, 15, 20, 30, 100, 200, 500, 1000)],
    *[(f"hit@{k}", f"success_{k}") for k in (1, 5, 10)],
]


def trec(misses):
    """Every shared metric of every topic, to the four digits that trec_eval prints."""
    sets = [("its own test", data("c_trec_eval", "test", "qrels.test"), data("c_trec_eval", "test", "results.test"), data("c_trec_eval", "test", "out.test.aq"))]
    for system in ("bm25", "e5"):
        for lang in ("en", "vi"):
            folder = data("c_xquad_runs")
            sets.append((f"{system} {lang}", *(os.path.join(folder, n) for n in (f"qrels.{lang}.txt", f"run.{system}.{lang}.txt", f"out.{system}.{lang}.txt"))))
    rows_all = differ_all = 0
    for name, qrels, run, out in sets:
        judged, ranked = topics(qrels, run)
        theirs = collections.defaultdict(dict)
        for line in fields(out):
            if len(line) == 3 and line[1] != "all":
                theirs[line[1]][line[0]] = line[2]
        ids = [t for t in theirs if t in judged]
        ks = sorted({int(a.split("@")[1]) for a, _ in SHARED if "@" in a})
        rows = []
        for t in ids:
            gold = [g for g in judged[t].values() if g > 0]
            grades = [max(judged[t].get(doc, 0), 0) for _, doc in ranked[t]]
            # Equal scores were put into trec_eval's order, so the order counts: no `scores`.
            rows.append({"relevant": grades, "gold_grades": gold, "k": ks})
        rows_n, differ = 0, []
        compared = set()
        for t, said in zip(ids, ask("retrieval", rows)):
            for ours, name_theirs in SHARED:
                if name_theirs in theirs[t]:
                    rows_n += 1
                    compared.add(ours)
                    value = said["metrics"][ours]
                    if value is None or abs(value - float(theirs[t][name_theirs])) > 1e-4:
                        differ.append((t, ours, value, theirs[t][name_theirs]))
        print(f"trec {name}: {len(ids)} topics, {len(compared)} metrics, {share(len(differ), rows_n)} of the values differ by more than 0.0001")
        if misses:
            for d in differ:
                print("  " + json.dumps(d))
        rows_all, differ_all = rows_all + rows_n, differ_all + len(differ)
    print(f"trec, all: {share(differ_all, rows_all)} of the values differ")


if __name__ == "__main__":
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("parts", nargs="*")
    args.add_argument("--few", type=int)
    args.add_argument("--misses", action="store_true")
    args = args.parse_args()
    FEW = args.few
    parts = {"citation": citation, "trec": trec}
    for name in args.parts or parts:
        parts[name](args.misses)
