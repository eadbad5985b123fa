// A transposition of the innermost dim goes block by block, so that cache lines are read as a whole. What is computed
// on the way is vectorized; what is left of rows and columns is in smaller blocks.
// RUN: ucmoh-opt %s --pass-pipeline="builtin.module(one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map},ucmoh-vectorize-rest{target=x86_avx2_fma},canonicalize,cse)" \
// RUN:   | FileCheck %s
// RUN: ucmoh-run %s --repeat=1 --budget=0.1 | FileCheck %s --check-prefix=EXECUTED

// EXECUTED-COUNT-4: verified

// CHECK-LABEL: func.func @keys
// CHECK-DAG: %[[EDGE:.*]] = arith.constant 16 : index
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} {
// CHECK-NEXT: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %[[EDGE]]
// CHECK-NEXT: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %[[EDGE]]
// CHECK-NOT: loop_annotation
func.func @keys(%x: tensor<128x8x64xf32>) -> tensor<8x64x128xf32> {
  %empty = tensor.empty() : tensor<8x64x128xf32>
  %y = linalg.transpose ins(%x : tensor<128x8x64xf32>) outs(%empty : tensor<8x64x128xf32>) permutation = [1, 2, 0]
  return %y : tensor<8x64x128xf32>
}

// CHECK-LABEL: func.func @computed
// CHECK: math.roundeven
// CHECK: loop_annotation = #{{.*}}
func.func @computed(%x: tensor<128x64xf32>) -> tensor<64x128xf32> {
  %empty = tensor.empty() : tensor<64x128xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<128x64xf32>) outs(%empty : tensor<64x128xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.roundeven %in : f32
    linalg.yield %0 : f32
  } -> tensor<64x128xf32>
  return %y : tensor<64x128xf32>
}

// CHECK-LABEL: func.func @ragged
// CHECK: affine.min
func.func @ragged(%x: tensor<197x70xf32>) -> tensor<70x197xf32> {
  %empty = tensor.empty() : tensor<70x197xf32>
  %y = linalg.transpose ins(%x : tensor<197x70xf32>) outs(%empty : tensor<70x197xf32>) permutation = [1, 0]
  return %y : tensor<70x197xf32>
}

// A gather whose result is transposed: each index is that of its own loop, whatever the order of the blocks.
// CHECK-LABEL: func.func @gathered
// CHECK: scf.for %[[COLUMN:.*]] = %{{.*}} to %{{.*}} step %[[EDGE]]
// CHECK-NEXT: scf.for %[[ROW:.*]] = %{{.*}} to %{{.*}} step %[[EDGE]]
// CHECK: %[[AT:.*]] = affine.apply #{{.*}}(%[[COLUMN]])
// CHECK: memref.load %{{.*}}[%[[AT]], %{{.*}}] : memref<64x8xf32>
func.func @gathered(%x: tensor<64x32xi32>, %table: tensor<64x8xf32>) -> tensor<32x64xf32> {
  %most = arith.constant 7 : i32
  %empty = tensor.empty() : tensor<32x64xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x32xi32>) outs(%empty : tensor<32x64xf32>) {
  ^bb0(%in: i32, %out: f32):
    %row = linalg.index 1 : index
    %bounded = arith.andi %in, %most : i32
    %column = arith.index_cast %bounded : i32 to index
    %element = tensor.extract %table[%row, %column] : tensor<64x8xf32>
    linalg.yield %element : f32
  } -> tensor<32x64xf32>
  return %y : tensor<32x64xf32>
}
