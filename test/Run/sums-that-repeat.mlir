// Ops that add to what their results hold, as a sum over a dim of extent 1 does, stay apart from ops that repeat their elements.
// RUN: ucmoh-run %s --repeat=1 | FileCheck %s

#id = affine_map<(d0) -> (d0)>
#row = affine_map<(d0, d1) -> (d0)>
#all = affine_map<(d0, d1) -> (d0, d1)>
#first = affine_map<(d0, d1) -> (d0, 0)>

// CHECK: @added on
// CHECK: verified
func.func @added(%x: tensor<8xf32>, %y: tensor<8xf32>, %z: tensor<8x32xf32>) -> tensor<8x32xf32> {
  %sum = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%y : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  %e = tensor.empty() : tensor<8x32xf32>
  %r = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]} ins(%z, %sum : tensor<8x32xf32>, tensor<8xf32>) outs(%e : tensor<8x32xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = arith.subf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<8x32xf32>
  return %r : tensor<8x32xf32>
}

// CHECK: @unit on
// CHECK: verified
func.func @unit(%x: tensor<8x1xf32>, %z: tensor<8x32xf32>) -> tensor<8x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e1 = tensor.empty() : tensor<8x1xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e1 : tensor<8x1xf32>) -> tensor<8x1xf32>
  %sum = linalg.generic {indexing_maps = [#all, #first], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x1xf32>) outs(%init : tensor<8x1xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<8x1xf32>
  %e = tensor.empty() : tensor<8x32xf32>
  %r = linalg.generic {indexing_maps = [#all, #first, #all], iterator_types = ["parallel", "parallel"]} ins(%z, %sum : tensor<8x32xf32>, tensor<8x1xf32>) outs(%e : tensor<8x32xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = arith.subf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<8x32xf32>
  return %r : tensor<8x32xf32>
}
