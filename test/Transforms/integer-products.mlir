// Products of floats whose operands were dequantized become products of their integers, with the scales behind them.
// RUN: ucmoh-opt --ucmoh-integer-products %s | FileCheck %s
// RUN: ucmoh-run %s --repeat=1 --budget=0.1 --json | FileCheck %s --check-prefix=EXECUTED --implicit-check-not='"verified":false'
// EXECUTED-COUNT-10: "verified":true

#id2 = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#id4 = affine_map<(n, c, h, w) -> (n, c, h, w)>
#filter = affine_map<(n, c, h, w) -> (n, 0, h, 0)>

// One scale and a zero point on the left, a scale for each row of transposed weights on the right, and a bias.
// CHECK-LABEL: func.func @linear(
// CHECK: %[[SUMS:.*]] = linalg.generic {{.*}} ins(%arg0, %arg1 : tensor<8x64xi8>, tensor<32x64xi8>)
// CHECK: %[[X:.*]] = arith.extui {{.*}} : i8 to i32
// CHECK: %[[LESS:.*]] = arith.subi %[[X]], %c7_i32
// CHECK: %[[W:.*]] = arith.extsi {{.*}} : i8 to i32
// CHECK: arith.muli %[[LESS]], %[[W]] : i32
// CHECK: linalg.generic {{.*}} ins(%[[SUMS]], %arg2, %arg3 : tensor<8x32xi32>, tensor<32xf32>, tensor<8x32xf32>)
// CHECK: arith.sitofp
// CHECK: arith.mulf
// CHECK: arith.mulf
// CHECK: arith.addf
// CHECK-NOT: linalg.matmul
func.func @linear(%x: tensor<8x64xi8>, %w: tensor<32x64xi8>, %scales: tensor<32xf32>, %bias: tensor<8x32xf32>) -> tensor<8x32xf32> {
  %scale = arith.constant 0.5 : f32
  %zero = arith.constant 7 : i64
  %e = tensor.empty() : tensor<8x64xf32>
  %lhs = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x64xi8>) outs(%e : tensor<8x64xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extui %in : i8 to i64
    %1 = arith.subi %0, %zero : i64
    %2 = arith.sitofp %1 : i64 to f32
    %3 = arith.mulf %2, %scale : f32
    linalg.yield %3 : f32
  } -> tensor<8x64xf32>
  %f = tensor.empty() : tensor<32x64xf32>
  %rows = linalg.generic {indexing_maps = [#id2, #row, #id2], iterator_types = ["parallel", "parallel"]} ins(%w, %scales : tensor<32x64xi8>, tensor<32xf32>) outs(%f : tensor<32x64xf32>) {
  ^bb0(%in: i8, %s: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<32x64xf32>
  %t = tensor.empty() : tensor<64x32xf32>
  %rhs = linalg.transpose ins(%rows : tensor<32x64xf32>) outs(%t : tensor<64x32xf32>) permutation = [1, 0]
  %r = linalg.matmul ins(%lhs, %rhs : tensor<8x64xf32>, tensor<64x32xf32>) outs(%bias : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %r : tensor<8x32xf32>
}

// The border of zeros has the zero point. A scale may be indexed by the loop of a dim of one element.
// CHECK-LABEL: func.func @border(
// CHECK: %[[ZERO:.*]] = arith.constant 7 : i8
// CHECK: %[[PADDED:.*]] = tensor.pad %arg0
// CHECK: tensor.yield %[[ZERO]] : i8
// CHECK: linalg.generic {{.*}} ins(%[[PADDED]], %arg1 : tensor<1x4x8x10xi8>, tensor<6x4x1x3xi8>)
// CHECK-NOT: linalg.conv_2d_nchw_fchw
func.func @border(%x: tensor<1x4x8x8xi8>, %w: tensor<6x4x1x3xi8>, %scales: tensor<6x1x1x1xf32>) -> tensor<1x6x8x8xf32> {
  %none = arith.constant 0.0 : f32
  %zero = arith.constant 7.0 : f32
  %e = tensor.empty() : tensor<1x4x8x8xf32>
  %image = linalg.generic {indexing_maps = [#id4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<1x4x8x8xi8>) outs(%e : tensor<1x4x8x8xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.subf %0, %zero : f32
    linalg.yield %1 : f32
  } -> tensor<1x4x8x8xf32>
  %padded = tensor.pad %image low[0, 0, 0, 1] high[0, 0, 0, 1] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %none : f32
  } : tensor<1x4x8x8xf32> to tensor<1x4x8x10xf32>
  %f = tensor.empty() : tensor<6x4x1x3xf32>
  %kernel = linalg.generic {indexing_maps = [#id4, #filter, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w, %scales : tensor<6x4x1x3xi8>, tensor<6x1x1x1xf32>) outs(%f : tensor<6x4x1x3xf32>) {
  ^bb0(%in: i8, %s: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<6x4x1x3xf32>
  %g = tensor.empty() : tensor<1x6x8x8xf32>
  %init = linalg.fill ins(%none : f32) outs(%g : tensor<1x6x8x8xf32>) -> tensor<1x6x8x8xf32>
  %r = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%padded, %kernel : tensor<1x4x8x10xf32>, tensor<6x4x1x3xf32>) outs(%init : tensor<1x6x8x8xf32>) -> tensor<1x6x8x8xf32>
  return %r : tensor<1x6x8x8xf32>
}

// A zero point that the program computes, and rows that lie in another shape.
// CHECK-LABEL: func.func @computed(
// CHECK: %[[ROWS:.*]] = tensor.collapse_shape %arg0
// CHECK: %[[ZERO:.*]] = tensor.extract %arg2[] : tensor<i32>
// CHECK: linalg.generic {{.*}} ins(%[[ROWS]], %arg1 : tensor<8x64xi8>, tensor<64x16xi8>)
// CHECK: arith.subi {{.*}}, %[[ZERO]] : i32
func.func @computed(%x: tensor<1x8x64xi8>, %w: tensor<64x16xi8>, %zero: tensor<i32>) -> tensor<8x16xf32> {
  %none = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x8x64xf32>
  %lhs = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> ()>, affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %zero : tensor<1x8x64xi8>, tensor<i32>) outs(%e : tensor<1x8x64xf32>) {
  ^bb0(%in: i8, %z: i32, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %z : i32
    %2 = arith.sitofp %1 : i32 to f32
    linalg.yield %2 : f32
  } -> tensor<1x8x64xf32>
  %rows = tensor.collapse_shape %lhs [[0, 1], [2]] : tensor<1x8x64xf32> into tensor<8x64xf32>
  %f = tensor.empty() : tensor<64x16xf32>
  %rhs = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<64x16xi8>) outs(%f : tensor<64x16xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    linalg.yield %0 : f32
  } -> tensor<64x16xf32>
  %g = tensor.empty() : tensor<8x16xf32>
  %init = linalg.fill ins(%none : f32) outs(%g : tensor<8x16xf32>) -> tensor<8x16xf32>
  %r = linalg.matmul ins(%rows, %rhs : tensor<8x64xf32>, tensor<64x16xf32>) outs(%init : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}

// Heads of integers are reshaped and transposed as the floats were.
// CHECK-LABEL: func.func @heads(
// CHECK: %[[SPLIT:.*]] = tensor.expand_shape %arg0 {{.*}} : tensor<8x24xi8> into tensor<8x3x8xi8>
// CHECK: %[[HEADS:.*]] = linalg.transpose ins(%[[SPLIT]] : tensor<8x3x8xi8>)
// CHECK: linalg.generic {{.*}} ins(%[[HEADS]], %arg1 : tensor<3x8x8xi8>, tensor<3x8x5xi8>)
func.func @heads(%x: tensor<8x24xi8>, %w: tensor<3x8x5xi8>) -> tensor<3x8x5xf32> {
  %none = arith.constant 0.0 : f32
  %scale = arith.constant 0.25 : f32
  %e = tensor.empty() : tensor<8x24xf32>
  %q = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x24xi8>) outs(%e : tensor<8x24xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %scale : f32
    linalg.yield %1 : f32
  } -> tensor<8x24xf32>
  %split = tensor.expand_shape %q [[0], [1, 2]] output_shape [8, 3, 8] : tensor<8x24xf32> into tensor<8x3x8xf32>
  %t = tensor.empty() : tensor<3x8x8xf32>
  %lhs = linalg.transpose ins(%split : tensor<8x3x8xf32>) outs(%t : tensor<3x8x8xf32>) permutation = [1, 0, 2]
  %f = tensor.empty() : tensor<3x8x5xf32>
  %rhs = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w : tensor<3x8x5xi8>) outs(%f : tensor<3x8x5xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    linalg.yield %0 : f32
  } -> tensor<3x8x5xf32>
  %g = tensor.empty() : tensor<3x8x5xf32>
  %init = linalg.fill ins(%none : f32) outs(%g : tensor<3x8x5xf32>) -> tensor<3x8x5xf32>
  %r = linalg.batch_matmul ins(%lhs, %rhs : tensor<3x8x8xf32>, tensor<3x8x5xf32>) outs(%init : tensor<3x8x5xf32>) -> tensor<3x8x5xf32>
  return %r : tensor<3x8x5xf32>
}

// A transposed convolution has zeros between the pixels, which become zero points.
// CHECK-LABEL: func.func @between(
// CHECK: %[[BETWEEN:.*]] = linalg.fill ins(%{{.*}} : i8) outs(%{{.*}} : tensor<1x4x7xi8>)
// CHECK: tensor.insert_slice %arg0 into %[[BETWEEN]][0, 0, 0] [1, 4, 4] [1, 1, 2]
// CHECK: arith.muli
func.func @between(%x: tensor<1x4x4xi8>, %w: tensor<6x4x3xi8>) -> tensor<1x6x5xf32> {
  %none = arith.constant 0.0 : f32
  %zero = arith.constant 3.0 : f32
  %e = tensor.empty() : tensor<1x4x4xf32>
  %image = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<1x4x4xi8>) outs(%e : tensor<1x4x4xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.subf %0, %zero : f32
    linalg.yield %1 : f32
  } -> tensor<1x4x4xf32>
  %z = tensor.empty() : tensor<1x4x7xf32>
  %zeros = linalg.fill ins(%none : f32) outs(%z : tensor<1x4x7xf32>) -> tensor<1x4x7xf32>
  %wide = tensor.insert_slice %image into %zeros[0, 0, 0] [1, 4, 4] [1, 1, 2] : tensor<1x4x4xf32> into tensor<1x4x7xf32>
  %f = tensor.empty() : tensor<6x4x3xf32>
  %kernel = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w : tensor<6x4x3xi8>) outs(%f : tensor<6x4x3xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    linalg.yield %0 : f32
  } -> tensor<6x4x3xf32>
  %g = tensor.empty() : tensor<1x6x5xf32>
  %init = linalg.fill ins(%none : f32) outs(%g : tensor<1x6x5xf32>) -> tensor<1x6x5xf32>
  %r = linalg.conv_1d_ncw_fcw {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>} ins(%wide, %kernel : tensor<1x4x7xf32>, tensor<6x4x3xf32>) outs(%init : tensor<1x6x5xf32>) -> tensor<1x6x5xf32>
  return %r : tensor<1x6x5xf32>
}

// A slice from 0 on, whose elements have the indices that they have in the whole, is one of the integers.
// CHECK-LABEL: func.func @first_rows(
// CHECK: %[[FIRST:.*]] = tensor.extract_slice %arg1[0, 0] [16, 64] [1, 1] : tensor<48x64xi8> to tensor<16x64xi8>
// CHECK: linalg.generic {{.*}} ins(%arg0, %[[FIRST]] : tensor<8x64xi8>, tensor<16x64xi8>)
func.func @first_rows(%x: tensor<8x64xi8>, %w: tensor<48x64xi8>) -> tensor<8x16xf32> {
  %none = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x64xf32>
  %lhs = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x64xi8>) outs(%e : tensor<8x64xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    linalg.yield %0 : f32
  } -> tensor<8x64xf32>
  %f = tensor.empty() : tensor<48x64xf32>
  %rows = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<48x64xi8>) outs(%f : tensor<48x64xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    linalg.yield %0 : f32
  } -> tensor<48x64xf32>
  %first = tensor.extract_slice %rows[0, 0] [16, 64] [1, 1] : tensor<48x64xf32> to tensor<16x64xf32>
  %g = tensor.empty() : tensor<8x16xf32>
  %init = linalg.fill ins(%none : f32) outs(%g : tensor<8x16xf32>) -> tensor<8x16xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%lhs, %first : tensor<8x64xf32>, tensor<16x64xf32>) outs(%init : tensor<8x16xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %out, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}

// What stays: a scale for each step of the reduction, a zero point for each row, a sum that needs more than 32 bits,
// and an operand that was not dequantized.
// CHECK-LABEL: func.func @steps(
// CHECK-NOT: arith.muli
func.func @steps(%x: tensor<8x64xi8>, %w: tensor<64x16xi8>, %scales: tensor<64xf32>) -> tensor<8x16xf32> {
  %none = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x64xf32>
  %lhs = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x64xi8>) outs(%e : tensor<8x64xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    linalg.yield %0 : f32
  } -> tensor<8x64xf32>
  %f = tensor.empty() : tensor<64x16xf32>
  %rhs = linalg.generic {indexing_maps = [#id2, #row, #id2], iterator_types = ["parallel", "parallel"]} ins(%w, %scales : tensor<64x16xi8>, tensor<64xf32>) outs(%f : tensor<64x16xf32>) {
  ^bb0(%in: i8, %s: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<64x16xf32>
  %g = tensor.empty() : tensor<8x16xf32>
  %init = linalg.fill ins(%none : f32) outs(%g : tensor<8x16xf32>) -> tensor<8x16xf32>
  %r = linalg.matmul ins(%lhs, %rhs : tensor<8x64xf32>, tensor<64x16xf32>) outs(%init : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}

// CHECK-LABEL: func.func @rows(
// CHECK-NOT: arith.muli
func.func @rows(%x: tensor<8x64xi8>, %w: tensor<64x16xi8>, %zeros: tensor<8xi32>) -> tensor<8x16xf32> {
  %none = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x64xf32>
  %lhs = linalg.generic {indexing_maps = [#id2, #row, #id2], iterator_types = ["parallel", "parallel"]} ins(%x, %zeros : tensor<8x64xi8>, tensor<8xi32>) outs(%e : tensor<8x64xf32>) {
  ^bb0(%in: i8, %z: i32, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %z : i32
    %2 = arith.sitofp %1 : i32 to f32
    linalg.yield %2 : f32
  } -> tensor<8x64xf32>
  %f = tensor.empty() : tensor<64x16xf32>
  %rhs = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<64x16xi8>) outs(%f : tensor<64x16xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    linalg.yield %0 : f32
  } -> tensor<64x16xf32>
  %g = tensor.empty() : tensor<8x16xf32>
  %init = linalg.fill ins(%none : f32) outs(%g : tensor<8x16xf32>) -> tensor<8x16xf32>
  %r = linalg.matmul ins(%lhs, %rhs : tensor<8x64xf32>, tensor<64x16xf32>) outs(%init : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}

// CHECK-LABEL: func.func @long(
// CHECK-NOT: arith.muli
func.func @long(%x: tensor<1x70000xi8>, %w: tensor<70000x1xi8>) -> tensor<1x1xf32> {
  %none = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x70000xf32>
  %lhs = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<1x70000xi8>) outs(%e : tensor<1x70000xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.uitofp %in : i8 to f32
    linalg.yield %0 : f32
  } -> tensor<1x70000xf32>
  %f = tensor.empty() : tensor<70000x1xf32>
  %rhs = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<70000x1xi8>) outs(%f : tensor<70000x1xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.uitofp %in : i8 to f32
    linalg.yield %0 : f32
  } -> tensor<70000x1xf32>
  %g = tensor.empty() : tensor<1x1xf32>
  %init = linalg.fill ins(%none : f32) outs(%g : tensor<1x1xf32>) -> tensor<1x1xf32>
  %r = linalg.matmul ins(%lhs, %rhs : tensor<1x70000xf32>, tensor<70000x1xf32>) outs(%init : tensor<1x1xf32>) -> tensor<1x1xf32>
  return %r : tensor<1x1xf32>
}

// CHECK-LABEL: func.func @floats(
// CHECK-NOT: arith.muli
func.func @floats(%lhs: tensor<8x64xf32>, %w: tensor<64x16xi8>) -> tensor<8x16xf32> {
  %none = arith.constant 0.0 : f32
  %f = tensor.empty() : tensor<64x16xf32>
  %rhs = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<64x16xi8>) outs(%f : tensor<64x16xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    linalg.yield %0 : f32
  } -> tensor<64x16xf32>
  %g = tensor.empty() : tensor<8x16xf32>
  %init = linalg.fill ins(%none : f32) outs(%g : tensor<8x16xf32>) -> tensor<8x16xf32>
  %r = linalg.matmul ins(%lhs, %rhs : tensor<8x64xf32>, tensor<64x16xf32>) outs(%init : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}
