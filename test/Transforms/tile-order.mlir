// RUN: ucmoh-opt %s --ucmoh-tile="target=x86_avx512f" --canonicalize | FileCheck %s
// RUN: ucmoh-run %s --target=x86_avx512f --repeat=1 --budget=0.1 | FileCheck %s --check-prefix=EXEC
// REQUIRES: cpu-avx512f

// With `o`, a block of two panels of weights is read for all rows of the image before the next one is, and each row has
// a share of the next block fetched. Without it, all weights are read anew for each row.
// EXEC: @image
// EXEC: verified
// CHECK-LABEL: func @image
// CHECK: ucmoh.kernel "contract"
// CHECK-DAG: %[[ROWS:[a-z0-9]+]] = arith.constant 6 : index
// CHECK-DAG: %[[COLUMNS:[a-z0-9]+]] = arith.constant 96 : index
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[COLUMNS]] step %c32
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[ROWS]] step %c1
// CHECK: ucmoh.tile
// CHECK: next
func.func @image(%a: tensor<1x8x8x32xf32>, %w: tensor<3x3x32x96xf32> {ucmoh.weight}, %i: tensor<1x6x6x96xf32>) -> tensor<1x6x6x96xf32> {
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>, ucmoh.choice = #ucmoh.choice<intrinsic = @x86_avx512f::@vfmadd_512, register_tile = [6, 16], cache_tile = [6, 32, 96], order = "nomk.mn", pack_lhs = "none", pack_rhs = "prepacked", predicted_seconds = 0.0, model = "hand">}
    ins(%a, %w : tensor<1x8x8x32xf32>, tensor<3x3x32x96xf32>) outs(%i : tensor<1x6x6x96xf32>) -> tensor<1x6x6x96xf32>
  return %r : tensor<1x6x6x96xf32>
}
