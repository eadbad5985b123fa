#!/usr/bin/env bash
# Writes the generated pages of docs/generated, or of the folder given: passes, ops and attributes
# from their TableGen files, the tables of features, targets and intrinsics from the tool that was built,
# and one op in all its forms from running the tools on it.
set -euo pipefail
cd "$(dirname "$0")/.."
out="${1:-docs/generated}"
mkdir -p "$out"

llvm="$(llvm-config-22 --prefix)"
tblgen() {
  "$llvm/bin/mlir-tblgen" -I "$llvm/include" -I include "$@"
}
tblgen -gen-dialect-doc -dialect=ucmoh include/ucmoh/Dialect/UCMoHOps.td >"$out/dialect.md"
tblgen -gen-pass-doc include/ucmoh/Transforms/Passes.td >"$out/passes.md"
tblgen -gen-op-doc include/ucmoh/Transforms/TransformOps.td >"$out/transform-ops.md"
build/bin/ucmoh-opt --ucmoh-print-features >"$out/features.md"
{
  build/bin/ucmoh-opt --ucmoh-print-targets
  printf '\n## What a target takes\n\nIts file, and no line of C++ (`scripts/lint.sh` looks for their names there).\n\n'
  printf '| file | lines |\n|---|---|\n'
  wc -l targets/*.mlir | awk '/mlir$/ { print "| `" $2 "` | " $1 " |" }'
} >"$out/targets.md"
scripts/one_op.py build "$llvm" >"$out/one-op.md"
