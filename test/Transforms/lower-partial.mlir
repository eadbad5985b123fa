// A part of a fragment is copied in vectors of powers of two: LLVM cannot select 25 bf16 on x86.
// RUN: ucmoh-opt %s --ucmoh-lower | FileCheck %s

// CHECK-LABEL: func @partial
// CHECK-NOT: vector<25xbf16>
// CHECK: vector.load {{.*}} vector<16xbf16>
// CHECK: vector.load {{.*}} vector<8xbf16>
// CHECK: vector.load {{.*}} vector<1xbf16>
// CHECK: amx.tile_load
func.func @partial(%a: memref<16x57xbf16>, %b: memref<16x32xbf16>, %c: memref<16x16xf32>) {
  %part = memref.subview %a[0, 32] [1, 25] [1, 1] : memref<16x57xbf16> to memref<1x25xbf16, strided<[57, 1], offset: 32>>
  %x = ucmoh.load lhs @x86_amx_bf16::@tdpbf16ps %part : memref<1x25xbf16, strided<[57, 1], offset: 32>> -> !amx.tile<16x32xbf16>
  %y = ucmoh.load rhs @x86_amx_bf16::@tdpbf16ps %b : memref<16x32xbf16> -> !amx.tile<16x32xbf16>
  %0 = ucmoh.load acc @x86_amx_bf16::@tdpbf16ps %c : memref<16x16xf32> -> !amx.tile<16x16xf32>
  %1 = ucmoh.compute @x86_amx_bf16::@tdpbf16ps %x, %y, %0 : !amx.tile<16x32xbf16>, !amx.tile<16x32xbf16>, !amx.tile<16x16xf32>
  ucmoh.store @x86_amx_bf16::@tdpbf16ps %1, %c : !amx.tile<16x16xf32>, memref<16x16xf32>
  return
}
