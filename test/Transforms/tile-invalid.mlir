// RUN: ucmoh-opt %s --ucmoh-tile="target=x86_avx512_vnni" --split-input-file --verify-diagnostics

func.func @unknown_intrinsic(%a: tensor<8x32xi8>, %b: tensor<32x16xi8>, %f: tensor<8x16xi32>) -> tensor<8x16xi32> {
  // expected-error @below {{carries an unusable ucmoh.choice: the target has no intrinsic @x86_avx512_vnni::@nothing}}
  %r = linalg.matmul {ucmoh.choice = #ucmoh.choice<intrinsic = @x86_avx512_vnni::@nothing, register_tile = [8, 16], cache_tile = [8, 16, 32], order = "nmk.nm", pack_lhs = "none", pack_rhs = "block", predicted_seconds = 0.0, model = "hand">}
    ins(%a, %b : tensor<8x32xi8>, tensor<32x16xi8>) outs(%f : tensor<8x16xi32>) -> tensor<8x16xi32>
  return %r : tensor<8x16xi32>
}

// -----

func.func @too_many_registers(%a: tensor<64x32xi8>, %b: tensor<32x64xi8>, %f: tensor<64x64xi32>) -> tensor<64x64xi32> {
  // expected-error @below {{carries an illegal ucmoh.choice: the register tile needs 69 of 32 registers}}
  %r = linalg.matmul {ucmoh.choice = #ucmoh.choice<intrinsic = @x86_avx512_vnni::@vpdpbusd_512, register_tile = [16, 64], cache_tile = [64, 64, 32], order = "nmk.nm", pack_lhs = "none", pack_rhs = "block", predicted_seconds = 0.0, model = "hand">}
    ins(%a, %b : tensor<64x32xi8>, tensor<32x64xi8>) outs(%f : tensor<64x64xi32>) -> tensor<64x64xi32>
  return %r : tensor<64x64xi32>
}

// -----

func.func @not_a_weight(%a: tensor<8x32xi8>, %b: tensor<32x16xi8>, %f: tensor<8x16xi32>) -> tensor<8x16xi32> {
  // expected-error @below {{rhs is not a constant or a weight}}
  %r = linalg.matmul {ucmoh.choice = #ucmoh.choice<intrinsic = @x86_avx512_vnni::@vpdpbusd_512, register_tile = [8, 16], cache_tile = [8, 16, 32], order = "nmk.nm", pack_lhs = "none", pack_rhs = "prepacked", predicted_seconds = 0.0, model = "hand">}
    ins(%a, %b : tensor<8x32xi8>, tensor<32x16xi8>) outs(%f : tensor<8x16xi32>) -> tensor<8x16xi32>
  return %r : tensor<8x16xi32>
}

// -----

func.func @dynamic(%a: tensor<?x32xi8>, %b: tensor<32x16xi8>, %f: tensor<?x16xi32>) -> tensor<?x16xi32> {
  // expected-error @below {{cannot be tensorized: a dimension is dynamic}}
  %r = linalg.matmul {ucmoh.choice = #ucmoh.choice<intrinsic = @x86_avx512_vnni::@vpdpbusd_512, register_tile = [8, 16], cache_tile = [8, 16, 32], order = "nmk.nm", pack_lhs = "none", pack_rhs = "block", predicted_seconds = 0.0, model = "hand">}
    ins(%a, %b : tensor<?x32xi8>, tensor<32x16xi8>) outs(%f : tensor<?x16xi32>) -> tensor<?x16xi32>
  return %r : tensor<?x16xi32>
}
