#!/usr/bin/env bash
# run.sh TARGET SECONDS [OPTION…]: fuzzes a target for so long, at low priority.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
target=$1 seconds=$2
shift 2
mkdir -p "corpus/$target"
exec nice -n 10 cargo +nightly fuzz run --sanitizer none "$target" -- \
    -max_total_time="$seconds" -max_len=4096 -timeout=20 -rss_limit_mb=1500 \
    -dict=dictionary -print_final_stats=1 "$@"
