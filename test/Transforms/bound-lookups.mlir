// RUN: ucmoh-opt %s --ucmoh-bound-lookups --split-input-file | FileCheck %s

// A word's number is data, the position in its row is not. What would end the process is gone.
// CHECK-LABEL: func @words
// CHECK: %[[PLACE:.*]] = arith.index_cast
// CHECK-NOT: cf.assert
// CHECK-DAG: %[[COLUMN:.*]] = linalg.index 1
// CHECK-DAG: %[[LAST:.*]] = arith.constant 5 : index
// CHECK-DAG: %[[FIRST:.*]] = arith.constant 0 : index
// CHECK: %[[BEFORE:.*]] = arith.minsi %[[PLACE]], %[[LAST]]
// CHECK: %[[INSIDE:.*]] = arith.maxsi %[[BEFORE]], %[[FIRST]]
// CHECK: tensor.extract %{{.*}}[%[[INSIDE]], %[[COLUMN]]]
func.func @words(%table: tensor<6x5xf32>, %words: tensor<4xi64>, %init: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%words : tensor<4xi64>) outs(%init : tensor<4x5xf32>) {
  ^bb0(%word: i64, %out: f32):
    %zero = arith.constant 0 : i64
    %place = arith.index_cast %word : i64 to index
    %known = arith.cmpi sge, %word, %zero : i64
    cf.assert %known, "index must be larger or equal to 0"
    %column = linalg.index 1 : index
    %element = tensor.extract %table[%place, %column] : tensor<6x5xf32>
    linalg.yield %element : f32
  } -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}

// -----

// A byte is a place in a table of 256, and so is a position, a constant and what minima bound.
// CHECK-LABEL: func @inside
// CHECK-NOT: arith.maxsi %{{.*}} : index
func.func @inside(%table: tensor<256x4x8xf32>, %bytes: tensor<4xi8>, %places: tensor<4xi32>, %init: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                       iterator_types = ["parallel"]}
      ins(%bytes, %places : tensor<4xi8>, tensor<4xi32>) outs(%init : tensor<4xf32>) {
  ^bb0(%byte: i8, %any: i32, %out: f32):
    %zero = arith.constant 0 : i32
    %seven = arith.constant 7 : i32
    %place = arith.index_castui %byte : i8 to index
    %column = linalg.index 0 : index
    %low = arith.minsi %any, %seven : i32
    %both = arith.maxsi %low, %zero : i32
    %last = arith.index_cast %both : i32 to index
    %element = tensor.extract %table[%place, %column, %last] : tensor<256x4x8xf32>
    linalg.yield %element : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// CHECK-LABEL: func @open
// CHECK-SAME: %[[TABLE:.*]]: tensor<?xf32>
// CHECK: %[[SIZE:.*]] = tensor.dim %[[TABLE]]
// CHECK: %[[LAST:.*]] = arith.subi %[[SIZE]]
// CHECK: arith.minsi %{{.*}}, %[[LAST]]
func.func @open(%table: tensor<?xf32>, %place: index) -> f32 {
  %element = tensor.extract %table[%place] : tensor<?xf32>
  return %element : f32
}

// -----

// A table without elements has no place to read.
// CHECK-LABEL: func @empty
// CHECK-NOT: tensor.extract
// CHECK: %[[ZERO:.*]] = arith.constant 0.0
// CHECK: linalg.yield %[[ZERO]]
func.func @empty(%table: tensor<0x5xf32>, %words: tensor<4xi32>, %init: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                       iterator_types = ["parallel"]}
      ins(%words : tensor<4xi32>) outs(%init : tensor<4xf32>) {
  ^bb0(%word: i32, %out: f32):
    %place = arith.index_cast %word : i32 to index
    %element = tensor.extract %table[%place, %place] : tensor<0x5xf32>
    linalg.yield %element : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}
