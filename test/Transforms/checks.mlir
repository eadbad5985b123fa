// Asked to check, passes keep what a kernel replaces, and compare.
// RUN: ucmoh-opt %s --split-input-file --pass-pipeline="builtin.module(func.func(ucmoh-tile{target=%targets/x86_avx2_fma.mlir check=true}))" | FileCheck %s
// RUN: ucmoh-opt %s --split-input-file --pass-pipeline="builtin.module(func.func(ucmoh-tile{target=%targets/x86_avx2_fma.mlir}))" | FileCheck %s --check-prefix=NOT
// NOT-NOT: ucmoh.check

// The reference has the op and what is fused with it. A sum of floats that is rounded says so.
// CHECK-LABEL: func.func @epilogue(
// CHECK: %[[KERNEL:.*]] = ucmoh.kernel
// CHECK: %[[ACTUAL:.*]] = tensor.expand_shape %[[KERNEL]]
// CHECK: %[[SUM:.*]] = linalg.matmul {ucmoh.reference} ins(%arg0, %arg1 :
// CHECK: %[[EXPECTED:.*]] = linalg.generic {{.*}} ins(%[[SUM]] : {{.*}} attrs = {ucmoh.reference}
// CHECK: ucmoh.check %[[ACTUAL]], %[[EXPECTED]] number 5 types [f32, i32] rounds : tensor<6x16xi32>, tensor<6x16xi32>
// CHECK: return %[[ACTUAL]]
func.func @epilogue(%a: tensor<6x8xf32>, %b: tensor<8x16xf32>) -> tensor<6x16xi32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<6x16xf32>) -> tensor<6x16xf32>
  %p = linalg.matmul {ucmoh.op = 5 : i64, ucmoh.choice = #ucmoh.choice<intrinsic = @x86_avx2_fma::@vfmadd_256, register_tile = [6, 16], cache_tile = [6, 16, 8], order = "mnk.mn", pack_lhs = "none", pack_rhs = "none", predicted_seconds = 0.0, model = "test">}
    ins(%a, %b : tensor<6x8xf32>, tensor<8x16xf32>) outs(%f : tensor<6x16xf32>) -> tensor<6x16xf32>
  %ei = tensor.empty() : tensor<6x16xi32>
  %q = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
    ins(%p : tensor<6x16xf32>) outs(%ei : tensor<6x16xi32>) {
  ^bb0(%x: f32, %out: i32):
    %i = arith.fptosi %x : f32 to i32
    linalg.yield %i : i32
  } -> tensor<6x16xi32>
  return %q : tensor<6x16xi32>
}
