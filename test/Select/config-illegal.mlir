// A choice that is not legal is replaced, with the reason.
// RUN: ucmoh-opt %s --ucmoh-select="target=x86_avx512_vnni@zen4 model=analytic" --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @too_many_registers(
// CHECK: model = "analytic"
func.func @too_many_registers(%a: tensor<64x32xi8>, %b: tensor<32x64xi8>, %f: tensor<64x64xi32>) -> tensor<64x64xi32> {
  // expected-warning @below {{carries a ucmoh.choice that is not legal here, which is replaced: the register tile needs 69 of 32 registers}}
  %r = linalg.matmul {ucmoh.choice = #ucmoh.choice<intrinsic = @x86_avx512_vnni::@vpdpbusd_512, register_tile = [16, 64], cache_tile = [64, 64, 32], order = "nmk.nm", pack_lhs = "none", pack_rhs = "block", predicted_seconds = 0.0, model = "hand">}
    ins(%a, %b : tensor<64x32xi8>, tensor<32x64xi8>) outs(%f : tensor<64x64xi32>) -> tensor<64x64xi32>
  return %r : tensor<64x64xi32>
}

// CHECK-LABEL: func.func @of_another_target(
// CHECK: model = "analytic"
func.func @of_another_target(%a: tensor<8x32xi8>, %b: tensor<32x16xi8>, %f: tensor<8x16xi32>) -> tensor<8x16xi32> {
  // expected-warning @below {{the target has no intrinsic @x86_amx_int8::@tdpbssd}}
  %r = linalg.matmul {ucmoh.choice = #ucmoh.choice<intrinsic = @x86_amx_int8::@tdpbssd, register_tile = [8, 16], cache_tile = [8, 16, 32], order = "nmk.nm", pack_lhs = "none", pack_rhs = "block", predicted_seconds = 0.0, model = "hand">}
    ins(%a, %b : tensor<8x32xi8>, tensor<32x16xi8>) outs(%f : tensor<8x16xi32>) -> tensor<8x16xi32>
  return %r : tensor<8x16xi32>
}

// Where there is no legal one, nothing takes its place.
// CHECK-LABEL: func.func @dynamic(
// CHECK-NOT: ucmoh.choice
func.func @dynamic(%a: tensor<?x32xi8>, %b: tensor<32x16xi8>, %f: tensor<?x16xi32>) -> tensor<?x16xi32> {
  // expected-warning @below {{a dimension is dynamic}}
  %r = linalg.matmul {ucmoh.choice = #ucmoh.choice<intrinsic = @x86_avx512_vnni::@vpdpbusd_512, register_tile = [8, 16], cache_tile = [8, 16, 32], order = "nmk.nm", pack_lhs = "none", pack_rhs = "block", predicted_seconds = 0.0, model = "hand">}
    ins(%a, %b : tensor<?x32xi8>, tensor<32x16xi8>) outs(%f : tensor<?x16xi32>) -> tensor<?x16xi32>
  return %r : tensor<?x16xi32>
}

// CHECK-LABEL: func.func @no_rows_outside(
// CHECK: model = "analytic"
func.func @no_rows_outside(%a: tensor<8x32xi8>, %b: tensor<32x16xi8>, %f: tensor<8x16xi32>) -> tensor<8x16xi32> {
  // expected-warning @below {{an order with 'o' is for loops over rows that no tile crosses}}
  %r = linalg.matmul {ucmoh.choice = #ucmoh.choice<intrinsic = @x86_avx512_vnni::@vpdpbusd_512, register_tile = [8, 16], cache_tile = [8, 16, 32], order = "nomk.nm", pack_lhs = "none", pack_rhs = "block", predicted_seconds = 0.0, model = "hand">}
    ins(%a, %b : tensor<8x32xi8>, tensor<32x16xi8>) outs(%f : tensor<8x16xi32>) -> tensor<8x16xi32>
  return %r : tensor<8x16xi32>
}
