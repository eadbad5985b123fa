#!/usr/bin/env bash
# Installs, builds, and runs the main job: a quantized BERT encoder layer, tensorized, compiled,
# verified against plain loops and timed, op by op. Arguments go on to ucmoh-run.
set -euo pipefail
cd "$(dirname "$0")/.."

scripts/setup.sh
cmake --preset release >/dev/null
cmake --build --preset release --target ucmoh-run
exec build/bin/ucmoh-run test/Models/bert-base-layer.u8.mlir --verify "$@"
