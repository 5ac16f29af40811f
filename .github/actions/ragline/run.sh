#!/usr/bin/env bash
# Runs ragline, and keeps what it wrote whatever came of it: the steps behind this one upload and comment, and the last one
# ends as ragline did.
set -euo pipefail

directory=${INPUT_DIRECTORY:-.}
command=${INPUT_COMMAND:-run}
case $command in
run | merge) ;;
*)
  echo "\`command\` is run or merge, found: $command" >&2
  exit 2
  ;;
esac
# Divided at blanks: no globs, no quotes, no variables, no second command.
read -r -d '' -a words <<<"${INPUT_ARGUMENTS:-}" || true

out=${RUNNER_TEMP:?}/ragline-report
rm -rf -- "$out"
mkdir -p -- "$out"
latest=$directory/.ragline/runs/latest
before=$(cat "$latest" 2>/dev/null || true)

# ragline annotates by itself, and keeps the runner from reading commands in the answers that it prints (`::stop-commands::`):
# another fence around it would swallow the annotations. The summary is written below, once, also where ragline writes none.
code=0
env -u GITHUB_STEP_SUMMARY "${RAGLINE:?}" -C "$directory" "$command" ${words[@]+"${words[@]}"} \
  --junit "$out/junit.xml" --markdown "$out/report.md" --results "$out/results.jsonl" || code=$?

# The run itself, for `ragline accept --run` and for a merge of shards; not that of an earlier command.
now=$(cat "$latest" 2>/dev/null || true)
if [ -n "$now" ] && [ "$now" != "$before" ] && [[ $now =~ ^[0-9a-z-]+$ ]]; then
  cp -R -- "$directory/.ragline/runs/$now" "$out/run"
fi
if ! [ -s "$out/report.md" ]; then
  printf '### ragline ended with exit code %s, and wrote no report\n\nThe log of the job says why.\n' "$code" >"$out/report.md"
fi
printf '%s\n' "$code" >"$out/exit"

if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then
  # More than 1 MiB is not shown at all.
  head -c 1000000 -- "$out/report.md" >>"$GITHUB_STEP_SUMMARY"
fi
printf 'exit=%s\nreport=%s\n' "$code" "$out" >>"${GITHUB_OUTPUT:?}"
