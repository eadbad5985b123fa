// A batch and rows of open number: the rows of all batches are multiplied together by the same
// matrix, and heads are no part of the batch.
//
// RUN: ucmoh-opt --ucmoh-prepare --split-input-file %s | FileCheck %s

// CHECK-LABEL: func.func @same_matrix
// CHECK-SAME:    %[[X:.*]]: tensor<?x?x64xf32>, %[[R:.*]]: tensor<?x?x32xf32>, %[[W:.*]]: tensor<64x32xf32>
// CHECK:         %[[ROWS:.*]] = tensor.collapse_shape %[[X]] {{\[\[}}0, 1], [2]]
// CHECK:         %[[PRODUCT:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]{{.*}} ins(%[[ROWS]], %[[W]] : tensor<?x64xf32>, tensor<64x32xf32>)
// CHECK:         %[[OTHERS:.*]] = tensor.collapse_shape %[[R]] {{\[\[}}0, 1], [2]]
// CHECK:         %[[SUM:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]{{.*}} ins(%[[PRODUCT]], %[[OTHERS]] : tensor<?x32xf32>, tensor<?x32xf32>)
// CHECK:         %[[RESULT:.*]] = tensor.expand_shape %[[SUM]] {{\[\[}}0, 1], [2]]
// CHECK:         return %[[RESULT]]
func.func @same_matrix(%x: tensor<?x?x64xf32>, %r: tensor<?x?x32xf32>, %w: tensor<64x32xf32>) -> tensor<?x?x32xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %batches = tensor.dim %x, %c0 : tensor<?x?x64xf32>
  %words = tensor.dim %x, %c1 : tensor<?x?x64xf32>
  %wide = tensor.empty(%batches) : tensor<?x64x32xf32>
  %repeated = linalg.broadcast ins(%w : tensor<64x32xf32>) outs(%wide : tensor<?x64x32xf32>) dimensions = [0]
  %empty = tensor.empty(%batches, %words) : tensor<?x?x32xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x?x32xf32>) -> tensor<?x?x32xf32>
  %product = linalg.batch_matmul ins(%x, %repeated : tensor<?x?x64xf32>, tensor<?x64x32xf32>) outs(%init : tensor<?x?x32xf32>) -> tensor<?x?x32xf32>
  %sum = linalg.add ins(%product, %r : tensor<?x?x32xf32>, tensor<?x?x32xf32>) outs(%empty : tensor<?x?x32xf32>) -> tensor<?x?x32xf32>
  return %sum : tensor<?x?x32xf32>
}

// -----

// CHECK-LABEL: func.func @heads
// CHECK-SAME:    %[[Q:.*]]: tensor<?x8x?x64xf32>, %[[K:.*]]: tensor<?x8x64x?xf32>
// CHECK-NOT:     collapse_shape
// CHECK:         %[[SCORES:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]{{.*}} ins(%[[Q]], %[[K]] : tensor<?x8x?x64xf32>, tensor<?x8x64x?xf32>)
// CHECK-NOT:     expand_shape
// CHECK:         return %[[SCORES]]
func.func @heads(%q: tensor<?x8x?x64xf32>, %k: tensor<?x8x64x?xf32>) -> tensor<?x8x?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %queries = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<?x8x?x64xf32> into tensor<?x?x64xf32>
  %keys = tensor.collapse_shape %k [[0, 1], [2], [3]] : tensor<?x8x64x?xf32> into tensor<?x64x?xf32>
  %items = tensor.dim %queries, %c0 : tensor<?x?x64xf32>
  %rows = tensor.dim %queries, %c1 : tensor<?x?x64xf32>
  %columns = tensor.dim %keys, %c2 : tensor<?x64x?xf32>
  %empty = tensor.empty(%items, %rows, %columns) : tensor<?x?x?xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %scores = linalg.batch_matmul ins(%queries, %keys : tensor<?x?x64xf32>, tensor<?x64x?xf32>) outs(%init : tensor<?x?x?xf32>) -> tensor<?x?x?xf32>
  %batches = tensor.dim %q, %c0 : tensor<?x8x?x64xf32>
  %apart = tensor.expand_shape %scores [[0, 1], [2], [3]] output_shape [%batches, 8, %rows, %columns] : tensor<?x?x?xf32> into tensor<?x8x?x?xf32>
  return %apart : tensor<?x8x?x?xf32>
}

// -----

// Rows that are quantized in blocks follow the product: their largest elements have a dim of extent
// 1, which goes.
// CHECK-LABEL: func.func @rows_in_blocks
// CHECK-SAME:    %[[X:.*]]: tensor<?x?x64xf32>
// CHECK:         %[[SCALED:.*]] = linalg.generic {{.*}} outs({{.*}} : tensor<?x2x32xf32>)
// CHECK:         %[[ROWS:.*]] = tensor.collapse_shape %{{.*}} {{\[\[}}0], [1, 2]] : tensor<?x2x32xf32> into tensor<?x64xf32>
// CHECK:         linalg.generic {{.*}} ins(%[[ROWS]], %{{.*}} : tensor<?x64xf32>, tensor<64x32xf32>)
func.func @rows_in_blocks(%x: tensor<?x?x64xf32>, %s: tensor<?x?x2x1xf32>, %w: tensor<64x32xf32>) -> tensor<?x?x32xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %batches = tensor.dim %x, %c0 : tensor<?x?x64xf32>
  %words = tensor.dim %x, %c1 : tensor<?x?x64xf32>
  %blocks = tensor.expand_shape %x [[0], [1], [2, 3]] output_shape [%batches, %words, 2, 32] : tensor<?x?x64xf32> into tensor<?x?x2x32xf32>
  %room = tensor.empty(%batches, %words) : tensor<?x?x2x32xf32>
  %scaled = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, 0)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%blocks, %s : tensor<?x?x2x32xf32>, tensor<?x?x2x1xf32>) outs(%room : tensor<?x?x2x32xf32>) {
  ^bb0(%in: f32, %scale: f32, %out: f32):
    %quotient = arith.divf %in, %scale : f32
    %rounded = math.roundeven %quotient : f32
    linalg.yield %rounded : f32
  } -> tensor<?x?x2x32xf32>
  %rows = tensor.collapse_shape %scaled [[0], [1], [2, 3]] : tensor<?x?x2x32xf32> into tensor<?x?x64xf32>
  %empty = tensor.empty(%batches, %words) : tensor<?x?x32xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x?x32xf32>) -> tensor<?x?x32xf32>
  %product = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, d)>, affine_map<(a, b, c, d) -> (d, c)>, affine_map<(a, b, c, d) -> (a, b, c)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%rows, %w : tensor<?x?x64xf32>, tensor<64x32xf32>) outs(%init : tensor<?x?x32xf32>) {
  ^bb0(%left: f32, %right: f32, %out: f32):
    %each = arith.mulf %left, %right : f32
    %sum = arith.addf %out, %each : f32
    linalg.yield %sum : f32
  } -> tensor<?x?x32xf32>
  return %product : tensor<?x?x32xf32>
}

// -----

// The rows of an image are read in steps and windows, so that those of all images are no one dim.
// CHECK-LABEL: func.func @images
// CHECK:         linalg.conv_2d_nhwc_hwcf
func.func @images(%x: tensor<?x?x9x4xf32>, %w: tensor<3x3x4x8xf32>, %out: tensor<?x?x7x8xf32>) -> tensor<?x?x7x8xf32> {
  %y = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<?x?x9x4xf32>, tensor<3x3x4x8xf32>) outs(%out : tensor<?x?x7x8xf32>) -> tensor<?x?x7x8xf32>
  return %y : tensor<?x?x7x8xf32>
}
