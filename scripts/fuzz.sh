#!/bin/sh
# Feeds mutated questions, answers, facts and passages to a part of ragline for a while, and fails where one breaks a rule.
#
#   scripts/fuzz.sh TARGET [SECONDS]
#
# TARGET is numbers (the rules are those of tests/numbers_kit), facts, refusal, citation or retrieval (the rules are those of
# fuzz/src/rules.rs, and what their own file adds). SECONDS (60) is the time after the build. With cargo-fuzz and a nightly
# toolchain the search is guided by coverage, and what it finds is kept in fuzz/corpus/TARGET and fuzz/artifacts/TARGET;
# without them a loop mutates the seeds, on any toolchain. LOOP=1 asks for the loop.
set -eu
cd "$(dirname "$0")/.."
target=${1:-}
seconds=${2:-60}
if [ -z "$target" ] || [ ! -d "fuzz/seeds/$target" ]; then
  echo "usage: scripts/fuzz.sh TARGET [SECONDS]; targets:" >&2
  ls fuzz/seeds >&2
  exit 2
fi
if [ -z "${LOOP:-}" ] && command -v cargo-fuzz >/dev/null 2>&1 && cargo +nightly --version >/dev/null 2>&1; then
  mkdir -p "fuzz/corpus/$target"
  exec cargo +nightly fuzz run --sanitizer none "$target" "fuzz/corpus/$target" "fuzz/seeds/$target" -- \
    -max_total_time="$seconds" -max_len=1024 -timeout=20
fi
cd fuzz
exec cargo run --release --quiet --no-default-features --features loop --bin loop -- "$target" "$seconds"
