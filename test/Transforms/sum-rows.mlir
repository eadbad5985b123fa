// One row of f32 times a matrix that lies along its reduction is sums over its rows, read where they lie.
// RUN: ucmoh-opt --ucmoh-sum-rows=target=x86_avx2_fma --canonicalize %s | FileCheck %s
// On a device, whose threads share the reduction, it stays a product.
// RUN: ucmoh-opt --ucmoh-sum-rows=target=nvidia_sm80_tf32 %s | FileCheck %s --check-prefix=DEVICE
// DEVICE-LABEL: func.func @keys(
// DEVICE: linalg.batch_matmul
// RUN: ucmoh-run %s --repeat=1 --budget=0.1 --json | FileCheck %s --check-prefix=EXECUTED
// EXECUTED-COUNT-4: "verified":true

// CHECK-LABEL: func.func @keys(
// CHECK-NOT: linalg.transpose
// CHECK: linalg.generic {{.*}}["parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<4x1x32xf32>, tensor<4x40x32xf32>)
// CHECK: arith.mulf
// CHECK: arith.addf
func.func @keys(%q: tensor<4x1x32xf32>, %k: tensor<4x40x32xf32>, %o: tensor<4x1x40xf32>) -> tensor<4x1x40xf32> {
  %e = tensor.empty() : tensor<4x32x40xf32>
  %t = linalg.transpose ins(%k : tensor<4x40x32xf32>) outs(%e : tensor<4x32x40xf32>) permutation = [0, 2, 1]
  %r = linalg.batch_matmul ins(%q, %t : tensor<4x1x32xf32>, tensor<4x32x40xf32>) outs(%o : tensor<4x1x40xf32>) -> tensor<4x1x40xf32>
  return %r : tensor<4x1x40xf32>
}

// Weights are packed once, ahead.
// CHECK-LABEL: func.func @weights(
// CHECK: linalg.matmul
func.func @weights(%q: tensor<1x32xf32>, %k: tensor<40x32xf32> {ucmoh.weight}, %o: tensor<1x40xf32>) -> tensor<1x40xf32> {
  %r = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%q, %k : tensor<1x32xf32>, tensor<40x32xf32>) outs(%o : tensor<1x40xf32>) -> tensor<1x40xf32>
  return %r : tensor<1x40xf32>
}

// Values lie along the columns, which an intrinsic reads as they are.
// CHECK-LABEL: func.func @values(
// CHECK: linalg.batch_matmul
func.func @values(%p: tensor<4x1x40xf32>, %v: tensor<4x40x32xf32>, %o: tensor<4x1x32xf32>) -> tensor<4x1x32xf32> {
  %r = linalg.batch_matmul ins(%p, %v : tensor<4x1x40xf32>, tensor<4x40x32xf32>) outs(%o : tensor<4x1x32xf32>) -> tensor<4x1x32xf32>
  return %r : tensor<4x1x32xf32>
}

// Narrow elements are multiplied several at once.
// CHECK-LABEL: func.func @bytes(
// CHECK: linalg.batch_matmul
func.func @bytes(%q: tensor<4x1x32xi8>, %k: tensor<4x40x32xi8>, %o: tensor<4x1x40xi32>) -> tensor<4x1x40xi32> {
  %e = tensor.empty() : tensor<4x32x40xi8>
  %t = linalg.transpose ins(%k : tensor<4x40x32xi8>) outs(%e : tensor<4x32x40xi8>) permutation = [0, 2, 1]
  %r = linalg.batch_matmul ins(%q, %t : tensor<4x1x32xi8>, tensor<4x32x40xi8>) outs(%o : tensor<4x1x40xi32>) -> tensor<4x1x40xi32>
  return %r : tensor<4x1x40xi32>
}
