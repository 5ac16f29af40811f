#!/usr/bin/env bash
# A pull request that accepts what got better on the main branch: failures that are fixed, and new questions that pass. What
# fails is never accepted by a machine.
#
# RAGLINE             the program
# RAGLINE_REPORT      the folder with the run
# RAGLINE_BASE        the branch that the pull request is for; the one that is checked out
# RAGLINE_BRANCH      the branch that is proposed; ragline/accept
set -euo pipefail
# shellcheck source=SCRIPTDIR/api.sh
. "$(dirname "${BASH_SOURCE[0]}")/api.sh"

base=${RAGLINE_BASE:-$(git rev-parse --abbrev-ref HEAD)}
branch=${RAGLINE_BRANCH:-ragline/accept}
if ! [ -d "${RAGLINE_REPORT:?}/run" ]; then
  echo "the run kept nothing: nothing to propose"
  exit 0
fi
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
"${RAGLINE:?}" accept all --only fixed --only new_pass --run "$RAGLINE_REPORT/run" --in-ci | tee "$work/said"
# Baselines and accepted answers, and nothing else that a run may have left.
git ls-files -z --others --modified --deleted --exclude-standard -- '*.baseline.toml' '*.accepted.jsonl' |
  xargs -0 -r git add -A --
if git diff --cached --quiet; then
  echo "nothing got better: nothing to propose"
  exit 0
fi
git switch --quiet --force-create "$branch"
git -c user.name='github-actions[bot]' -c user.email='41898282+github-actions[bot]@users.noreply.github.com' \
  commit --quiet --message 'Accept what got better on the main branch'
# By variables: arguments are seen by every process of the machine.
if [ -n "${GITHUB_SERVER_URL:-}" ]; then
  basic=$(printf 'x-access-token:%s' "${GH_TOKEN:?}" | base64 -w 0)
  export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0="http.$GITHUB_SERVER_URL/.extraheader"
  export GIT_CONFIG_VALUE_0="AUTHORIZATION: basic $basic"
fi
git push --quiet --force origin "HEAD:refs/heads/$branch"

owner=${repo%%/*}
head=$(jq -rn --arg head "$owner:$branch" '$head | @uri')
{
  printf 'Accepted by the scheduled run: what was fixed, and new questions that pass.\n\n~~~~\n'
  head -c 50000 -- "$work/said"
  printf '\n~~~~\n'
} >"$work/body"
open=$(api GET "/repos/$repo/pulls?state=open&head=$head&base=$(jq -rn --arg b "$base" '$b | @uri')" |
  jq -r 'first | .number // empty')
if [[ $open =~ ^[0-9]+$ ]]; then
  jq -Rs '{ body: . }' "$work/body" >"$work/request"
  api PATCH "/repos/$repo/pulls/$open" "$work/request" >/dev/null
  echo "pull request $open is up to date"
else
  jq -Rs --arg head "$branch" --arg base "$base" \
    '{ title: "Accept what got better", head: $head, base: $base, body: . }' "$work/body" >"$work/request"
  api POST "/repos/$repo/pulls" "$work/request" | jq -r '"pull request \(.number) proposed"'
fi
