#!/usr/bin/env bash
# vectorized.sh FILE: lowers the program for 256-bit vectors and prints LLVM's remarks on its loops.
set -euo pipefail
ucmoh-opt "$1" --ucmoh-approximate-math --ucmoh-to-llvm=target=x86_avx2_fma | mlir-translate --mlir-to-llvmir |
  opt -passes='default<O3>' -mtriple=x86_64-unknown-linux-gnu -mattr=+avx2,+fma -inline-threshold=-10000 -unroll-full-max-count=0 \
    -pass-remarks=loop-vectorize -disable-output 2>&1
