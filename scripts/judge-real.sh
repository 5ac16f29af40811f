#!/bin/sh
# A real model as a judge: what it says of twelve statements in four languages, how many verdicts are unmeasured, and that
# no verdict is made up.
#
#   JUDGE_URL=http://127.0.0.1:8080 JUDGE_MODEL=smollm2 scripts/judge-real.sh
#
# JUDGE_URL is any server that speaks OpenAI's chat completions, such as llama.cpp's
# (python -m llama_cpp.server --model MODEL.gguf --n_ctx 8192). JUDGE_LANGUAGES=en,vi asks in these alone. Opt-in: a small model on two cores needs some minutes.
set -eu
cd "$(dirname "$0")/.."
: "${JUDGE_URL:?an OpenAI-compatible server}" "${JUDGE_MODEL:?the name of its model}"
export JUDGE_URL JUDGE_MODEL
exec cargo test --locked --test judge_real -- --nocapture
