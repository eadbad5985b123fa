#!/usr/bin/env bash
# Races ucmoh-tune against TVM MetaSchedule, one core each, and writes build/race/{peer,ours,finals}.jsonl, race.md and
# race.svg. TRIALS=256 TASKS=12 TYPES="u8s8s32 f32" CORE=1 are the defaults. A second run resumes, with more TRIALS, too.
set -euo pipefail
cd "$(dirname "$0")/.."

llvm=/usr/lib/llvm-22
out=build/race
core=${CORE:-1}
tasks=${TASKS:-12}
read -ra types <<< "${TYPES:-u8s8s32 f32}"
export PYTHONPATH="$PWD/python" OMP_NUM_THREADS=1
mkdir -p "$out"
scripts/setup.sh --bench
scripts/setup-peers.sh build/peers
scripts/setup-tvm.sh build/tvm
cmake --preset release >/dev/null
cmake --build build --target ucmoh-opt ucmoh-candidates ucmoh-tune
cmake -S benchmarks -B build/benchmarks -G Ninja -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_CXX_COMPILER=clang++-22 -DCMAKE_C_COMPILER=clang-22 \
  -DLLVM_DIR="$llvm/lib/cmake/llvm" -Ddnnl_DIR="$PWD/build/peers/lib/cmake/dnnl" >/dev/null
cmake --build build/benchmarks

# First one trial's seconds, alone on a core; then the searches.
one=$out/one.jsonl
[ -s "$one" ] || taskset -c "$core" build/tvm/bin/python benchmarks/race/metaschedule.py --work="$out/one" \
  --output="$one" --tasks=1 --trials=64 --types "${types[@]}"
taskset -c "$core" build/tvm/bin/python benchmarks/race/metaschedule.py --work="$out/peer" --output="$out/peer.jsonl" \
  --tasks="$tasks" --trials="${TRIALS:-256}" --types "${types[@]}"
taskset -c "$core" python3 benchmarks/race/ours.py --tuner=build/bin/ucmoh-tune --work="$out/ours" \
  --output="$out/ours.jsonl" --tasks="$tasks" --types "${types[@]}"
build/tvm/bin/python benchmarks/race/compile_peer.py --work="$out/peer" --output="$out/libraries"
finals() {
  build/peers/bin/python benchmarks/race/finals.py --peer="$out/libraries" --ours="$out/ours.jsonl" \
    --scratch="$out/finals" --output="$out/finals.jsonl" --core="$core" "$@"
}
finals --compile
finals
build/peers/bin/python benchmarks/race/report.py --peer="$out/peer.jsonl" --ours="$out/ours.jsonl" \
  --finals="$out/finals.jsonl" --one="$one" --plot="$out/race.svg" > "$out/race.md"
