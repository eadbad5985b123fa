// What is computed twice, or for nothing, is one op, or none, in the table and among the candidates alike.
// RUN: ucmoh-run %s --repeat=1 --top=2 --json | FileCheck %s --implicit-check-not='"op":1'

// CHECK: "error":null
// CHECK-SAME: "measured_rank":
// CHECK-SAME: "op":0
// CHECK-SAME: "verified":true
func.func @twice(%a: tensor<8x16xi8>, %b: tensor<16x32xi8> {ucmoh.weight}, %c: tensor<8x32xi32>) -> tensor<8x32xi32> {
  %r = linalg.matmul ins(%a, %b : tensor<8x16xi8>, tensor<16x32xi8>) outs(%c : tensor<8x32xi32>) -> tensor<8x32xi32>
  %s = linalg.matmul ins(%a, %b : tensor<8x16xi8>, tensor<16x32xi8>) outs(%c : tensor<8x32xi32>) -> tensor<8x32xi32>
  %unused = linalg.matmul ins(%a, %b : tensor<8x16xi8>, tensor<16x32xi8>) outs(%r : tensor<8x32xi32>) -> tensor<8x32xi32>
  %sum = arith.addi %r, %s : tensor<8x32xi32>
  return %sum : tensor<8x32xi32>
}
