// Convolutions with groups of few channels, in the lanes of vectors. No loop is left without a kernel.
// RUN: ucmoh-run %s --repeat=1 | FileCheck %s
// CHECK-LABEL: @u8 on
// CHECK: {{vp.* in lanes}}
// CHECK: verified (max abs error 0)
// CHECK-LABEL: @strided on
// CHECK: verified (max abs error 0)
// CHECK-LABEL: @signed on
// CHECK: verified (max abs error 0)
// CHECK-LABEL: @f32 on
// CHECK: verified
// CHECK-LABEL: @pointwise on
// CHECK: verified
func.func @u8(%x: tensor<1x14x14x32xi8>, %w: tensor<32x3x3x4xi8> {ucmoh.weight}, %bias: tensor<32xi32> {ucmoh.weight}) -> tensor<1x14x14x32xi32> {
  %zero = arith.constant 0 : i8
  %c128 = arith.constant -128 : i8
  %zp = arith.constant -128 : i32
  %z = arith.constant 0 : i32
  %padded = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : i8
  } : tensor<1x14x14x32xi8> to tensor<1x16x16x32xi8>
  %s = tensor.empty() : tensor<1x16x16x32xi8>
  %shift = linalg.generic {indexing_maps = [affine_map<(a,b,c,d)->(a,b,c,d)>, affine_map<(a,b,c,d)->(a,b,c,d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%padded : tensor<1x16x16x32xi8>) outs(%s : tensor<1x16x16x32xi8>) {
  ^bb0(%in: i8, %out: i8):
    %y = arith.addi %in, %c128 : i8
    linalg.yield %y : i8
  } -> tensor<1x16x16x32xi8>
  %e = tensor.empty() : tensor<1x14x14x32xi32>
  %init = linalg.broadcast ins(%bias : tensor<32xi32>) outs(%e : tensor<1x14x14x32xi32>) dimensions = [0, 1, 2]
  %xg = tensor.expand_shape %shift [[0], [1], [2], [3, 4]] output_shape [1, 16, 16, 8, 4] : tensor<1x16x16x32xi8> into tensor<1x16x16x8x4xi8>
  %wg = tensor.expand_shape %w [[0, 1], [2], [3], [4]] output_shape [8, 4, 3, 3, 4] : tensor<32x3x3x4xi8> into tensor<8x4x3x3x4xi8>
  %ig = tensor.expand_shape %init [[0], [1], [2], [3, 4]] output_shape [1, 14, 14, 8, 4] : tensor<1x14x14x32xi32> into tensor<1x14x14x8x4xi32>
  %r = linalg.conv_2d_nhwgc_gfhwc_q {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%xg, %wg, %zp, %z : tensor<1x16x16x8x4xi8>, tensor<8x4x3x3x4xi8>, i32, i32) outs(%ig : tensor<1x14x14x8x4xi32>) -> tensor<1x14x14x8x4xi32>
  %m = tensor.collapse_shape %r [[0], [1], [2], [3, 4]] : tensor<1x14x14x8x4xi32> into tensor<1x14x14x32xi32>
  return %m : tensor<1x14x14x32xi32>
}

func.func @strided(%x: tensor<1x16x14x32xi8>, %w: tensor<32x3x3x8xi8> {ucmoh.weight}, %bias: tensor<32xi32> {ucmoh.weight}) -> tensor<1x8x7x32xi32> {
  %zero = arith.constant 0 : i8
  %c128 = arith.constant -128 : i8
  %zp = arith.constant -128 : i32
  %z = arith.constant 0 : i32
  %padded = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : i8
  } : tensor<1x16x14x32xi8> to tensor<1x18x16x32xi8>
  %s = tensor.empty() : tensor<1x18x16x32xi8>
  %shift = linalg.generic {indexing_maps = [affine_map<(a,b,c,d)->(a,b,c,d)>, affine_map<(a,b,c,d)->(a,b,c,d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%padded : tensor<1x18x16x32xi8>) outs(%s : tensor<1x18x16x32xi8>) {
  ^bb0(%in: i8, %out: i8):
    %y = arith.addi %in, %c128 : i8
    linalg.yield %y : i8
  } -> tensor<1x18x16x32xi8>
  %e = tensor.empty() : tensor<1x8x7x32xi32>
  %init = linalg.broadcast ins(%bias : tensor<32xi32>) outs(%e : tensor<1x8x7x32xi32>) dimensions = [0, 1, 2]
  %xg = tensor.expand_shape %shift [[0], [1], [2], [3, 4]] output_shape [1, 18, 16, 4, 8] : tensor<1x18x16x32xi8> into tensor<1x18x16x4x8xi8>
  %wg = tensor.expand_shape %w [[0, 1], [2], [3], [4]] output_shape [4, 8, 3, 3, 8] : tensor<32x3x3x8xi8> into tensor<4x8x3x3x8xi8>
  %ig = tensor.expand_shape %init [[0], [1], [2], [3, 4]] output_shape [1, 8, 7, 4, 8] : tensor<1x8x7x32xi32> into tensor<1x8x7x4x8xi32>
  %r = linalg.conv_2d_nhwgc_gfhwc_q {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>}
      ins(%xg, %wg, %zp, %z : tensor<1x18x16x4x8xi8>, tensor<4x8x3x3x8xi8>, i32, i32) outs(%ig : tensor<1x8x7x4x8xi32>) -> tensor<1x8x7x4x8xi32>
  %m = tensor.collapse_shape %r [[0], [1], [2], [3, 4]] : tensor<1x8x7x4x8xi32> into tensor<1x8x7x32xi32>
  return %m : tensor<1x8x7x32xi32>
}

// Signed bytes of both operands.
func.func @signed(%x: tensor<1x9x9x32xi8>, %w: tensor<4x8x3x3x8xi8> {ucmoh.weight}) -> tensor<1x7x7x32xi32> {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1x7x7x4x8xi32>
  %init = linalg.fill ins(%z : i32) outs(%e : tensor<1x7x7x4x8xi32>) -> tensor<1x7x7x4x8xi32>
  %xg = tensor.expand_shape %x [[0], [1], [2], [3, 4]] output_shape [1, 9, 9, 4, 8] : tensor<1x9x9x32xi8> into tensor<1x9x9x4x8xi8>
  %r = linalg.conv_2d_nhwgc_gfhwc {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%xg, %w : tensor<1x9x9x4x8xi8>, tensor<4x8x3x3x8xi8>) outs(%init : tensor<1x7x7x4x8xi32>) -> tensor<1x7x7x4x8xi32>
  %m = tensor.collapse_shape %r [[0], [1], [2], [3, 4]] : tensor<1x7x7x4x8xi32> into tensor<1x7x7x32xi32>
  return %m : tensor<1x7x7x32xi32>
}

#id = affine_map<(a, b, c, d) -> (a, b, c, d)>
func.func @f32(%x: tensor<2x14x9x64xf32>, %w: tensor<8x8x3x3x8xf32> {ucmoh.weight}, %bias: tensor<64xf32> {ucmoh.weight}) -> tensor<2x14x9x64xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<2x14x9x64xf32> to tensor<2x16x11x64xf32>
  %e = tensor.empty() : tensor<2x14x9x64xf32>
  %init = linalg.broadcast ins(%bias : tensor<64xf32>) outs(%e : tensor<2x14x9x64xf32>) dimensions = [0, 1, 2]
  %xg = tensor.expand_shape %padded [[0], [1], [2], [3, 4]] output_shape [2, 16, 11, 8, 8] : tensor<2x16x11x64xf32> into tensor<2x16x11x8x8xf32>
  %ig = tensor.expand_shape %init [[0], [1], [2], [3, 4]] output_shape [2, 14, 9, 8, 8] : tensor<2x14x9x64xf32> into tensor<2x14x9x8x8xf32>
  %r = linalg.conv_2d_nhwgc_gfhwc {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%xg, %w : tensor<2x16x11x8x8xf32>, tensor<8x8x3x3x8xf32>) outs(%ig : tensor<2x14x9x8x8xf32>) -> tensor<2x14x9x8x8xf32>
  %m = tensor.collapse_shape %r [[0], [1], [2], [3, 4]] : tensor<2x14x9x8x8xf32> into tensor<2x14x9x64xf32>
  %relu = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%m : tensor<2x14x9x64xf32>) outs(%e : tensor<2x14x9x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %y = arith.maximumf %in, %zero : f32
    linalg.yield %y : f32
  } -> tensor<2x14x9x64xf32>
  return %relu : tensor<2x14x9x64xf32>
}

// A kernel of one element, groups that become fewer channels.
func.func @pointwise(%x: tensor<1x5x6x64xf32>, %w: tensor<16x2x1x1x4xf32> {ucmoh.weight}, %init: tensor<1x5x6x32xf32>) -> tensor<1x5x6x32xf32> {
  %xg = tensor.expand_shape %x [[0], [1], [2], [3, 4]] output_shape [1, 5, 6, 16, 4] : tensor<1x5x6x64xf32> into tensor<1x5x6x16x4xf32>
  %ig = tensor.expand_shape %init [[0], [1], [2], [3, 4]] output_shape [1, 5, 6, 16, 2] : tensor<1x5x6x32xf32> into tensor<1x5x6x16x2xf32>
  %r = linalg.conv_2d_nhwgc_gfhwc {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%xg, %w : tensor<1x5x6x16x4xf32>, tensor<16x2x1x1x4xf32>) outs(%ig : tensor<1x5x6x16x2xf32>) -> tensor<1x5x6x16x2xf32>
  %m = tensor.collapse_shape %r [[0], [1], [2], [3, 4]] : tensor<1x5x6x16x2xf32> into tensor<1x5x6x32xf32>
  return %m : tensor<1x5x6x32xf32>
}
