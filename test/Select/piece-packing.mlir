// Pieces of a product share packed weights, also where the best kernels of some have other panels: the packing is chosen for all of them.
// RUN: ucmoh-opt %s --ucmoh-prepare --ucmoh-extents --ucmoh-select="target=x86_avx512_vnni@zen5 model=analytic" | FileCheck %s

// CHECK: register_tile = [{{[0-9]+}}, [[PANEL:[0-9]+]]]
// CHECK-COUNT-11: register_tile = [{{[0-9]+}}, [[PANEL]]]
// CHECK-NOT: register_tile
func.func @rows(%a: tensor<?x512xi8> {ucmoh.assume = array<i64: 1, 128>}, %b: tensor<512x768xi8> {ucmoh.weight}) -> tensor<?x768xi32> {
  %zero = arith.constant 0 : i32
  %none = arith.constant 0 : index
  %rows = tensor.dim %a, %none : tensor<?x512xi8>
  %e = tensor.empty(%rows) : tensor<?x768xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<?x768xi32>) -> tensor<?x768xi32>
  %0 = linalg.matmul ins(%a, %b : tensor<?x512xi8>, tensor<512x768xi8>) outs(%f : tensor<?x768xi32>) -> tensor<?x768xi32>
  return %0 : tensor<?x768xi32>
}
