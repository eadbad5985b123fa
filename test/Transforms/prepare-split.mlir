// RUN: ucmoh-opt %s --ucmoh-prepare --split-input-file | FileCheck %s

#lhs = affine_map<(m, n, k) -> (m, k)>
#scale = affine_map<(m, n, k) -> (k)>
#rhs = affine_map<(m, n, k) -> (k, n)>
#acc = affine_map<(m, n, k) -> (m, n)>

// The quantization of an operand leaves the body of the matmul and ends in i8; the shift from u8 is
// an op of its own, through which the analysis looks.
// CHECK-DAG: #[[ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[ROW:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-LABEL: func @quantize
// CHECK: %[[Q:.*]] = linalg.generic {indexing_maps = [#[[ID]], #[[ROW]], #[[ID]]]
// CHECK: arith.fptoui
// CHECK-NEXT: linalg.yield {{.*}} : i8
// CHECK: %[[S:.*]] = linalg.generic {{.*}} ins(%[[Q]] : tensor<8x32xi8>)
// CHECK: arith.addi
// CHECK-NEXT: linalg.yield {{.*}} : i8
// CHECK: linalg.generic {{.*}} ins({{.*}}, %[[S]] : tensor<32x16xi8>, tensor<8x32xi8>)
// CHECK-SAME: ucmoh.op = 3
// CHECK-NEXT: ^bb0(%[[B:.*]]: i8, %[[A:.*]]: i8, %[[ACC:.*]]: i32):
// CHECK-NEXT: %[[EXT:.*]] = arith.extsi %[[A]]
// CHECK-NEXT: arith.subi %[[EXT]]
// CHECK-NEXT: arith.extsi %[[B]]
// CHECK-NEXT: arith.muli
// CHECK-NEXT: arith.addi %[[ACC]]
func.func @quantize(%acc: tensor<8x16xi32>, %a: tensor<8x32xf32>, %s: tensor<32xf32>,
                    %b: tensor<32x16xi8>) -> tensor<8x16xi32> {
  %low = arith.constant 0.0 : f32
  %high = arith.constant 255.0 : f32
  %shift = arith.constant -128 : i8
  %zero = arith.constant 13 : i32
  %r = linalg.generic {indexing_maps = [#lhs, #scale, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %s, %b : tensor<8x32xf32>, tensor<32xf32>, tensor<32x16xi8>) outs(%acc : tensor<8x16xi32>) attrs = {ucmoh.op = 3} {
  ^bb0(%x: f32, %y: f32, %w: i8, %o: i32):
    %0 = arith.divf %x, %y : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.maximumf %1, %low : f32
    %3 = arith.minimumf %2, %high : f32
    %4 = arith.fptoui %3 : f32 to i8
    %5 = arith.addi %4, %shift : i8
    %6 = arith.extsi %5 : i8 to i32
    %7 = arith.subi %6, %zero : i32
    %8 = arith.extsi %w : i8 to i32
    %9 = arith.muli %7, %8 : i32
    %10 = arith.addi %o, %9 : i32
    linalg.yield %10 : i32
  } -> tensor<8x16xi32>
  return %r : tensor<8x16xi32>
}

// -----

#image = affine_map<(x, f, w, c) -> (x + w, c)>
#filter = affine_map<(x, f, w, c) -> (w, c, f)>
#out = affine_map<(x, f, w, c) -> (x, f)>

// The operand of a convolution is computed once per pixel, not once per window.
// CHECK-DAG: #[[ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[WINDOW:.*]] = affine_map<(d0, d1, d2, d3) -> (d0 + d2, d3)>
// CHECK-LABEL: func @convolution
// CHECK: %[[R:.*]] = linalg.generic {indexing_maps = [#[[ID]], #[[ID]]]
// CHECK: arith.maximumf
// CHECK: -> tensor<9x4xf32>
// CHECK: linalg.generic {indexing_maps = [#{{.*}}, #[[WINDOW]], #{{.*}}]{{.*}} ins({{.*}}, %[[R]] :
// CHECK-NEXT: ^bb0
// CHECK-NEXT: arith.mulf
// CHECK-NEXT: arith.addf
func.func @convolution(%acc: tensor<7x16xf32>, %a: tensor<9x4xf32>, %b: tensor<3x4x16xf32>) -> tensor<7x16xf32> {
  %low = arith.constant 0.0 : f32
  %r = linalg.generic {indexing_maps = [#image, #filter, #out], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
    ins(%a, %b : tensor<9x4xf32>, tensor<3x4x16xf32>) outs(%acc : tensor<7x16xf32>) {
  ^bb0(%x: f32, %w: f32, %o: f32):
    %0 = arith.maximumf %x, %low : f32
    %1 = arith.mulf %0, %w : f32
    %2 = arith.addf %o, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<7x16xf32>
  return %r : tensor<7x16xf32>
}

// -----

#rhs = affine_map<(m, n, k) -> (n, k)>
#acc = affine_map<(m, n, k) -> (m, n)>

// An operand that is read by its position is computed for the loops that it depends on.
// CHECK-LABEL: func @position
// CHECK: %[[X:.*]] = linalg.generic
// CHECK: %[[I:.*]] = linalg.index 0
// CHECK: tensor.extract %{{.*}}[%{{.*}}, %[[I]]]
// CHECK: -> tensor<32xf32>
// CHECK: linalg.generic {{.*}} ins({{.*}}, %[[X]] : tensor<16x32xf32>, tensor<32xf32>)
func.func @position(%acc: tensor<1x16xf32>, %a: tensor<8x32xf32>, %b: tensor<16x32xf32>) -> tensor<1x16xf32> {
  %c0 = arith.constant 0 : index
  %r = linalg.generic {indexing_maps = [#rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%b : tensor<16x32xf32>) outs(%acc : tensor<1x16xf32>) {
  ^bb0(%w: f32, %o: f32):
    %i = linalg.index 2 : index
    %x = tensor.extract %a[%c0, %i] : tensor<8x32xf32>
    %t = math.tanh %x : f32
    %0 = arith.mulf %t, %w : f32
    %1 = arith.addf %o, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<1x16xf32>
  return %r : tensor<1x16xf32>
}

// -----

#in = affine_map<(m, k) -> (m, k)>
#row = affine_map<(m, k) -> (m)>

// A variance is no contraction: nothing is gained by computing what is squared ahead.
// CHECK-LABEL: func @variance
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT: linalg.generic
func.func @variance(%acc: tensor<8xf32>, %a: tensor<8x32xf32>, %mean: tensor<8xf32>) -> tensor<8xf32> {
  %r = linalg.generic {indexing_maps = [#in, #row, #row], iterator_types = ["parallel", "reduction"]}
    ins(%a, %mean : tensor<8x32xf32>, tensor<8xf32>) outs(%acc : tensor<8xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %0 = arith.subf %x, %y : f32
    %1 = arith.mulf %0, %0 : f32
    %2 = arith.addf %o, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}
