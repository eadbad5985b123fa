// The scores of an attention get a batch of 1, and the masks beside them have dims of extent 1, too. Without all of them the masks join the
// product.
// RUN: ucmoh-opt %s --ucmoh-prepare | FileCheck %s

#all = affine_map<(b, h, m, n) -> (b, h, m, n)>
#mask = affine_map<(b, h, m, n) -> (b, 0, m, n)>
#columns = affine_map<(b, h, m, n) -> (b, 0, 0, n)>

// CHECK-DAG: #[[ALL:.*]] = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK-DAG: #[[MASK:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-DAG: #[[COLUMNS:.*]] = affine_map<(d0, d1, d2) -> (d2)>

// CHECK-LABEL: func.func @masks
// CHECK-SAME: %[[MASKS:[a-z0-9]+]]: tensor<1x1x4x6xi1>, %[[PADDING:[a-z0-9]+]]: tensor<1x1x1x6xf32>
// CHECK: %[[PRODUCT:.*]] = linalg.batch_matmul
// CHECK-DAG: %[[FLAGS:.*]] = tensor.collapse_shape %[[MASKS]] {{\[}}[0, 1, 2], [3]] : tensor<1x1x4x6xi1> into tensor<4x6xi1>
// CHECK-DAG: %[[ADDED:.*]] = tensor.collapse_shape %[[PADDING]] {{\[}}[0, 1, 2, 3]] : tensor<1x1x1x6xf32> into tensor<6xf32>
// CHECK: linalg.generic {indexing_maps = [#[[ALL]], #[[MASK]], #[[COLUMNS]], #[[ALL]]]{{.*}}} ins(%[[PRODUCT]], %[[FLAGS]], %[[ADDED]] :
func.func @masks(%mask: tensor<1x1x4x6xi1>, %padding: tensor<1x1x1x6xf32>, %a: tensor<2x4x8xf32>, %b: tensor<2x8x6xf32>) -> tensor<1x2x4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant -1.0e4 : f32
  %e3 = tensor.empty() : tensor<2x4x6xf32>
  %e = tensor.empty() : tensor<1x2x4x6xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e3 : tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
  %r = linalg.batch_matmul ins(%a, %b : tensor<2x4x8xf32>, tensor<2x8x6xf32>) outs(%init : tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
  %scores = tensor.expand_shape %r [[0, 1], [2], [3]] output_shape [1, 2, 4, 6] : tensor<2x4x6xf32> into tensor<1x2x4x6xf32>
  %masked = linalg.generic {indexing_maps = [#all, #mask, #columns, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%scores, %mask, %padding : tensor<1x2x4x6xf32>, tensor<1x1x4x6xi1>, tensor<1x1x1x6xf32>) outs(%e : tensor<1x2x4x6xf32>) {
  ^bb0(%x: f32, %m: i1, %p: f32, %o: f32):
    %s = arith.addf %x, %p : f32
    %y = arith.select %m, %s, %low : f32
    linalg.yield %y : f32
  } -> tensor<1x2x4x6xf32>
  return %masked : tensor<1x2x4x6xf32>
}

// A scalar has no dims that a batch could join.
// CHECK-LABEL: func.func @scalar
// CHECK: tensor.expand_shape %{{.*}} [] output_shape [1, 1] : tensor<f32> into tensor<1x1xf32>
func.func @scalar(%x: tensor<f32>, %y: tensor<1x1xf32>) -> tensor<1x1xf32> {
  %e = tensor.empty() : tensor<1x1xf32>
  %scalar = tensor.expand_shape %x [] output_shape [1, 1] : tensor<f32> into tensor<1x1xf32>
  %sum = linalg.add ins(%scalar, %y : tensor<1x1xf32>, tensor<1x1xf32>) outs(%e : tensor<1x1xf32>) -> tensor<1x1xf32>
  return %sum : tensor<1x1xf32>
}

// Quantized rows that get a batch of 1 for several products: each product sees that its operand has 8 bits.
// CHECK-LABEL: func.func @quantized
// CHECK: %[[ROWS:.*]] = tensor.expand_shape %{{.*}} {{\[}}[0, 1], [2]] output_shape [1, 4, 8] : tensor<4x8xi8> into tensor<1x4x8xi8>
// CHECK: %[[CENTERED:.*]] = linalg.generic {{.*}} ins(%[[ROWS]] : tensor<1x4x8xi8>)
// CHECK: linalg.batch_matmul ins(%[[CENTERED]],
// CHECK: linalg.batch_matmul ins(%[[CENTERED]],
func.func @quantized(%x: tensor<4x8xi8>, %zero: tensor<i8>, %v: tensor<1x8x6xi32>, %w: tensor<1x8x6xi32>) -> (tensor<1x4x6xi32>, tensor<1x4x6xi32>) {
  %c0 = arith.constant 0 : i32
  %wide = tensor.empty() : tensor<1x4x8xi32>
  %e = tensor.empty() : tensor<1x4x6xi32>
  %rows = tensor.expand_shape %x [[0, 1], [2]] output_shape [1, 4, 8] : tensor<4x8xi8> into tensor<1x4x8xi8>
  %centered = linalg.generic {indexing_maps = [affine_map<(b, m, k) -> (b, m, k)>, affine_map<(b, m, k) -> ()>, affine_map<(b, m, k) -> (b, m, k)>], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%rows, %zero : tensor<1x4x8xi8>, tensor<i8>) outs(%wide : tensor<1x4x8xi32>) {
  ^bb0(%in: i8, %z: i8, %o: i32):
    %i = arith.extui %in : i8 to i32
    %j = arith.extui %z : i8 to i32
    %s = arith.subi %i, %j : i32
    linalg.yield %s : i32
  } -> tensor<1x4x8xi32>
  %init = linalg.fill ins(%c0 : i32) outs(%e : tensor<1x4x6xi32>) -> tensor<1x4x6xi32>
  %p = linalg.batch_matmul ins(%centered, %v : tensor<1x4x8xi32>, tensor<1x8x6xi32>) outs(%init : tensor<1x4x6xi32>) -> tensor<1x4x6xi32>
  %q = linalg.batch_matmul ins(%centered, %w : tensor<1x4x8xi32>, tensor<1x8x6xi32>) outs(%init : tensor<1x4x6xi32>) -> tensor<1x4x6xi32>
  return %p, %q : tensor<1x4x6xi32>, tensor<1x4x6xi32>
}
