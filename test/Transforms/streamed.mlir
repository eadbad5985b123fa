// A result that the last-level cache (32 MiB on zen4) does not hold is written past the caches, if
// its rows are whole fragments; a smaller one, or one with other rows, is not.
// RUN: ucmoh-opt %s --pass-pipeline="builtin.module(func.func(ucmoh-select{target=x86_avx512f@zen4},ucmoh-tile{target=x86_avx512f@zen4},ucmoh-tensorize{target=x86_avx512f@zen4}))" | FileCheck %s

// CHECK-LABEL: func.func @large
// CHECK: vector.store {{.*}} {alignment = 64 : i64, nontemporal = true}
func.func @large(%a: tensor<16384x16xf32>, %b: tensor<16x1024xf32>, %c: tensor<16384x1024xf32>) -> tensor<16384x1024xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<16384x16xf32>, tensor<16x1024xf32>) outs(%c : tensor<16384x1024xf32>) -> tensor<16384x1024xf32>
  return %0 : tensor<16384x1024xf32>
}

// CHECK-LABEL: func.func @ragged
// CHECK-NOT: nontemporal
func.func @ragged(%a: tensor<16384x16xf32>, %b: tensor<16x1023xf32>, %c: tensor<16384x1023xf32>) -> tensor<16384x1023xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<16384x16xf32>, tensor<16x1023xf32>) outs(%c : tensor<16384x1023xf32>) -> tensor<16384x1023xf32>
  return %0 : tensor<16384x1023xf32>
}

// CHECK-LABEL: func.func @small
// CHECK-NOT: nontemporal
func.func @small(%a: tensor<1024x16xf32>, %b: tensor<16x1024xf32>, %c: tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<1024x16xf32>, tensor<16x1024xf32>) outs(%c : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  return %0 : tensor<1024x1024xf32>
}
