#!/usr/bin/env bash
# Names the ragline that this job uses: the one it was given, or one that is built from sources with the lock file.
set -euo pipefail

binary=${INPUT_BINARY:-}
if [ -z "$binary" ]; then
  source=${INPUT_SOURCE:-}
  [ -n "$source" ] || source=$(cd "$GITHUB_ACTION_PATH/../../.." && pwd)
  if ! [ -f "$source/Cargo.toml" ]; then
    echo "there are no sources of ragline in $source: name them with \`source\`, or a program with \`binary\`" >&2
    exit 2
  fi
  target=${RUNNER_TEMP:?}/ragline-target
  cargo build --release --locked --manifest-path "$source/Cargo.toml" --bin ragline --target-dir "$target"
  binary=$target/release/ragline
fi
if ! [ -x "$binary" ]; then
  echo "$binary is no program: \`binary\` names a ragline that can be run" >&2
  exit 2
fi
# Whatever folder a later step works in.
binary=$(cd "$(dirname "$binary")" && pwd)/$(basename "$binary")
"$binary" --version
printf 'binary=%s\n' "$binary" >>"${GITHUB_OUTPUT:?}"
