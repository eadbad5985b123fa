// RUN: ucmoh-opt --ucmoh-extents %s | FileCheck %s

// Pieces of halving sizes down to eight, then one of each number of rows that can be left. Where a piece of 16 would lack
// three rows at most, it begins earlier.
// CHECK: #[[END:.*]] = affine_map<()[s0] -> (((s0 + 3) floordiv 16) * 16)>
// CHECK-LABEL: func.func @rows(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: tensor<?x16xf32>
// CHECK: %[[EXTENT:.*]] = tensor.dim %[[X]]
// CHECK: %[[SIXTEENS:.*]] = affine.apply #[[END]]()[%[[EXTENT]]]
// CHECK: %[[ENOUGH:.*]] = arith.cmpi sge, %[[EXTENT]], %c16
// CHECK: arith.select %[[ENOUGH]], %[[SIXTEENS]], %c0
// CHECK: scf.for
// CHECK:   tensor.extract_slice %[[X]][%[[FROM:.*]], 0] [16, 16] [1, 1]
// CHECK:   linalg.matmul ins({{.*}} : tensor<16x16xf32>, tensor<16x8192xf32>)
// CHECK:   tensor.insert_slice {{.*}}[%[[FROM]], 0] [16, 8192] [1, 1]
// CHECK: } {ucmoh.pieces}
// CHECK: linalg.matmul ins({{.*}} : tensor<8x16xf32>
// CHECK: %[[LEFT:.*]] = affine.apply
// CHECK: arith.cmpi sle, %[[LEFT]], %c7
// CHECK: linalg.matmul ins({{.*}} : tensor<7x16xf32>
// CHECK: arith.cmpi sle, %[[LEFT]], %c6
// CHECK: linalg.matmul ins({{.*}} : tensor<6x16xf32>
// CHECK: linalg.matmul ins({{.*}} : tensor<5x16xf32>
// CHECK: linalg.matmul ins({{.*}} : tensor<4x16xf32>
// CHECK: linalg.matmul ins({{.*}} : tensor<3x16xf32>
// CHECK: linalg.matmul ins({{.*}} : tensor<2x16xf32>
// CHECK: linalg.matmul ins({{.*}} : tensor<1x16xf32>
// CHECK-NOT: linalg.matmul
func.func @rows(%x: tensor<?x16xf32> {ucmoh.assume = array<i64: 1, 20>}, %w: tensor<16x8192xf32>) -> tensor<?x8192xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %m = tensor.dim %x, %c0 : tensor<?x16xf32>
  %e = tensor.empty(%m) : tensor<?x8192xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x8192xf32>) -> tensor<?x8192xf32>
  %r = linalg.matmul ins(%x, %w : tensor<?x16xf32>, tensor<16x8192xf32>) outs(%f : tensor<?x8192xf32>) -> tensor<?x8192xf32>
  return %r : tensor<?x8192xf32>
}

// No extent of the range needs fewer rows than eight: the last piece begins earlier.
// CHECK-LABEL: func.func @many(
// CHECK: linalg.matmul ins({{.*}} : tensor<32x16xf32>
// CHECK: linalg.matmul ins({{.*}} : tensor<16x16xf32>
// CHECK: linalg.matmul ins({{.*}} : tensor<8x16xf32>
// CHECK-NOT: linalg.matmul
func.func @many(%x: tensor<?x16xf32> {ucmoh.assume = array<i64: 9, 40>}, %w: tensor<16x8192xf32>) -> tensor<?x8192xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %m = tensor.dim %x, %c0 : tensor<?x16xf32>
  %e = tensor.empty(%m) : tensor<?x8192xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x8192xf32>) -> tensor<?x8192xf32>
  %r = linalg.matmul ins(%x, %w : tensor<?x16xf32>, tensor<16x8192xf32>) outs(%f : tensor<?x8192xf32>) -> tensor<?x8192xf32>
  return %r : tensor<?x8192xf32>
}

// Weights that stay in a near cache are read again for a few rows as well: a third as many pieces.
// CHECK-LABEL: func.func @near(
// CHECK: linalg.matmul ins({{.*}} : tensor<128x16xf32>
// CHECK: linalg.matmul ins({{.*}} : tensor<16x16xf32>
// CHECK: linalg.matmul ins({{.*}} : tensor<4x16xf32>
// CHECK: linalg.matmul ins({{.*}} : tensor<1x16xf32>
// CHECK-NOT: linalg.matmul
func.func @near(%x: tensor<?x16xf32>, %w: tensor<16x32xf32>) -> tensor<?x32xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %m = tensor.dim %x, %c0 : tensor<?x16xf32>
  %e = tensor.empty(%m) : tensor<?x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x32xf32>) -> tensor<?x32xf32>
  %r = linalg.matmul ins(%x, %w : tensor<?x16xf32>, tensor<16x32xf32>) outs(%f : tensor<?x32xf32>) -> tensor<?x32xf32>
  return %r : tensor<?x32xf32>
}

// Eight batches at least are promised, but six have as many rows as the largest piece: that is the only one.
#rows = affine_map<(b, m, n, k) -> (b, m, k)>
#columns = affine_map<(b, m, n, k) -> (k, n)>
#results = affine_map<(b, m, n, k) -> (b, m, n)>
// CHECK-LABEL: func.func @promised_batches(
// CHECK: linalg.generic {{.*}} ins({{.*}} : tensor<6x20x16xf32>, tensor<16x8192xf32>)
// CHECK-NOT: linalg.generic
func.func @promised_batches(%x: tensor<?x20x16xf32> {ucmoh.assume = array<i64: 8, 64>}, %w: tensor<16x8192xf32>) -> tensor<?x20x8192xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %b = tensor.dim %x, %c0 : tensor<?x20x16xf32>
  %e = tensor.empty(%b) : tensor<?x20x8192xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x20x8192xf32>) -> tensor<?x20x8192xf32>
  %r = linalg.generic {indexing_maps = [#rows, #columns, #results], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%x, %w : tensor<?x20x16xf32>, tensor<16x8192xf32>) outs(%f : tensor<?x20x8192xf32>) {
  ^bb0(%a: f32, %c: f32, %sum: f32):
    %p = arith.mulf %a, %c : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<?x20x8192xf32>
  return %r : tensor<?x20x8192xf32>
}

// Batches are computed one by one.
// CHECK-LABEL: func.func @batches(
// CHECK: scf.for
// CHECK:   linalg.batch_matmul ins({{.*}} : tensor<1x8x16xf32>, tensor<1x16x4xf32>)
// CHECK-NOT: linalg.batch_matmul
func.func @batches(%x: tensor<?x8x16xf32>, %y: tensor<?x16x4xf32>) -> tensor<?x8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %b = tensor.dim %x, %c0 : tensor<?x8x16xf32>
  %e = tensor.empty(%b) : tensor<?x8x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x8x4xf32>) -> tensor<?x8x4xf32>
  %r = linalg.batch_matmul ins(%x, %y : tensor<?x8x16xf32>, tensor<?x16x4xf32>) outs(%f : tensor<?x8x4xf32>) -> tensor<?x8x4xf32>
  return %r : tensor<?x8x4xf32>
}

// Scores have dynamic rows and columns: blocks, of which the last is padded with zeros.
// CHECK-LABEL: func.func @scores(
// CHECK: linalg.matmul ins({{.*}} : tensor<128x16xf32>, tensor<16x128xf32>)
// CHECK: tensor.pad
// CHECK: linalg.matmul ins({{.*}} : tensor<16x16xf32>, tensor<16x16xf32>)
func.func @scores(%q: tensor<?x16xf32>, %k: tensor<16x?xf32>) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %q, %c0 : tensor<?x16xf32>
  %n = tensor.dim %k, %c1 : tensor<16x?xf32>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %r = linalg.matmul ins(%q, %k : tensor<?x16xf32>, tensor<16x?xf32>) outs(%f : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}

// Channels that each have a window of their own stay together, with their padding.
// CHECK-LABEL: func.func @channels(
// CHECK: scf.for
// CHECK:   tensor.pad {{.*}}
// CHECK:   linalg.depthwise_conv_2d_nhwc_hwc {{.*}} ins({{.*}} : tensor<1x9x9x16xf32>, tensor<3x3x16xf32>)
// CHECK-NOT: linalg.depthwise_conv_2d_nhwc_hwc
func.func @channels(%x: tensor<?x7x7x16xf32>, %w: tensor<3x3x16xf32>) -> tensor<?x7x7x16xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x7x7x16xf32>
  %padded = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<?x7x7x16xf32> to tensor<?x9x9x16xf32>
  %e = tensor.empty(%n) : tensor<?x7x7x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x7x7x16xf32>) -> tensor<?x7x7x16xf32>
  %r = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%padded, %w : tensor<?x9x9x16xf32>, tensor<3x3x16xf32>) outs(%f : tensor<?x7x7x16xf32>) -> tensor<?x7x7x16xf32>
  return %r : tensor<?x7x7x16xf32>
}

// Two heads share keys: each reads those of its own pair in place.
// CHECK-LABEL: func.func @heads(
// CHECK: scf.for %[[HEAD:.*]] = %{{.*}} to %{{.*}}
// CHECK: %[[PAIR:.*]] = affine.apply #{{.*}}(%[[HEAD]])
// CHECK: tensor.extract_slice %arg1[%[[PAIR]], %{{.*}}, 0] [1, 128, 16] [1, 1, 1] : tensor<2x?x16xf32>
func.func @heads(%q: tensor<4x1x16xf32>, %k: tensor<2x?x16xf32>) -> tensor<4x1x?xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1 : index
  %length = tensor.dim %k, %one : tensor<2x?x16xf32>
  %be = tensor.empty(%length) : tensor<2x2x?x16xf32>
  %b = linalg.broadcast ins(%k : tensor<2x?x16xf32>) outs(%be : tensor<2x2x?x16xf32>) dimensions = [1]
  %c = tensor.collapse_shape %b [[0, 1], [2], [3]] : tensor<2x2x?x16xf32> into tensor<4x?x16xf32>
  %e = tensor.empty(%length) : tensor<4x1x?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x1x?xf32>) -> tensor<4x1x?xf32>
  %r = linalg.contract indexing_maps = [affine_map<(h, m, n, k) -> (h, m, k)>, affine_map<(h, m, n, k) -> (h, n, k)>, affine_map<(h, m, n, k) -> (h, m, n)>]
      ins(%q, %c : tensor<4x1x16xf32>, tensor<4x?x16xf32>) outs(%f : tensor<4x1x?xf32>) -> tensor<4x1x?xf32>
  return %r : tensor<4x1x?xf32>
}

// Only the image is open, of which the windows of a static result read a part: no loop is.
// CHECK-LABEL: func.func @open_image(
// CHECK-NOT: scf.for
// CHECK: linalg.conv_2d_nhwc_hwcf
func.func @open_image(%image: tensor<1x?x9x16xf32>, %w: tensor<3x3x16x16xf32>, %init: tensor<1x7x7x16xf32>) -> tensor<1x7x7x16xf32> {
  %c = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%image, %w : tensor<1x?x9x16xf32>, tensor<3x3x16x16xf32>) outs(%init : tensor<1x7x7x16xf32>) -> tensor<1x7x7x16xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(n, y, x, f) -> (n, y, x, f)>, affine_map<(n, y, x, f) -> (n, y, x, f)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%c : tensor<1x7x7x16xf32>) outs(%init : tensor<1x7x7x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %e = math.exp %in : f32
    linalg.yield %e : f32
  } -> tensor<1x7x7x16xf32>
  return %r : tensor<1x7x7x16xf32>
}
