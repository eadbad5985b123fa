#!/usr/bin/env bash
# Installs, builds, and runs the main job: a quantized BERT encoder layer, tensorized, compiled,
# verified against plain loops and timed, op by op. Arguments go on to ucmoh-run.
set -euo pipefail
cd "$(dirname "$0")/.."
source scripts/progress.sh

scripts/setup.sh
build ucmoh-run
echo "compilation, verification and timing, after $SECONDS s in all"
exec build/bin/ucmoh-run test/Models/bert-base-layer.u8.mlir --verify "$@"
