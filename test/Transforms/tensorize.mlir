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

// -----

// Fragments that only the intrinsic can read go from and to memory by its own load and store: rows 40 apart. Those behind the
// 24th column, and those of results that are something else than the sum, go over a buffer. One row of first values may serve for all.
// CHECK-LABEL: func @opaque_whole
// CHECK: memref.alloca() {{.*}} : memref<256xi32>
// CHECK: ucmoh.load acc {{.*}} %[[C:.*]][{{.*}}] stride 40 : memref<640xi32>
// CHECK: ucmoh.compute
// CHECK: ucmoh.compute
// CHECK: ucmoh.store {{.*}} %[[C]][{{.*}}] stride 40 : !amx.tile<16x16xi32>, memref<640xi32>
// CHECK: ucmoh.store {{.*}} stride 16 : !amx.tile<16x16xi32>, memref<256xi32>
// CHECK: vector.maskedstore
// CHECK-LABEL: func @opaque_epilogue
// CHECK: ucmoh.load acc {{.*}} stride 0 : memref<16xi32>
// CHECK: ucmoh.store {{.*}} stride 16 : !amx.tile<16x16xi32>, memref<256xi32>
// CHECK: arith.maxsi
func.func @opaque_whole(%a: memref<1024xi8>, %b: memref<2048xi8>, %c: memref<640xi32>) {
  ucmoh.kernel "contract" ins(%a, %b : memref<1024xi8>, memref<2048xi8>) outs(%c : memref<640xi32>)
  (%A: memref<1024xi8>, %B: memref<2048xi8>, %C: memref<640xi32>) {
    %zero = arith.constant 0 : index
    ucmoh.tile @x86_amx_int8::@tdpbssd [16, 24] reduction [64] unroll 1
      lhs %A[%zero] strides [64, 1] : memref<1024xi8>
      rhs %B[%zero] strides [4, 32] : memref<2048xi8>
      extras(%C) [%zero] strides [40, 1] : memref<640xi32>
      outs(%C) [%zero] strides [40, 1] : memref<640xi32>
      prologue (%first: i32) {
        ucmoh.yield %first : i32
      } epilogue (%acc: i32, %first: i32) {
        ucmoh.yield %acc : i32
      }
    ucmoh.yield
  }
  return
}

func.func @opaque_epilogue(%a: memref<1024xi8>, %b: memref<1024xi8>, %s: memref<16xi32>, %c: memref<256xi32>) {
  ucmoh.kernel "contract" ins(%a, %b, %s : memref<1024xi8>, memref<1024xi8>, memref<16xi32>) outs(%c : memref<256xi32>)
  (%A: memref<1024xi8>, %B: memref<1024xi8>, %S: memref<16xi32>, %C: memref<256xi32>) {
    %zero = arith.constant 0 : index
    ucmoh.tile @x86_amx_int8::@tdpbssd [16, 16] reduction [64] unroll 1
      lhs %A[%zero] strides [64, 1] : memref<1024xi8>
      rhs %B[%zero] strides [4, 16] : memref<1024xi8>
      extras(%S) [%zero] strides [0, 1] : memref<16xi32>
      outs(%C) [%zero] strides [16, 1] : memref<256xi32>
      prologue (%sum: i32) {
        ucmoh.yield %sum : i32
      } epilogue (%acc: i32, %sum: i32) {
        %0 = arith.constant 0 : i32
        %1 = arith.maxsi %acc, %0 : i32
        ucmoh.yield %1 : i32
      }
    ucmoh.yield
  }
  return
}

// -----

// 28 rows are two fragments of 14. A kernel in which all fragments have fewer rows becomes a function of its own.
// CHECK-LABEL: func @variable_m
// CHECK: ucmoh.kernel
// CHECK-SAME: attributes {outlined}
// CHECK-NOT: memref.alloca
// CHECK-COUNT-2: ucmoh.zero {{.*}} : !amx.tile<14x16xi32>
// CHECK: ucmoh.load rhs {{.*}} -> !amx.tile<16x64xi8>
// CHECK-COUNT-2: ucmoh.load lhs {{.*}} stride 64 : memref<1792xi8> -> !amx.tile<14x64xi8>
// CHECK-COUNT-2: ucmoh.store {{.*}} : !amx.tile<14x16xi32>
// LOWER-LABEL: func private @variable_m.contract
// LOWER-SAME: attributes {passthrough = ["noinline"]}
// LOWER: amx.tile_muli {{.*}} : !amx.tile<14x64xi8>, !amx.tile<16x64xi8>, !amx.tile<14x16xi32>
// LOWER-LABEL: func @variable_m
// LOWER: call @variable_m.contract
func.func @variable_m(%a: memref<1792xi8>, %b: memref<1024xi8>, %c: memref<448xi32>) {
  ucmoh.kernel "contract" ins(%a, %b : memref<1792xi8>, memref<1024xi8>) outs(%c : memref<448xi32>)
  (%A: memref<1792xi8>, %B: memref<1024xi8>, %C: memref<448xi32>) {
    %zero = arith.constant 0 : index
    ucmoh.tile @x86_amx_int8::@tdpbssd [28, 16] reduction [64] unroll 1
      lhs %A[%zero] strides [64, 1] : memref<1792xi8>
      rhs %B[%zero] strides [4, 16] : memref<1024xi8>
      extras() [] strides []
      outs(%C) [%zero] strides [16, 1] : memref<448xi32>
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

// Tiles of 16 and of 3 rows have no number of rows in common: what exists of the last fragment is copied, unless lhs is padded.
// CHECK-LABEL: func @uneven_rows
// CHECK: ucmoh.load lhs {{.*}} -> !amx.tile<16x64xi8>
// CHECK: ucmoh.load lhs {{.*}} valid [3, 64] {{.*}} -> !amx.tile<16x64xi8>
// CHECK-NOT: valid
func.func @uneven_rows(%a: memref<2048xi8>, %b: memref<1024xi8>, %c: memref<512xi32>) {
  ucmoh.kernel "contract" ins(%a, %b : memref<2048xi8>, memref<1024xi8>) outs(%c : memref<512xi32>)
  (%A: memref<2048xi8>, %B: memref<1024xi8>, %C: memref<512xi32>) {
    %zero = arith.constant 0 : index
    %rest = arith.constant 256 : index
    ucmoh.tile @x86_amx_int8::@tdpbssd [16, 16] reduction [64] unroll 1
      lhs %A[%zero] strides [64, 1] : memref<2048xi8>
      rhs %B[%zero] strides [4, 16] : memref<1024xi8>
      extras() [] strides []
      outs(%C) [%zero] strides [16, 1] : memref<512xi32>
      prologue () {
        %0 = arith.constant 0 : i32
        ucmoh.yield %0 : i32
      } epilogue (%acc: i32) {
        ucmoh.yield %acc : i32
      }
    ucmoh.tile @x86_amx_int8::@tdpbssd [3, 16] reduction [64] unroll 1
      lhs %A[%rest] strides [64, 1] : memref<2048xi8>
      rhs %B[%zero] strides [4, 16] : memref<1024xi8>
      extras() [] strides []
      outs(%C) [%rest] strides [16, 1] : memref<512xi32>
      prologue () {
        %0 = arith.constant 0 : i32
        ucmoh.yield %0 : i32
      } epilogue (%acc: i32) {
        ucmoh.yield %acc : i32
      }
    ucmoh.tile @x86_amx_int8::@tdpbssd [3, 16] reduction [64] unroll 1
      lhs %A[%zero] strides [64, 1] padded : memref<2048xi8>
      rhs %B[%zero] strides [4, 16] : memref<1024xi8>
      extras() [] strides []
      outs(%C) [%rest] strides [16, 1] : memref<512xi32>
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
