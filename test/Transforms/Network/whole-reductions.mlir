// Extremes of all elements are found along one row of them, in one loop for the same tensor.
// RUN: ucmoh-opt %s --ucmoh-group-rest | FileCheck %s

#turned = affine_map<(c, h, w) -> (h, w, c)>
#same = affine_map<(a, b, c) -> (a, b, c)>
#one = affine_map<(a, b, c) -> ()>

// CHECK-DAG: #[[ROW:.*]] = affine_map<(d0) -> (d0)>
// CHECK-DAG: #[[ONE:.*]] = affine_map<(d0) -> ()>

// CHECK-LABEL: func.func @extremes
// CHECK: %[[ALL:.*]] = tensor.collapse_shape %{{.*}} {{\[}}[0, 1, 2]] : tensor<6x7x8xf32> into tensor<336xf32>
// CHECK: %[[FOUND:.*]]:2 = linalg.generic {indexing_maps = [#[[ROW]], #[[ONE]], #[[ONE]]], iterator_types = ["reduction"]} ins(%[[ALL]] :
// CHECK: arith.maximumf
// CHECK: arith.minimumf
// CHECK-NOT: linalg.generic
// CHECK: return %[[FOUND]]#0, %[[FOUND]]#1
func.func @extremes(%x: tensor<6x7x8xf32>) -> (tensor<f32>, tensor<f32>) {
  %low = arith.constant 0xFF800000 : f32
  %high = arith.constant 0x7F800000 : f32
  %e = tensor.empty() : tensor<f32>
  %lowest = linalg.fill ins(%low : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %max = linalg.generic {indexing_maps = [#turned, #one], iterator_types = ["reduction", "reduction", "reduction"]}
    ins(%x : tensor<6x7x8xf32>) outs(%lowest : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %m = arith.maximumf %in, %out : f32
    linalg.yield %m : f32
  } -> tensor<f32>
  %highest = linalg.fill ins(%high : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %min = linalg.generic {indexing_maps = [#same, #one], iterator_types = ["reduction", "reduction", "reduction"]}
    ins(%x : tensor<6x7x8xf32>) outs(%highest : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %m = arith.minimumf %in, %out : f32
    linalg.yield %m : f32
  } -> tensor<f32>
  return %max, %min : tensor<f32>, tensor<f32>
}

// The order of a sum of floats stays, and so does what the second op makes of the first one's result.
// CHECK-LABEL: func.func @others
// CHECK: linalg.generic {{.*}} iterator_types = ["reduction", "reduction", "reduction"]
// CHECK: arith.addf
// CHECK: linalg.generic {{.*}} iterator_types = ["reduction"]
// CHECK: linalg.generic {{.*}} iterator_types = ["reduction"]
func.func @others(%x: tensor<6x7x8xf32>, %start: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %sum = linalg.generic {indexing_maps = [#same, #one], iterator_types = ["reduction", "reduction", "reduction"]}
    ins(%x : tensor<6x7x8xf32>) outs(%start : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %m = arith.addf %in, %out : f32
    linalg.yield %m : f32
  } -> tensor<f32>
  %max = linalg.generic {indexing_maps = [#same, #one], iterator_types = ["reduction", "reduction", "reduction"]}
    ins(%x : tensor<6x7x8xf32>) outs(%start : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %m = arith.maximumf %in, %out : f32
    linalg.yield %m : f32
  } -> tensor<f32>
  %min = linalg.generic {indexing_maps = [#same, #one], iterator_types = ["reduction", "reduction", "reduction"]}
    ins(%x : tensor<6x7x8xf32>) outs(%max : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %m = arith.minimumf %in, %out : f32
    linalg.yield %m : f32
  } -> tensor<f32>
  return %sum, %min : tensor<f32>, tensor<f32>
}
