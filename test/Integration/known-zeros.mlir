// RUN: ucmoh-run %s --repeat=1 | FileCheck %s
// CHECK-LABEL: @transposed on
// CHECK: verified
// CHECK-LABEL: @dilated on
// CHECK: verified
// CHECK-LABEL: @bands on
// CHECK: verified
// CHECK-LABEL: @strided_bands on
// CHECK: verified
// CHECK-LABEL: @one_channel on
// CHECK: verified
// CHECK-LABEL: @volume on
// CHECK: conv_f32f32f32_1x3x4x5x16
// CHECK: verified

func.func @transposed(%image: tensor<1x8x5x5xf32>, %kernel: tensor<16x8x3x3xf32> {ucmoh.weight}, %bias: tensor<16xf32> {ucmoh.weight}) -> tensor<1x16x10x9xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x8x12x11xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<1x8x12x11xf32>) -> tensor<1x8x12x11xf32>
  %spread = tensor.insert_slice %image into %zeros[0, 0, 2, 1] [1, 8, 5, 5] [1, 1, 2, 2] : tensor<1x8x5x5xf32> into tensor<1x8x12x11xf32>
  %o = tensor.empty() : tensor<1x16x10x9xf32>
  %init = linalg.broadcast ins(%bias : tensor<16xf32>) outs(%o : tensor<1x16x10x9xf32>) dimensions = [0, 2, 3]
  %r = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%spread, %kernel : tensor<1x8x12x11xf32>, tensor<16x8x3x3xf32>) outs(%init : tensor<1x16x10x9xf32>) -> tensor<1x16x10x9xf32>
  return %r : tensor<1x16x10x9xf32>
}

func.func @dilated(%image: tensor<1x8x10x20xi8>, %kernel: tensor<16x8x3x3xi8> {ucmoh.weight}) -> tensor<1x16x5x10xi32> {
  %point = arith.constant -6 : i8
  %wide = arith.constant -6 : i32
  %other = arith.constant 0 : i32
  %padded = tensor.pad %image low[0, 0, 12, 12] high[0, 0, 12, 12] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %point : i8
  } : tensor<1x8x10x20xi8> to tensor<1x8x34x44xi8>
  %e = tensor.empty() : tensor<1x16x5x10xi32>
  %init = linalg.fill ins(%other : i32) outs(%e : tensor<1x16x5x10xi32>) -> tensor<1x16x5x10xi32>
  %r = linalg.conv_2d_nchw_fchw_q {dilations = dense<12> : vector<2xi64>, strides = dense<2> : vector<2xi64>}
      ins(%padded, %kernel, %wide, %other : tensor<1x8x34x44xi8>, tensor<16x8x3x3xi8>, i32, i32) outs(%init : tensor<1x16x5x10xi32>) -> tensor<1x16x5x10xi32>
  return %r : tensor<1x16x5x10xi32>
}

func.func @bands(%image: tensor<1x16x16x16xf32>, %kernel: tensor<32x16x3x3xf32> {ucmoh.weight}, %bias: tensor<32xf32> {ucmoh.weight}) -> tensor<1x32x16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %image low[0, 0, 12, 12] high[0, 0, 12, 12] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x16x16x16xf32> to tensor<1x16x40x40xf32>
  %o = tensor.empty() : tensor<1x32x16x16xf32>
  %init = linalg.broadcast ins(%bias : tensor<32xf32>) outs(%o : tensor<1x32x16x16xf32>) dimensions = [0, 2, 3]
  %r = linalg.conv_2d_nchw_fchw {dilations = dense<12> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%padded, %kernel : tensor<1x16x40x40xf32>, tensor<32x16x3x3xf32>) outs(%init : tensor<1x32x16x16xf32>) -> tensor<1x32x16x16xf32>
  return %r : tensor<1x32x16x16xf32>
}

// Steps of 4 and 5, kernels of 4 x 3, borders that differ, a stride of 2 along columns.
func.func @strided_bands(%image: tensor<2x8x6x7xi8>, %kernel: tensor<16x8x4x3xi8> {ucmoh.weight}, %init: tensor<2x16x5x4xi32>) -> tensor<2x16x5x4xi32> {
  %point = arith.constant 3 : i8
  %wide = arith.constant 3 : i32
  %other = arith.constant 0 : i32
  %padded = tensor.pad %image low[0, 0, 5, 6] high[0, 0, 6, 4] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %point : i8
  } : tensor<2x8x6x7xi8> to tensor<2x8x17x17xi8>
  %r = linalg.conv_2d_nchw_fchw_q {dilations = dense<[4, 5]> : vector<2xi64>, strides = dense<[1, 2]> : vector<2xi64>}
      ins(%padded, %kernel, %wide, %other : tensor<2x8x17x17xi8>, tensor<16x8x4x3xi8>, i32, i32) outs(%init : tensor<2x16x5x4xi32>) -> tensor<2x16x5x4xi32>
  return %r : tensor<2x16x5x4xi32>
}

// A line of one channel behind another convolution, whose phases are single elements that lie apart.
func.func @one_channel(%line: tensor<1x16x80xf32>, %before: tensor<16x16x1xf32> {ucmoh.weight}, %kernel: tensor<1x16x8xf32> {ucmoh.weight}, %z: tensor<1x16x80xf32>) -> tensor<1x1x324xf32> {
  %init = arith.constant dense<0.5> : tensor<1x1x324xf32>
  %zero = arith.constant 0.0 : f32
  %made = linalg.conv_1d_ncw_fcw {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>}
      ins(%line, %before : tensor<1x16x80xf32>, tensor<16x16x1xf32>) outs(%z : tensor<1x16x80xf32>) -> tensor<1x16x80xf32>
  %e = tensor.empty() : tensor<1x16x331xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<1x16x331xf32>) -> tensor<1x16x331xf32>
  %spread = tensor.insert_slice %made into %zeros[0, 0, 7] [1, 16, 80] [1, 1, 4] : tensor<1x16x80xf32> into tensor<1x16x331xf32>
  %r = linalg.conv_1d_ncw_fcw {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>}
      ins(%spread, %kernel : tensor<1x16x331xf32>, tensor<1x16x8xf32>) outs(%init : tensor<1x1x324xf32>) -> tensor<1x1x324xf32>
  return %r : tensor<1x1x324xf32>
}

// Eight phases of a volume, each of which meets one element of the kernel.
func.func @volume(%volume: tensor<1x8x3x4x5xf32>, %kernel: tensor<16x8x2x2x2xf32> {ucmoh.weight}, %bias: tensor<16xf32> {ucmoh.weight}) -> tensor<1x16x6x8x10xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x8x7x9x11xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<1x8x7x9x11xf32>) -> tensor<1x8x7x9x11xf32>
  %spread = tensor.insert_slice %volume into %zeros[0, 0, 1, 1, 1] [1, 8, 3, 4, 5] [1, 1, 2, 2, 2] : tensor<1x8x3x4x5xf32> into tensor<1x8x7x9x11xf32>
  %o = tensor.empty() : tensor<1x16x6x8x10xf32>
  %init = linalg.broadcast ins(%bias : tensor<16xf32>) outs(%o : tensor<1x16x6x8x10xf32>) dimensions = [0, 2, 3, 4]
  %r = linalg.conv_3d_ncdhw_fcdhw {dilations = dense<1> : vector<3xi64>, strides = dense<1> : vector<3xi64>}
      ins(%spread, %kernel : tensor<1x8x7x9x11xf32>, tensor<16x8x2x2x2xf32>) outs(%init : tensor<1x16x6x8x10xf32>) -> tensor<1x16x6x8x10xf32>
  return %r : tensor<1x16x6x8x10xf32>
}
