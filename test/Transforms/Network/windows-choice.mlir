// A depthwise convolution has a choice as a contraction has: it is selected, printed, pinned, applied, or refused.
// RUN: ucmoh-opt %s --split-input-file --ucmoh-windows=target=x86_avx2_fma@zen4 --verify-diagnostics --canonicalize --cse | FileCheck %s
// RUN: ucmoh-opt %S/Inputs/depthwise.mlir --ucmoh-select=target=x86_avx2_fma@zen4 | FileCheck %s --check-prefix=SELECTED
// RUN: ucmoh-opt %S/Inputs/depthwise.mlir --tensorize-with-cost-model=target=x86_avx2_fma@zen4 --ucmoh-windows=target=x86_avx2_fma@zen4 | FileCheck %s --check-prefix=APPLIED
// RUN: ucmoh-candidates %S/Inputs/depthwise.mlir --target=x86_avx2_fma@zen4 --model=analytic | FileCheck %s --check-prefix=CANDIDATES

// SELECTED-LABEL: func.func @f32(
// SELECTED: linalg.depthwise_conv_2d_nhwc_hwc {{.*}}ucmoh.choice = #ucmoh.choice<intrinsic = @x86_avx2_fma::@vfmadd_256
// SELECTED-LABEL: func.func @bytes(
// SELECTED: linalg.depthwise_conv_2d_nhwc_hwc {{.*}}ucmoh.choice = #ucmoh.choice<intrinsic = @x86_avx2_fma::@vpmaddwd_256
// SELECTED-LABEL: func.func @pooling(
// SELECTED-NOT: ucmoh.choice

// APPLIED-LABEL: func.func @f32(
// APPLIED: ucmoh.kernel "windows" {{.*}}#ucmoh.choice<intrinsic = @x86_avx2_fma::@vfmadd_256

// CANDIDATES: "choice":"#ucmoh.choice<intrinsic = @x86_avx2_fma::@vfmadd_256, {{.*}}"workload":"depthwise_f32f32f32_b48_1x15x15x3x3_{{[0-9a-f]+}}"

// Five columns and a rest of one, one vector of channels, columns in the inner loop.
// CHECK-LABEL: func.func @pinned
// CHECK: ucmoh.kernel "windows"
// CHECK: scf.for {{.*}} step %c1
// CHECK: scf.for {{.*}} to %c32 step %c8
// CHECK: scf.for {{.*}} to %c15 step %c5
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>) {
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (vector<8xf32>) {
func.func @pinned(%x: tensor<1x18x18x32xf32>, %w: tensor<3x3x32xf32>) -> tensor<1x16x16x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x16x16x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x16x16x32xf32>) -> tensor<1x16x16x32xf32>
  %y = linalg.depthwise_conv_2d_nhwc_hwc {ucmoh.choice = #ucmoh.choice<intrinsic = @x86_avx2_fma::@vfmadd_256, register_tile = [5, 8], cache_tile = [16, 32, 9], order = "nmk.nm", pack_lhs = "none", pack_rhs = "none", predicted_seconds = 0.0, model = "me">}
    ins(%x, %w : tensor<1x18x18x32xf32>, tensor<3x3x32xf32>) outs(%f : tensor<1x16x16x32xf32>) -> tensor<1x16x16x32xf32>
  return %y : tensor<1x16x16x32xf32>
}

// -----

// Bytes less a zero point are one of a pair for each lane, and the other one of the weights is zero.
// CHECK-LABEL: func.func @pairs
// CHECK: ucmoh.kernel "windows"
// CHECK: arith.subi {{.*}} : vector<8xi32>
// CHECK: arith.andi {{.*}} : vector<8xi32>
// CHECK-NOT: arith.muli {{.*}} : vector
// CHECK: ucmoh.compute @x86_avx2_fma::@vpmaddwd_256
func.func @pairs(%x: tensor<1x18x18x32xi8>, %w: tensor<3x3x32xi8>) -> tensor<1x16x16x32xi32> {
  %zero = arith.constant 0 : i32
  %point = arith.constant 127 : i32
  %e = tensor.empty() : tensor<1x16x16x32xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<1x16x16x32xi32>) -> tensor<1x16x16x32xi32>
  %y = linalg.depthwise_conv_2d_nhwc_hwc_q {ucmoh.choice = #ucmoh.choice<intrinsic = @x86_avx2_fma::@vpmaddwd_256, register_tile = [5, 8], cache_tile = [16, 32, 9], order = "nmk.nm", pack_lhs = "none", pack_rhs = "none", predicted_seconds = 0.0, model = "me">}
    ins(%x, %w, %point, %zero : tensor<1x18x18x32xi8>, tensor<3x3x32xi8>, i32, i32) outs(%f : tensor<1x16x16x32xi32>) -> tensor<1x16x16x32xi32>
  return %y : tensor<1x16x16x32xi32>
}

// -----

// What does not fit 16 bits is multiplied in 32.
// CHECK-LABEL: func.func @too_wide
// CHECK-NOT: ucmoh.compute
// CHECK: arith.muli {{.*}} : vector<8xi32>
// CHECK-NOT: ucmoh.compute
func.func @too_wide(%x: tensor<1x18x18x32xi8>, %w: tensor<3x3x32xi8>) -> tensor<1x16x16x32xi32> {
  %zero = arith.constant 0 : i32
  %point = arith.constant 32700 : i32
  %e = tensor.empty() : tensor<1x16x16x32xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<1x16x16x32xi32>) -> tensor<1x16x16x32xi32>
  %y = linalg.depthwise_conv_2d_nhwc_hwc_q {ucmoh.choice = #ucmoh.choice<intrinsic = @x86_avx2_fma::@vpmaddwd_256, register_tile = [5, 8], cache_tile = [16, 32, 9], order = "nmk.nm", pack_lhs = "none", pack_rhs = "none", predicted_seconds = 0.0, model = "me">}
    ins(%x, %w, %point, %zero : tensor<1x18x18x32xi8>, tensor<3x3x32xi8>, i32, i32) outs(%f : tensor<1x16x16x32xi32>) -> tensor<1x16x16x32xi32>
  return %y : tensor<1x16x16x32xi32>
}

// -----

func.func @packed(%x: tensor<1x18x18x32xf32>, %w: tensor<3x3x32xf32>) -> tensor<1x16x16x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x16x16x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x16x16x32xf32>) -> tensor<1x16x16x32xf32>
  // expected-error @below {{carries an illegal ucmoh.choice: windows have nothing to choose but the intrinsic, the register tile and one of the orders}}
  %y = linalg.depthwise_conv_2d_nhwc_hwc {ucmoh.choice = #ucmoh.choice<intrinsic = @x86_avx2_fma::@vfmadd_256, register_tile = [5, 8], cache_tile = [16, 32, 9], order = "nmk.nm", pack_lhs = "block", pack_rhs = "none", predicted_seconds = 0.0, model = "me">}
    ins(%x, %w : tensor<1x18x18x32xf32>, tensor<3x3x32xf32>) outs(%f : tensor<1x16x16x32xf32>) -> tensor<1x16x16x32xf32>
  return %y : tensor<1x16x16x32xf32>
}

// -----

func.func @of_matrices(%x: tensor<1x18x18x32xi8>, %w: tensor<3x3x32xi8>) -> tensor<1x16x16x32xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1x16x16x32xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<1x16x16x32xi32>) -> tensor<1x16x16x32xi32>
  // expected-error @below {{carries an illegal ucmoh.choice: the intrinsic does not multiply lane by lane, as a depthwise convolution does}}
  %y = linalg.depthwise_conv_2d_nhwc_hwc {ucmoh.choice = #ucmoh.choice<intrinsic = @x86_avx2_fma::@vpmaddubsw_256, register_tile = [5, 8], cache_tile = [16, 32, 9], order = "nmk.nm", pack_lhs = "none", pack_rhs = "none", predicted_seconds = 0.0, model = "me">}
    ins(%x, %w : tensor<1x18x18x32xi8>, tensor<3x3x32xi8>) outs(%f : tensor<1x16x16x32xi32>) -> tensor<1x16x16x32xi32>
  return %y : tensor<1x16x16x32xi32>
}
