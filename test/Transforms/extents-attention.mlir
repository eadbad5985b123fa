// RUN: ucmoh-opt %s --ucmoh-extents | FileCheck %s
// RUN: ucmoh-run %s --dim=150 --repeat=1 --budget=0.1 | FileCheck %s --check-prefix=EXEC
// RUN: ucmoh-run %s --dim=7 --threads=2 --repeat=1 --budget=0.1 | FileCheck %s --check-prefix=EXEC

// Heads, and blocks of 128 rows, the last of which has as many as are left. No scores but those of a block are held.
// EXEC: @attention
// EXEC: verified
// CHECK: #[[ROWS:.*]] = affine_map<(d0)[s0] -> (d0 * -128 + s0, 128)>
// CHECK-LABEL: func @attention
// CHECK: scf.for %{{.*}} = %c0 to %c3
// CHECK: scf.for
// CHECK: %[[LEFT:.*]] = affine.min #[[ROWS]]
// CHECK: tensor.extract_slice %arg0[{{.*}}] [1, %[[LEFT]], 8]
// CHECK-NOT: tensor<3x?x?xf32>
// CHECK: tensor.empty(%[[LEFT]], %{{.*}}) : tensor<1x?x?xf32>
// CHECK: linalg.batch_matmul ins(%{{.*}} : tensor<1x128x8xf32>, tensor<1x8x128xf32>)
// CHECK: arith.maximumf
// CHECK: linalg.batch_matmul ins(%{{.*}} : tensor<1x128x128xf32>, tensor<1x128x8xf32>)
// CHECK: } {ucmoh.items, ucmoh.pieces}
func.func @attention(%q: tensor<3x?x8xf32>, %k: tensor<3x8x?xf32>, %v: tensor<3x?x8xf32>) -> tensor<3x?x8xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %c1 = arith.constant 1 : index
  %n = tensor.dim %q, %c1 : tensor<3x?x8xf32>
  %e = tensor.empty(%n, %n) : tensor<3x?x?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x?x?xf32>) -> tensor<3x?x?xf32>
  %s = linalg.batch_matmul ins(%q, %k : tensor<3x?x8xf32>, tensor<3x8x?xf32>) outs(%f : tensor<3x?x?xf32>) -> tensor<3x?x?xf32>
  %er = tensor.empty(%n) : tensor<3x?xf32>
  %lows = linalg.fill ins(%low : f32) outs(%er : tensor<3x?xf32>) -> tensor<3x?xf32>
  %max = linalg.generic {indexing_maps = [affine_map<(b, m, n) -> (b, m, n)>, affine_map<(b, m, n) -> (b, m)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%s : tensor<3x?x?xf32>) outs(%lows : tensor<3x?xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.maximumf %x, %o : f32
    linalg.yield %y : f32
  } -> tensor<3x?xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(b, m, n) -> (b, m, n)>, affine_map<(b, m, n) -> (b, m)>, affine_map<(b, m, n) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s, %max : tensor<3x?x?xf32>, tensor<3x?xf32>) outs(%e : tensor<3x?x?xf32>) {
  ^bb0(%x: f32, %m: f32, %o: f32):
    %y = arith.subf %x, %m : f32
    linalg.yield %y : f32
  } -> tensor<3x?x?xf32>
  %ev = tensor.empty(%n) : tensor<3x?x8xf32>
  %fv = linalg.fill ins(%zero : f32) outs(%ev : tensor<3x?x8xf32>) -> tensor<3x?x8xf32>
  %r = linalg.batch_matmul ins(%p, %v : tensor<3x?x?xf32>, tensor<3x?x8xf32>) outs(%fv : tensor<3x?x8xf32>) -> tensor<3x?x8xf32>
  return %r : tensor<3x?x8xf32>
}
