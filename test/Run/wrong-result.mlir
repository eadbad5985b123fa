// An intrinsic whose body does not compute what its types promise is well-formed for all passes;
// the comparison with plain loops finds it. The shipped one, of which it is a copy, is right.
// RUN: ucmoh-run %s --target=%targets/x86_avx2_fma.mlir --repeat=1 --budget=0.1 | FileCheck %s --check-prefix=RIGHT
// RUN: not ucmoh-run %s --target=%S/Inputs/subtracts.mlir --repeat=1 --budget=0.1 | FileCheck %s
// RUN: not ucmoh-run %s --target=%S/Inputs/subtracts.mlir --repeat=1 --budget=0.1 --json | FileCheck %s --check-prefix=JSON
// Not asked for, it is not found.
// RUN: ucmoh-run %s --target=%S/Inputs/subtracts.mlir --repeat=1 --budget=0.1 --verify=false --json | FileCheck %s --check-prefix=UNVERIFIED
// Candidates are verified one by one, too.
// RUN: not ucmoh-run %s --target=%S/Inputs/subtracts.mlir --repeat=1 --budget=0.1 --top=1 --json | FileCheck %s --check-prefix=TOP
// REQUIRES: cpu-avx2, cpu-fma

// RIGHT: verified
// CHECK: wrong result: op 0 (matmul_f32f32f32_9x17x33_{{.*}}) on its inputs: element {{[0-9]+}} is {{.*}}, expected {{.*}}; allowed difference
// CHECK-NOT: verified
// JSON: "error":"wrong result: op 0 ({{.*}}) on its inputs: element
// JSON-SAME: "choice":"#ucmoh.choice<intrinsic = @subtracts::@vfnmadd_256
// JSON-SAME: "verified":false
// UNVERIFIED: "error":null
// UNVERIFIED-SAME: "verified":null
// TOP: "candidates":[{"choice":{{[^{}]*}}"error":"wrong result: op 0 ({{.*}}) on its inputs: element
func.func @product(%a: tensor<9x33xf32>, %b: tensor<33x17xf32> {ucmoh.weight}) -> tensor<9x17xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<9x17xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<9x17xf32>) -> tensor<9x17xf32>
  %r = linalg.matmul ins(%a, %b : tensor<9x33xf32>, tensor<33x17xf32>) outs(%f : tensor<9x17xf32>) -> tensor<9x17xf32>
  return %r : tensor<9x17xf32>
}
