// Kernels that stand in the input, ours or written by hand, get the model's opinion.
// RUN: ucmoh-opt %s --ucmoh-score="target=x86_avx512_vnni@zen4 model=analytic features=%t" 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=FEATURES < %t

// A loop nest over subviews, 2-d buffers, and a loop of tiles: 8 x 16 results at a time, K = 64.
// CHECK: score.mlir:[[#@LINE+2]]:1: remark: x86_avx512_vnni::vpdpbusd_512: {{[0-9.]+}} us predicted for zen4@{{.*}} by analytic; 2 loops, 4 statements
// FEATURES: "isCompute":1
func.func @by_hand(%a: memref<32x64xi8>, %b: memref<16x16x4xi8>, %c: memref<32x16xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  scf.for %i = %c0 to %c32 step %c1 {
    %row = memref.subview %a[%i, 0] [1, 64] [1, 1] : memref<32x64xi8> to memref<1x64xi8, strided<[64, 1], offset: ?>>
    %zero = ucmoh.zero @x86_avx512_vnni::@vpdpbusd_512 : vector<16xi32>
    %sum = scf.for %k = %c0 to %c16 step %c1 iter_args(%acc = %zero) -> vector<16xi32> {
      %at = arith.muli %k, %c4 : index
      %rhs = ucmoh.load rhs @x86_avx512_vnni::@vpdpbusd_512 %b[%k, %c0, %c0] stride 64 : memref<16x16x4xi8> -> vector<64xi8>
      %lhs = ucmoh.load lhs @x86_avx512_vnni::@vpdpbusd_512 %row[%c0, %at] : memref<1x64xi8, strided<[64, 1], offset: ?>> -> vector<64xi8>
      %next = ucmoh.compute @x86_avx512_vnni::@vpdpbusd_512 %lhs, %rhs, %acc : vector<64xi8>, vector<64xi8>, vector<16xi32>
      scf.yield %next : vector<16xi32>
    }
    ucmoh.store @x86_avx512_vnni::@vpdpbusd_512 %sum, %c[%i, %c0] : vector<16xi32>, memref<32x16xi32>
  }
  return
}

