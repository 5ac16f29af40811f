#!/usr/bin/env bash
# Looks at the HTML report in a real browser: filters, search, keys, deep links, decisions, its Content-Security-Policy, axe,
# how long 5,000 questions take, and pictures to look at.
#
#   scripts/html-check.sh FOLDER
#
# Everything goes into FOLDER: the packages of scripts/html-check/package.json (from npm), the reports, the pictures. The
# browser is that of $CHROMIUM, else the first of chromium and google-chrome on the PATH; playwright downloads none.
# RAGLINE names the program, else target/debug/ragline.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$here")
folder=${1:?usage: scripts/html-check.sh FOLDER}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
export RAGLINE=${RAGLINE:-$root/target/debug/ragline}
export CHROMIUM=${CHROMIUM:-$(command -v chromium || command -v google-chrome || true)}
[ -n "$CHROMIUM" ] || { echo "no chromium on the PATH: set CHROMIUM" >&2; exit 2; }
cp "$here"/html-check/* "$folder/"
cd "$folder"
[ -d node_modules/playwright ] || PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 npm install --no-audit --no-fund
rm -rf shop many
mkdir shop
cp -r "$root"/{fixtures,suites,ragline.toml,thresholds.toml} shop/
for language in vi th zh en; do
    (cd shop && "$RAGLINE" run "shop-$language" --answers "fixtures/shop/regressed.$language.jsonl" --html "$language.html" >"$language.txt") && exit 1
done
node many.mjs many "${QUESTIONS:-5000}"
(cd many && "$RAGLINE" run --answers before.jsonl >first.txt 2>&1) || true
(cd many && env -u CI "$RAGLINE" accept --first --reason "as it was" >accept.txt 2>&1)
(cd many && "$RAGLINE" run --answers after.jsonl --html many.html >many.txt 2>&1) || [ $? -eq 1 ]
# Whatever --test arguments follow the folder.
node check.mjs "${@:2}"
