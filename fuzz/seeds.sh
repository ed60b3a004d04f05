#!/usr/bin/env bash
# Writes corpus/TARGET from fixtures/ and ../shared.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
cargo +nightly fuzz build --sanitizer none seeds >&2
exec "target/$(rustc -vV | sed -n 's/^host: //p')/release/seeds"
