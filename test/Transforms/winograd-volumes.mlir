// RUN: ucmoh-opt %s --ucmoh-winograd --canonicalize --cse --split-input-file | FileCheck %s

// Groups are a batch of the product. In front and behind, all channels are one dim, which the op behind may read.
// CHECK-DAG: #[[PIXELS:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>
// CHECK-DAG: #[[WEIGHTS:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d2, d3, d4, d0)>
// CHECK-DAG: #[[RESULT:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
// CHECK-LABEL: func @groups
// CHECK: %[[SUMS:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<2x8x4x16xf32>) attrs = {ucmoh.plain}
// CHECK: tensor.extract_slice %arg0[0, 0, 0, 0] [1, 2, 2, 8] [1, 2, 2, 1] : tensor<1x6x6x8xf32> to tensor<1x2x2x8xf32>
// CHECK: %[[MATRICES:.*]] = tensor.expand_shape %{{.*}} : tensor<16x4x8xf32> into tensor<16x4x2x4xf32>
// CHECK: linalg.generic {indexing_maps = [#[[PIXELS]], #[[WEIGHTS]], #[[RESULT]]]{{.*}} ins(%[[MATRICES]], %[[SUMS]] :
// CHECK: arith.maximumf
// CHECK-COUNT-4: tensor.insert_slice {{.*}} [1, 2, 2, 16] [1, 2, 2, 1] : tensor<1x2x2x16xf32> into tensor<1x4x4x16xf32>
// CHECK-NEXT: return
func.func @groups(%pixels: tensor<1x6x6x8xf32>, %weights: tensor<2x8x3x3x4xf32> {ucmoh.weight}) -> tensor<1x4x4x16xf32> {
  %zero = arith.constant 0.0 : f32
  %image = tensor.expand_shape %pixels [[0], [1], [2], [3, 4]] output_shape [1, 6, 6, 2, 4] : tensor<1x6x6x8xf32> into tensor<1x6x6x2x4xf32>
  %e = tensor.empty() : tensor<1x4x4x2x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x4x2x8xf32>) -> tensor<1x4x4x2x8xf32>
  %conv = linalg.conv_2d_nhwgc_gfhwc {strides = dense<1> : tensor<2xi64>, ucmoh.winograd = 2 : i64} ins(%image, %weights : tensor<1x6x6x2x4xf32>, tensor<2x8x3x3x4xf32>) outs(%init : tensor<1x4x4x2x8xf32>) -> tensor<1x4x4x2x8xf32>
  %joined = tensor.collapse_shape %conv [[0], [1], [2], [3, 4]] : tensor<1x4x4x2x8xf32> into tensor<1x4x4x16xf32>
  %d = tensor.empty() : tensor<1x4x4x16xf32>
  %relu = linalg.generic {indexing_maps = [affine_map<(n, y, x, f) -> (n, y, x, f)>, affine_map<(n, y, x, f) -> (n, y, x, f)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%joined : tensor<1x4x4x16xf32>) outs(%d : tensor<1x4x4x16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.maximumf %a, %zero : f32
    linalg.yield %m : f32
  } -> tensor<1x4x4x16xf32>
  return %relu : tensor<1x4x4x16xf32>
}

// -----

// Slices of a volume are summed up one by one, and products of several are added up.
// CHECK-DAG: #[[PIXELS:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2 + d5, d3, d6)>
// CHECK-DAG: #[[WEIGHTS:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d5, d6, d4, d0)>
// CHECK-DAG: #[[RESULT:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3, d4)>
// CHECK-LABEL: func @volume
// CHECK: %[[SUMS:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<3x4x8x16xf32>) attrs = {ucmoh.plain}
// CHECK: tensor.extract_slice %arg0[0, 0, 0, 0, 0] [1, 5, 2, 2, 4] [1, 1, 2, 2, 1] : tensor<1x5x6x6x4xf32> to tensor<1x5x2x2x4xf32>
// CHECK: %[[MATRICES:.*]] = tensor.collapse_shape %{{.*}} : tensor<16x1x5x2x2x4xf32> into tensor<16x1x5x4x4xf32>
// CHECK: linalg.generic {indexing_maps = [#[[PIXELS]], #[[WEIGHTS]], #[[RESULT]]]{{.*}} ins(%[[MATRICES]], %[[SUMS]] :
// CHECK-COUNT-4: tensor.insert_slice {{.*}} [1, 3, 2, 2, 8] [1, 1, 2, 2, 1] : tensor<1x3x2x2x8xf32> into tensor<1x3x4x4x8xf32>
// CHECK-NEXT: return
func.func @volume(%image: tensor<1x5x6x6x4xf32>, %weights: tensor<3x3x3x4x8xf32> {ucmoh.weight}) -> tensor<1x3x4x4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x3x4x4x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<1x3x4x4x8xf32>) -> tensor<1x3x4x4x8xf32>
  %conv = linalg.conv_3d_ndhwc_dhwcf {strides = dense<1> : tensor<3xi64>, ucmoh.winograd = 2 : i64} ins(%image, %weights : tensor<1x5x6x6x4xf32>, tensor<3x3x3x4x8xf32>) outs(%init : tensor<1x3x4x4x8xf32>) -> tensor<1x3x4x4x8xf32>
  return %conv : tensor<1x3x4x4x8xf32>
}

// -----

// Windows of one slice: all slices are rows of the same matrices.
// CHECK-LABEL: func @one_slice
// CHECK: tensor.collapse_shape %{{.*}} {{\[\[}}0], [1, 2, 3, 4], [5]] : tensor<16x1x5x2x2x4xf32> into tensor<16x20x4xf32>
func.func @one_slice(%image: tensor<1x5x6x6x4xf32>, %weights: tensor<1x3x3x4x8xf32> {ucmoh.weight}, %init: tensor<1x5x4x4x8xf32>) -> tensor<1x5x4x4x8xf32> {
  %conv = linalg.conv_3d_ndhwc_dhwcf {strides = dense<1> : tensor<3xi64>, ucmoh.winograd = 2 : i64} ins(%image, %weights : tensor<1x5x6x6x4xf32>, tensor<1x3x3x4x8xf32>) outs(%init : tensor<1x5x4x4x8xf32>) -> tensor<1x5x4x4x8xf32>
  return %conv : tensor<1x5x4x4x8xf32>
}

// -----

// Slices that are two apart, and weights of each row: left as they are.
// CHECK-LABEL: func @apart
// CHECK: linalg.conv_3d_ndhwc_dhwcf
// CHECK-LABEL: func @weights_of_rows
// CHECK-NOT: ucmoh.plain
func.func @apart(%image: tensor<1x5x6x6x4xf32>, %weights: tensor<3x3x3x4x8xf32> {ucmoh.weight}, %init: tensor<1x2x4x4x8xf32>) -> tensor<1x2x4x4x8xf32> {
  %conv = linalg.conv_3d_ndhwc_dhwcf {strides = dense<[2, 1, 1]> : tensor<3xi64>, ucmoh.winograd = 2 : i64} ins(%image, %weights : tensor<1x5x6x6x4xf32>, tensor<3x3x3x4x8xf32>) outs(%init : tensor<1x2x4x4x8xf32>) -> tensor<1x2x4x4x8xf32>
  return %conv : tensor<1x2x4x4x8xf32>
}
func.func @weights_of_rows(%image: tensor<1x6x6x4xf32>, %weights: tensor<4x4x3x3x4xf32> {ucmoh.weight}, %init: tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32> {
  %conv = linalg.generic {indexing_maps = [affine_map<(n, y, x, f, c, i, j) -> (n, y + i, x + j, c)>, affine_map<(n, y, x, f, c, i, j) -> (f, c, i, j, y)>, affine_map<(n, y, x, f, c, i, j) -> (n, y, x, f)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%image, %weights : tensor<1x6x6x4xf32>, tensor<4x4x3x3x4xf32>) outs(%init : tensor<1x4x4x4xf32>) attrs = {ucmoh.winograd = 2 : i64} {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x4x4x4xf32>
  return %conv : tensor<1x4x4x4xf32>
}
