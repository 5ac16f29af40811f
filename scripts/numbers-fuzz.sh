#!/bin/sh
# Feeds mutated questions, answers and passages to the reading of numbers for a while, and fails where one breaks a rule of
# tests/numbers_kit.
#
#   scripts/numbers-fuzz.sh [SECONDS]
#
# SECONDS (60) is the time after the build. With cargo-fuzz and a nightly toolchain the search is guided by coverage, and what
# it finds is kept in fuzz/corpus and fuzz/artifacts; without them a loop mutates the seeds, on any toolchain. LOOP=1 asks for
# the loop.
set -eu
cd "$(dirname "$0")/.."
seconds=${1:-60}
if [ -z "${LOOP:-}" ] && command -v cargo-fuzz >/dev/null 2>&1 && cargo +nightly --version >/dev/null 2>&1; then
  mkdir -p fuzz/corpus/numbers
  exec cargo +nightly fuzz run --sanitizer none numbers fuzz/corpus/numbers fuzz/seeds -- \
    -max_total_time="$seconds" -max_len=1024 -timeout=20
fi
cd fuzz
exec cargo run --release --quiet --no-default-features --bin loop -- "$seconds"
