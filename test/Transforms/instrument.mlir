// Ops marked ucmoh.op are surrounded by calls of the clock, with their number; others are not.
// RUN: ucmoh-opt %s --ucmoh-instrument --split-input-file | FileCheck %s

// CHECK-DAG: func.func private @ucmoh_op_begin(i64)
// CHECK-DAG: func.func private @ucmoh_op_end(i64)
// CHECK-LABEL: func.func @two(
// CHECK: %[[C0:.*]] = arith.constant 0 : i64
// CHECK-NEXT: call @ucmoh_op_begin(%[[C0]])
// CHECK-NEXT: linalg.matmul {ucmoh.op = 0 : i64}
// CHECK-NEXT: call @ucmoh_op_end(%[[C0]])
// CHECK-NEXT: memref.copy
// CHECK-NEXT: %[[C7:.*]] = arith.constant 7 : i64
// CHECK-NEXT: call @ucmoh_op_begin(%[[C7]])
// CHECK-NEXT: linalg.matmul {ucmoh.op = 7 : i64}
// CHECK-NEXT: call @ucmoh_op_end(%[[C7]])
// CHECK-NEXT: return
func.func @two(%a: memref<4x4xf32>, %b: memref<4x4xf32>, %c: memref<4x4xf32>) {
  linalg.matmul {ucmoh.op = 0 : i64} ins(%a, %b : memref<4x4xf32>, memref<4x4xf32>) outs(%c : memref<4x4xf32>)
  memref.copy %c, %a : memref<4x4xf32> to memref<4x4xf32>
  linalg.matmul {ucmoh.op = 7 : i64} ins(%a, %b : memref<4x4xf32>, memref<4x4xf32>) outs(%c : memref<4x4xf32>)
  return
}

// The op may stand in a loop, and in another function: one declaration for all.
// CHECK-LABEL: func.func @loop(
// CHECK: scf.for
// CHECK: call @ucmoh_op_begin
// CHECK-NEXT: linalg.matmul
// CHECK-NEXT: call @ucmoh_op_end
// CHECK-NOT: func.func private
func.func @loop(%a: memref<4x4xf32>, %n: index) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  scf.for %i = %0 to %n step %1 {
    linalg.matmul {ucmoh.op = 1 : i64} ins(%a, %a : memref<4x4xf32>, memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  }
  return
}

// -----

// Nothing to time: no declarations either.
// CHECK-NOT: ucmoh_op_begin
// CHECK-LABEL: func.func @none(
// CHECK-NEXT: linalg.matmul
// CHECK-NEXT: return
// CHECK-NOT: ucmoh_op_
func.func @none(%a: memref<4x4xf32>) {
  linalg.matmul ins(%a, %a : memref<4x4xf32>, memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  return
}
