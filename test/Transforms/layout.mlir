// Channels become innermost from a convolution on through all that follows it; transposes stand at the borders only.
// RUN: ucmoh-opt %s --pass-pipeline='builtin.module(func.func(ucmoh-layout,canonicalize,cse))' | FileCheck %s

// The image is an argument of a convolution, so it is transposed. The bias is read as it is, and so are the weights.
// CHECK-LABEL: func.func @chain
// CHECK: linalg.transpose ins(%{{.*}} : tensor<1x3x8x8xf32>) outs(%{{.*}} : tensor<1x8x8x3xf32>) permutation = [0, 2, 3, 1]
// CHECK-NOT: linalg.transpose
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<1x8x8x3xf32>, tensor<16x3x3x3xf32>) outs(%{{.*}} : tensor<1x6x6x16xf32>)
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<1x6x6x16xf32>, tensor<32x16x1x1xf32>) outs(%{{.*}} : tensor<1x6x6x32xf32>)
// CHECK: linalg.transpose ins(%{{.*}} : tensor<1x6x6x32xf32>) {{.*}} permutation = [0, 3, 1, 2]
func.func @chain(%image: tensor<1x3x8x8xf32>, %w0: tensor<16x3x3x3xf32>, %w1: tensor<32x16x1x1xf32>,
                 %bias: tensor<16xf32>) -> tensor<1x32x6x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<1x16x6x6xf32>
  %b0 = linalg.broadcast ins(%bias : tensor<16xf32>) outs(%e0 : tensor<1x16x6x6xf32>) dimensions = [0, 2, 3]
  %c0 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%image, %w0 : tensor<1x3x8x8xf32>, tensor<16x3x3x3xf32>) outs(%b0 : tensor<1x16x6x6xf32>) -> tensor<1x16x6x6xf32>
  %square = linalg.mul ins(%c0, %c0 : tensor<1x16x6x6xf32>, tensor<1x16x6x6xf32>)
    outs(%e0 : tensor<1x16x6x6xf32>) -> tensor<1x16x6x6xf32>
  %e1 = tensor.empty() : tensor<1x32x6x6xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<1x32x6x6xf32>) -> tensor<1x32x6x6xf32>
  %c1 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%square, %w1 : tensor<1x16x6x6xf32>, tensor<32x16x1x1xf32>) outs(%f1 : tensor<1x32x6x6xf32>) -> tensor<1x32x6x6xf32>
  return %c1 : tensor<1x32x6x6xf32>
}

// An elementwise op at the border reads one layout and writes the other. A window's loops are outside of the channels.
// CHECK-LABEL: func.func @border
// CHECK-NOT: linalg.transpose
// CHECK: linalg.generic {{.*}} ins(%arg0 : tensor<1x4x8x8xf32>) outs(%{{.*}} : tensor<1x8x8x4xi8>)
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "parallel"]{{.*}} outs(%{{.*}} : tensor<1x6x6x4xi8>)
func.func @border(%image: tensor<1x4x8x8xf32>, %w: tensor<8x4x1x1xi8>) -> tensor<1x8x3x3xi32> {
  %low = arith.constant -128 : i8
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1x4x8x8xi8>
  %q = linalg.generic {indexing_maps = [affine_map<(n, c, h, w) -> (n, c, h, w)>, affine_map<(n, c, h, w) -> (n, c, h, w)>],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%image : tensor<1x4x8x8xf32>) outs(%e : tensor<1x4x8x8xi8>) {
  ^bb0(%x: f32, %o: i8):
    %y = arith.fptosi %x : f32 to i8
    linalg.yield %y : i8
  } -> tensor<1x4x8x8xi8>
  %window = tensor.empty() : tensor<3x3xi8>
  %p = tensor.empty() : tensor<1x4x6x6xi8>
  %f = linalg.fill ins(%low : i8) outs(%p : tensor<1x4x6x6xi8>) -> tensor<1x4x6x6xi8>
  %r = linalg.pooling_nchw_max {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%q, %window : tensor<1x4x8x8xi8>, tensor<3x3xi8>) outs(%f : tensor<1x4x6x6xi8>) -> tensor<1x4x6x6xi8>
  %ce = tensor.empty() : tensor<1x8x3x3xi32>
  %cf = linalg.fill ins(%zero : i32) outs(%ce : tensor<1x8x3x3xi32>) -> tensor<1x8x3x3xi32>
  %c = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
    ins(%r, %w : tensor<1x4x6x6xi8>, tensor<8x4x1x1xi8>) outs(%cf : tensor<1x8x3x3xi32>) -> tensor<1x8x3x3xi32>
  return %c : tensor<1x8x3x3xi32>
}

// Groups of channels are split and merged where they lie. Paddings and concatenations move along. An image of one pixel
// needs no transpose.
// CHECK-LABEL: func.func @groups
// CHECK: tensor.pad {{.*}} low[0, 1, 1, 0] high[0, 1, 1, 0]
// CHECK: tensor.expand_shape %{{.*}} {{\[}}[0], [1], [2], [3, 4]] {{.*}} into tensor<1x3x3x2x2xf32>
// CHECK: tensor.collapse_shape %{{.*}} {{\[}}[0], [1], [2], [3, 4]] : tensor<1x1x1x2x4xf32> into tensor<1x1x1x8xf32>
// CHECK: tensor.concat dim(3)
// CHECK-NOT: linalg.transpose
func.func @groups(%image: tensor<1x1x1x4xf32>, %w: tensor<2x4x2x3x3xf32>) -> tensor<1x16x1x1xf32> {
  %zero = arith.constant 0.0 : f32
  %nchw = tensor.expand_shape %image [[0], [1], [2], [3]] output_shape [1, 1, 1, 4] : tensor<1x1x1x4xf32> into tensor<1x1x1x4xf32>
  %t = tensor.empty() : tensor<1x4x1x1xf32>
  %first = linalg.transpose ins(%nchw : tensor<1x1x1x4xf32>) outs(%t : tensor<1x4x1x1xf32>) permutation = [0, 3, 1, 2]
  %pad = tensor.pad %first low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x4x1x1xf32> to tensor<1x4x3x3xf32>
  %split = tensor.expand_shape %pad [[0], [1, 2], [3], [4]] output_shape [1, 2, 2, 3, 3] : tensor<1x4x3x3xf32> into tensor<1x2x2x3x3xf32>
  %e = tensor.empty() : tensor<1x2x4x1x1xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x2x4x1x1xf32>) -> tensor<1x2x4x1x1xf32>
  %c = linalg.conv_2d_ngchw_gfchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%split, %w : tensor<1x2x2x3x3xf32>, tensor<2x4x2x3x3xf32>) outs(%f : tensor<1x2x4x1x1xf32>) -> tensor<1x2x4x1x1xf32>
  %merged = tensor.collapse_shape %c [[0], [1, 2], [3], [4]] : tensor<1x2x4x1x1xf32> into tensor<1x8x1x1xf32>
  %two = tensor.concat dim(1) %merged, %merged : (tensor<1x8x1x1xf32>, tensor<1x8x1x1xf32>) -> tensor<1x16x1x1xf32>
  return %two : tensor<1x16x1x1xf32>
}

// A single convolution whose kernel reads rows of the image as they are is not worth two transposes.
// CHECK-LABEL: func.func @single
// CHECK: linalg.conv_2d_nchw_fchw
func.func @single(%image: tensor<1x3x34x34xf32>, %w: tensor<16x3x3x3xf32>, %init: tensor<1x16x32x32xf32>) -> tensor<1x16x32x32xf32> {
  %c = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%image, %w : tensor<1x3x34x34xf32>, tensor<16x3x3x3xf32>) outs(%init : tensor<1x16x32x32xf32>) -> tensor<1x16x32x32xf32>
  return %c : tensor<1x16x32x32xf32>
}

// A pinned choice was made for the layout that stands there.
// CHECK-LABEL: func.func @pinned
// CHECK: linalg.conv_2d_nchw_fchw
func.func @pinned(%image: tensor<1x3x8x8xf32>, %w: tensor<16x3x3x3xf32>, %init: tensor<1x16x6x6xf32>) -> tensor<1x16x6x6xf32> {
  %c = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>, ucmoh.choice = 1 : i32}
    ins(%image, %w : tensor<1x3x8x8xf32>, tensor<16x3x3x3xf32>) outs(%init : tensor<1x16x6x6xf32>) -> tensor<1x16x6x6xf32>
  return %c : tensor<1x16x6x6xf32>
}

// Neither does it change when its neighbours do.
// CHECK-LABEL: func.func @pinned_between
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<1x6x6x4xf32>)
// CHECK: linalg.transpose {{.*}} permutation = [0, 3, 1, 2]
// CHECK: linalg.conv_2d_nchw_fchw {{.*}}ucmoh.choice
func.func @pinned_between(%image: tensor<1x3x8x8xf32>, %w0: tensor<4x3x3x3xf32>, %w1: tensor<8x4x3x3xf32>,
                          %i0: tensor<1x4x6x6xf32>, %i1: tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32> {
  %c0 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%image, %w0 : tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) outs(%i0 : tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32>
  %c1 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>, ucmoh.choice = 1 : i32}
    ins(%c0, %w1 : tensor<1x4x6x6xf32>, tensor<8x4x3x3xf32>) outs(%i1 : tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32>
  return %c1 : tensor<1x8x4x4xf32>
}

// Tokens that become an image and back around a depthwise convolution of integers, whose channels torch-mlir brings inside.
// CHECK-LABEL: func.func @tokens
// CHECK-NOT: linalg.transpose
// CHECK: tensor.pad %{{.*}} low[0, 1, 1, 0] high[0, 1, 1, 0]
// CHECK: linalg.depthwise_conv_2d_nhwc_hwc_q
// CHECK-NOT: linalg.transpose
// CHECK: return
func.func @tokens(%tokens: tensor<1x64x32xi8>, %kernel: tensor<3x3x32xi8>, %init: tensor<1x8x8x32xi32>) -> tensor<1x64x32xi32> {
  %point = arith.constant 3 : i8
  %wide = arith.constant 3 : i32
  %zero = arith.constant 0 : i32
  %a = tensor.empty() : tensor<1x32x64xi8>
  %channels = linalg.transpose ins(%tokens : tensor<1x64x32xi8>) outs(%a : tensor<1x32x64xi8>) permutation = [0, 2, 1]
  %image = tensor.expand_shape %channels [[0], [1], [2, 3]] output_shape [1, 32, 8, 8] : tensor<1x32x64xi8> into tensor<1x32x8x8xi8>
  %padded = tensor.pad %image low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%n: index, %c: index, %h: index, %w: index):
    tensor.yield %point : i8
  } : tensor<1x32x8x8xi8> to tensor<1x32x10x10xi8>
  %b = tensor.empty() : tensor<1x10x10x32xi8>
  %inside = linalg.transpose ins(%padded : tensor<1x32x10x10xi8>) outs(%b : tensor<1x10x10x32xi8>) permutation = [0, 2, 3, 1]
  %sums = linalg.depthwise_conv_2d_nhwc_hwc_q {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
      ins(%inside, %kernel, %wide, %zero : tensor<1x10x10x32xi8>, tensor<3x3x32xi8>, i32, i32) outs(%init : tensor<1x8x8x32xi32>) -> tensor<1x8x8x32xi32>
  %c = tensor.empty() : tensor<1x32x8x8xi32>
  %outside = linalg.transpose ins(%sums : tensor<1x8x8x32xi32>) outs(%c : tensor<1x32x8x8xi32>) permutation = [0, 3, 1, 2]
  %flat = tensor.collapse_shape %outside [[0], [1], [2, 3]] : tensor<1x32x8x8xi32> into tensor<1x32x64xi32>
  %d = tensor.empty() : tensor<1x64x32xi32>
  %r = linalg.transpose ins(%flat : tensor<1x32x64xi32>) outs(%d : tensor<1x64x32xi32>) permutation = [0, 2, 1]
  return %r : tensor<1x64x32xi32>
}

// Blocks of 2 x 2 pixels become rows of channels and come back, as a network writes it that merges channels with rows
// of blocks in between: one transpose each is left, which moves whole rows of channels.
// CHECK-LABEL: func.func @blocks
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<1x8x8x16xf32>)
// CHECK: tensor.expand_shape {{.*}} : tensor<1x8x8x16xf32> into tensor<1x4x2x4x2x16xf32>
// CHECK-NOT: tensor.collapse_shape
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<1x2x2x4x4x16xf32>)
// CHECK: tensor.collapse_shape {{.*}} into tensor<1x4x16x16xf32>
// CHECK: math.exp
// CHECK: tensor.expand_shape {{.*}} into tensor<1x2x2x4x4x16xf32>
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<1x4x2x4x2x16xf32>)
// CHECK: tensor.collapse_shape {{.*}} into tensor<1x8x8x16xf32>
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<1x8x8x16xf32>, tensor<16x16x1x1xf32>)
func.func @blocks(%image: tensor<1x16x8x8xf32>, %w0: tensor<16x16x1x1xf32>, %w1: tensor<16x16x1x1xf32>) -> tensor<1x16x8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x16x8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x16x8x8xf32>) -> tensor<1x16x8x8xf32>
  %c0 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%image, %w0 : tensor<1x16x8x8xf32>, tensor<16x16x1x1xf32>) outs(%f : tensor<1x16x8x8xf32>) -> tensor<1x16x8x8xf32>
  %0 = tensor.collapse_shape %c0 [[0, 1, 2], [3]] : tensor<1x16x8x8xf32> into tensor<128x8xf32>
  %1 = tensor.expand_shape %0 [[0, 1], [2, 3]] output_shape [64, 2, 4, 2] : tensor<128x8xf32> into tensor<64x2x4x2xf32>
  %e2 = tensor.empty() : tensor<64x4x2x2xf32>
  %2 = linalg.transpose ins(%1 : tensor<64x2x4x2xf32>) outs(%e2 : tensor<64x4x2x2xf32>) permutation = [0, 2, 1, 3]
  %3 = tensor.collapse_shape %2 [[0, 1], [2, 3]] : tensor<64x4x2x2xf32> into tensor<256x4xf32>
  %4 = tensor.expand_shape %3 [[0, 1, 2], [3]] output_shape [1, 16, 16, 4] : tensor<256x4xf32> into tensor<1x16x16x4xf32>
  %e5 = tensor.empty() : tensor<1x4x16x16xf32>
  %5 = linalg.transpose ins(%4 : tensor<1x16x16x4xf32>) outs(%e5 : tensor<1x4x16x16xf32>) permutation = [0, 3, 2, 1]
  %6 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%5 : tensor<1x4x16x16xf32>) outs(%e5 : tensor<1x4x16x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %x = math.exp %in : f32
    linalg.yield %x : f32
  } -> tensor<1x4x16x16xf32>
  %e7 = tensor.empty() : tensor<1x16x16x4xf32>
  %7 = linalg.transpose ins(%6 : tensor<1x4x16x16xf32>) outs(%e7 : tensor<1x16x16x4xf32>) permutation = [0, 3, 2, 1]
  %8 = tensor.collapse_shape %7 [[0, 1, 2], [3]] : tensor<1x16x16x4xf32> into tensor<256x4xf32>
  %9 = tensor.expand_shape %8 [[0, 1], [2, 3]] output_shape [64, 4, 2, 2] : tensor<256x4xf32> into tensor<64x4x2x2xf32>
  %e10 = tensor.empty() : tensor<64x2x4x2xf32>
  %10 = linalg.transpose ins(%9 : tensor<64x4x2x2xf32>) outs(%e10 : tensor<64x2x4x2xf32>) permutation = [0, 2, 1, 3]
  %11 = tensor.collapse_shape %10 [[0, 1], [2, 3]] : tensor<64x2x4x2xf32> into tensor<128x8xf32>
  %12 = tensor.expand_shape %11 [[0, 1, 2], [3]] output_shape [1, 16, 8, 8] : tensor<128x8xf32> into tensor<1x16x8x8xf32>
  %c1 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%12, %w1 : tensor<1x16x8x8xf32>, tensor<16x16x1x1xf32>) outs(%f : tensor<1x16x8x8xf32>) -> tensor<1x16x8x8xf32>
  return %c1 : tensor<1x16x8x8xf32>
}

// An image that is looked up by rows and columns, as resizes do, lies as what is computed of it; the channels come last.
// CHECK-LABEL: func.func @resized
// CHECK: linalg.transpose ins(%{{.*}} : tensor<1x16x8x8xf32>)
// CHECK-NOT: linalg.transpose
// CHECK: %[[IMAGE:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<1x8x8x16xf32>)
// CHECK: %[[ROWS:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<1x16x8x16xf32>)
// CHECK-DAG: %[[C:.*]] = linalg.index 3
// CHECK-DAG: %[[W:.*]] = linalg.index 2
// CHECK: tensor.extract %[[IMAGE]][%{{.*}}, %{{.*}}, %[[W]], %[[C]]]
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<1x16x16x16xf32>)
// CHECK-DAG: %[[LAST:.*]] = linalg.index 3
// CHECK-DAG: %[[H:.*]] = linalg.index 1
// CHECK: tensor.extract %[[ROWS]][%{{.*}}, %[[H]], %{{.*}}, %[[LAST]]]
// CHECK: linalg.transpose ins(%{{.*}} : tensor<1x16x16x16xf32>)
func.func @resized(%image: tensor<1x16x8x8xf32>, %w0: tensor<16x16x1x1xf32>, %w1: tensor<16x16x1x1xf32>) -> tensor<1x16x16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0 : index
  %two = arith.constant 2 : index
  %e = tensor.empty() : tensor<1x16x8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x16x8x8xf32>) -> tensor<1x16x8x8xf32>
  %c0 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%image, %w0 : tensor<1x16x8x8xf32>, tensor<16x16x1x1xf32>) outs(%f : tensor<1x16x8x8xf32>) -> tensor<1x16x8x8xf32>
  %g = tensor.empty() : tensor<1x16x16x8xf32>
  %rows = linalg.generic {indexing_maps = [affine_map<(n, c, h, w) -> (n, c, h, w)>],
                          iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%g : tensor<1x16x16x8xf32>) {
  ^bb0(%o: f32):
    %c = linalg.index 1 : index
    %h = linalg.index 2 : index
    %w = linalg.index 3 : index
    %row = arith.divui %h, %two : index
    %x = tensor.extract %c0[%none, %c, %row, %w] : tensor<1x16x8x8xf32>
    linalg.yield %x : f32
  } -> tensor<1x16x16x8xf32>
  %k = tensor.empty() : tensor<1x16x16x16xf32>
  %columns = linalg.generic {indexing_maps = [affine_map<(n, c, h, w) -> (n, c, h, w)>],
                             iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%k : tensor<1x16x16x16xf32>) {
  ^bb0(%o: f32):
    %c = linalg.index 1 : index
    %h = linalg.index 2 : index
    %w = linalg.index 3 : index
    %column = arith.divui %w, %two : index
    %x = tensor.extract %rows[%none, %c, %h, %column] : tensor<1x16x16x8xf32>
    linalg.yield %x : f32
  } -> tensor<1x16x16x16xf32>
  %start = linalg.fill ins(%zero : f32) outs(%k : tensor<1x16x16x16xf32>) -> tensor<1x16x16x16xf32>
  %c1 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%columns, %w1 : tensor<1x16x16x16xf32>, tensor<16x16x1x1xf32>) outs(%start : tensor<1x16x16x16xf32>) -> tensor<1x16x16x16xf32>
  return %c1 : tensor<1x16x16x16xf32>
}

// Where a row depends on the column as well, dims of the image and of the result are not the same ones.
// CHECK-LABEL: func.func @crossed
// CHECK: tensor.extract %{{.*}} : tensor<1x16x8x8xf32>
func.func @crossed(%image: tensor<1x16x8x8xf32>, %w0: tensor<16x16x1x1xf32>, %w1: tensor<16x16x1x1xf32>) -> tensor<1x16x8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0 : index
  %e = tensor.empty() : tensor<1x16x8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x16x8x8xf32>) -> tensor<1x16x8x8xf32>
  %square = linalg.mul ins(%image, %image : tensor<1x16x8x8xf32>, tensor<1x16x8x8xf32>)
    outs(%e : tensor<1x16x8x8xf32>) -> tensor<1x16x8x8xf32>
  %rows = linalg.generic {indexing_maps = [affine_map<(n, c, h, w) -> (n, c, h, w)>],
                          iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%e : tensor<1x16x8x8xf32>) {
  ^bb0(%o: f32):
    %c = linalg.index 1 : index
    %h = linalg.index 2 : index
    %w = linalg.index 3 : index
    %row = arith.minui %h, %w : index
    %x = tensor.extract %square[%none, %c, %row, %w] : tensor<1x16x8x8xf32>
    linalg.yield %x : f32
  } -> tensor<1x16x8x8xf32>
  %c0 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%rows, %w0 : tensor<1x16x8x8xf32>, tensor<16x16x1x1xf32>) outs(%f : tensor<1x16x8x8xf32>) -> tensor<1x16x8x8xf32>
  %c1 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%c0, %w1 : tensor<1x16x8x8xf32>, tensor<16x16x1x1xf32>) outs(%f : tensor<1x16x8x8xf32>) -> tensor<1x16x8x8xf32>
  return %c1 : tensor<1x16x8x8xf32>
}
