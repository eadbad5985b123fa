// Products of f8 on tensor cores, by the interpreter: as they are where there is an instruction for them, else converted to f16
// on the way to shared memory.
// RUN: ucmoh-run %s --target=nvidia_sm89_fp8 --driver=%ptx_interpreter --json | FileCheck %s
// RUN: ucmoh-run %s --target=nvidia_sm80 --driver=%ptx_interpreter --json | FileCheck %s --check-prefix=CONVERTED

// CONVERTED-COUNT-4: @nvidia_sm80::@mma_m16n8k16_{{b?}}f16_f32{{.*}}"verified":true

// CHECK-DAG: "function":"e4m3"{{.*}}@mma_m16n8k32_e4m3,{{.*}}"verified":true
func.func @e4m3(%a: tensor<61x129xf8E4M3FN>, %b: tensor<129x83xf8E4M3FN> {ucmoh.weight}) -> tensor<61x83xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<61x83xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<61x83xf32>) -> tensor<61x83xf32>
  %r = linalg.matmul ins(%a, %b : tensor<61x129xf8E4M3FN>, tensor<129x83xf8E4M3FN>) outs(%init : tensor<61x83xf32>) -> tensor<61x83xf32>
  return %r : tensor<61x83xf32>
}

// CHECK-DAG: "function":"e5m2"{{.*}}@mma_m16n8k32_e5m2,{{.*}}"verified":true
func.func @e5m2(%a: tensor<61x129xf8E5M2>, %b: tensor<129x83xf8E5M2>) -> tensor<61x83xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<61x83xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<61x83xf32>) -> tensor<61x83xf32>
  %r = linalg.matmul ins(%a, %b : tensor<61x129xf8E5M2>, tensor<129x83xf8E5M2>) outs(%init : tensor<61x83xf32>) -> tensor<61x83xf32>
  return %r : tensor<61x83xf32>
}

// CHECK-DAG: "function":"mixed"{{.*}}@mma_m16n8k32_e4m3_e5m2,{{.*}}"verified":true
func.func @mixed(%a: tensor<61x129xf8E4M3FN>, %b: tensor<129x83xf8E5M2> {ucmoh.weight}) -> tensor<61x83xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<61x83xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<61x83xf32>) -> tensor<61x83xf32>
  %r = linalg.matmul ins(%a, %b : tensor<61x129xf8E4M3FN>, tensor<129x83xf8E5M2>) outs(%init : tensor<61x83xf32>) -> tensor<61x83xf32>
  return %r : tensor<61x83xf32>
}

// The next layer's operand: the result, rounded.
// CHECK-DAG: "function":"rounded"{{.*}}@mma_m16n8k32_e4m3,{{.*}}"verified":true
func.func @rounded(%a: tensor<48x64xf8E4M3FN>, %b: tensor<64x32xf8E4M3FN>) -> tensor<48x32xf8E5M2> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<48x32xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<48x32xf32>) -> tensor<48x32xf32>
  %r = linalg.matmul ins(%a, %b : tensor<48x64xf8E4M3FN>, tensor<64x32xf8E4M3FN>) outs(%init : tensor<48x32xf32>) -> tensor<48x32xf32>
  %narrow = tensor.empty() : tensor<48x32xf8E5M2>
  %n = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
    ins(%r : tensor<48x32xf32>) outs(%narrow : tensor<48x32xf8E5M2>) {
  ^bb0(%x: f32, %o: f8E5M2):
    %y = arith.truncf %x : f32 to f8E5M2
    linalg.yield %y : f8E5M2
  } -> tensor<48x32xf8E5M2>
  return %n : tensor<48x32xf8E5M2>
}
