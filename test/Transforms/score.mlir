// Kernels that stand in the input, ours or written by hand, get the model's opinion.
// RUN: ucmoh-opt %s --ucmoh-score="target=x86_avx512_vnni@zen4 model=analytic features=%t" 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=FEATURES < %t

// A loop nest over subviews, 2-d buffers, and a loop of tiles: 8 x 16 results at a time, K = 64.
// CHECK: score.mlir:[[#@LINE+2]]:1: remark: x86_avx512_vnni::vpdpbusd_512: {{[0-9.]+}} us predicted for zen4@{{.*}} by analytic; 2 loops, 4 statements
// FEATURES: "isCompute":1
func.func @by_hand(%a: memref<32x64xi8>, %b: memref<16x64xi8>, %c: memref<32x16xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  scf.for %i = %c0 to %c32 step %c1 {
    %row = memref.subview %a[%i, 0] [1, 64] [1, 1]
      : memref<32x64xi8> to memref<1x64xi8, strided<[64, 1], offset: ?>>
    %zero = ucmoh.zero @x86_avx512_vnni::@vpdpbusd_512 : vector<16xi32>
    %sum = scf.for %k = %c0 to %c16 step %c1 iter_args(%acc = %zero) -> vector<16xi32> {
      %panel = memref.subview %b[%k, 0] [1, 64] [1, 1]
        : memref<16x64xi8> to memref<1x64xi8, strided<[64, 1], offset: ?>>
      %rhs = ucmoh.load rhs @x86_avx512_vnni::@vpdpbusd_512 %panel
        : memref<1x64xi8, strided<[64, 1], offset: ?>> -> vector<64xi8>
      %at = arith.muli %k, %c4 : index
      %steps = memref.subview %row[0, %at] [1, 4] [1, 1]
        : memref<1x64xi8, strided<[64, 1], offset: ?>> to memref<1x4xi8, strided<[64, 1], offset: ?>>
      %lhs = ucmoh.load lhs @x86_avx512_vnni::@vpdpbusd_512 %steps
        : memref<1x4xi8, strided<[64, 1], offset: ?>> -> vector<64xi8>
      %next = ucmoh.compute @x86_avx512_vnni::@vpdpbusd_512 %lhs, %rhs, %acc
        : vector<64xi8>, vector<64xi8>, vector<16xi32>
      scf.yield %next : vector<16xi32>
    }
    %result = memref.subview %c[%i, 0] [1, 16] [1, 1]
      : memref<32x16xi32> to memref<1x16xi32, strided<[16, 1], offset: ?>>
    ucmoh.store @x86_avx512_vnni::@vpdpbusd_512 %sum, %result
      : vector<16xi32>, memref<1x16xi32, strided<[16, 1], offset: ?>>
  }
  return
}

