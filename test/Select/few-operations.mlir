// What takes less time than it takes to start other threads is left to one.
// RUN: ucmoh-opt %s --ucmoh-select="target=x86_avx512_vnni@zen4 threads=2" | FileCheck %s

// CHECK-LABEL: func.func @few
// CHECK: #ucmoh.choice
// CHECK-NOT: threads
// CHECK-LABEL: func.func @many
// CHECK: threads = 2
func.func @few(%a: tensor<8x32xi8>, %b: tensor<32x16xi8>, %c: tensor<8x16xi32>) -> tensor<8x16xi32> {
  %r = linalg.matmul ins(%a, %b : tensor<8x32xi8>, tensor<32x16xi8>) outs(%c : tensor<8x16xi32>) -> tensor<8x16xi32>
  return %r : tensor<8x16xi32>
}
func.func @many(%a: tensor<64x512xi8>, %b: tensor<512x256xi8>, %c: tensor<64x256xi32>) -> tensor<64x256xi32> {
  %r = linalg.matmul ins(%a, %b : tensor<64x512xi8>, tensor<512x256xi8>) outs(%c : tensor<64x256xi32>) -> tensor<64x256xi32>
  return %r : tensor<64x256xi32>
}
