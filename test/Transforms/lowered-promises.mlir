// RUN: ucmoh-opt %s --tensorize-with-cost-model=target=x86_avx2_fma --ucmoh-to-llvm | FileCheck %s

// What is promised of tensors is no error where a function has pointers for them.
// CHECK: llvm.func @open(
func.func @open(%a: tensor<?x64xi8> {ucmoh.range = array<i64: 0, 100>, ucmoh.assume = array<i64: 1, 512>},
                %b: tensor<64x32xi8> {ucmoh.weight}, %c: tensor<?x32xi32>) -> tensor<?x32xi32> {
  %r = linalg.matmul ins(%a, %b : tensor<?x64xi8>, tensor<64x32xi8>) outs(%c : tensor<?x32xi32>) -> tensor<?x32xi32>
  return %r : tensor<?x32xi32>
}
