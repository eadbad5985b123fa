// Loops are joined only where both write something: one that has assertions alone stays as it is.
// RUN: ucmoh-opt %s --ucmoh-join-rest | FileCheck %s

#id = affine_map<(i) -> (i)>

// CHECK-LABEL: func.func @asserted
// CHECK: linalg.generic
// CHECK: cf.assert
// CHECK: linalg.generic
// CHECK: cf.assert
// CHECK: linalg.generic
// CHECK: arith.sitofp
func.func @asserted(%x: memref<12xi64>, %y: memref<12xf32>) {
  %least = arith.constant 0 : i64
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} ins(%x : memref<12xi64>) {
  ^bb0(%in: i64):
    %right = arith.cmpi sge, %in, %least : i64
    cf.assert %right, "index must be larger or equal to 0"
    linalg.yield
  }
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} ins(%x : memref<12xi64>) {
  ^bb0(%in: i64):
    %right = arith.cmpi sge, %in, %least : i64
    cf.assert %right, "index must be larger or equal to 0"
    linalg.yield
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : memref<12xi64>) outs(%y : memref<12xf32>) {
  ^bb0(%in: i64, %out: f32):
    %number = arith.sitofp %in : i64 to f32
    linalg.yield %number : f32
  }
  return
}
