// RUN: ucmoh-opt %s --ucmoh-tile="target=x86_avx512_vnni+x86_avx512f" --split-input-file --canonicalize | FileCheck %s

// s8 x s8 on a u8 x s8 instruction: lhs is shifted, and the column sums of the weights make up for
// it. M = 30 leaves a remainder of 6 rows.
// CHECK-LABEL: func @shifted_lhs
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<30x64xi8>, %[[B:[a-z0-9]+]]: tensor<64x32xi8>
// CHECK: %[[SUM:[a-z0-9]+]] = linalg.generic {{.*}} ins(%[[B]],
// CHECK: arith.addi
// CHECK: linalg.generic
// CHECK: arith.muli %{{.*}}, %c-128_i32
// CHECK: linalg.generic {{.*}} ins(%[[A]] :
// CHECK: arith.xori
// CHECK: ucmoh.kernel "pack"
// CHECK: vector.interleave
// CHECK: ucmoh.kernel "contract"
// CHECK-SAME: workload = "matmul_s8s8s32_30x32x64
// CHECK: scf.for
// CHECK: ucmoh.tile @x86_avx512_vnni::@vpdpbusd_512
// CHECK-NEXT: lhs %{{.*}} : memref<12x64xi8, strided<[64, 1], offset: ?>>
// CHECK-NEXT: rhs %{{.*}} : memref<16x128xi8, strided<[128, 1], offset: ?>>
// CHECK: extras(%{{.*}} : memref<12x32xi32, strided<[0, 1], offset: ?>>)
// CHECK-NEXT: outs(%{{.*}} : memref<12x32xi32, strided<[32, 1], offset: ?>>)
// CHECK: ucmoh.tile @x86_avx512_vnni::@vpdpbusd_512
// CHECK-NEXT: lhs %{{.*}} : memref<6x64xi8, strided<[64, 1], offset: ?>>
func.func @shifted_lhs(%a: tensor<30x64xi8>, %b: tensor<64x32xi8> {ucmoh.weight}) -> tensor<30x32xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<30x32xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<30x32xi32>) -> tensor<30x32xi32>
  %r = linalg.matmul {ucmoh.choice = #ucmoh.choice<intrinsic = @x86_avx512_vnni::@vpdpbusd_512, register_tile = [12, 32], cache_tile = [30, 32, 64], order = "nmk.nm", pack_lhs = "none", pack_rhs = "prepacked", predicted_seconds = 0.0, model = "hand">}
    ins(%a, %b : tensor<30x64xi8>, tensor<64x32xi8>) outs(%f : tensor<30x32xi32>) -> tensor<30x32xi32>
  return %r : tensor<30x32xi32>
}

// -----

// Dequantization and bias happen on the register tile: nothing of the i32 result is in memory.
// CHECK-LABEL: func @epilogue
// CHECK: ucmoh.kernel "contract"
// CHECK-SAME: outs(%{{.*}} : tensor<128xf32>)
// CHECK: ucmoh.tile
// CHECK: epilogue (%[[ACC:[a-z0-9]+]]: i32, %{{[a-z0-9]+}}: i32, %{{[a-z0-9]+}}: f32)
// CHECK: arith.sitofp %[[ACC]]
// CHECK: arith.addf
// CHECK-NOT: linalg.generic
// CHECK: return
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (j)>
func.func @epilogue(%a: tensor<8x32xi8>, %b: tensor<32x16xi8> {ucmoh.weight}, %bias: tensor<16xf32>) -> tensor<8x16xf32> {
  %zero = arith.constant 0 : i32
  %scale = arith.constant 0.5 : f32
  %e = tensor.empty() : tensor<8x16xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<8x16xi32>) -> tensor<8x16xi32>
  %r = linalg.matmul {ucmoh.choice = #ucmoh.choice<intrinsic = @x86_avx512_vnni::@vpdpbusd_512_su, register_tile = [8, 16], cache_tile = [8, 16, 32], order = "nmk.nm", pack_lhs = "none", pack_rhs = "prepacked", predicted_seconds = 0.0, model = "hand">}
    ins(%a, %b : tensor<8x32xi8>, tensor<32x16xi8>) outs(%f : tensor<8x16xi32>) -> tensor<8x16xi32>
  %ef = tensor.empty() : tensor<8x16xf32>
  %g = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%r, %bias : tensor<8x16xi32>, tensor<16xf32>) outs(%ef : tensor<8x16xf32>) {
  ^bb0(%x: i32, %y: f32, %o: f32):
    %1 = arith.sitofp %x : i32 to f32
    %2 = arith.mulf %1, %scale : f32
    %3 = arith.addf %2, %y : f32
    linalg.yield %3 : f32
  } -> tensor<8x16xf32>
  return %g : tensor<8x16xf32>
}

// -----

// A reduction in blocks: the accumulators rest in a buffer in between.
// CHECK-LABEL: func @blocked_reduction
// CHECK: ucmoh.kernel "contract"
// CHECK: %[[REST:[a-z0-9_]+]] = memref.alloc() {alignment = 64 : i64} : memref<{{.*}}xf32>
// CHECK: ucmoh.tile
// CHECK: lhs %{{.*}} : memref<8x32xf32, strided<[83, 1], offset: ?>>
// CHECK: rhs %{{.*}} : memref<32x16xf32, strided<[16, 1], offset: ?>>
// CHECK-NEXT: outs(%{{.*}} : memref<8x16xf32, strided<[16, 1], offset: ?>>)
// CHECK: ucmoh.tile
// CHECK: lhs %{{.*}} : memref<8x32xf32, strided<[83, 1], offset: ?>>
// CHECK: extras(%{{.*}} : memref<8x16xf32, strided<[16, 1], offset: ?>>)
// CHECK: ucmoh.tile
// CHECK: lhs %{{.*}} : memref<8x19xf32, strided<[83, 1], offset: ?>>
// CHECK: extras(%{{.*}} : memref<8x16xf32, strided<[16, 1], offset: ?>>)
func.func @blocked_reduction(%a: tensor<8x83xf32>, %b: tensor<83x16xf32>) -> tensor<8x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x16xf32>) -> tensor<8x16xf32>
  %r = linalg.matmul {ucmoh.choice = #ucmoh.choice<intrinsic = @x86_avx512f::@vfmadd_512, register_tile = [8, 16], cache_tile = [8, 16, 32], order = "nmk.nm", pack_lhs = "none", pack_rhs = "none", predicted_seconds = 0.0, model = "hand">}
    ins(%a, %b : tensor<8x83xf32>, tensor<83x16xf32>) outs(%f : tensor<8x16xf32>) -> tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}
