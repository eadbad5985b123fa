// What follows a contraction reads the positions of its elements from constants, of 32 bits. Other ops know where they are.
// RUN: ucmoh-opt %s --ucmoh-prepare | FileCheck %s

#id = affine_map<(m, n) -> (m, n)>

// CHECK-DAG: #[[ROW:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-DAG: #[[COLUMN:.*]] = affine_map<(d0, d1) -> (d1)>

// CHECK-LABEL: func.func @behind_a_product
// CHECK-DAG: %[[ROWS:.*]] = arith.constant dense<[0, 1, 2, 3]> : tensor<4xi32>
// CHECK-DAG: %[[COLUMNS:.*]] = arith.constant dense<[0, 1, 2, 3, 4, 5]> : tensor<6xi32>
// CHECK: linalg.generic {indexing_maps = [#{{.*}}, #[[ROW]], #[[COLUMN]], #{{.*}}]{{.*}}} ins(%{{.*}}, %[[ROWS]], %[[COLUMNS]] :
// CHECK-NOT: linalg.index
// CHECK: arith.cmpi sge, %{{.*}}, %{{.*}} : i32
func.func @behind_a_product(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>) -> tensor<4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x6xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x6xf32>) -> tensor<4x6xf32>
  %r = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%init : tensor<4x6xf32>) -> tensor<4x6xf32>
  %masked = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%r : tensor<4x6xf32>) outs(%empty : tensor<4x6xf32>) {
  ^bb0(%x: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %row = arith.index_cast %i : index to i64
    %column = arith.index_cast %j : index to i64
    %c = arith.cmpi sge, %row, %column : i64
    %y = arith.select %c, %x, %zero : f32
    linalg.yield %y : f32
  } -> tensor<4x6xf32>
  return %masked : tensor<4x6xf32>
}

// CHECK-LABEL: func.func @alone
// CHECK: linalg.index 0
func.func @alone(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x6xf32>
  %masked = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
    ins(%x : tensor<4x6xf32>) outs(%empty : tensor<4x6xf32>) {
  ^bb0(%in: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c = arith.cmpi sge, %i, %j : index
    %y = arith.select %c, %in, %zero : f32
    linalg.yield %y : f32
  } -> tensor<4x6xf32>
  return %masked : tensor<4x6xf32>
}
