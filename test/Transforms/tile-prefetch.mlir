// RUN: split-file %s %t
// RUN: ucmoh-opt %t/vectors.mlir --ucmoh-tile="target=x86_avx512f@zen5" --ucmoh-tensorize="target=x86_avx512f@zen5" | FileCheck %t/vectors.mlir
// RUN: ucmoh-opt %t/matrices.mlir --ucmoh-tile="target=x86_amx_int8@emeraldrapids" --ucmoh-tensorize="target=x86_amx_int8@emeraldrapids" | FileCheck %t/matrices.mlir

//--- matrices.mlir
// Eight tiles of matrices fetch into L2, too.
// CHECK-LABEL: func @matrices
// CHECK: memref.prefetch {{.*}}, read, locality<2>, data
// CHECK-NOT: locality<3>
func.func @matrices(%a: tensor<128x768xi8>, %w: tensor<768x96xi8> {ucmoh.weight}, %i: tensor<128x96xi32>) -> tensor<128x96xi32> {
  %r = linalg.matmul {ucmoh.choice = #ucmoh.choice<intrinsic = @x86_amx_int8::@tdpbssd, register_tile = [16, 32], cache_tile = [128, 96, 768], order = "nmk.nm", pack_lhs = "none", pack_rhs = "prepacked", predicted_seconds = 0.0, model = "hand">}
    ins(%a, %w : tensor<128x768xi8>, tensor<768x96xi8>) outs(%i : tensor<128x96xi32>) -> tensor<128x96xi32>
  return %r : tensor<128x96xi32>
}

//--- vectors.mlir

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

// Each tile fetches the rows of a result, and of what is added to it, that lie in memory: 4 rows of two lines each. Results
// that fit into caches are there, and a reduction of 16 steps is over too soon.
// CHECK-LABEL: func @large
// CHECK-COUNT-8: memref.prefetch {{.*}}, read, locality<3>, data
// CHECK-COUNT-8: memref.prefetch {{.*}}, write, locality<3>, data
// CHECK-NOT: memref.prefetch {{.*}}, write
// CHECK-LABEL: func @short
// CHECK-NOT: memref.prefetch {{.*}}, write
func.func @large(%a: tensor<256x64xf32>, %w: tensor<64x512xf32> {ucmoh.weight}, %s: tensor<256x512xf32>, %i: tensor<256x512xf32>) -> tensor<256x512xf32> {
  %zero = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zero : f32) outs(%i : tensor<256x512xf32>) -> tensor<256x512xf32>
  %p = linalg.matmul {ucmoh.choice = #ucmoh.choice<intrinsic = @x86_avx512f::@vfmadd_512, register_tile = [4, 32], cache_tile = [256, 512, 64], order = "nmk.nm", pack_lhs = "none", pack_rhs = "prepacked", predicted_seconds = 0.0, model = "hand">}
    ins(%a, %w : tensor<256x64xf32>, tensor<64x512xf32>) outs(%z : tensor<256x512xf32>) -> tensor<256x512xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%p, %s : tensor<256x512xf32>, tensor<256x512xf32>) outs(%i : tensor<256x512xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %sum = arith.addf %x, %y : f32
    linalg.yield %sum : f32
  } -> tensor<256x512xf32>
  return %r : tensor<256x512xf32>
}
func.func @short(%a: tensor<256x16xf32>, %w: tensor<16x512xf32> {ucmoh.weight}, %i: tensor<256x512xf32>) -> tensor<256x512xf32> {
  %r = linalg.matmul {ucmoh.choice = #ucmoh.choice<intrinsic = @x86_avx512f::@vfmadd_512, register_tile = [4, 32], cache_tile = [256, 512, 16], order = "nmk.nm", pack_lhs = "none", pack_rhs = "prepacked", predicted_seconds = 0.0, model = "hand">}
    ins(%a, %w : tensor<256x16xf32>, tensor<16x512xf32>) outs(%i : tensor<256x512xf32>) -> tensor<256x512xf32>
  return %r : tensor<256x512xf32>
}
