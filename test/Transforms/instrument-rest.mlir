// With `ucmoh.ops`, what is no contraction as well: equal names share a number, and what is tiny belongs to a neighbour.
// RUN: ucmoh-opt %s --ucmoh-instrument | FileCheck %s

// CHECK-LABEL: func.func @rest(
// CHECK-SAME: ucmoh.rest = [{count = 2 : i64, name = "copy 80x64xf32"}, {count = 1 : i64, name = "max, exp 80x64xf32"}]
// CHECK: %[[COPY:.*]] = arith.constant 3 : i64
// CHECK-NEXT: call @ucmoh_op_begin(%[[COPY]])
// CHECK-NEXT: linalg.fill
// CHECK-NEXT: memref.copy
// CHECK-NEXT: call @ucmoh_op_end(%[[COPY]])
// CHECK: call @ucmoh_op_begin
// CHECK-NEXT: linalg.matmul
// CHECK-NEXT: call @ucmoh_op_end
// CHECK: %[[LOOP:.*]] = arith.constant 4 : i64
// CHECK-NEXT: call @ucmoh_op_begin(%[[LOOP]])
// CHECK-NEXT: scf.for
// CHECK-NOT: call
// CHECK: } {ucmoh.rows}
// CHECK-NEXT: call @ucmoh_op_end(%[[LOOP]])
// CHECK-NEXT: %[[AGAIN:.*]] = arith.constant 3 : i64
// CHECK-NEXT: call @ucmoh_op_begin(%[[AGAIN]])
// CHECK-NEXT: memref.copy
func.func @rest(%a: memref<80x64xf32>, %b: memref<80x64xf32>, %c: memref<4x4xf32>) attributes {ucmoh.ops = 3 : i64} {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %80 = arith.constant 80 : index
  %zero = arith.constant 0.0 : f32
  %row = memref.alloca() : memref<f32>
  linalg.fill ins(%zero : f32) outs(%c : memref<4x4xf32>)
  memref.copy %a, %b : memref<80x64xf32> to memref<80x64xf32>
  linalg.matmul {ucmoh.op = 1 : i64} ins(%c, %c : memref<4x4xf32>, memref<4x4xf32>) outs(%c : memref<4x4xf32>)
  scf.for %i = %0 to %80 step %1 {
    %x = memref.subview %a[%i, 0] [1, 64] [1, 1] : memref<80x64xf32> to memref<64xf32, strided<[1], offset: ?>>
    linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
        ins(%x : memref<64xf32, strided<[1], offset: ?>>) outs(%row : memref<f32>) {
    ^bb0(%e: f32, %m: f32):
      %r = arith.maximumf %e, %m : f32
      linalg.yield %r : f32
    }
    linalg.generic {indexing_maps = [affine_map<(i) -> ()>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
        ins(%row : memref<f32>) outs(%x : memref<64xf32, strided<[1], offset: ?>>) {
    ^bb0(%m: f32, %e: f32):
      %d = arith.subf %e, %m : f32
      %p = arith.mulf %d, %d : f32 loc("math.exp")
      linalg.yield %p : f32
    }
  } {ucmoh.rows}
  memref.copy %a, %b : memref<80x64xf32> to memref<80x64xf32>
  return
}
