// RUN: ucmoh-opt %s --ucmoh-groups=target=x86_avx512_vnni --split-input-file | FileCheck %s
// RUN: ucmoh-opt %s --ucmoh-groups=target=x86_avx2_fma --split-input-file | FileCheck %s --check-prefix=EXTEND

// Four channels in each of eight groups: one dim of 32 lanes, no reshapes around. Weights lie as lanes read them.
// CHECK: #[[IMAGE:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6, d7) -> (d0, d1 + d4, d2 + d5, (d3 floordiv 4) * 4 + d6 + d7)>
// CHECK: #[[WEIGHTS:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6, d7) -> (d4, d5, d6, d3, d7)>
// CHECK-LABEL: func @floats
// CHECK-SAME: %[[X:.*]]: tensor<1x8x8x32xf32>, %[[W:.*]]: tensor<8x4x3x3x4xf32>, %[[INIT:.*]]: tensor<1x6x6x32xf32>
// CHECK: %[[T:.*]] = linalg.transpose {{.*}} permutation = [2, 3, 4, 0, 1, 5]
// CHECK: %[[L:.*]] = tensor.collapse_shape %[[T]] {{.*}} into tensor<3x3x4x32x1xf32>
// CHECK: %[[R:.*]] = linalg.generic {indexing_maps = [#[[IMAGE]], #[[WEIGHTS]], {{.*}} ins(%[[X]], %[[L]] : {{.*}} outs(%[[INIT]] :
// CHECK-NOT: ucmoh.lanes
// CHECK: return %[[R]]
func.func @floats(%x: tensor<1x8x8x32xf32>, %w: tensor<8x4x3x3x4xf32>, %init: tensor<1x6x6x32xf32>) -> tensor<1x6x6x32xf32> {
  %xg = tensor.expand_shape %x [[0], [1], [2], [3, 4]] output_shape [1, 8, 8, 8, 4] : tensor<1x8x8x32xf32> into tensor<1x8x8x8x4xf32>
  %ig = tensor.expand_shape %init [[0], [1], [2], [3, 4]] output_shape [1, 6, 6, 8, 4] : tensor<1x6x6x32xf32> into tensor<1x6x6x8x4xf32>
  %r = linalg.conv_2d_nhwgc_gfhwc {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%xg, %w : tensor<1x8x8x8x4xf32>, tensor<8x4x3x3x4xf32>) outs(%ig : tensor<1x6x6x8x4xf32>) -> tensor<1x6x6x8x4xf32>
  %m = tensor.collapse_shape %r [[0], [1], [2], [3, 4]] : tensor<1x6x6x8x4xf32> into tensor<1x6x6x32xf32>
  return %m : tensor<1x6x6x32xf32>
}

// -----

// u8 that is hidden as i8: the image is read as it was before, in rows of four.
// CHECK: affine_map<(d0, d1, d2, d3, d4, d5, d6, d7) -> (d0, d1 + d4, d2 + d5, (d3 floordiv 8) * 8 + d6 * 4 + d7)>
// CHECK-LABEL: func @bytes
// CHECK-SAME: %[[X:.*]]: tensor<1x8x8x32xi8>
// CHECK: %[[L:.*]] = tensor.collapse_shape {{.*}} into tensor<3x3x2x32x4xi8>
// CHECK: linalg.generic {{.*}} ins(%[[X]], %[[L]] : {{.*}} attrs = {ucmoh.lanes = @x86_avx512_vnni::@vpdpbusd_512}
// CHECK: arith.extui
// CHECK: arith.extsi
// Where no intrinsic adds products of bytes without saturation, one of longer integers takes rows of two.
// EXTEND-LABEL: func @bytes
// EXTEND: tensor.collapse_shape {{.*}} into tensor<3x3x4x32x2xi8>
// EXTEND: linalg.generic {{.*}} attrs = {ucmoh.lanes = @x86_avx2_fma::@vpmaddwd_256}
#id = affine_map<(a, b, c, d) -> (a, b, c, d)>
func.func @bytes(%x: tensor<1x8x8x32xi8>, %w: tensor<4x8x3x3x8xi8>) -> tensor<1x6x6x32xi32> {
  %shift = arith.constant -128 : i8
  %point = arith.constant -128 : i32
  %zero = arith.constant 0 : i32
  %s = tensor.empty() : tensor<1x8x8x32xi8>
  %hidden = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<1x8x8x32xi8>) outs(%s : tensor<1x8x8x32xi8>) {
  ^bb0(%in: i8, %out: i8):
    %y = arith.addi %in, %shift : i8
    linalg.yield %y : i8
  } -> tensor<1x8x8x32xi8>
  %e = tensor.empty() : tensor<1x6x6x4x8xi32>
  %init = linalg.fill ins(%zero : i32) outs(%e : tensor<1x6x6x4x8xi32>) -> tensor<1x6x6x4x8xi32>
  %xg = tensor.expand_shape %hidden [[0], [1], [2], [3, 4]] output_shape [1, 8, 8, 4, 8] : tensor<1x8x8x32xi8> into tensor<1x8x8x4x8xi8>
  %r = linalg.conv_2d_nhwgc_gfhwc_q {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%xg, %w, %point, %zero : tensor<1x8x8x4x8xi8>, tensor<4x8x3x3x8xi8>, i32, i32) outs(%init : tensor<1x6x6x4x8xi32>) -> tensor<1x6x6x4x8xi32>
  %m = tensor.collapse_shape %r [[0], [1], [2], [3, 4]] : tensor<1x6x6x4x8xi32> into tensor<1x6x6x32xi32>
  return %m : tensor<1x6x6x32xi32>
}

// -----

// Groups that fill vectors are products of matrices. So is an image with a zero point that no intrinsic subtracts.
// CHECK-LABEL: func @wide
// CHECK: linalg.conv_2d_nhwgc_gfhwc {{.*}} tensor<1x8x8x2x32xf32>
func.func @wide(%x: tensor<1x8x8x64xf32>, %w: tensor<2x32x3x3x32xf32>, %init: tensor<1x6x6x64xf32>) -> tensor<1x6x6x64xf32> {
  %xg = tensor.expand_shape %x [[0], [1], [2], [3, 4]] output_shape [1, 8, 8, 2, 32] : tensor<1x8x8x64xf32> into tensor<1x8x8x2x32xf32>
  %ig = tensor.expand_shape %init [[0], [1], [2], [3, 4]] output_shape [1, 6, 6, 2, 32] : tensor<1x6x6x64xf32> into tensor<1x6x6x2x32xf32>
  %r = linalg.conv_2d_nhwgc_gfhwc {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%xg, %w : tensor<1x8x8x2x32xf32>, tensor<2x32x3x3x32xf32>) outs(%ig : tensor<1x6x6x2x32xf32>) -> tensor<1x6x6x2x32xf32>
  %m = tensor.collapse_shape %r [[0], [1], [2], [3, 4]] : tensor<1x6x6x2x32xf32> into tensor<1x6x6x64xf32>
  return %m : tensor<1x6x6x64xf32>
}

// CHECK-LABEL: func @zero_point
// CHECK: linalg.conv_2d_nhwgc_gfhwc_q
func.func @zero_point(%x: tensor<1x8x8x32xi8>, %w: tensor<8x4x3x3x4xi8>, %init: tensor<1x6x6x32xi32>) -> tensor<1x6x6x32xi32> {
  %point = arith.constant 5 : i32
  %zero = arith.constant 0 : i32
  %xg = tensor.expand_shape %x [[0], [1], [2], [3, 4]] output_shape [1, 8, 8, 8, 4] : tensor<1x8x8x32xi8> into tensor<1x8x8x8x4xi8>
  %ig = tensor.expand_shape %init [[0], [1], [2], [3, 4]] output_shape [1, 6, 6, 8, 4] : tensor<1x6x6x32xi32> into tensor<1x6x6x8x4xi32>
  %r = linalg.conv_2d_nhwgc_gfhwc_q {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%xg, %w, %point, %zero : tensor<1x8x8x8x4xi8>, tensor<8x4x3x3x4xi8>, i32, i32) outs(%ig : tensor<1x6x6x8x4xi32>) -> tensor<1x6x6x8x4xi32>
  %m = tensor.collapse_shape %r [[0], [1], [2], [3, 4]] : tensor<1x6x6x8x4xi32> into tensor<1x6x6x32xi32>
  return %m : tensor<1x6x6x32xi32>
}
