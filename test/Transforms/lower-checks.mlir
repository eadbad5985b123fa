// A check becomes a call; what is known of it stays with the function, by its number.
// RUN: ucmoh-opt %s --ucmoh-lower-checks | FileCheck %s

// CHECK-DAG: func.func private @ucmoh_check_f32(i64, memref<*xf32>, memref<*xf32>)
// CHECK-DAG: func.func private @ucmoh_check_i8(i64, memref<*xi8>, memref<*xi8>)
// CHECK-LABEL: func.func @two(
// CHECK-SAME: ucmoh.checks = [{number = 3 : i64, rounds = false, type = f32, types = [bf16, f32]},
// CHECK-SAME: {number = -1 : i64, rounds = true, type = i8, types = [f32]},
// CHECK-SAME: {number = 4 : i64, rounds = false, type = i8, types = [i8]}]
func.func @two(%a: memref<4x4xf32, strided<[8, 1]>>, %b: memref<4x4xf32>, %c: memref<8xi8>) {
  // CHECK: %[[FIRST:.*]] = arith.constant 0 : i64
  // CHECK: call @ucmoh_compare_0(%[[FIRST]], %arg0, %arg1)
  ucmoh.check %a, %b number 3 types [bf16, f32] : memref<4x4xf32, strided<[8, 1]>>, memref<4x4xf32>
  // CHECK: %[[SECOND:.*]] = arith.constant 1 : i64
  // CHECK: call @ucmoh_compare_1(%[[SECOND]], %arg2, %arg2)
  ucmoh.check %c, %c number -1 types [f32] rounds : memref<8xi8>, memref<8xi8>
  // CHECK: call @ucmoh_compare_1(%{{.*}}, %arg2, %arg2)
  ucmoh.check %c, %c number 4 types [i8] : memref<8xi8>, memref<8xi8>
  return
}

// Buffers of unknown rank are on the stack of a function of their own.
// CHECK-LABEL: func.func private @ucmoh_compare_0(
// CHECK: %[[ACTUAL:.*]] = memref.cast %arg1
// CHECK: %[[EXPECTED:.*]] = memref.cast %arg2
// CHECK: call @ucmoh_check_f32(%arg0, %[[ACTUAL]], %[[EXPECTED]])
// CHECK-LABEL: func.func private @ucmoh_compare_1(
// CHECK: call @ucmoh_check_i8(
