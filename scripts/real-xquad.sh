#!/bin/sh
# Real questions in four languages, and our figures beside another program's.
#
#   RAGLINE_DATA=FOLDER scripts/real-xquad.sh        or: scripts/real-xquad.sh FOLDER
#
# FOLDER holds a_xquad/xquad.LANG.json (google-deepmind/xquad, CC BY-SA 4.0; not part of this repository). Each language is
# imported, asked with the builtin BM25 target, and its rankings are scored once by ragline and once by ir_measures (with
# pytrec_eval, which is trec_eval), which is installed into a throw-away environment. The relevant passage of a question is
# the paragraph that it was written for: that is said by the suite, not by ragline's outcome. Fails when a mean differs by
# more than 0.0001, or when Vietnamese, Thai or Chinese finds far less than English: then their words are cut wrongly.
#
# RAGLINE is the binary; by default the release build of this repository. Needs python3 and, for pip, the network.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
data=${1:-${RAGLINE_DATA:-}}
[ -n "$data" ] || { echo "usage: scripts/real-xquad.sh FOLDER   (or RAGLINE_DATA)" >&2; exit 2; }
data=$(cd "$data/a_xquad" && pwd)
binary=${RAGLINE:-${CARGO_TARGET_DIR:-$here/target}/release/ragline}
[ -x "$binary" ] || { echo "there is no $binary: cargo build --release" >&2; exit 2; }
work=$(mktemp -d "${TMPDIR:-/tmp}/ragline-xquad-XXXXXX")
trap 'rm -rf "$work"' EXIT
unset RAGLINE_DATA RAGLINE_TARGET RAGLINE_PROFILE RAGLINE_ANSWERS RAGLINE_RESULTS RAGLINE_JUNIT RAGLINE_MARKDOWN 2>/dev/null || :

python3 -m venv "$work/venv"
"$work/venv/bin/pip" install -q --disable-pip-version-check ir_measures pytrec_eval-terrier

for lang in en vi th zh; do
    "$binary" import squad "$data/xquad.$lang.json" --out "$work/$lang" --suite set --language "$lang" --top-k 3 >"$work/$lang.import"
    # No baseline yet: exit 2 is right, and the run is whole.
    code=0
    "$binary" -C "$work/$lang" run >"$work/$lang.out" 2>"$work/$lang.err" || code=$?
    [ "$code" = 2 ] || { cat "$work/$lang.out" "$work/$lang.err" >&2; echo "$lang: exit $code instead of 2" >&2; exit 1; }
done

"$work/venv/bin/python" - "$work" <<'PYTHON'
import json, math, sys
import ir_measures
from ir_measures import RR, Success, nDCG

work = sys.argv[1]
MEASURES = [("hit@1", Success @ 1), ("hit@3", Success @ 3), ("MRR@10", RR @ 10), ("nDCG@10", nDCG @ 10)]
OURS = {"hit@1": "hit@1", "hit@3": "hit@3", "MRR@10": "rr", "nDCG@10": "ndcg@10"}


def lines(path):
    with open(path, encoding="utf-8") as f:
        return [json.loads(line) for line in f]


def place(doc, section):
    return f"{doc}#{section[-1]}".replace(" ", "_")


def random_line(pool):
    """What a random ranking of the pool gives when one passage is right."""
    ranks = range(1, 11)
    return {
        "hit@1": 1 / pool,
        "hit@3": 3 / pool,
        "MRR@10": sum(1 / r for r in ranks) / pool,
        "nDCG@10": sum(1 / math.log2(r + 1) for r in ranks) / pool,
    }


def language(lang):
    project = f"{work}/{lang}"
    run = f"{project}/.ragline/runs/" + open(f"{project}/.ragline/runs/latest").read().strip()
    suite = lines(f"{project}/suites/set.jsonl")[1:]
    qrels = [ir_measures.Qrel(q["id"], place(e["doc"], e["section"]), 1) for q in suite for e in q["evidence"]]
    ranking = []
    for answer in lines(f"{run}/journal.jsonl")[1:]:
        seen = set()
        for rank, context in enumerate(answer["response"]["contexts"]):
            passage = place(context["doc"], context["section"])
            assert passage not in seen, (answer["id"], passage)
            seen.add(passage)
            # The rank as a score, so that the order is ours whatever the scores tie.
            ranking.append(ir_measures.ScoredDoc(answer["id"], passage, -float(rank)))
    results = lines(f"{run}/results.jsonl")[1:]
    layers = [r["layers"]["retrieval"] for r in results]
    measured = [layer for layer in layers if layer["outcome"] in ("pass", "fail")]
    assert len(measured) == len(layers) == len(suite), (len(measured), len(layers), len(suite))
    ours = {name: sum(m["metrics"][key] for m in measured) / len(measured) for name, key in OURS.items()}
    theirs = ir_measures.calc_aggregate([m for _, m in MEASURES], qrels, ranking)
    # Question by question too: equal means could hide two faults.
    each = {r["id"]: r["layers"]["retrieval"]["metrics"] for r in results}
    names = {measure: name for name, measure in MEASURES}
    worst = max(
        abs(m.value - each[m.query_id][OURS[names[m.measure]]])
        for m in ir_measures.iter_calc([m for _, m in MEASURES], qrels, ranking)
    )
    pool = len({q.doc_id for q in qrels})
    return len(measured), pool, ours, {name: theirs[m] for name, m in MEASURES}, worst


columns = [name for name, _ in MEASURES]
print(f"{'':12} {'n':>5} " + " ".join(f"{c:>9}" for c in columns))
ok, hit3 = True, {}
for lang in ("en", "vi", "th", "zh"):
    n, pool, ours, theirs, worst = language(lang)
    hit3[lang] = ours["hit@3"]
    for name, row in ((lang, ours), ("ir_measures", theirs), (f"random of {pool}", random_line(pool))):
        print(f"{name:12} {n if row is ours else '':>5} " + " ".join(f"{row[c]:>9.4f}" for c in columns))
    gap = max(abs(ours[c] - theirs[c]) for c in columns)
    print(f"{'':12} {'':>5} largest difference: {gap:.6f} of a mean, {worst:.6f} of a question")
    ok &= gap <= 1e-4 and worst <= 1e-4
low = [lang for lang, value in hit3.items() if value < hit3["en"] - 0.1]
if low:
    print(f"far below English at hit@3: {', '.join(low)}: their words are cut wrongly")
print("the two programs agree" if ok else "THE TWO PROGRAMS DIFFER")
sys.exit(0 if ok and not low else 1)
PYTHON
