#!/usr/bin/env bash
# Names the ragline that this job uses: the one it was given, else one that is built from sources with the lock file, else the one
# in the path, as images of one's own have it.
set -euo pipefail

binary=${INPUT_BINARY:-}
if [ -z "$binary" ]; then
  source=${INPUT_SOURCE:-}
  [ -n "$source" ] || source=$(cd "$GITHUB_ACTION_PATH/../../.." && pwd)
  # A project in Rust has a Cargo.toml too.
  if grep -qx 'name = "ragline"' "$source/Cargo.toml" 2>/dev/null; then
    target=${RUNNER_TEMP:?}/ragline-target
    cargo build --release --locked --manifest-path "$source/Cargo.toml" --bin ragline --target-dir "$target"
    binary=$target/release/ragline
  elif [ -n "${INPUT_SOURCE:-}" ] || ! binary=$(type -P ragline); then
    echo "there are no sources of ragline in $source: name them with \`source\`, or a program with \`binary\`" >&2
    exit 2
  fi
fi
if ! [ -x "$binary" ]; then
  echo "$binary is no program: \`binary\` names a ragline that can be run" >&2
  exit 2
fi
# Whatever folder a later step works in.
binary=$(cd "$(dirname "$binary")" && pwd)/$(basename "$binary")
"$binary" --version
printf 'binary=%s\n' "$binary" >>"${GITHUB_OUTPUT:?}"
