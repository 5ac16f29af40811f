#!/usr/bin/env bash
# Makes, in the present folder, a project with a question in each state, and its reports: usual.xml, strict.xml, pass.xml,
# failure.xml, timed.xml, hostile.xml, report.sarif, hostile.sarif.
set -euo pipefail
ragline=$1
mkdir -p suites
cat > suites/s.yaml <<'YAML'
version: 1
language: en
questions:
  - { id: passed, question: When does it open?, facts: ["09:00"] }
  - { id: failed, question: When does it close?, facts: ["17:00"] }
  - { id: known, question: Is it open on Sunday?, facts: [closed on Sunday] }
  - { id: unmeasured, question: Where is it?, facts: [Main Street] }
  - { id: flaky, question: Is there parking?, facts: [parking is free] }
YAML
answer() { printf '{"id":"%s","answer":"%s"}\n' "$1" "$2"; }
{
  answer passed "It opens at 09:00."
  answer failed "It closes at 17:00."
  answer known "I do not know, but it may be."
  answer unmeasured "It stands on Main Street."
  answer flaky "You may leave the car in front."
} > first.jsonl
"$ragline" run --answers first.jsonl >/dev/null 2>&1 || true
"$ragline" accept --first --reason "before the move, #7" >/dev/null 2>&1
"$ragline" accept s::flaky --flaky --floor 5/10 --reason "depends on the order" >/dev/null 2>&1 || true
{
  answer passed "It opens at 09:00."
  answer failed "It closes at 18:00."
  answer known "It may be."
  answer flaky "You may leave the car in the yard."
} > now.jsonl
run() { "$ragline" run --answers now.jsonl "$@" >/dev/null 2>&1 || [ $? -eq 1 ]; }
run --junit usual.xml --sarif report.sarif
run --junit strict.xml --junit-dialect strict
run --junit pass.xml --junit-known pass
run --junit failure.xml --junit-known failure
run --junit timed.xml --junit-times
# Hostile answers.
{
  answer passed 'It opens at 09:00. ]]></failure><script>alert(1)</script>'
  answer failed '::error::x\n]]> \u0000\u001b[31m\u202e\ufffe | `a` @x #1 {0} [a](b) <b>\u0085'
  answer known '##[error]x &lt; &#0; %0A'
  answer unmeasured '<!-- <![CDATA[ -->'
  answer flaky "$(printf 'line\\n%.0s' {1..2000})"
} > now.jsonl
run --junit hostile.xml --sarif hostile.sarif
