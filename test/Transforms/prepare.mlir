// RUN: ucmoh-opt %s --ucmoh-prepare --split-input-file | FileCheck %s

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (j)>

// A chain of elementwise ops behind a contraction becomes one op; the contraction stays.
// CHECK-LABEL: func @chain
// CHECK: linalg.matmul
// CHECK: linalg.generic
// CHECK: arith.sitofp
// CHECK: arith.addf
// CHECK-NOT: linalg.generic
func.func @chain(%acc: tensor<8x16xi32>, %a: tensor<8x32xi8>, %b: tensor<32x16xi8>,
                 %bias: tensor<16xf32>, %e: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %c = linalg.matmul ins(%a, %b : tensor<8x32xi8>, tensor<32x16xi8>) outs(%acc : tensor<8x16xi32>) -> tensor<8x16xi32>
  %f = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<8x16xi32>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%x: i32, %o: f32):
    %y = arith.sitofp %x : i32 to f32
    linalg.yield %y : f32
  } -> tensor<8x16xf32>
  %g = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%f, %bias : tensor<8x16xf32>, tensor<16xf32>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %z = arith.addf %x, %y : f32
    linalg.yield %z : f32
  } -> tensor<8x16xf32>
  return %g : tensor<8x16xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// The shift from u8 to i8 moves behind the padding, whose value moves with it: -6 + 128 = 122.
// CHECK-LABEL: func @pad
// CHECK-SAME: %[[IN:[a-z0-9]+]]: tensor<4x4xi8>
// CHECK-DAG: %[[PADDING:.*]] = arith.constant 122 : i8
// CHECK: tensor.pad %[[IN]]
// CHECK: tensor.yield %[[PADDING]]
// CHECK: linalg.generic
// CHECK: arith.addi
func.func @pad(%in: tensor<4x4xi8>, %e: tensor<4x4xi8>) -> tensor<6x6xi8> {
  %low = arith.constant -128 : i8
  %c = arith.constant -6 : i8
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%in : tensor<4x4xi8>) outs(%e : tensor<4x4xi8>) {
  ^bb0(%x: i8, %o: i8):
    %y = arith.addi %x, %low : i8
    linalg.yield %y : i8
  } -> tensor<4x4xi8>
  %p = tensor.pad %s low[1, 1] high[1, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %c : i8
  } : tensor<4x4xi8> to tensor<6x6xi8>
  return %p : tensor<6x6xi8>
}

// A contraction keeps its number when a constant moves into its body.
// CHECK-LABEL: func.func @marked(
// CHECK: linalg.generic
// CHECK-SAME: ins(%{{[^,]*}}, %{{[^,]*}} : tensor<4x8xi8>, tensor<8x16xi8>)
// CHECK-SAME: ucmoh.op = 3 : i64
func.func @marked(%a: tensor<4x8xi8>, %b: tensor<8x16xi8>, %c: tensor<4x16xi32>) -> tensor<4x16xi32> {
  %zp = arith.constant 5 : i32
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
      affine_map<(m, n, k) -> ()>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b, %zp : tensor<4x8xi8>, tensor<8x16xi8>, i32) outs(%c : tensor<4x16xi32>) attrs = {ucmoh.op = 3 : i64} {
  ^bb0(%x: i8, %y: i8, %z: i32, %acc: i32):
    %0 = arith.extsi %x : i8 to i32
    %1 = arith.subi %0, %z : i32
    %2 = arith.extsi %y : i8 to i32
    %3 = arith.muli %1, %2 : i32
    %4 = arith.addi %acc, %3 : i32
    linalg.yield %4 : i32
  } -> tensor<4x16xi32>
  return %r : tensor<4x16xi32>
}

// -----

// What is computed of a row is computed once, not for each element that it is broadcast to: so the contraction's
// accumulators start from a vector.
// CHECK-LABEL: func @quantized_bias
// CHECK: %[[BIAS:.*]] = linalg.generic
// CHECK: arith.fptosi
// CHECK: -> tensor<16xi32>
// CHECK: %[[INIT:.*]] = linalg.generic {{.*}} ins(%[[BIAS]] : tensor<16xi32>) outs(%{{.*}} : tensor<8x16xi32>)
// CHECK: linalg.matmul {{.*}} outs(%[[INIT]]
func.func @quantized_bias(%a: tensor<8x32xi8>, %b: tensor<32x16xi8>, %bias: tensor<16xf32>) -> tensor<8x16xi32> {
  %scale = arith.constant 3.0 : f32
  %vector = tensor.empty() : tensor<16xi32>
  %q = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%bias : tensor<16xf32>) outs(%vector : tensor<16xi32>) {
  ^bb0(%x: f32, %o: i32):
    %y = arith.divf %x, %scale : f32
    %z = arith.fptosi %y : f32 to i32
    linalg.yield %z : i32
  } -> tensor<16xi32>
  %e = tensor.empty() : tensor<8x16xi32>
  %init = linalg.broadcast ins(%q : tensor<16xi32>) outs(%e : tensor<8x16xi32>) dimensions = [0]
  %c = linalg.matmul ins(%a, %b : tensor<8x32xi8>, tensor<32x16xi8>) outs(%init : tensor<8x16xi32>) -> tensor<8x16xi32>
  return %c : tensor<8x16xi32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// Positions have no width; what reads them beside the result of a contraction joins like any other.
// CHECK-LABEL: func.func @positions(
// CHECK: linalg.matmul
// CHECK: linalg.generic
// CHECK-NOT: linalg.generic
func.func @positions(%a: tensor<8x32xf32>, %b: tensor<32x16xf32>, %at: tensor<8x16xindex>, %c: tensor<8x16xf32>, %e: tensor<8x16xi8>) -> tensor<8x16xi8> {
  %p = linalg.matmul ins(%a, %b : tensor<8x32xf32>, tensor<32x16xf32>) outs(%c : tensor<8x16xf32>) -> tensor<8x16xf32>
  %q = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%p, %at : tensor<8x16xf32>, tensor<8x16xindex>) outs(%e : tensor<8x16xi8>) {
  ^bb0(%x: f32, %i: index, %o: i8):
    %0 = arith.fptosi %x : f32 to i8
    %1 = arith.index_cast %i : index to i8
    %2 = arith.addi %0, %1 : i8
    linalg.yield %2 : i8
  } -> tensor<8x16xi8>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%q : tensor<8x16xi8>) outs(%e : tensor<8x16xi8>) {
  ^bb0(%x: i8, %o: i8):
    %0 = arith.muli %x, %x : i8
    linalg.yield %0 : i8
  } -> tensor<8x16xi8>
  return %r : tensor<8x16xi8>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// An op that checks an index stays apart from what computes with the element: its loop is scalar.
// CHECK-LABEL: func @checked
// CHECK: cf.assert
// CHECK: tensor.extract
// CHECK: linalg.generic
// CHECK-NOT: cf.assert
// CHECK: math.exp
func.func @checked(%table: tensor<32x16xf32>, %places: tensor<8x16xi64>, %e: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %most = arith.constant 16 : index
  %f = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%places : tensor<8x16xi64>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%place: i64, %o: f32):
    %row = linalg.index 0 : index
    %column = arith.index_cast %place : i64 to index
    %inside = arith.cmpi slt, %column, %most : index
    cf.assert %inside, "index must be smaller than dim size"
    %x = tensor.extract %table[%row, %column] : tensor<32x16xf32>
    linalg.yield %x : f32
  } -> tensor<8x16xf32>
  %g = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%f : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = math.exp %x : f32
    linalg.yield %y : f32
  } -> tensor<8x16xf32>
  return %g : tensor<8x16xf32>
}

// What is computed for each channel of an image is not computed again for each of its pixels: nor where the batch is open.
// CHECK-LABEL: func.func @gate(
// CHECK:         linalg.generic
// CHECK:           math.exp
// CHECK:         } -> tensor<?x1x1x32xf32>
// CHECK:         linalg.generic
// CHECK-NEXT:      ^bb0
// CHECK-NEXT:      arith.mulf
func.func @gate(%image: tensor<?x8x8x32xf32>, %gate: tensor<?x1x1x32xf32>) -> tensor<?x8x8x32xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %image, %c0 : tensor<?x8x8x32xf32>
  %e1 = tensor.empty(%n) : tensor<?x1x1x32xf32>
  %exp = linalg.exp ins(%gate : tensor<?x1x1x32xf32>) outs(%e1 : tensor<?x1x1x32xf32>) -> tensor<?x1x1x32xf32>
  %e2 = tensor.empty(%n) : tensor<?x8x8x32xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(b, y, x, c) -> (b, y, x, c)>, affine_map<(b, y, x, c) -> (b, 0, 0, c)>, affine_map<(b, y, x, c) -> (b, y, x, c)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%image, %exp : tensor<?x8x8x32xf32>, tensor<?x1x1x32xf32>) outs(%e2 : tensor<?x8x8x32xf32>) {
  ^bb0(%a: f32, %g: f32, %out: f32):
    %p = arith.mulf %a, %g : f32
    linalg.yield %p : f32
  } -> tensor<?x8x8x32xf32>
  return %r : tensor<?x8x8x32xf32>
}
