// Kernels write into borders, concatenations and steps of larger tensors.
// RUN: ucmoh-run %s --repeat=1 | FileCheck %s
// CHECK-LABEL: @branches on
// CHECK: verified
// CHECK-LABEL: @bytes on
// CHECK: verified (max abs error 0)

// Two branches side by side, in a border that differs at each side; rows of 7 pixels are no multiple of a tile.
func.func @branches(%x: tensor<1x8x9x7xf32>, %v: tensor<24x8x3x3xf32> {ucmoh.weight}, %w: tensor<8x8x3x3xf32> {ucmoh.weight}, %u: tensor<16x32x2x3xf32> {ucmoh.weight}) -> tensor<1x16x9x6xf32> {
  %zero = arith.constant 0.0 : f32
  %a = tensor.empty() : tensor<1x24x7x5xf32>
  %fa = linalg.fill ins(%zero : f32) outs(%a : tensor<1x24x7x5xf32>) -> tensor<1x24x7x5xf32>
  %b = tensor.empty() : tensor<1x8x7x5xf32>
  %fb = linalg.fill ins(%zero : f32) outs(%b : tensor<1x8x7x5xf32>) -> tensor<1x8x7x5xf32>
  %r = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%x, %v : tensor<1x8x9x7xf32>, tensor<24x8x3x3xf32>) outs(%fa : tensor<1x24x7x5xf32>) -> tensor<1x24x7x5xf32>
  %s = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%x, %w : tensor<1x8x9x7xf32>, tensor<8x8x3x3xf32>) outs(%fb : tensor<1x8x7x5xf32>) -> tensor<1x8x7x5xf32>
  %both = tensor.concat dim(1) %r, %s : (tensor<1x24x7x5xf32>, tensor<1x8x7x5xf32>) -> tensor<1x32x7x5xf32>
  %padded = tensor.pad %both low[0, 0, 1, 2] high[0, 0, 2, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x32x7x5xf32> to tensor<1x32x10x8xf32>
  %c = tensor.empty() : tensor<1x16x9x6xf32>
  %fc = linalg.fill ins(%zero : f32) outs(%c : tensor<1x16x9x6xf32>) -> tensor<1x16x9x6xf32>
  %t = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%padded, %u : tensor<1x32x10x8xf32>, tensor<16x32x2x3xf32>) outs(%fc : tensor<1x16x9x6xf32>) -> tensor<1x16x9x6xf32>
  return %t : tensor<1x16x9x6xf32>
}

// The border is the zero point; the same buffer's shape occurs twice.
#id = affine_map<(a, b, c, d) -> (a, b, c, d)>
func.func @bytes(%x: tensor<1x6x5x16xi8>, %v: tensor<3x3x16x16xi8> {ucmoh.weight}, %w: tensor<3x3x16x16xi8> {ucmoh.weight}) -> tensor<1x6x5x16xi32> {
  %point = arith.constant 3 : i8
  %wide = arith.constant 3 : i32
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1x6x5x16xi32>
  %init = linalg.fill ins(%zero : i32) outs(%e : tensor<1x6x5x16xi32>) -> tensor<1x6x5x16xi32>
  %n = tensor.empty() : tensor<1x6x5x16xi8>
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %point : i8
  } : tensor<1x6x5x16xi8> to tensor<1x8x7x16xi8>
  %r = linalg.conv_2d_nhwc_hwcf_q {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%p, %v, %wide, %zero : tensor<1x8x7x16xi8>, tensor<3x3x16x16xi8>, i32, i32) outs(%init : tensor<1x6x5x16xi32>) -> tensor<1x6x5x16xi32>
  %narrow = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%r : tensor<1x6x5x16xi32>) outs(%n : tensor<1x6x5x16xi8>) {
  ^bb0(%in: i32, %out: i8):
    %eight = arith.constant 8 : i32
    %s = arith.shrsi %in, %eight : i32
    %y = arith.trunci %s : i32 to i8
    linalg.yield %y : i8
  } -> tensor<1x6x5x16xi8>
  %q = tensor.pad %narrow low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %point : i8
  } : tensor<1x6x5x16xi8> to tensor<1x8x7x16xi8>
  %t = linalg.conv_2d_nhwc_hwcf_q {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%q, %w, %wide, %zero : tensor<1x8x7x16xi8>, tensor<3x3x16x16xi8>, i32, i32) outs(%init : tensor<1x6x5x16xi32>) -> tensor<1x6x5x16xi32>
  return %t : tensor<1x6x5x16xi32>
}
