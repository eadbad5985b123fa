// RUN: ucmoh-opt %s --ucmoh-tensorize --split-input-file | FileCheck %s
// RUN: ucmoh-opt %s --ucmoh-tensorize --ucmoh-lower --split-input-file | FileCheck %s --check-prefix=LOWER

// Two rows, two fragments of columns, K = 10: two whole steps in a loop and a ragged one of 2.
// CHECK-LABEL: func @tile
// CHECK-COUNT-1: ucmoh.zero
// CHECK: scf.for {{.*}} iter_args
// CHECK-COUNT-2: ucmoh.load rhs
// CHECK: ucmoh.load lhs
// CHECK-COUNT-2: ucmoh.compute
// CHECK: ucmoh.load lhs
// CHECK-COUNT-2: ucmoh.compute
// CHECK: scf.yield
// CHECK: ucmoh.load lhs {{.*}} valid [1, 2]
// CHECK: ucmoh.load lhs {{.*}} valid [1, 2]
// The second fragment of columns holds 20 - 16 = 4.
// CHECK: vector.store
// CHECK: vector.constant_mask [4]
// CHECK: vector.maskedstore
// LOWER-LABEL: func @tile
// LOWER-NOT: ucmoh.
// LOWER: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"
func.func @tile(%a: memref<20xi8>, %b: memref<384xi8>, %c: memref<40xi32>) {
  %z = arith.constant 0 : index
  ucmoh.kernel "contract" ins(%a, %b : memref<20xi8>, memref<384xi8>) outs(%c : memref<40xi32>)
  (%A: memref<20xi8>, %B: memref<384xi8>, %C: memref<40xi32>) {
    %zero = arith.constant 0 : index
    ucmoh.tile @x86_avx512_vnni::@vpdpbusd_512 [2, 20] reduction [10] unroll 1
      lhs %A[%zero] strides [10, 1] : memref<20xi8>
      rhs %B[%zero] strides [4, 32] : memref<384xi8>
      extras() [] strides []
      outs(%C) [%zero] strides [20, 1] : memref<40xi32>
      prologue () {
        %0 = arith.constant 0 : i32
        ucmoh.yield %0 : i32
      } epilogue (%acc: i32) {
        ucmoh.yield %acc : i32
      }
    ucmoh.yield
  }
  return
}

// -----

// The first value may be a constant from outside, as folding leaves it.
// CHECK-LABEL: func @hoisted_constant
// CHECK: %[[SEVEN:.*]] = arith.constant 7 : i32
// CHECK: vector.broadcast %[[SEVEN]] : i32 to vector<16xi32>
// CHECK: ucmoh.compute
func.func @hoisted_constant(%a: memref<4xi8>, %b: memref<64xi8>, %c: memref<16xi32>) {
  ucmoh.kernel "contract" ins(%a, %b : memref<4xi8>, memref<64xi8>) outs(%c : memref<16xi32>)
  (%A: memref<4xi8>, %B: memref<64xi8>, %C: memref<16xi32>) {
    %zero = arith.constant 0 : index
    %seven = arith.constant 7 : i32
    ucmoh.tile @x86_avx512_vnni::@vpdpbusd_512 [1, 16] reduction [4] unroll 1
      lhs %A[%zero] strides [4, 1] : memref<4xi8>
      rhs %B[%zero] strides [4, 16] : memref<64xi8>
      extras() [] strides []
      outs(%C) [%zero] strides [16, 1] : memref<16xi32>
      prologue () {
        ucmoh.yield %seven : i32
      } epilogue (%acc: i32) {
        ucmoh.yield %acc : i32
      }
    ucmoh.yield
  }
  return
}
