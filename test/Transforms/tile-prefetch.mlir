// RUN: ucmoh-opt %s --ucmoh-tile="target=x86_avx512f" --ucmoh-tensorize="target=x86_avx512f" | FileCheck %s

// Two tiles that read a panel fetch half of the next one each, into L2. Eight fetch little each, into all caches.
// CHECK-LABEL: func @few
// CHECK: memref.prefetch {{.*}}, read, locality<2>, data
// CHECK-NOT: locality<3>
// CHECK-LABEL: func @many
// CHECK: memref.prefetch {{.*}}, read, locality<3>, data
// CHECK-NOT: locality<2>
func.func @few(%a: tensor<8x64xf32>, %w: tensor<64x96xf32> {ucmoh.weight}, %i: tensor<8x96xf32>) -> tensor<8x96xf32> {
  %r = linalg.matmul {ucmoh.choice = #ucmoh.choice<intrinsic = @x86_avx512f::@vfmadd_512, register_tile = [4, 32], cache_tile = [8, 96, 64], order = "nmk.nm", pack_lhs = "none", pack_rhs = "prepacked", predicted_seconds = 0.0, model = "hand">}
    ins(%a, %w : tensor<8x64xf32>, tensor<64x96xf32>) outs(%i : tensor<8x96xf32>) -> tensor<8x96xf32>
  return %r : tensor<8x96xf32>
}
func.func @many(%a: tensor<32x64xf32>, %w: tensor<64x96xf32> {ucmoh.weight}, %i: tensor<32x96xf32>) -> tensor<32x96xf32> {
  %r = linalg.matmul {ucmoh.choice = #ucmoh.choice<intrinsic = @x86_avx512f::@vfmadd_512, register_tile = [4, 32], cache_tile = [32, 96, 64], order = "nmk.nm", pack_lhs = "none", pack_rhs = "prepacked", predicted_seconds = 0.0, model = "hand">}
    ins(%a, %w : tensor<32x64xf32>, tensor<64x96xf32>) outs(%i : tensor<32x96xf32>) -> tensor<32x96xf32>
  return %r : tensor<32x96xf32>
}
