// A kernel takes in the reductions that are marked: it leaves partial values of each row, which are reduced behind it.
// RUN: ucmoh-opt %s --ucmoh-tile="target=x86_avx512f" --split-input-file | FileCheck %s
// RUN: ucmoh-opt %s --ucmoh-tile="target=x86_avx512f" --ucmoh-tensorize="target=x86_avx512f" --split-input-file | FileCheck %s --check-prefix=VECTORS

// Sums of squares begin with the neutral element, whatever the op begins with; of 20 columns the last four lanes are
// one fragment that is there in part.
// CHECK-LABEL: func @squares
// CHECK-SAME: %[[INIT:[a-z0-9]+]]: tensor<6xf32>
// CHECK: %[[KERNEL:.*]]:2 = ucmoh.kernel "contract" {{.*}} outs(%{{.*}}, %{{.*}} : tensor<120xf32>, tensor<96xf32>)
// CHECK: %[[NEUTRAL:.*]] = arith.constant dense<{{.*}}> : vector<16xf32>
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %c96{{.*}} step %c16
// CHECK-NEXT: vector.store %[[NEUTRAL]], %{{.*}} : memref<96xf32
// CHECK: ucmoh.tile
// CHECK: outs(%{{.*}} : memref<2x20xf32, strided<[20, 1], offset: ?>>)
// CHECK-NEXT: partials(%{{.*}} : memref<2x16xf32, strided<[16, 1], offset: ?>>) by [#vector.kind<add>]
// CHECK: epilogue (%[[ACC:.*]]: f32)
// CHECK: %[[BIASED:.*]] = arith.addf %[[ACC]]
// CHECK: %[[SQUARE:.*]] = arith.mulf %[[BIASED]], %[[BIASED]]
// CHECK: ucmoh.yield %[[BIASED]], %[[SQUARE]]
// CHECK: %[[PARTIALS:.*]] = tensor.expand_shape %[[KERNEL]]#1 {{.*}} : tensor<96xf32> into tensor<6x16xf32>
// CHECK: linalg.generic {{.*}} ins(%[[PARTIALS]] : tensor<6x16xf32>) outs(%[[INIT]] : tensor<6xf32>)
// CHECK-NEXT: ^bb0(%[[X:.*]]: f32, %[[SUM:.*]]: f32):
// CHECK-NEXT: arith.addf %[[X]], %[[SUM]]
// CHECK-NOT: linalg.generic
// CHECK: return

// VECTORS-LABEL: func @squares
// VECTORS: %[[BEFORE:.*]] = vector.load %{{.*}} : memref<2x16xf32, {{.*}}>, vector<16xf32>
// VECTORS: %[[BOTH:.*]] = arith.addf %{{.*}}, %[[BEFORE]]
// VECTORS: vector.maskedstore
// VECTORS: %[[MORE:.*]] = arith.addf %{{.*}}, %[[BOTH]]
// VECTORS: %[[VALID:.*]] = arith.select %{{.*}}, %[[MORE]], %[[BOTH]] : vector<16xi1>, vector<16xf32>
// VECTORS: vector.store %[[VALID]], %{{.*}} : memref<2x16xf32
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>
func.func @squares(%init: tensor<6xf32>, %a: tensor<6x16xf32>, %b: tensor<16x20xf32> {ucmoh.weight}) -> (tensor<6x20xf32>, tensor<6xf32>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<6x20xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<6x20xf32>) -> tensor<6x20xf32>
  %p = linalg.matmul {ucmoh.choice = #ucmoh.choice<intrinsic = @x86_avx512f::@vfmadd_512, register_tile = [2, 32], cache_tile = [6, 20, 16], order = "nmk.nm", pack_lhs = "none", pack_rhs = "prepacked", predicted_seconds = 0.0, model = "hand">}
    ins(%a, %b : tensor<6x16xf32>, tensor<16x20xf32>) outs(%f : tensor<6x20xf32>) -> tensor<6x20xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<6x20xf32>) outs(%e : tensor<6x20xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.addf %x, %one : f32
    linalg.yield %s : f32
  } -> tensor<6x20xf32>
  %q = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%r : tensor<6x20xf32>) outs(%init : tensor<6xf32>) attrs = {ucmoh.in_store = true} {
  ^bb0(%x: f32, %o: f32):
    %w = arith.mulf %x, %x : f32
    %s = arith.addf %w, %o : f32
    linalg.yield %s : f32
  } -> tensor<6xf32>
  return %r, %q : tensor<6x20xf32>, tensor<6xf32>
}

// -----

// Only the last block of a reduction that is split knows the result. A maximum does not tell -0 from 0.
// CHECK-LABEL: func @split
// CHECK: ucmoh.tile
// CHECK-NOT: partials
// CHECK: ucmoh.tile
// CHECK: partials(%{{.*}} : memref<2x16xf32, strided<[16, 1], offset: ?>>) by [#vector.kind<maximumf>]

// VECTORS-LABEL: func @split
// VECTORS: arith.maximumf %{{.*}}, %{{.*}} fastmath<nsz> : vector<16xf32>
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>
func.func @split(%a: tensor<2x32xf32>, %b: tensor<32x16xf32> {ucmoh.weight}, %init: tensor<2xf32>) -> (tensor<2x16xf32>, tensor<2xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x16xf32>) -> tensor<2x16xf32>
  %p = linalg.matmul {ucmoh.choice = #ucmoh.choice<intrinsic = @x86_avx512f::@vfmadd_512, register_tile = [2, 16], cache_tile = [2, 16, 16], order = "nmk.nm", pack_lhs = "none", pack_rhs = "prepacked", predicted_seconds = 0.0, model = "hand">}
    ins(%a, %b : tensor<2x32xf32>, tensor<32x16xf32>) outs(%f : tensor<2x16xf32>) -> tensor<2x16xf32>
  %q = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%p : tensor<2x16xf32>) outs(%init : tensor<2xf32>) attrs = {ucmoh.in_store = true} {
  ^bb0(%x: f32, %o: f32):
    %s = arith.maximumf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<2xf32>
  return %p, %q : tensor<2x16xf32>, tensor<2xf32>
}

// -----

// Without a mark both stay apart.
// CHECK-LABEL: func @unmarked
// CHECK-NOT: partials
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<2x16xf32>) outs(%{{.*}} : tensor<2xf32>)

// VECTORS-LABEL: func @unmarked
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (m)>
func.func @unmarked(%a: tensor<2x32xf32>, %b: tensor<32x16xf32> {ucmoh.weight}, %init: tensor<2xf32>) -> (tensor<2x16xf32>, tensor<2xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x16xf32>) -> tensor<2x16xf32>
  %p = linalg.matmul {ucmoh.choice = #ucmoh.choice<intrinsic = @x86_avx512f::@vfmadd_512, register_tile = [2, 16], cache_tile = [2, 16, 32], order = "nmk.nm", pack_lhs = "none", pack_rhs = "prepacked", predicted_seconds = 0.0, model = "hand">}
    ins(%a, %b : tensor<2x32xf32>, tensor<32x16xf32>) outs(%f : tensor<2x16xf32>) -> tensor<2x16xf32>
  %q = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%p : tensor<2x16xf32>) outs(%init : tensor<2xf32>) {
  ^bb0(%x: f32, %o: f32):
    %s = arith.maximumf %x, %o : f32
    linalg.yield %s : f32
  } -> tensor<2xf32>
  return %p, %q : tensor<2x16xf32>, tensor<2xf32>
}
