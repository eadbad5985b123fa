// Loops over rows ask for their number before the first row: not what they compute themselves, which
// others read as well.
//
// RUN: ucmoh-opt --ucmoh-group-rest --ucmoh-fuse-rest %s | FileCheck %s

#all = affine_map<(a, b, c) -> (a, b, c)>
#sum = affine_map<(a, b, c) -> (a, b)>

// CHECK-LABEL: func.func @shared
// CHECK-SAME:    %[[X:.*]]: tensor<?x?x256xf32>
// CHECK-DAG:     %[[BATCHES:.*]] = tensor.dim %[[X]], %c0
// CHECK-DAG:     %[[WORDS:.*]] = tensor.dim %[[X]], %c1
// CHECK:         scf.for %{{.*}} = %c0 to %[[BATCHES]]
// CHECK:           scf.for %{{.*}} = %c0 to %[[WORDS]]
func.func @shared(%x: tensor<?x?x256xf32>) -> (tensor<?x?x256xf32>, tensor<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %batches = tensor.dim %x, %c0 : tensor<?x?x256xf32>
  %words = tensor.dim %x, %c1 : tensor<?x?x256xf32>
  %empty = tensor.empty(%batches, %words) : tensor<?x?x256xf32>
  %squares = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<?x?x256xf32>) outs(%empty : tensor<?x?x256xf32>) {
  ^bb0(%in: f32, %out: f32):
    %square = arith.mulf %in, %in : f32
    linalg.yield %square : f32
  } -> tensor<?x?x256xf32>
  %room = tensor.empty(%batches, %words) : tensor<?x?xf32>
  %none = linalg.fill ins(%zero : f32) outs(%room : tensor<?x?xf32>) -> tensor<?x?xf32>
  %sums = linalg.generic {indexing_maps = [#all, #sum], iterator_types = ["parallel", "parallel", "reduction"]} ins(%squares : tensor<?x?x256xf32>) outs(%none : tensor<?x?xf32>) {
  ^bb0(%in: f32, %out: f32):
    %sum = arith.addf %out, %in : f32
    linalg.yield %sum : f32
  } -> tensor<?x?xf32>
  return %squares, %sums : tensor<?x?x256xf32>, tensor<?x?xf32>
}
