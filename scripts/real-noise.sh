#!/bin/sh
# A real RAG system whose answers vary from run to run, gated by ragline: builds in which nothing changed, then one in which
# one line of it did.
#
#   RAGLINE_DATA=FOLDER LLM_URL=http://127.0.0.1:18080 LLM_MODEL=smollm2 scripts/real-noise.sh
#
# FOLDER holds a_xquad/xquad.en.json (google-deepmind/xquad, CC BY-SA 4.0; not part of this repository). LLM_URL is any server
# that speaks OpenAI's chat completions, such as llama.cpp's; the words are drawn at temperature 0.8. QUESTIONS (12) are asked
# REPEAT (5) times for the baseline, then in BUILDS (20) builds without a change, and once more with TOP_K = 1 in place of 5.
# Opt-in: a small model on two cores needs some minutes.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
: "${RAGLINE_DATA:?the folder with a_xquad}" "${LLM_URL:?an OpenAI-compatible server}"
export LLM_URL LLM_MODEL="${LLM_MODEL:-smollm2}"
binary=${RAGLINE:-${CARGO_TARGET_DIR:-$here/target}/release/ragline}
[ -x "$binary" ] || { echo "there is no $binary: cargo build --release" >&2; exit 2; }
data=$(cd "$RAGLINE_DATA/a_xquad" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/ragline-noise-XXXXXX")
trap 'rm -rf "$work"' EXIT
unset RAGLINE_DATA RAGLINE_TARGET RAGLINE_PROFILE RAGLINE_ANSWERS RAGLINE_RESULTS RAGLINE_JUNIT RAGLINE_MARKDOWN CI 2>/dev/null || :

"$binary" import squad "$data/xquad.en.json" --out "$work/p" --suite xquad --language en --top-k 5 >/dev/null
cd "$work/p"
head -n $((${QUESTIONS:-12} + 1)) suites/xquad.jsonl >suites/some && mv suites/some suites/xquad.jsonl
cp "$here/scripts/real-noise/rag.py" rag.py
cat >ragline.toml <<TOML
version = 1
[targets.rag]
kind = "command"
command = ["env", "CORPUS=$work/p/corpus/xquad", "python3", "rag.py"]
persistent = true
provides = ["answer", "contexts"]
watch = ["rag.py"]
concurrency = 1
timeout = { attempt = "120s", question = "240s", run = "60m" }
TOML
printf 'version = 1\n' >thresholds.toml

echo "== ${QUESTIONS:-12} questions, ${REPEAT:-5} runs of each for the baseline"
code=0; "$binary" run xquad --target rag --repeat "${REPEAT:-5}" >first.txt || code=$?
[ "$code" = 2 ] || { cat first.txt; echo "exit $code instead of 2 (no baseline yet)" >&2; exit 1; }
"$binary" accept xquad --first --reason "a very small model" | tail -n 1
grep -c 'stability = "flaky"' suites/*.baseline.toml | sed 's/^/flaky at once: /' || :
build=0
while [ "$build" -lt "${BUILDS:-20}" ]; do
    build=$((build + 1))
    code=0; "$binary" run xquad --target rag --results "build-$build.jsonl" >"build-$build.txt" || code=$?
    echo "build $build without a change: exit $code"
    [ "$code" -le 1 ] || { cat "build-$build.txt"; exit 1; }
done
echo "== one line changed: TOP_K = 1"
sed -i.bak 's/^TOP_K = 5$/TOP_K = 1/' rag.py && rm rag.py.bak
code=0; "$binary" run xquad --target rag --results changed.jsonl >changed.txt || code=$?
cat changed.txt
BUILDS="${BUILDS:-20}" CODE="$code" python3 - <<'PYTHON'
import json, os, sys


def rows(path):
    with open(path, encoding="utf-8") as f:
        return list(map(json.loads, f))[1:]


builds = [rows(f"build-{n}.jsonl") for n in range(1, int(os.environ["BUILDS"]) + 1)]
blocked = sum(any(r["verdict"] == "failed" for r in b) for b in builds)
fresh = lambda r: int(r.get("repeats", {}).get("fresh", "0/0").split("/")[1])
# What a gate that compares single runs would have blocked: a question that is not flaky and came out otherwise.
single = sum(any(fresh(r) and r["change"] != "flaky" for r in b) for b in builds)
calls = sum(len(b) for b in builds)
extra = sum(fresh(r) for b in builds for r in b)
print(f"{len(builds)} builds without a change: {blocked} blocked; {single} by a comparison of single runs; {extra} calls beyond {calls}")
changed = rows("changed.jsonl")
lost = [r["id"] for r in changed if r["layers"]["retrieval"]["change"] == "regressed"]
print(f"with one passage in place of five: exit {os.environ['CODE']}, {len(lost)} questions regressed in retrieval")
sys.exit(0 if lost and os.environ["CODE"] == "1" else 1)
PYTHON
