// Schedules of the transform dialect choose and tensorize, in our tool and in the stock one; what was
// pinned stays.
// RUN: ucmoh-opt %s --transform-interpreter | FileCheck %s
// RUN: mlir-opt %s --load-dialect-plugin=%ucmoh_plugin --transform-interpreter | FileCheck %s
// RUN: not ucmoh-opt %S/Inputs/transform-itself.mlir --transform-interpreter 2>&1 | FileCheck %s --check-prefix=ITSELF
// RUN: not ucmoh-opt %S/Inputs/transform-op.mlir --transform-interpreter 2>&1 | FileCheck %s --check-prefix=OP
// ITSELF: error: {{.*}}is given a module that contains it; match its functions
// OP: error: {{.*}}needs functions or modules, but is given 'linalg.matmul'

// CHECK-LABEL: func.func @product
// CHECK: ucmoh.kernel
// CHECK: ucmoh.compute @x86_avx2_fma::@vfmadd_256
func.func @product(%a: tensor<16x64xf32>, %b: tensor<64x32xf32>, %c: tensor<16x32xf32>) -> tensor<16x32xf32> {
  %d = linalg.matmul ins(%a, %b : tensor<16x64xf32>, tensor<64x32xf32>) outs(%c : tensor<16x32xf32>) -> tensor<16x32xf32>
  return %d : tensor<16x32xf32>
}

// CHECK-LABEL: func.func @only_chosen
// CHECK: linalg.matmul {ucmoh.choice = #ucmoh.choice<intrinsic = @x86_avx2_fma::@vfmadd_256
func.func @only_chosen(%a: tensor<16x64xf32>, %b: tensor<64x32xf32>, %c: tensor<16x32xf32>) -> tensor<16x32xf32> {
  %d = linalg.matmul ins(%a, %b : tensor<16x64xf32>, tensor<64x32xf32>) outs(%c : tensor<16x32xf32>) -> tensor<16x32xf32>
  return %d : tensor<16x32xf32>
}

// CHECK-LABEL: func.func @pinned
// CHECK: linalg.matmul {ucmoh.choice = #ucmoh.choice<intrinsic = @x86_avx2_fma::@vfmadd_256, register_tile = [4, 8]
func.func @pinned(%a: tensor<16x64xf32>, %b: tensor<64x32xf32>, %c: tensor<16x32xf32>) -> tensor<16x32xf32> {
  %d = linalg.matmul ins(%a, %b : tensor<16x64xf32>, tensor<64x32xf32>) outs(%c : tensor<16x32xf32>) -> tensor<16x32xf32>
  return %d : tensor<16x32xf32>
}

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %functions = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    %first, %second, %third = transform.split_handle %functions
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    %chosen = transform.ucmoh.choose %first {target = "x86_avx2_fma@zen4", model = "analytic"}
      : (!transform.any_op) -> !transform.any_op
    %kernels = transform.ucmoh.tensorize %chosen {target = "x86_avx2_fma@zen4"} : (!transform.any_op) -> !transform.any_op
    %other = transform.ucmoh.choose %second {target = "x86_avx2_fma@zen4", model = "analytic"}
      : (!transform.any_op) -> !transform.any_op
    %product = transform.structured.match ops{["linalg.matmul"]} in %third : (!transform.any_op) -> !transform.any_op
    %choice = transform.param.constant #ucmoh.choice<intrinsic = @x86_avx2_fma::@vfmadd_256, register_tile = [4, 8],
      cache_tile = [16, 32, 64], order = "nmk.nm", pack_lhs = "none", pack_rhs = "none",
      predicted_seconds = 0.0, model = "by hand"> -> !transform.any_param
    transform.annotate %product "ucmoh.choice" = %choice : !transform.any_op, !transform.any_param
    %pinned = transform.ucmoh.choose %third {target = "x86_avx2_fma@zen4", model = "analytic"}
      : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
