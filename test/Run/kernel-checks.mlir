// In a network each kernel is compared with plain loops on the inputs that it gets there.
// RUN: ucmoh-run %s --entry=twice --target=%targets/x86_avx2_fma.mlir --repeat=1 --budget=0.1 | FileCheck %s --check-prefix=RIGHT
// RIGHT: verified (max abs error
// RIGHT-NEXT: 2 of 2 kernels right on their inputs

// Both kernels have the wrong sign, so that the result of the network is right. They are found.
// RUN: not ucmoh-run %s --entry=twice --target=%S/Inputs/subtracts.mlir --repeat=1 --budget=0.1 | FileCheck %s --check-prefix=WRONG
// WRONG: error: wrong result: op 0 (matmul_f32f32f32_9x17x33_{{.*}}) on its inputs: element
// WRONG: NOT VERIFIED (max abs error {{[0-9.]+e-0.}})
// WRONG-NEXT: 0 of 2 kernels right on their inputs
// REQUIRES: cpu-avx2, cpu-fma
func.func @twice(%a: tensor<9x33xf32>, %b: tensor<33x17xf32> {ucmoh.weight}, %c: tensor<17x16xf32> {ucmoh.weight}) -> tensor<9x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<9x17xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<9x17xf32>) -> tensor<9x17xf32>
  %p = linalg.matmul ins(%a, %b : tensor<9x33xf32>, tensor<33x17xf32>) outs(%f : tensor<9x17xf32>) -> tensor<9x17xf32>
  %e2 = tensor.empty() : tensor<9x16xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<9x16xf32>) -> tensor<9x16xf32>
  %r = linalg.matmul ins(%p, %c : tensor<9x17xf32>, tensor<17x16xf32>) outs(%f2 : tensor<9x16xf32>) -> tensor<9x16xf32>
  return %r : tensor<9x16xf32>
}

// A sum of floats in another order rounds to the next integer here and there, and so the result differs. The kernels
// are right, and the noise is small.
// RUN: ucmoh-run %s --entry=rounds --repeat=1 --budget=0.1 --json | FileCheck %s --check-prefix=ROUNDS
// ROUNDS: "checks":[{"max_abs_error":1,{{.*}}"op":0,"verified":true}
// ROUNDS-SAME: "differing":0.{{[0-9]}}
// ROUNDS-SAME: "error":null
// ROUNDS-SAME: "max_abs_error":{{[1-9]}}
// ROUNDS-SAME: "snr_db":{{1?[0-9][0-9][.]}}
// ROUNDS-SAME: "verified":true

// It fails if more is asked for, and if a kernel is wrong.
// RUN: not ucmoh-run %s --entry=rounds --repeat=1 --budget=0.1 --least-snr=1000 | FileCheck %s --check-prefix=NOISE
// NOISE: error: wrong result: result 0: element {{[0-9]+}} is {{-?[0-9]+}}, expected {{-?[0-9]+}}; allowed difference 0; signal to noise {{[0-9.]+}} dB, {{[0-9.]+}}% of the elements differ
// NOISE: NOT VERIFIED
// NOISE-NEXT: [[N:[12]]] of [[N]] kernels right
// RUN: not ucmoh-run %s --entry=rounds --target=%S/Inputs/subtracts.mlir --repeat=1 --budget=0.1 | FileCheck %s --check-prefix=SIGN
// SIGN: error: wrong result: op 0 (matmul_f32f32f32_256x256x512_{{.*}}) on its inputs: element
func.func @rounds(%a: tensor<256x512xf32>, %b: tensor<512x256xf32> {ucmoh.weight}, %c: tensor<256x32xi16> {ucmoh.weight}) -> tensor<256x32xi32> {
  %zero = arith.constant 0.0 : f32
  %steps = arith.constant 2000.0 : f32
  %low = arith.constant -32768.0 : f32
  %high = arith.constant 32767.0 : f32
  %e = tensor.empty() : tensor<256x256xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<256x256xf32>) -> tensor<256x256xf32>
  %p = linalg.matmul ins(%a, %b : tensor<256x512xf32>, tensor<512x256xf32>) outs(%f : tensor<256x256xf32>) -> tensor<256x256xf32>
  %eq = tensor.empty() : tensor<256x256xi16>
  %q = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
    ins(%p : tensor<256x256xf32>) outs(%eq : tensor<256x256xi16>) {
  ^bb0(%x: f32, %out: i16):
    %scaled = arith.mulf %x, %steps : f32
    %round = math.roundeven %scaled : f32
    %above = arith.maximumf %round, %low : f32
    %inside = arith.minimumf %above, %high : f32
    %i = arith.fptosi %inside : f32 to i16
    linalg.yield %i : i16
  } -> tensor<256x256xi16>
  %zero_i = arith.constant 0 : i32
  %e2 = tensor.empty() : tensor<256x32xi32>
  %f2 = linalg.fill ins(%zero_i : i32) outs(%e2 : tensor<256x32xi32>) -> tensor<256x32xi32>
  %r = linalg.matmul ins(%q, %c : tensor<256x256xi16>, tensor<256x32xi16>) outs(%f2 : tensor<256x32xi32>) -> tensor<256x32xi32>
  return %r : tensor<256x32xi32>
}
