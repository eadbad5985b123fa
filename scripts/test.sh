#!/usr/bin/env bash
# Installs, builds and runs all tests, and says at the end what takes longest. Exits with 0 exactly
# if all of them pass.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/progress.sh

scripts/setup.sh --test
build
log=build/ctest.log
status=0
ctest --test-dir build --output-on-failure --no-tests=error -j "$(nproc)" | tee "$log" || status=$?

echo "what took longest, in seconds:"
{
  sed -nE 's,^ *[0-9]+/[0-9]+ Test +#[0-9]+: ([^ ]+) .* ([0-9.]+) sec.*,\2 \1,p' "$log"
  sed -nE 's,^ *([0-9.]+)s: (.*),\1 \2,p' build/Testing/Temporary/LastTest.log
} | sort -rn | head -n 15
exit "$status"
