// RUN: ucmoh-opt %s --ucmoh-tile="target=x86_avx2_fma@zen3" --ucmoh-tensorize="target=x86_avx2_fma@zen3" --canonicalize --cse | FileCheck %s

// One row reads its weights at four places: the reduction of 258 steps is cut into four parts of 64, which are added up.
// Two steps are left.
// CHECK-LABEL: func @one_row
// CHECK: ucmoh.kernel "contract"
// CHECK: %[[ZERO:.*]] = ucmoh.zero
// CHECK: %[[SUMS:.*]]:8 = scf.for %[[AT:.*]] = %c0 to %c64 step %c1 iter_args
// CHECK-COUNT-2: ucmoh.load rhs
// CHECK-COUNT-2: ucmoh.compute
// CHECK: arith.addi %[[AT]], %c64
// CHECK-COUNT-2: ucmoh.compute
// CHECK: arith.addi %[[AT]], %c128
// CHECK-COUNT-2: ucmoh.compute
// CHECK: arith.addi %[[AT]], %c192
// CHECK-COUNT-2: ucmoh.compute
// CHECK: scf.yield
// CHECK: %[[FIRST:.*]] = arith.addf %[[SUMS]]#0, %[[SUMS]]#2
// CHECK: arith.addf %[[FIRST]], %[[SUMS]]#4
// CHECK-COUNT-3: arith.addf
// CHECK: scf.for
// CHECK-COUNT-2: ucmoh.compute
func.func @one_row(%a: tensor<1x258xf32>, %w: tensor<258x64xf32> {ucmoh.weight}, %i: tensor<1x64xf32>) -> tensor<1x64xf32> {
  %r = linalg.matmul {ucmoh.choice = #ucmoh.choice<intrinsic = @x86_avx2_fma::@vfmadd_256, register_tile = [1, 16], cache_tile = [1, 64, 258], order = "nmk.nm", pack_lhs = "none", pack_rhs = "prepacked", predicted_seconds = 0.0, model = "hand">}
    ins(%a, %w : tensor<1x258xf32>, tensor<258x64xf32>) outs(%i : tensor<1x64xf32>) -> tensor<1x64xf32>
  return %r : tensor<1x64xf32>
}

// Six sums leave registers for two parts of integers.
// CHECK-LABEL: func @two_parts
// CHECK: :12 = scf.for {{.*}} to %c128 step
// CHECK-COUNT-6: arith.addi {{.*}} : vector<8xi32>
func.func @two_parts(%a: tensor<1x256xi16>, %w: tensor<256x96xi16> {ucmoh.weight}, %i: tensor<1x96xi32>) -> tensor<1x96xi32> {
  %r = linalg.matmul {ucmoh.choice = #ucmoh.choice<intrinsic = @x86_avx2_fma::@vpmaddwd_256, register_tile = [1, 48], cache_tile = [1, 96, 256], order = "nmk.nm", pack_lhs = "none", pack_rhs = "prepacked", predicted_seconds = 0.0, model = "hand">}
    ins(%a, %w : tensor<1x256xi16>, tensor<256x96xi16>) outs(%i : tensor<1x96xi32>) -> tensor<1x96xi32>
  return %r : tensor<1x96xi32>
}

// With more rows than eight, sums keep the units busy while weights arrive. A short reduction stays whole.
// CHECK-LABEL: func @nine_rows
// CHECK: :2 = scf.for {{.*}} to %c256 step
// CHECK-LABEL: func @short
// CHECK: :2 = scf.for {{.*}} to %c31 step
func.func @nine_rows(%a: tensor<9x256xf32>, %w: tensor<256x64xf32> {ucmoh.weight}, %i: tensor<9x64xf32>) -> tensor<9x64xf32> {
  %r = linalg.matmul {ucmoh.choice = #ucmoh.choice<intrinsic = @x86_avx2_fma::@vfmadd_256, register_tile = [1, 16], cache_tile = [9, 64, 256], order = "nmk.nm", pack_lhs = "none", pack_rhs = "prepacked", predicted_seconds = 0.0, model = "hand">}
    ins(%a, %w : tensor<9x256xf32>, tensor<256x64xf32>) outs(%i : tensor<9x64xf32>) -> tensor<9x64xf32>
  return %r : tensor<9x64xf32>
}
func.func @short(%a: tensor<1x31xf32>, %w: tensor<31x64xf32> {ucmoh.weight}, %i: tensor<1x64xf32>) -> tensor<1x64xf32> {
  %r = linalg.matmul {ucmoh.choice = #ucmoh.choice<intrinsic = @x86_avx2_fma::@vfmadd_256, register_tile = [1, 16], cache_tile = [1, 64, 31], order = "nmk.nm", pack_lhs = "none", pack_rhs = "prepacked", predicted_seconds = 0.0, model = "hand">}
    ins(%a, %w : tensor<1x31xf32>, tensor<31x64xf32>) outs(%i : tensor<1x64xf32>) -> tensor<1x64xf32>
  return %r : tensor<1x64xf32>
}
