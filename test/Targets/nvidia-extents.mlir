// Pieces of rows on a device, whose code is executed without one: padded ones compute their padding as well, and leave it out of the result.
// RUN: ucmoh-run %s --target=nvidia_sm80 --driver=%ptx_interpreter --repeat=1 --json --dim=1 | FileCheck %s
// RUN: ucmoh-run %s --target=nvidia_sm80 --driver=%ptx_interpreter --repeat=1 --json --dim=33 | FileCheck %s
// RUN: ucmoh-run %s --target=nvidia_sm80 --driver=%ptx_interpreter --repeat=1 --json --dim=100 | FileCheck %s

// CHECK: "differing":0
// CHECK-SAME: nvidia_sm80::@mma
// CHECK-SAME: "verified":true
func.func @main(%x: tensor<?x64xf16> {ucmoh.assume = array<i64: 1, 100>}, %w: tensor<64x48xf16> {ucmoh.weight}) -> tensor<?x48xf32> {
  %none = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %rows = tensor.dim %x, %none : tensor<?x64xf16>
  %e = tensor.empty(%rows) : tensor<?x48xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x48xf32>) -> tensor<?x48xf32>
  %y = linalg.matmul ins(%x, %w : tensor<?x64xf16>, tensor<64x48xf16>) outs(%f : tensor<?x48xf32>) -> tensor<?x48xf32>
  return %y : tensor<?x48xf32>
}
