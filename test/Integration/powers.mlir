// Integer powers, as exporters write GELU: in the store of a product's tiles, in loops, and of exponents that no
// constant gives. What plain loops compute from constants is part of the reference, whose arguments stay as they are.
// RUN: ucmoh-run %s --repeat=1 --json 2>&1 | FileCheck %s --implicit-check-not=ucmoh.arg

#id = affine_map<(m, n) -> (m, n)>

// CHECK-DAG: "error":null,"function":"fused"{{.*}}"choice":"#ucmoh.choice<{{.*}}"verified":true
func.func @fused(%x: tensor<16x32xbf16>, %w: tensor<32x48xbf16> {ucmoh.weight}) -> tensor<16x48xbf16> {
  %n = arith.constant 3 : i64
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<16x48xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<16x48xf32>) -> tensor<16x48xf32>
  %r = linalg.matmul ins(%x, %w : tensor<16x32xbf16>, tensor<32x48xbf16>) outs(%init : tensor<16x48xf32>) -> tensor<16x48xf32>
  %to = tensor.empty() : tensor<16x48xbf16>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%r : tensor<16x48xf32>) outs(%to : tensor<16x48xbf16>) {
  ^bb0(%a: f32, %out: bf16):
    %t = arith.truncf %a : f32 to bf16
    %p = math.fpowi %t, %n : bf16, i64
    linalg.yield %p : bf16
  } -> tensor<16x48xbf16>
  return %y : tensor<16x48xbf16>
}

// CHECK-DAG: "error":null,"function":"unknown"{{.*}}"verified":true
func.func @unknown(%x: tensor<16x48xbf16>, %n: i64) -> tensor<16x48xbf16> {
  %to = tensor.empty() : tensor<16x48xbf16>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%x : tensor<16x48xbf16>) outs(%to : tensor<16x48xbf16>) {
  ^bb0(%a: bf16, %out: bf16):
    %p = math.fpowi %a, %n : bf16, i64
    linalg.yield %p : bf16
  } -> tensor<16x48xbf16>
  return %y : tensor<16x48xbf16>
}

// CHECK-DAG: "error":null,"function":"from_constants"{{.*}}"verified":true
func.func @from_constants(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %to = tensor.empty() : tensor<4xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(m) -> (m)>, affine_map<(m) -> (m)>], iterator_types = ["parallel"]}
    ins(%c : tensor<4xf32>) outs(%to : tensor<4xf32>) {
  ^bb0(%a: f32, %out: f32):
    %e = math.exp %a : f32
    linalg.yield %e : f32
  } -> tensor<4xf32>
  %p = linalg.softmax dimension(0) ins(%s : tensor<4xf32>) outs(%to : tensor<4xf32>) -> tensor<4xf32>
  %y = arith.addf %x, %p : tensor<4xf32>
  return %y : tensor<4xf32>
}
