// RUN: ucmoh-opt %s --ucmoh-blocks --split-input-file | FileCheck %s
// RUN: ucmoh-opt %s --ucmoh-blocks=threads=2 --split-input-file | FileCheck %s --check-prefix=THREADS

// Heads and blocks of 7 rows; the last block begins earlier. Keys and values of a head are slices in front of the loop over its blocks.
// CHECK: #[[FROM:.*]] = affine_map<(d0) -> (10, d0 * 7)>
// CHECK-LABEL: func @attention
// CHECK: scf.for %{{.*}} = %c0 to %c3
// CHECK: tensor.extract_slice %arg1[{{.*}}] [1, 8, 17]
// CHECK: tensor.extract_slice %arg2[{{.*}}] [1, 17, 8]
// CHECK: scf.for
// CHECK: affine.min #[[FROM]]
// CHECK: tensor.extract_slice %arg0[{{.*}}] [1, 7, 8]
// CHECK: linalg.batch_matmul ins(%{{.*}} : tensor<1x7x8xf32>, tensor<1x8x17xf32>)
// CHECK: arith.maximumf
// CHECK: linalg.batch_matmul ins(%{{.*}} : tensor<1x7x17xf32>, tensor<1x17x8xf32>)
// CHECK: tensor.insert_slice
// THREADS-LABEL: func @attention
// THREADS: scf.for
// THREADS: scf.for
// THREADS: {ucmoh.items, ucmoh.pieces}
func.func @attention(%q: tensor<3x17x8xf32>, %k: tensor<3x8x17xf32>, %v: tensor<3x17x8xf32>) -> tensor<3x17x8xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<3x17x17xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x17x17xf32>) -> tensor<3x17x17xf32>
  %s = linalg.batch_matmul ins(%q, %k : tensor<3x17x8xf32>, tensor<3x8x17xf32>) outs(%f : tensor<3x17x17xf32>) -> tensor<3x17x17xf32>
  %er = tensor.empty() : tensor<3x17xf32>
  %lows = linalg.fill ins(%low : f32) outs(%er : tensor<3x17xf32>) -> tensor<3x17xf32>
  %max = linalg.generic {indexing_maps = [affine_map<(b, m, n) -> (b, m, n)>, affine_map<(b, m, n) -> (b, m)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%s : tensor<3x17x17xf32>) outs(%lows : tensor<3x17xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.maximumf %x, %o : f32
    linalg.yield %y : f32
  } -> tensor<3x17xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(b, m, n) -> (b, m, n)>, affine_map<(b, m, n) -> (b, m)>, affine_map<(b, m, n) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s, %max : tensor<3x17x17xf32>, tensor<3x17xf32>) outs(%e : tensor<3x17x17xf32>) {
  ^bb0(%x: f32, %m: f32, %o: f32):
    %y = arith.subf %x, %m : f32
    linalg.yield %y : f32
  } -> tensor<3x17x17xf32>
  %ev = tensor.empty() : tensor<3x17x8xf32>
  %fv = linalg.fill ins(%zero : f32) outs(%ev : tensor<3x17x8xf32>) -> tensor<3x17x8xf32>
  %r = linalg.batch_matmul {ucmoh.rows = 7 : i64} ins(%p, %v : tensor<3x17x17xf32>, tensor<3x17x8xf32>) outs(%fv : tensor<3x17x8xf32>) -> tensor<3x17x8xf32>
  return %r : tensor<3x17x8xf32>
}

// -----

// A maximum over the rows needs those of all blocks, and scores that are returned are needed as a whole.
// CHECK-LABEL: func @over_rows
// CHECK-NOT: scf.for
// CHECK-LABEL: func @returned
// CHECK-NOT: scf.for
func.func @over_rows(%q: tensor<17x8xf32>, %k: tensor<8x17xf32>, %v: tensor<17x8xf32>, %fill: tensor<17x17xf32>, %lows: tensor<17xf32>, %zeros: tensor<17x8xf32>) -> tensor<17x8xf32> {
  %s = linalg.matmul ins(%q, %k : tensor<17x8xf32>, tensor<8x17xf32>) outs(%fill : tensor<17x17xf32>) -> tensor<17x17xf32>
  %max = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>], iterator_types = ["reduction", "parallel"]}
      ins(%s : tensor<17x17xf32>) outs(%lows : tensor<17xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.maximumf %x, %o : f32
    linalg.yield %y : f32
  } -> tensor<17xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%s, %max : tensor<17x17xf32>, tensor<17xf32>) outs(%fill : tensor<17x17xf32>) {
  ^bb0(%x: f32, %m: f32, %o: f32):
    %y = arith.subf %x, %m : f32
    linalg.yield %y : f32
  } -> tensor<17x17xf32>
  %r = linalg.matmul {ucmoh.rows = 7 : i64} ins(%p, %v : tensor<17x17xf32>, tensor<17x8xf32>) outs(%zeros : tensor<17x8xf32>) -> tensor<17x8xf32>
  return %r : tensor<17x8xf32>
}

func.func @returned(%q: tensor<17x8xf32>, %k: tensor<8x17xf32>, %v: tensor<17x8xf32>, %fill: tensor<17x17xf32>, %zeros: tensor<17x8xf32>) -> (tensor<17x8xf32>, tensor<17x17xf32>) {
  %s = linalg.matmul ins(%q, %k : tensor<17x8xf32>, tensor<8x17xf32>) outs(%fill : tensor<17x17xf32>) -> tensor<17x17xf32>
  %r = linalg.matmul {ucmoh.rows = 7 : i64} ins(%s, %v : tensor<17x17xf32>, tensor<17x8xf32>) outs(%zeros : tensor<17x8xf32>) -> tensor<17x8xf32>
  return %r, %s : tensor<17x8xf32>, tensor<17x17xf32>
}
