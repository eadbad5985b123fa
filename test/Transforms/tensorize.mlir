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
// CHECK: ucmoh.load lhs {{.*}} : memref<1x2xi8, strided<[10, 1], offset: 8>> -> vector<64xi8>
// CHECK: ucmoh.load lhs {{.*}} : memref<1x2xi8, strided<[10, 1], offset: 18>> -> vector<64xi8>
// The second fragment of columns holds 20 - 16 = 4.
// CHECK: vector.store
// CHECK: vector.constant_mask [4]
// CHECK: vector.maskedstore
// LOWER-LABEL: func @tile
// LOWER-NOT: ucmoh.
// LOWER: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"
func.func @tile(%a: memref<2x10xi8>, %b: memref<3x128xi8>, %c: memref<2x20xi32>) {
  ucmoh.kernel "contract" ins(%a, %b : memref<2x10xi8>, memref<3x128xi8>) outs(%c : memref<2x20xi32>)
  (%A: memref<2x10xi8>, %B: memref<3x128xi8>, %C: memref<2x20xi32>) {
    ucmoh.tile @x86_avx512_vnni::@vpdpbusd_512
      lhs %A : memref<2x10xi8>
      rhs %B : memref<3x128xi8>
      outs(%C : memref<2x20xi32>)
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
// CHECK: arith.constant dense<7> : vector<16xi32>
// CHECK: ucmoh.compute
func.func @hoisted_constant(%a: memref<1x4xi8>, %b: memref<1x64xi8>, %c: memref<1x16xi32>) {
  ucmoh.kernel "contract" ins(%a, %b : memref<1x4xi8>, memref<1x64xi8>) outs(%c : memref<1x16xi32>)
  (%A: memref<1x4xi8>, %B: memref<1x64xi8>, %C: memref<1x16xi32>) {
    %seven = arith.constant 7 : i32
    ucmoh.tile @x86_avx512_vnni::@vpdpbusd_512
      lhs %A : memref<1x4xi8>
      rhs %B : memref<1x64xi8>
      outs(%C : memref<1x16xi32>)
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
// CHECK: memref.alloca() {{.*}} : memref<16x16xi32>
// CHECK: %[[VIEW:.*]] = memref.subview %[[C:.*]][0, 0] [16, 24]
// CHECK: %[[FIRST:.*]] = memref.subview %[[VIEW]][0, 0] [16, 16]
// CHECK: ucmoh.load acc {{.*}} %[[FIRST]] : memref<16x16xi32, strided<[40, 1]>>
// CHECK: ucmoh.compute
// CHECK: ucmoh.compute
// CHECK: %[[LAST:.*]] = memref.subview %[[VIEW]][0, 0] [16, 16]
// CHECK: ucmoh.store {{.*}} %[[LAST]] : !amx.tile<16x16xi32>, memref<16x16xi32, strided<[40, 1]>>
// CHECK: ucmoh.store {{.*}} : !amx.tile<16x16xi32>, memref<16x16xi32>
// CHECK: vector.maskedstore
// CHECK-LABEL: func @opaque_epilogue
// CHECK: ucmoh.load acc {{.*}} : memref<16x16xi32, strided<[0, 1]>>
// CHECK: ucmoh.store {{.*}} : !amx.tile<16x16xi32>, memref<16x16xi32>
// Six rows take each step side by side, as vector registers hold no accumulators.
// CHECK: arith.maxsi
// CHECK-NEXT: arith.maxsi
// CHECK-NEXT: arith.maxsi
// CHECK-NEXT: arith.maxsi
// CHECK-NEXT: arith.maxsi
// CHECK-NEXT: arith.maxsi
func.func @opaque_whole(%a: memref<16x64xi8>, %b: memref<16x128xi8>, %c: memref<16x40xi32>) {
  ucmoh.kernel "contract" ins(%a, %b : memref<16x64xi8>, memref<16x128xi8>) outs(%c : memref<16x40xi32>)
  (%A: memref<16x64xi8>, %B: memref<16x128xi8>, %C: memref<16x40xi32>) {
    %T = memref.subview %C[0, 0] [16, 24] [1, 1] : memref<16x40xi32> to memref<16x24xi32, strided<[40, 1]>>
    ucmoh.tile @x86_amx_int8::@tdpbssd
      lhs %A : memref<16x64xi8>
      rhs %B : memref<16x128xi8>
      extras(%T : memref<16x24xi32, strided<[40, 1]>>)
      outs(%T : memref<16x24xi32, strided<[40, 1]>>)
      prologue (%first: i32) {
        ucmoh.yield %first : i32
      } epilogue (%acc: i32, %first: i32) {
        ucmoh.yield %acc : i32
      }
    ucmoh.yield
  }
  return
}

func.func @opaque_epilogue(%a: memref<16x64xi8>, %b: memref<16x64xi8>, %s: memref<16xi32>, %c: memref<16x16xi32>) {
  ucmoh.kernel "contract" ins(%a, %b, %s : memref<16x64xi8>, memref<16x64xi8>, memref<16xi32>) outs(%c : memref<16x16xi32>)
  (%A: memref<16x64xi8>, %B: memref<16x64xi8>, %S: memref<16xi32>, %C: memref<16x16xi32>) {
    %R = memref.reinterpret_cast %S to offset: [0], sizes: [16, 16], strides: [0, 1]
      : memref<16xi32> to memref<16x16xi32, strided<[0, 1]>>
    ucmoh.tile @x86_amx_int8::@tdpbssd
      lhs %A : memref<16x64xi8>
      rhs %B : memref<16x64xi8>
      extras(%R : memref<16x16xi32, strided<[0, 1]>>)
      outs(%C : memref<16x16xi32>)
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
// CHECK-COUNT-2: ucmoh.load lhs {{.*}} : memref<14x64xi8, {{.*}}> -> !amx.tile<14x64xi8>
// CHECK-COUNT-2: ucmoh.store {{.*}} : !amx.tile<14x16xi32>
// LOWER-LABEL: func private @variable_m.contract
// LOWER-SAME: attributes {passthrough = ["noinline"]}
// LOWER: amx.tile_muli {{.*}} : !amx.tile<14x64xi8>, !amx.tile<16x64xi8>, !amx.tile<14x16xi32>
// LOWER-LABEL: func @variable_m
// LOWER: call @variable_m.contract
func.func @variable_m(%a: memref<28x64xi8>, %b: memref<16x64xi8>, %c: memref<28x16xi32>) {
  ucmoh.kernel "contract" ins(%a, %b : memref<28x64xi8>, memref<16x64xi8>) outs(%c : memref<28x16xi32>)
  (%A: memref<28x64xi8>, %B: memref<16x64xi8>, %C: memref<28x16xi32>) {
    ucmoh.tile @x86_amx_int8::@tdpbssd
      lhs %A : memref<28x64xi8>
      rhs %B : memref<16x64xi8>
      outs(%C : memref<28x16xi32>)
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
// CHECK: ucmoh.load lhs {{.*}} : memref<16x64xi8, {{.*}}> -> !amx.tile<16x64xi8>
// CHECK: ucmoh.load lhs {{.*}} : memref<3x64xi8, {{.*}}> -> !amx.tile<16x64xi8>
// CHECK: ucmoh.load lhs {{.*}} : memref<16x64xi8, {{.*}}> -> !amx.tile<16x64xi8>
func.func @uneven_rows(%a: memref<32x64xi8>, %b: memref<16x64xi8>, %c: memref<32x16xi32>) {
  ucmoh.kernel "contract" ins(%a, %b : memref<32x64xi8>, memref<16x64xi8>) outs(%c : memref<32x16xi32>)
  (%A: memref<32x64xi8>, %B: memref<16x64xi8>, %C: memref<32x16xi32>) {
    %a16 = memref.subview %A[0, 0] [16, 64] [1, 1] : memref<32x64xi8> to memref<16x64xi8, strided<[64, 1]>>
    %a3 = memref.subview %A[16, 0] [3, 64] [1, 1] : memref<32x64xi8> to memref<3x64xi8, strided<[64, 1], offset: 1024>>
    %c16 = memref.subview %C[0, 0] [16, 16] [1, 1] : memref<32x16xi32> to memref<16x16xi32, strided<[16, 1]>>
    %c3 = memref.subview %C[16, 0] [3, 16] [1, 1] : memref<32x16xi32> to memref<3x16xi32, strided<[16, 1], offset: 256>>
    ucmoh.tile @x86_amx_int8::@tdpbssd
      lhs %a16 : memref<16x64xi8, strided<[64, 1]>>
      rhs %B : memref<16x64xi8>
      outs(%c16 : memref<16x16xi32, strided<[16, 1]>>)
      prologue () {
        %0 = arith.constant 0 : i32
        ucmoh.yield %0 : i32
      } epilogue (%acc: i32) {
        ucmoh.yield %acc : i32
      }
    ucmoh.tile @x86_amx_int8::@tdpbssd
      lhs %a3 : memref<3x64xi8, strided<[64, 1], offset: 1024>>
      rhs %B : memref<16x64xi8>
      outs(%c3 : memref<3x16xi32, strided<[16, 1], offset: 256>>)
      prologue () {
        %0 = arith.constant 0 : i32
        ucmoh.yield %0 : i32
      } epilogue (%acc: i32) {
        ucmoh.yield %acc : i32
      }
    ucmoh.tile @x86_amx_int8::@tdpbssd
      lhs %a16 : memref<16x64xi8, strided<[64, 1]>>
      rhs %B : memref<16x64xi8>
      outs(%c3 : memref<3x16xi32, strided<[16, 1], offset: 256>>)
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
