// RUN: ucmoh-opt %s --ucmoh-prepare --split-input-file | FileCheck %s

#map = affine_map<(c, h, w) -> (c, h, w)>

// What two neighbours of a row give is computed for each of the 4 rows of the image, once for both rows that are mixed.
// CHECK-LABEL: func @bilinear
// CHECK-SAME: %[[IMAGE:.*]]: tensor<3x4x6xf32>
// CHECK: %[[ROWS:.*]] = linalg.generic {{.*}} outs({{.*}} : tensor<3x4x12xf32>)
// CHECK: %[[C:.*]] = linalg.index 0
// CHECK: %[[R:.*]] = linalg.index 1
// CHECK-COUNT-2: tensor.extract %[[IMAGE]][%[[C]], %[[R]], %{{.*}}]
// CHECK: arith.addf
// CHECK: linalg.yield
// CHECK: linalg.generic {{.*}} outs({{.*}} : tensor<3x8x12xf32>)
// CHECK-COUNT-2: tensor.extract %[[ROWS]]
// CHECK-NOT: tensor.extract
func.func @bilinear(%image: tensor<3x4x6xf32>) -> tensor<3x8x12xf32> {
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %bottom = arith.constant 3 : index
  %right = arith.constant 5 : index
  %half = arith.constant 0.25 : f32
  %rest = arith.constant 0.75 : f32
  %e = tensor.empty() : tensor<3x8x12xf32>
  %r = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel"]} outs(%e : tensor<3x8x12xf32>) {
  ^bb0(%out: f32):
    %c = linalg.index 0 : index
    %h = linalg.index 1 : index
    %w = linalg.index 2 : index
    %top = arith.divui %h, %two : index
    %below = arith.addi %top, %one : index
    %low = arith.minui %below, %bottom : index
    %left = arith.divui %w, %two : index
    %beside = arith.addi %left, %one : index
    %far = arith.minui %beside, %right : index
    %a = tensor.extract %image[%c, %top, %left] : tensor<3x4x6xf32>
    %b = tensor.extract %image[%c, %top, %far] : tensor<3x4x6xf32>
    %x = tensor.extract %image[%c, %low, %left] : tensor<3x4x6xf32>
    %y = tensor.extract %image[%c, %low, %far] : tensor<3x4x6xf32>
    %ar = arith.mulf %a, %rest : f32
    %bh = arith.mulf %b, %half : f32
    %first = arith.addf %ar, %bh : f32
    %xr = arith.mulf %x, %rest : f32
    %yh = arith.mulf %y, %half : f32
    %second = arith.addf %xr, %yh : f32
    %number = arith.index_cast %h : index to i32
    %weight = arith.sitofp %number : i32 to f32
    %f = arith.mulf %first, %weight : f32
    %s = arith.mulf %second, %weight : f32
    %sum = arith.addf %f, %s : f32
    linalg.yield %sum : f32
  } -> tensor<3x8x12xf32>
  return %r : tensor<3x8x12xf32>
}

// -----

#map = affine_map<(c, h, w) -> (c, h, w)>

// An image that becomes smaller has more rows than the result.
// CHECK-LABEL: func @smaller
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT: linalg.generic
func.func @smaller(%image: tensor<3x8x6xf32>) -> tensor<3x4x5xf32> {
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %e = tensor.empty() : tensor<3x4x5xf32>
  %r = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel", "parallel"]} outs(%e : tensor<3x4x5xf32>) {
  ^bb0(%out: f32):
    %c = linalg.index 0 : index
    %h = linalg.index 1 : index
    %w = linalg.index 2 : index
    %row = arith.muli %h, %two : index
    %beside = arith.addi %w, %one : index
    %a = tensor.extract %image[%c, %row, %w] : tensor<3x8x6xf32>
    %b = tensor.extract %image[%c, %row, %beside] : tensor<3x8x6xf32>
    %sum = arith.addf %a, %b : f32
    linalg.yield %sum : f32
  } -> tensor<3x4x5xf32>
  return %r : tensor<3x4x5xf32>
}

// -----

#map = affine_map<(h, w) -> (h, w)>

// Where the row decides of the column as well, or what is read beside it moves with the result, nothing is shared.
// CHECK-LABEL: func @mixed
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT: linalg.generic
func.func @mixed(%image: tensor<4x40xf32>, %other: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %four = arith.constant 4 : index
  %e = tensor.empty() : tensor<16x8xf32>
  %r = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%other : tensor<16x8xf32>) outs(%e : tensor<16x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %h = linalg.index 0 : index
    %w = linalg.index 1 : index
    %row = arith.divui %h, %four : index
    %column = arith.addi %h, %w : index
    %a = tensor.extract %image[%row, %column] : tensor<4x40xf32>
    %b = tensor.extract %image[%row, %w] : tensor<4x40xf32>
    %sum = arith.addf %a, %b : f32
    %product = arith.mulf %b, %in : f32
    %all = arith.addf %sum, %product : f32
    linalg.yield %all : f32
  } -> tensor<16x8xf32>
  return %r : tensor<16x8xf32>
}
