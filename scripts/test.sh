#!/usr/bin/env bash
# Installs, builds and runs all tests. Exits with 0 exactly if all of them pass.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/setup.sh
cmake --preset release
cmake --build --preset release
ctest --test-dir build --output-on-failure --no-tests=error
