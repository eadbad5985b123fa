#!/usr/bin/env bash
# Measures UCMoH, oneDNN and IREE on one core and writes build/bench/{ours,iree}.jsonl, tables.md and plot.svg, or those
# of the folder OUT.
# --only TEXT and --types TYPES choose tasks, e.g. --only matmul --types u8s8s32. A second run resumes.
# Tasks of a network or products of one's own instead: --network resnet50/1/224 --matmul 128x768x768 49x512x4608.
# As if this CPU had less: all sides are told of it in the environment, e.g. for AVX2
#   UCMOH_HOST_CPU=znver3 ONEDNN_MAX_CPU_ISA=AVX2 TARGET=x86_avx2_fma@zen4 scripts/bench.sh
# (IREE is not and compiles for what there is.)
set -euo pipefail
cd "$(dirname "$0")/.."

llvm=/usr/lib/llvm-22
out=${OUT:-build/bench}
target=${TARGET:-host}
export PYTHONPATH="$PWD/python"
mkdir -p "$out"
scripts/setup.sh --bench
scripts/setup-peers.sh build/peers
[ -e build/CMakeCache.txt ] || cmake --preset release >/dev/null # a build stays configured as it is
cmake --build build --target ucmoh-opt ucmoh-candidates ucmoh-collect ucmoh-records
cmake -S benchmarks -B build/benchmarks -G Ninja -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_CXX_COMPILER=clang++-22 -DCMAKE_C_COMPILER=clang-22 \
  -DLLVM_DIR="$llvm/lib/cmake/llvm" -Ddnnl_DIR="$PWD/build/peers/lib/cmake/dnnl" >/dev/null
cmake --build build/benchmarks

# "Our best" is the best of the candidates that the model ranks first, all measured beforehand; FIRST=1000000 measures all
# that there are, which takes minutes per task. This, too, goes on where it was stopped.
python3 benchmarks/select_tasks.py "$@" > "$out/tasks.jsonl"
build/bin/ucmoh-collect --tasks="$out/tasks.jsonl" --db="$out/best.sqlite" --first="${FIRST:-64}" --model=embedded \
  --target="$target"
build/bin/ucmoh-records export "$out/best.sqlite" --output="$out/best.jsonl.zst"

measure() {
  build/peers/bin/python benchmarks/bench.py --bench build/benchmarks/ucmoh-bench \
    --scratch "$out/scratch" "$@"
}
measure --output "$out/ours.jsonl" --records "$out/best.jsonl.zst" --ucmoh build/bin --llvm "$llvm/bin" \
  --target "$target" "$@"
measure --output "$out/iree.jsonl" --iree build/peers/bin "$@"
build/peers/bin/python benchmarks/report.py "$out/tables.md" "$out/plot.svg" \
  "$out/ours.jsonl" "$out/iree.jsonl"
