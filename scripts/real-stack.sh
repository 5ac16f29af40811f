#!/bin/sh
# A real RAG server in front of a real model, asked by ragline; then one line of it is changed, and ragline must find that.
#
#   RAGLINE_DATA=FOLDER HAYHOOKS=…/hayhooks LLM_URL=http://127.0.0.1:18080 LLM_MODEL=smollm2 scripts/real-stack.sh
#
# FOLDER holds a_xquad/xquad.en.json (google-deepmind/xquad, CC BY-SA 4.0; not part of this repository). LLM_URL is any server
# that speaks OpenAI's chat completions, such as llama.cpp's; HAYHOOKS is Haystack's server (pip install hayhooks haystack-ai).
# QUESTIONS (40) is how many are asked. Opt-in: a small model on two cores needs some minutes.
#
# 1. The model itself through the preset `openai-chat`, whole and streamed.
# 2. Hayhooks with BM25 over the paragraphs, started by ragline and waited for; its first answers become the baseline.
# 3. The same again: nothing may have regressed in retrieval.
# 4. TOP_K = 3 becomes TOP_K = 1 in the pipeline: the gate must close on questions whose passage was second or third.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
: "${RAGLINE_DATA:?the folder with a_xquad}" "${HAYHOOKS:?the hayhooks program}" "${LLM_URL:?an OpenAI-compatible server}"
LLM_MODEL=${LLM_MODEL:-smollm2}
binary=${RAGLINE:-${CARGO_TARGET_DIR:-$here/target}/release/ragline}
[ -x "$binary" ] || { echo "there is no $binary: cargo build --release" >&2; exit 2; }
data=$(cd "$RAGLINE_DATA/a_xquad" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/ragline-stack-XXXXXX")
trap 'rm -rf "$work"' EXIT
unset RAGLINE_DATA RAGLINE_TARGET RAGLINE_PROFILE RAGLINE_ANSWERS RAGLINE_RESULTS RAGLINE_JUNIT RAGLINE_MARKDOWN CI 2>/dev/null || :
port=${HAYHOOKS_PORT:-11416}
export LLM_MODEL LLM_URL

"$binary" import squad "$data/xquad.en.json" --out "$work/p" --suite xquad --language en --top-k 3 >/dev/null
cd "$work/p"
# The header line and the first questions; their paragraphs stay among all the others. Only retrieval and refusal are asked
# of so small a model.
head -n $((${QUESTIONS:-40} + 1)) suites/xquad.jsonl >suites/some && mv suites/some suites/xquad.jsonl
mkdir pipes && cp -r "$here/scripts/real-stack/rag" pipes/
cat >suites/chat.yaml <<'YAML'
version: 1
language: en
questions:
  - { id: capital, question: "What is the capital of France? Answer in one word.", facts: [Paris] }
  - { id: sky, question: "What colour is a clear sky at noon? Answer in one word.", facts: [blue] }
YAML
cat >ragline.toml <<TOML
version = 1
[targets.model]
kind = "http"
preset = "openai-chat"
url = "$LLM_URL"
vars = { model = "$LLM_MODEL" }
headers = { Authorization = "" }
concurrency = 1
timeout = { attempt = "120s", question = "240s" }
[targets.streamed]
kind = "http"
preset = "openai-chat-stream"
url = "$LLM_URL"
vars = { model = "$LLM_MODEL" }
headers = { Authorization = "" }
concurrency = 1
timeout = { attempt = "120s", question = "240s" }
[targets.rag]
kind = "http"
url = "http://127.0.0.1:$port/rag/run"
body = '{"question": {{ question }}}'
start = "env CORPUS=$work/p/corpus/xquad LLM_URL=$LLM_URL/v1 LLM_MODEL=$LLM_MODEL HAYSTACK_TELEMETRY_ENABLED=False HAYHOOKS_HOST=127.0.0.1 HAYHOOKS_PORT=$port HAYHOOKS_PIPELINES_DIR=$work/p/pipes $HAYHOOKS run"
ready = "http://127.0.0.1:$port/status"
ready_within = "180s"
watch = ["pipes/**/*.py"]
concurrency = 1
timeout = { attempt = "120s", question = "240s", run = "60m" }
[targets.rag.response]
answer = "\$.result.answer"
contexts = "\$.result.documents[*]"
context = { text = "\$.content", doc = { path = "\$.meta.source", basename = true }, section = "\$.meta.section", score = "\$.score" }
TOML
printf 'version = 1\n' >thresholds.toml

echo "== the model through the preset, whole"
"$binary" run chat --target model --today 2026-11-30 || :
echo "== the model through the preset, streamed"
"$binary" run chat --target streamed --today 2026-11-30 || :
echo "== what the RAG server returns"
"$binary" target check rag
echo "== first run"
code=0; "$binary" run xquad --target rag || code=$?
[ "$code" = 2 ] || { echo "exit $code instead of 2 (no baseline yet)" >&2; exit 1; }
"$binary" accept xquad --first --reason "a very small model"
echo "== the same again"
code=0; "$binary" run xquad --target rag --results again.jsonl || code=$?
echo "exit $code"
echo "== one line changed: TOP_K = 1"
sed -i.bak 's/^TOP_K = 3$/TOP_K = 1/' pipes/rag/pipeline_wrapper.py && rm pipes/rag/pipeline_wrapper.py.bak
code=0; "$binary" run xquad --target rag --results changed.jsonl || code=$?
echo "exit $code"
[ "$code" = 1 ] || { echo "the change was not found" >&2; exit 1; }
python3 - <<'PYTHON'
import json, sys


def rows(path):
    with open(path, encoding="utf-8") as f:
        return {r["id"]: r for r in list(map(json.loads, f))[1:]}


again, changed = rows("again.jsonl"), rows("changed.jsonl")
lost = lambda rows: {i for i, r in rows.items() if r["layers"]["retrieval"]["change"] == "regressed"}
print(f"retrieval regressed without a change: {len(lost(again))}; with it: {len(lost(changed))} of {len(changed)}")
print(f"other layers without a change: {sorted((i, l) for i, r in again.items() for l, v in r['layers'].items() if v['change'] == 'regressed')}")
second = {i for i, r in again.items() if (r["layers"]["retrieval"].get("rank") or 1) > 1 and r["layers"]["retrieval"]["outcome"] == "pass"}
print(f"questions whose passage was second or third before: {len(second)}; all of them found: {second == lost(changed)}")
sys.exit(0 if second == lost(changed) and second and not lost(again) else 1)
PYTHON
