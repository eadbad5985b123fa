// The matrix of each expert is a weight: one that a loop over experts selects. It is packed ahead, for all experts.
// RUN: ucmoh-opt %s --tensorize-with-cost-model=target=x86_avx2_fma --ucmoh-hoist-weights | FileCheck %s

// CHECK-LABEL: func.func @experts(
// CHECK-SAME: tensor<4x{{[0-9x]+}}xf32> {ucmoh.packed = 0 : i64}
// CHECK: scf.for %[[EXPERT:[a-z0-9]+]] =
// CHECK: tensor.extract_slice %{{.*}}[%[[EXPERT]], 0
// CHECK-NOT: kind = "pack"
// CHECK-LABEL: func.func @experts.pack(
// CHECK: scf.for
// CHECK: tensor.insert_slice
func.func @experts(%rows: tensor<?x256xf32> {ucmoh.assume = array<i64: 1, 64>}, %matrices: tensor<4x512x256xf32> {ucmoh.weight}, %ends: tensor<4xi32>) -> tensor<?x512xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %count = tensor.dim %rows, %c0 : tensor<?x256xf32>
  %empty = tensor.empty(%count) : tensor<?x512xf32>
  %start = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x512xf32>) -> tensor<?x512xf32>
  %done:2 = scf.for %expert = %c0 to %c4 step %c1 iter_args(%result = %start, %begin = %c0) -> (tensor<?x512xf32>, index) {
    %given = tensor.extract %ends[%expert] : tensor<4xi32>
    %wanted = arith.index_cast %given : i32 to index
    %inside = arith.minsi %wanted, %count : index
    %end = arith.maxsi %inside, %begin : index
    %size = arith.subi %end, %begin : index
    %own = tensor.extract_slice %rows[%begin, 0] [%size, 256] [1, 1] : tensor<?x256xf32> to tensor<?x256xf32>
    %matrix = tensor.extract_slice %matrices[%expert, 0, 0] [1, 512, 256] [1, 1, 1] : tensor<4x512x256xf32> to tensor<512x256xf32>
    %place = tensor.empty(%size) : tensor<?x512xf32>
    %cleared = linalg.fill ins(%zero : f32) outs(%place : tensor<?x512xf32>) -> tensor<?x512xf32>
    %product = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
        iterator_types = ["parallel", "parallel", "reduction"]} ins(%own, %matrix : tensor<?x256xf32>, tensor<512x256xf32>) outs(%cleared : tensor<?x512xf32>) {
    ^bb0(%row: f32, %column: f32, %sum: f32):
      %times = arith.mulf %row, %column : f32
      %added = arith.addf %sum, %times : f32
      linalg.yield %added : f32
    } -> tensor<?x512xf32>
    %joined = tensor.insert_slice %product into %result[%begin, 0] [%size, 512] [1, 1] : tensor<?x512xf32> into tensor<?x512xf32>
    scf.yield %joined, %end : tensor<?x512xf32>, index
  }
  return %done#0 : tensor<?x512xf32>
}
