#!/usr/bin/env bash
# shrink.sh TARGET FILE: prints the smallest input that fails as this artifact does.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
cargo +nightly fuzz build --sanitizer none shrink >&2
exec "target/$(rustc -vV | sed -n 's/^host: //p')/release/shrink" "$@"
