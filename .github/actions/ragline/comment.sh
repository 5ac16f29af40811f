#!/usr/bin/env bash
# One comment on the pull request, brought up to date by every run. It is known by its first line, and by who wrote it: a
# comment of somebody else that begins so is left alone.
#
# RAGLINE_REPORT      the folder with report.md
# RAGLINE_FOREIGN     `true` where code that nobody has reviewed wrote the report: it is shown as text, and calls nobody
# RAGLINE_AUTHOR      who writes the comment; github-actions[bot]
set -euo pipefail
# shellcheck source=SCRIPTDIR/api.sh
. "$(dirname "${BASH_SOURCE[0]}")/api.sh"

report=${RAGLINE_REPORT:?}/report.md
author=${RAGLINE_AUTHOR:-github-actions[bot]}
foreign=${RAGLINE_FOREIGN:-false}
# GitHub takes no comment of more characters.
most=65536

found=$(pull_request)
read -r number sha <<<"$found" || true
if [ -z "${number:-}" ]; then
  echo "no pull request: nothing to comment on"
  exit 0
fi
if [ "$GITHUB_EVENT_NAME" = pull_request ] && [ "$(event .pull_request.head.repo.full_name)" != "$repo" ]; then
  echo "a pull request from a fork: this job may not comment; a workflow on workflow_run does (docs/ci.md)"
  exit 0
fi
now=$(head_of "$number")
if [ "$now" != "$sha" ]; then
  echo "this run is of $sha, and the pull request is at $now by now: its own run will comment"
  exit 0
fi

work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT

marker='<!-- ragline -->'
refused=''
if [ -L "$report" ] || ! [ -f "$report" ]; then
  refused='there is no report'
elif [ "$(wc -c <"$report")" -gt $((4 * most)) ]; then
  refused='it is too large'
elif ! iconv -f UTF-8 -t UTF-8 "$report" >"$work/text" 2>/dev/null; then
  refused='it is not UTF-8'
elif [ "$foreign" = true ] && LC_ALL=C grep -q '[[:cntrl:]]' <<<"$(tr -d '\n\t\r' <"$work/text" | tr '\0' '\1')"; then
  refused='it holds control characters'
elif [ "$foreign" != true ]; then
  first=$(head -n 1 -- "$work/text")
  if [[ $first =~ ^\<!--\ ragline[^\>]*--\>$ ]]; then
    marker=$first
    tail -n +2 -- "$work/text" >"$work/body"
  else
    cp -- "$work/text" "$work/body"
  fi
else
  # Text that anybody may have written: no mention, no reference, no link, no image, no diagram; of HTML only what ragline's own
  # reports are made of, without attributes. Entities are read before mentions are looked for, so only those that ragline writes
  # are left, and those of `@`, `#` and `-` only with the character behind them that breaks a reference.
  marker='<!-- ragline fork -->'
  jq -Rrs '
    sub("^<!-- ragline[^>\n]*-->\n"; "")
    | gsub("<(?!/?(details|summary|p|b|br|del|ins|strong|code)>)"; "&lt;")
    | gsub("&(?=[#A-Za-z])(?!(nbsp|amp|gt|quot|#8203|#38|#60|#62|#96|#42|#95|#126|#91|#92|#93|#124|#36|#43|#61|#45|#46|lt);)"
        + "(?!#(64|35);&#8203;)"; "&amp;")
    | gsub("(?<g>[Gg][Hh])&#45;(?!&#8203;)"; "\(.g)&#45;&#8203;") | gsub("(?<w>[Ww]{3})&#46;"; "\(.w)&#8203;&#46;")
    | gsub("@"; "@\u200b") | gsub("\\]\\("; "] (") | gsub("\\]:"; "] :")
    | gsub("://"; ":\u200b//") | gsub("(?<w>[Ww]{3})\\."; "\(.w)\u200b.") | gsub("#(?=[0-9])(?<!&#)"; "#\u200b")
    | gsub("(?<g>[Gg][Hh])-(?=[0-9])"; "\(.g)\u200b-")
    | gsub("(?<f>`{3}|~{3})(?=[ \t]*(?i:mermaid|geojson|topojson|stl|math))"; "\(.f)text ")
  ' "$work/text" >"$work/plain"
  printf 'Written by the run of a fork at %s. Nobody has reviewed the code that wrote it.\n\n' "$sha" >"$work/body"
  cat -- "$work/plain" >>"$work/body"
fi
if [ -n "$refused" ]; then
  printf 'The report of this run cannot be shown: %s.\n' "$refused" >"$work/body"
fi
jq -Rs --arg marker "$marker" --argjson most "$most" \
  '{ body: (($marker + "\n" + .) | if length > $most then .[:$most - 40] + "\n\n… the rest is cut off\n" else . end) }' \
  "$work/body" >"$work/request"

# The first of ours. Thirty pages are three thousand comments.
id=''
for page in $(seq 1 30); do
  api GET "/repos/$repo/issues/$number/comments?per_page=100&page=$page" >"$work/page"
  id=$(jq -r --arg marker "$marker" --arg author "$author" \
    '[.[] | select(.user.login == $author and (.body | split("\n")[0] | rtrimstr("\r")) == $marker) | .id] | first // empty' \
    "$work/page")
  if [ -n "$id" ] || [ "$(jq length "$work/page")" -lt 100 ]; then
    break
  fi
done
if [[ $id =~ ^[0-9]+$ ]]; then
  api PATCH "/repos/$repo/issues/comments/$id" "$work/request" >/dev/null
  echo "comment $id on pull request $number is up to date"
else
  api POST "/repos/$repo/issues/$number/comments" "$work/request" >/dev/null
  echo "commented on pull request $number"
fi
