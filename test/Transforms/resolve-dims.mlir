// RUN: ucmoh-opt %s --ucmoh-resolve-dims | FileCheck %s

// The dims of what loops over pieces give are those of what the first loop got.
// CHECK-LABEL: func.func @f
// CHECK-SAME: (%[[N:.+]]: index
// CHECK-NOT: tensor.dim
// CHECK: return %{{.+}}, %[[N]]
func.func @f(%n: index, %row: tensor<1x8xf32>) -> (tensor<?x8xf32>, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %empty = tensor.empty(%n) : tensor<?x8xf32>
  %a = scf.for %i = %c0 to %n step %c1 iter_args(%rows = %empty) -> tensor<?x8xf32> {
    %inserted = tensor.insert_slice %row into %rows[%i, 0] [1, 8] [1, 1] : tensor<1x8xf32> into tensor<?x8xf32>
    scf.yield %inserted : tensor<?x8xf32>
  }
  %b = scf.for %i = %c0 to %n step %c1 iter_args(%rows = %a) -> tensor<?x8xf32> {
    %inserted = tensor.insert_slice %row into %rows[%i, 0] [1, 8] [1, 1] : tensor<1x8xf32> into tensor<?x8xf32>
    scf.yield %inserted : tensor<?x8xf32>
  }
  %dim = tensor.dim %b, %c0 : tensor<?x8xf32>
  return %b, %dim : tensor<?x8xf32>, index
}
