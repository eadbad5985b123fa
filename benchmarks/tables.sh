#!/usr/bin/env bash
# Writes the tables and plots of docs/results anew from the raw samples in benchmarks/results.
set -euo pipefail
cd "$(dirname "$0")/.."
export PYTHONPATH=python
raw=benchmarks/results out=docs/results

report() { # report NAME [OPTIONS] RAW...
  .venv/bin/python benchmarks/report.py "$out/$1-tables.md" "$out/plots/$1.svg" "${@:2}"
}
report zen4-kernels "$raw"/{ours,iree}.jsonl.xz
report zen4-avx2 --ratios --minima --saturating-peer "$raw/avx2-zen4.jsonl.xz"
report zen3-avx2 --ratios --minima --saturating-peer "$raw/zen3-avx2.jsonl.xz"
report zen5-avx2 --ratios --minima --saturating-peer "$raw/zen5-avx2.jsonl.xz"
report zen5-kernels --ratios --minima "$raw/zen5-kernels.jsonl.xz"
report sapphirerapids-kernels "$raw/sapphirerapids-exhaustive.jsonl.xz"
