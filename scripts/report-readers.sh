#!/usr/bin/env bash
# What readers of other makers make of the reports: a table reader x state for JUnit, the schema of Jenkins' xUnit plugin for
# the strict dialect, two XML parsers, the official schema and Microsoft's validator for SARIF.
#
#   scripts/report-readers.sh [FOLDER]
#
# The readers are installed into FOLDER (default: a folder of /tmp) by pip and npm, never into the project; what is there
# already is used. RAGLINE names the program (default: target/debug/ragline).
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
ragline=${RAGLINE:-$here/target/debug/ragline}
readers=${1:-/tmp/ragline-readers}
scripts=$here/scripts/report-readers
mkdir -p "$readers/js"

if [ ! -x "$readers/py/bin/python" ]; then
  python3 -m venv "$readers/py"
fi
"$readers/py/bin/pip" install -q junitparser xunitparser junit2html trcli lxml jsonschema setuptools_scm wheel 'setuptools>=77'
if [ ! -d "$readers/js/node_modules/junit2json" ] || [ ! -d "$readers/js/node_modules/@microsoft/sarif-multitool" ]; then
  [ -f "$readers/js/package.json" ] || (cd "$readers/js" && npm init -y >/dev/null)
  (cd "$readers/js" && npm install -s --no-audit --no-fund sax fast-xml-parser junit2json test-results-parser junitxml-to-javascript \
    junit-to-ctrf @microsoft/jest-sarif @microsoft/sarif-multitool)
fi
# pytest's source ships the schema of Jenkins' xUnit plugin, to test its own files with.
xsd=$(find "$readers" -name junit-10.xsd | head -n 1)
if [ -z "$xsd" ]; then
  "$readers/py/bin/pip" download -q --no-deps --no-binary :all: --no-build-isolation -d "$readers/sd" pytest
  tar -xzf "$readers"/sd/pytest-*.tar.gz -C "$readers" --wildcards '*/junit-10.xsd'
  xsd=$(find "$readers" -name junit-10.xsd | head -n 1)
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
env -i PATH="$PATH" HOME="$HOME" bash "$scripts/project.sh" "$ragline"

echo "== JUnit: reader x state"
"$readers/py/bin/python" "$scripts/table.py" "$readers" "$scripts"
echo
echo "== JUnit: junit-10.xsd of Jenkins' xUnit plugin"
"$readers/py/bin/python" "$scripts/schema.py" "$xsd" strict.xml usual.xml
echo
echo "== SARIF: the official schema, Microsoft's validator"
"$readers/py/bin/python" "$scripts/sarif.py" \
  "$(find "$readers/js/node_modules" -name 'sarif-2.1.0*.json' | head -n 1)" report.sarif hostile.sarif
"$readers/js/node_modules/.bin/sarif-multitool" validate report.sarif --level Error --output validated.sarif \
  --log ForceOverwrite | tail -n 4
