#!/usr/bin/env bash
# Which tests need what of the machine: one line for each requirement, then the tests. A lit test says
# so by REQUIRES, a GoogleTest program where it skips. All others need AVX2 and FMA at most; tests of
# each intrinsic skip those whose target (docs/generated/targets.md) neither CPU nor emulator has.
set -euo pipefail
cd "$(dirname "$0")/.."

{
  git grep -HE '^(//)? *REQUIRES: ' -- 'test/*.mlir' 'test/*.test' |
    sed -E 's/^([^:]*):(\/\/)? *REQUIRES: *(.*)/\3\t\1/'
  git grep -HE -o 'GTEST_SKIP\(\) << "this CPU lacks [^"]*' -- 'test/*.cpp' |
    sed -E 's/^([^:]*):.*lacks (.*)/cpu-\2\t\1/'
} | sort -u | awk -F '\t' '$1 != last { printf "%s\n", last = $1 } { printf "  %s\n", $2 }'
