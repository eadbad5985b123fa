// RUN: ucmoh-opt %s --ucmoh-winograd --canonicalize --cse --split-input-file | FileCheck %s

// Even extents: each op computes one element of all four tiles. The consumer and the bias join the sums behind.
// CHECK-DAG: #[[PRODUCT:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
// CHECK-DAG: #[[WEIGHTS:.*]] = affine_map<(d0, d1, d2, d3) -> (d2, d3, d0)>
// CHECK-LABEL: func @even
// CHECK: %[[FACTORS:.*]] = arith.constant dense<{{.*}}> : tensor<3x3x16xf32>
// Filters come first in the weights, and so they do in their sums.
// CHECK: %[[SUMS:.*]] = linalg.generic {{.*}} ins(%arg1, %[[FACTORS]] : tensor<8x16x3x3xf32>, tensor<3x3x16xf32>) outs(%{{.*}} : tensor<8x16x16xf32>) attrs = {ucmoh.plain}
// Sixteen sums of four pixels each.
// CHECK: tensor.extract_slice %arg0[0, 0, 0, 0] [1, 2, 2, 16] [1, 2, 2, 1] : tensor<1x6x6x16xf32> to tensor<1x2x2x16xf32>
// CHECK-COUNT-16: tensor.insert_slice {{.*}} : tensor<1x2x2x16xf32> into tensor<16x1x2x2x16xf32>
// CHECK: %[[PIXELS:.*]] = tensor.collapse_shape %{{.*}} {{\[\[}}0], [1, 2, 3], [4]] : tensor<16x1x2x2x16xf32> into tensor<16x4x16xf32>
// CHECK: linalg.generic {indexing_maps = [#[[PRODUCT]], #[[WEIGHTS]], {{.*}} ins(%[[PIXELS]], %[[SUMS]] : tensor<16x4x16xf32>, tensor<8x16x16xf32>)
// Nine products make one result.
// CHECK: %[[BIAS:.*]] = tensor.extract_slice %arg3[0, 0, 0, 0] [1, 2, 2, 8] [1, 2, 2, 1]
// CHECK: linalg.generic {{.*}}%arg2, %[[BIAS]]
// CHECK-COUNT-2: arith.addf %{{.*}}, %{{.*}} : f32
// CHECK: arith.maximumf
// CHECK-COUNT-4: tensor.insert_slice {{.*}} [1, 2, 2, 8] [1, 2, 2, 1] : tensor<1x2x2x8xf32> into tensor<1x4x4x8xf32>
// CHECK-NEXT: return
func.func @even(%image: tensor<1x6x6x16xf32>, %weights: tensor<8x16x3x3xf32> {ucmoh.weight}, %bias: tensor<8xf32> {ucmoh.weight}, %residual: tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x4x4x8xf32>
  %init = linalg.generic {indexing_maps = [affine_map<(n, y, x, f) -> (f)>, affine_map<(n, y, x, f) -> (n, y, x, f)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%bias : tensor<8xf32>) outs(%e : tensor<1x4x4x8xf32>) {
  ^bb0(%b: f32, %o: f32):
    linalg.yield %b : f32
  } -> tensor<1x4x4x8xf32>
  %conv = linalg.generic {indexing_maps = [affine_map<(n, y, x, f, c, i, j) -> (n, y + i, x + j, c)>, affine_map<(n, y, x, f, c, i, j) -> (f, c, i, j)>, affine_map<(n, y, x, f, c, i, j) -> (n, y, x, f)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%image, %weights : tensor<1x6x6x16xf32>, tensor<8x16x3x3xf32>) outs(%init : tensor<1x4x4x8xf32>) attrs = {ucmoh.winograd = 2 : i64} {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x4x4x8xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(n, y, x, f) -> (n, y, x, f)>, affine_map<(n, y, x, f) -> (n, y, x, f)>, affine_map<(n, y, x, f) -> (n, y, x, f)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%conv, %residual : tensor<1x4x4x8xf32>, tensor<1x4x4x8xf32>) outs(%e : tensor<1x4x4x8xf32>) {
  ^bb0(%a: f32, %r: f32, %o: f32):
    %s = arith.addf %a, %r : f32
    %m = arith.maximumf %s, %zero : f32
    linalg.yield %m : f32
  } -> tensor<1x4x4x8xf32>
  return %sum : tensor<1x4x4x8xf32>
}

// -----

// The last tiles of odd extents have one row, or one column. What they would need for a second one is zero.
// CHECK-LABEL: func @odd
// CHECK: linalg.fill {{.*}} -> tensor<4x2x1x2x4xf32>
// CHECK: linalg.fill {{.*}} -> tensor<4x2x3x1x4xf32>
// CHECK: tensor.insert_slice {{.*}} [1, 2, 2, 1, 4] [1, 1, 1, 1, 1] : tensor<2x2x1x4xf32> into tensor<16x2x3x2x4xf32>
// CHECK: tensor.insert_slice {{.*}}[0, 0, 0, 0] [2, 3, 2, 4] [1, 2, 2, 1] : tensor<2x3x2x4xf32> into tensor<2x5x3x4xf32>
// CHECK: tensor.insert_slice {{.*}}[0, 0, 1, 0] [2, 3, 1, 4] [1, 2, 2, 1] : tensor<2x3x1x4xf32> into tensor<2x5x3x4xf32>
// CHECK: tensor.insert_slice {{.*}}[0, 1, 0, 0] [2, 2, 2, 4] [1, 2, 2, 1] : tensor<2x2x2x4xf32> into tensor<2x5x3x4xf32>
// CHECK: tensor.insert_slice {{.*}}[0, 1, 1, 0] [2, 2, 1, 4] [1, 2, 2, 1] : tensor<2x2x1x4xf32> into tensor<2x5x3x4xf32>
func.func @odd(%image: tensor<2x7x5x4xf32>, %weights: tensor<4x4x3x3xf32> {ucmoh.weight}) -> tensor<2x5x3x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x5x3x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<2x5x3x4xf32>) -> tensor<2x5x3x4xf32>
  %conv = linalg.generic {indexing_maps = [affine_map<(n, y, x, f, c, i, j) -> (n, y + i, x + j, c)>, affine_map<(n, y, x, f, c, i, j) -> (f, c, i, j)>, affine_map<(n, y, x, f, c, i, j) -> (n, y, x, f)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%image, %weights : tensor<2x7x5x4xf32>, tensor<4x4x3x3xf32>) outs(%init : tensor<2x5x3x4xf32>) attrs = {ucmoh.winograd = 3 : i64} {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x5x3x4xf32>
  return %conv : tensor<2x5x3x4xf32>
}

// -----

// Blocks of two rows of tiles; the last one begins earlier. Sums of weights are in front of the loop.
// CHECK: #[[FIRST:.*]] = affine_map<(d0) -> (2, d0 * 4)>
// CHECK-LABEL: func @blocks
// CHECK: ucmoh.plain
// CHECK: scf.for
// CHECK: %[[ROW:.*]] = affine.min #[[FIRST]]
// CHECK: tensor.extract_slice %arg0[0, %[[ROW]], 0, 0] [1, 6, 6, 4]
// CHECK: tensor.insert_slice {{.*}}[0, %[[ROW]], 0, 0] [1, 4, 4, 4] [1, 1, 1, 1] : tensor<1x4x4x4xf32> into tensor<1x6x4x4xf32>
func.func @blocks(%image: tensor<1x8x6x4xf32>, %weights: tensor<4x4x3x3xf32> {ucmoh.weight}) -> tensor<1x6x4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x6x4x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<1x6x4x4xf32>) -> tensor<1x6x4x4xf32>
  %conv = linalg.generic {indexing_maps = [affine_map<(n, y, x, f, c, i, j) -> (n, y + i, x + j, c)>, affine_map<(n, y, x, f, c, i, j) -> (f, c, i, j)>, affine_map<(n, y, x, f, c, i, j) -> (n, y, x, f)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%image, %weights : tensor<1x8x6x4xf32>, tensor<4x4x3x3xf32>) outs(%init : tensor<1x6x4x4xf32>) attrs = {ucmoh.winograd = 2 : i64} {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x6x4x4xf32>
  return %conv : tensor<1x6x4x4xf32>
}

// -----

// Sums of bytes have 16 bits, and products of them 32. Weights are multiplied by four, so that their sums are integers;
// results are divided by four. The shift in front of the convolution is that of its zero point.
// CHECK-LABEL: func @bytes
// CHECK: %[[FACTORS:.*]] = arith.constant dense<{{.*}}> : tensor<3x3x16xi16>
// CHECK: %[[SUMS:.*]] = linalg.generic {{.*}} ins(%arg1, %[[FACTORS]] : tensor<8x16x3x3xi8>, tensor<3x3x16xi16>) outs(%{{.*}} : tensor<8x16x16xi16>) attrs = {ucmoh.plain}
// CHECK: %[[WEIGHT:.*]] = arith.extsi
// CHECK: arith.muli %[[WEIGHT]], %{{.*}} : i16
// CHECK: tensor.extract_slice %arg0[0, 0, 0, 0] [1, 2, 2, 16] [1, 2, 2, 1] : tensor<1x6x6x16xi8>
// CHECK: arith.extui %{{.*}} : i8 to i16
// CHECK: arith.subi %{{.*}}, %c3_i16 : i16
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %[[SUMS]] : tensor<16x4x16xi16>, tensor<8x16x16xi16>) outs(%{{.*}} : tensor<16x4x8xi32>)
// CHECK-COUNT-4: arith.shrsi %{{.*}}, %c2_i32
// CHECK-LABEL: func @zero_points
// CHECK: arith.subi %{{.*}}, %c-3_i16 : i16
// CHECK-LABEL: func @many_channels
// CHECK-NOT: ucmoh.plain
// CHECK: return
func.func @bytes(%image: tensor<1x6x6x16xi8>, %weights: tensor<8x16x3x3xi8> {ucmoh.weight}, %init: tensor<1x4x4x8xi32>) -> tensor<1x4x4x8xi32> {
  %shift = arith.constant -128 : i8
  %zero = arith.constant -125 : i32
  %e = tensor.empty() : tensor<1x6x6x16xi8>
  %shifted = linalg.generic {indexing_maps = [affine_map<(n, y, x, f) -> (n, y, x, f)>, affine_map<(n, y, x, f) -> (n, y, x, f)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%image : tensor<1x6x6x16xi8>) outs(%e : tensor<1x6x6x16xi8>) {
  ^bb0(%b: i8, %o: i8):
    %s = arith.addi %b, %shift : i8
    linalg.yield %s : i8
  } -> tensor<1x6x6x16xi8>
  %conv = linalg.generic {indexing_maps = [affine_map<(n, y, x, f, c, i, j) -> (n, y + i, x + j, c)>, affine_map<(n, y, x, f, c, i, j) -> (f, c, i, j)>, affine_map<(n, y, x, f, c, i, j) -> (n, y, x, f)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%shifted, %weights : tensor<1x6x6x16xi8>, tensor<8x16x3x3xi8>) outs(%init : tensor<1x4x4x8xi32>) attrs = {ucmoh.winograd = 2 : i64} {
  ^bb0(%a: i8, %b: i8, %o: i32):
    %x = arith.extsi %a : i8 to i32
    %z = arith.subi %x, %zero : i32
    %y = arith.extsi %b : i8 to i32
    %m = arith.muli %z, %y : i32
    %s = arith.addi %o, %m : i32
    linalg.yield %s : i32
  } -> tensor<1x4x4x8xi32>
  return %conv : tensor<1x4x4x8xi32>
}
func.func @zero_points(%image: tensor<1x6x6x4xi8>, %weights: tensor<3x3x4x4xi8> {ucmoh.weight}, %init: tensor<1x4x4x4xi32>) -> tensor<1x4x4x4xi32> {
  %zero = arith.constant -3 : i32
  %none = arith.constant 0 : i32
  %conv = linalg.conv_2d_nhwc_hwcf_q {strides = dense<1> : tensor<2xi64>, ucmoh.winograd = 2 : i64} ins(%image, %weights, %zero, %none : tensor<1x6x6x4xi8>, tensor<3x3x4x4xi8>, i32, i32) outs(%init : tensor<1x4x4x4xi32>) -> tensor<1x4x4x4xi32>
  return %conv : tensor<1x4x4x4xi32>
}
// Four times the sum of so many products may need more than 32 bits.
func.func @many_channels(%image: tensor<1x6x6x4096xi8>, %weights: tensor<3x3x4096x4xi8> {ucmoh.weight}, %init: tensor<1x4x4x4xi32>) -> tensor<1x4x4x4xi32> {
  %conv = linalg.conv_2d_nhwc_hwcf {strides = dense<1> : tensor<2xi64>, ucmoh.winograd = 2 : i64} ins(%image, %weights : tensor<1x6x6x4096xi8>, tensor<3x3x4096x4xi8>) outs(%init : tensor<1x4x4x4xi32>) -> tensor<1x4x4x4xi32>
  return %conv : tensor<1x4x4x4xi32>
}

// -----

// Strides, other windows, other types, weights that change from call to call: nothing to save, or nothing that is known.
// CHECK-LABEL: func @strided
// CHECK: linalg.conv_2d_nhwc_hwcf
// CHECK-LABEL: func @five
// CHECK: linalg.conv_2d_nhwc_hwcf
// CHECK-LABEL: func @half
// CHECK: linalg.conv_2d_nhwc_hwcf
// CHECK-LABEL: func @changing
// CHECK: linalg.conv_2d_nhwc_hwcf
func.func @strided(%image: tensor<1x9x9x4xf32>, %weights: tensor<3x3x4x4xf32> {ucmoh.weight}, %init: tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32> {
  %conv = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : tensor<2xi64>, ucmoh.winograd = 1 : i64} ins(%image, %weights : tensor<1x9x9x4xf32>, tensor<3x3x4x4xf32>) outs(%init : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  return %conv : tensor<1x4x4x4xf32>
}
func.func @five(%image: tensor<1x8x8x4xf32>, %weights: tensor<5x5x4x4xf32> {ucmoh.weight}, %init: tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32> {
  %conv = linalg.conv_2d_nhwc_hwcf {strides = dense<1> : tensor<2xi64>, ucmoh.winograd = 1 : i64} ins(%image, %weights : tensor<1x8x8x4xf32>, tensor<5x5x4x4xf32>) outs(%init : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  return %conv : tensor<1x4x4x4xf32>
}
func.func @half(%image: tensor<1x6x6x4xf16>, %weights: tensor<3x3x4x4xf16> {ucmoh.weight}, %init: tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32> {
  %conv = linalg.conv_2d_nhwc_hwcf {strides = dense<1> : tensor<2xi64>, ucmoh.winograd = 1 : i64} ins(%image, %weights : tensor<1x6x6x4xf16>, tensor<3x3x4x4xf16>) outs(%init : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  return %conv : tensor<1x4x4x4xf32>
}
func.func @changing(%image: tensor<1x6x6x4xf32>, %weights: tensor<3x3x4x4xf32>, %init: tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32> {
  %conv = linalg.conv_2d_nhwc_hwcf {strides = dense<1> : tensor<2xi64>, ucmoh.winograd = 1 : i64} ins(%image, %weights : tensor<1x6x6x4xf32>, tensor<3x3x4x4xf32>) outs(%init : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  return %conv : tensor<1x4x4x4xf32>
}

// -----

// Both dims of the window are one loop. What follows reads a number that is no tensor, and stays an op of its own.
// CHECK-LABEL: func @diagonal
// CHECK-NOT: ucmoh.plain
// CHECK-LABEL: func @number
// CHECK: ucmoh.plain
// CHECK-COUNT-4: tensor.insert_slice {{.*}} [1, 2, 2, 4] [1, 2, 2, 1] : tensor<1x2x2x4xf32> into tensor<1x4x4x4xf32>
// CHECK: linalg.generic {{.*}}%arg2 : tensor<1x4x4x4xf32>, f32
func.func @diagonal(%image: tensor<1x6x6x4xf32>, %weights: tensor<4x4x3x3xf32> {ucmoh.weight}, %init: tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32> {
  %conv = linalg.generic {indexing_maps = [affine_map<(n, y, x, f, c, i, j) -> (n, y + i, x + i, c)>, affine_map<(n, y, x, f, c, i, j) -> (f, c, i, j)>, affine_map<(n, y, x, f, c, i, j) -> (n, y, x, f)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%image, %weights : tensor<1x6x6x4xf32>, tensor<4x4x3x3xf32>) outs(%init : tensor<1x4x4x4xf32>) attrs = {ucmoh.winograd = 2 : i64} {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x4x4x4xf32>
  return %conv : tensor<1x4x4x4xf32>
}
func.func @number(%image: tensor<1x6x6x4xf32>, %weights: tensor<3x3x4x4xf32> {ucmoh.weight}, %scale: f32, %init: tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32> {
  %conv = linalg.conv_2d_nhwc_hwcf {strides = dense<1> : tensor<2xi64>, ucmoh.winograd = 2 : i64} ins(%image, %weights : tensor<1x6x6x4xf32>, tensor<3x3x4x4xf32>) outs(%init : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %e = tensor.empty() : tensor<1x4x4x4xf32>
  %scaled = linalg.generic {indexing_maps = [affine_map<(n, y, x, f) -> (n, y, x, f)>, affine_map<(n, y, x, f) -> ()>, affine_map<(n, y, x, f) -> (n, y, x, f)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%conv, %scale : tensor<1x4x4x4xf32>, f32) outs(%e : tensor<1x4x4x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    linalg.yield %m : f32
  } -> tensor<1x4x4x4xf32>
  return %scaled : tensor<1x4x4x4xf32>
}
