// REQUIRES: emulated-amx-int8
// Open rows in tiles of a matrix unit: the last tile has half of the rows, in whole fragments.
// RUN: env LD_PRELOAD=%trap_emulator ucmoh-run %s --target=x86_amx_int8 --repeat=1 --budget=0.1 --json --dim=11 | FileCheck %s
// RUN: env LD_PRELOAD=%trap_emulator ucmoh-run %s --target=x86_amx_int8 --repeat=1 --budget=0.1 --json --dim=77 | FileCheck %s
// RUN: env LD_PRELOAD=%trap_emulator ucmoh-run %s --target=x86_amx_int8 --repeat=1 --budget=0.1 --json --dim=128 | FileCheck %s

// CHECK: x86_amx_int8::@tdpbssd
// CHECK-SAME: "verified":true
func.func @f(%a: tensor<?x256xi8> {ucmoh.assume = array<i64: 1, 128>}, %b: tensor<256x96xi8> {ucmoh.weight}) -> tensor<?x96xi32> {
  %zero = arith.constant 0 : i32
  %none = arith.constant 0 : index
  %rows = tensor.dim %a, %none : tensor<?x256xi8>
  %e = tensor.empty(%rows) : tensor<?x96xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<?x96xi32>) -> tensor<?x96xi32>
  %0 = linalg.matmul ins(%a, %b : tensor<?x256xi8>, tensor<256x96xi8>) outs(%f : tensor<?x96xi32>) -> tensor<?x96xi32>
  return %0 : tensor<?x96xi32>
}
