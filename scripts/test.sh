#!/usr/bin/env bash
# Installs (some 8 GB, PyTorch among it), builds and runs all tests, and says at the end what takes longest. Exits with
# 0 exactly if all of them pass.
#
# --cpu=PROCESSOR  hides from all tests what this CPU has beyond that processor of LLVM: x86-64-v3
#                  has AVX2 and FMA, but neither AVX-512 nor VNNI nor AMX; or znver3, cascadelake...
#                  The same as UCMOH_HOST_CPU=PROCESSOR in the environment.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/progress.sh

for option in "$@"; do
  case "$option" in
  --cpu=?*) export UCMOH_HOST_CPU="${option#--cpu=}" ;;
  *) sed -n '2,/^set/{/^#/s/^# \{0,1\}//p}' scripts/test.sh >&2 && exit 1 ;;
  esac
done
scripts/setup.sh --test --python
preset=research
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
