#!/usr/bin/env bash
# Acts out docs/journey.md: a Python team, from a spreadsheet to a gate, in a repository of its own with real branches.
#
#   scripts/journey.sh RAGLINE FOLDER
#
# RAGLINE is the program; FOLDER is made anew. What each step typed and what was printed is in FOLDER/steps/NAME.txt;
# tests/journey.rs holds the page against these files. A command that ends otherwise than is said here ends the script.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
ragline=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
mkdir -p "$2"
out=$(cd "$2" && pwd)
rm -rf -- "${out:?}"/{steps,home,bin,sao-bien,origin.git}
mkdir -p "$out"/{steps,home,bin}
ln -s "$ragline" "$out/bin/ragline"
cp -R "$here/fixtures/journey" "$out/sao-bien"
cd "$out/sao-bien"

# Nothing of the machine that this runs on.
for name in $(compgen -e); do
  case $name in
  PATH | TMPDIR | PYENV_ROOT) ;;
  *) unset "$name" ;;
  esac
done
export PATH="$out/bin:$PATH" HOME="$out/home" LANG=C.UTF-8 COLUMNS=100 TZ=UTC PYTHONDONTWRITEBYTECODE=1
export GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_DATE='2026-03-02T09:00:00Z' GIT_COMMITTER_DATE='2026-03-02T09:00:00Z'
git config --global user.name Lan
git config --global user.email lan@saobien.example
git config --global init.defaultBranch main
git config --global advice.mergeConflict false

# step NAME: begins what the page shows under this name.
step() {
  page=$out/steps/$1.txt
  printf '# %s\n' "$RAGLINE_TODAY" >"$page"
}

# day DATE: the day of what follows.
day() { export RAGLINE_TODAY=$1; }

# type EXIT COMMAND: what a person types, what is printed, and how it must end. The names of runs
# hold the time, and what keeps the runner from reading commands is drawn.
type() {
  local code=0
  printf '$ %s\n' "$2" >>"$page"
  bash -c "$2" </dev/null >"$out/printed" 2>&1 || code=$?
  sed -E 's/[0-9]{8}-[0-9]{6}-[0-9a-f]{5}/RUN/g; s/ragline-[0-9a-f]{32}/TOKEN/g' "$out/printed" >>"$page"
  [ "$code" = 0 ] || printf '[exit %s]\n' "$code" >>"$page"
  if [ "$code" != "$1" ]; then
    echo "wanted exit $1, got $code: $2" >&2
    cat -- "$out/printed" >&2
    exit 1
  fi
}

# What nobody needs to read.
git init --quiet --bare "$out/origin.git"
git init --quiet
git remote add origin "$out/origin.git"
chmod +x ci.sh
git add .
git commit --quiet -m 'The bot'
git push --quiet --set-upstream origin main

day 2026-03-02
step sheet
type 0 'ls . tai-lieu'
type 0 'head -n 6 cau-hoi.csv'
type 0 'ragline import csv cau-hoi.csv --yes --suggest --target bot --corpus tai-lieu --out suites/nha-xe.yaml'
type 0 "sed -n '/id: HL01/,/tags/p; /id: NG01/,\$p' suites/nha-xe.yaml"

step local
type 0 "sed -i '/id: NG01/,\$s/ reference: .*/&\n    expect: refuse/; s/  # suggested.*//' suites/nha-xe.yaml"
type 0 'cat ragline.toml'
type 2 'ragline run'
type 0 'ragline show TE04 | head -n 11'

step script
type 0 'cat ci.sh'

step advisory
type 0 "printf 'version = 1\nmode = \"advisory\"\n' > thresholds.toml"
type 0 "git add suites thresholds.toml && git commit --quiet -m 'Questions for the bot' && git push --quiet"
type 2 './ci.sh push main 1'
type 0 "sed -n '/^To start/,/^\`\`\`\$/p' ci-1.md"
type 0 "ragline accept --first --run rag-1.zip --reason 'cats are not found, #12'"
type 0 "sed -n '/Gửi mèo/,/reason/p' suites/nha-xe.baseline.toml"
type 0 "git add suites && git commit --quiet -m 'The first baseline' && git push --quiet"
type 0 './ci.sh push main 2'

day 2026-03-05
step would
type 0 'git switch --quiet --create doan-ngan'
type 0 "sed -i 's/\"passage\": 400/\"passage\": 90/' settings.json"
type 0 "git commit --quiet -a -m 'Shorter passages: a cheaper prompt' && git push --quiet --set-upstream origin doan-ngan"
type 0 './ci.sh pull_request doan-ngan 3'
cp ci-3.md "$out/steps/comment.md"

day 2026-03-16
step block
type 0 'git switch --quiet main'
type 0 "sed -i 's/advisory/block/' thresholds.toml"
type 0 "git commit --quiet -a -m 'The gate blocks' && git push --quiet"
type 0 'git switch --quiet doan-ngan && git merge --quiet --no-edit main && git push --quiet'
type 1 './ci.sh pull_request doan-ngan 4'
type 0 "sed -n '/^✗.*TE03/,/blame/p; /^GATE/,/^meant/p' ci-4.log"

day 2026-03-20
step meant
type 0 'git switch --quiet main && git switch --quiet --create than-trong'
type 0 "sed -i 's/\"refuse_below\": 0.4/\"refuse_below\": 0.6/' settings.json"
type 0 "git commit --quiet -a -m 'Rather no answer than a wrong one' && git push --quiet --set-upstream origin than-trong"
type 1 './ci.sh pull_request than-trong 5'
type 0 "sed -n '/^✗.*TE04/,/why/p; /^GATE/,/^meant/p' ci-5.log"
type 0 "ragline accept TE02 TE04 --run rag-5.zip --reason 'refuses when unsure' --owner lan --issue '#41' --until 2026-06-30"
type 0 'git diff --unified=2 suites/nha-xe.baseline.toml | sed -n '6,18p''
type 0 "git commit --quiet -a -m 'Accept two refusals until July' && git push --quiet"
type 0 './ci.sh pull_request than-trong 6'
type 0 "sed -n '/^###/,/^Known/p' ci-6.md"
type 0 'git switch --quiet main && git merge --quiet than-trong && git push --quiet'

day 2026-04-07
step fix
type 0 'git switch --quiet --create meo'
type 0 "sed -i 's/\"synonyms\": {}/\"synonyms\": {\"mèo\": \"cưng\"}/' settings.json"
type 0 "git commit --quiet -a -m 'Cats are pets' && git push --quiet --set-upstream origin meo"
type 1 './ci.sh pull_request meo 7'
type 0 "sed -n '/^✓/p; /^GATE/,/^next/p' ci-7.log"
type 0 'ragline accept --only fixed --run rag-7.zip'
type 0 "git commit --quiet -a -m 'Accept the fix' && git push --quiet"
type 0 './ci.sh pull_request meo 8'
type 0 'git switch --quiet main && git merge --quiet meo && git push --quiet'

day 2026-06-18
step warned
type 0 './ci.sh push main 9'
type 0 "sed -n '/^GATE/,/^  blocks/p' ci-9.log"
type 0 'ragline known --expiring 30d'

day 2026-07-01
step expired
type 0 'git switch --quiet --create trang-chu'
type 0 "git commit --quiet --allow-empty -m 'A new front page' && git push --quiet --set-upstream origin trang-chu"
type 0 './ci.sh pull_request trang-chu 10'
type 0 "sed -n '/^! /,/why/p; /^  counts/p; /^GATE/p' ci-10.log"
type 1 './ci.sh push main 11'
type 0 "sed -n '/^GATE/,/^meant/p' ci-11.log"

step two
type 0 'git switch --quiet main && git switch --quiet --create be'
type 0 "sed -i 's/\"cưng\"}/\"cưng\", \"bé\": \"trẻ\", \"mấy\": \"tuổi\"}/' settings.json"
type 0 "git commit --quiet -a -m 'A bé is a child' && git push --quiet --set-upstream origin be"
type 1 './ci.sh pull_request be 12'
type 0 'ragline accept --only fixed --run rag-12.zip'
type 0 "git commit --quiet -a -m 'Accept the fix' && git push --quiet"
type 0 'git switch --quiet main && git switch --quiet --create gia-moi'
type 0 "sed -i 's/80\.000/90.000/' tai-lieu/tre-em.md cau-hoi.csv"
type 0 'ragline import csv cau-hoi.csv --update suites/nha-xe.yaml'
type 0 "sed -i 's/80000/90000/' suites/nha-xe.yaml"
type 0 "git commit --quiet -a -m 'A new price for pets' && git push --quiet --set-upstream origin gia-moi"
type 0 './ci.sh pull_request gia-moi 13'
type 0 "sed -n '/^✓/p; /^GATE/p; /^this branch/,/TE04/p' ci-13.log"
type 0 'ragline accept --only edited --run rag-13.zip'
type 0 "git commit --quiet -a -m 'Accept the new price' && git push --quiet"

step merge
type 0 'git switch --quiet main && git merge --quiet be && git push --quiet'
type 0 'git merge gia-moi | grep CONFLICT'
type 0 'ragline baseline resolve'
type 0 'git add suites && git commit --quiet --no-edit && git push --quiet'
type 0 './ci.sh push main 14'
type 0 "sed -n '/^  22/p; /^GATE/p' ci-14.log"
