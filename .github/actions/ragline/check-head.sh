#!/usr/bin/env bash
# Whether the commit that was approved is still the head of its pull request. An approval is for what a person has seen:
# when something was pushed since, it is asked for anew.
set -euo pipefail
# shellcheck source=SCRIPTDIR/api.sh
. "$(dirname "${BASH_SOURCE[0]}")/api.sh"

found=$(pull_request)
read -r number sha <<<"$found" || true
if [ -z "${number:-}" ]; then
  echo "no open pull request has this commit at its head any more: nothing is run" >&2
  exit 1
fi
now=$(head_of "$number")
if [ "$now" != "$sha" ]; then
  echo "approved was $sha, and pull request $number is at $now by now: look at it, and approve that run" >&2
  exit 1
fi
echo "pull request $number is at $sha, as approved"
