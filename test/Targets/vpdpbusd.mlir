// RUN: ucmoh-opt %s --ucmoh-lower --expand-strided-metadata --lower-affine --convert-to-llvm --reconcile-unrealized-casts \
// RUN:   | mlir-translate --mlir-to-llvmir | llc -mattr=+avx512f,+avx512vnni | FileCheck %s
// REQUIRES: x86-registered-target

// What the body of `load_lhs` spells out in five ops is one broadcast from memory, and the panel is
// the memory operand of the instruction itself. Unit/IntrinsicTest.cpp looks for the instruction of
// every intrinsic of every target.

// CHECK-LABEL: step:
// CHECK: vpbroadcastd (%{{.*}}), %[[A:zmm[0-9]+]]
// CHECK: vpdpbusd (%{{.*}}), %[[A]], %[[C:zmm[0-9]+]]
// CHECK-NEXT: vpbroadcastd 4(%{{.*}}), %[[A2:zmm[0-9]+]]
// CHECK-NEXT: vpdpbusd 64(%{{.*}}), %[[A2]], %[[C]]
// CHECK-NEXT: vmovdqu64 %[[C]], (%{{.*}})
func.func @step(%a: memref<1x8xi8>, %b: memref<2x64xi8>, %c: memref<1x16xi32>) {
  %a0 = memref.subview %a[0, 0] [1, 4] [1, 1] : memref<1x8xi8> to memref<1x4xi8, strided<[8, 1]>>
  %a1 = memref.subview %a[0, 4] [1, 4] [1, 1] : memref<1x8xi8> to memref<1x4xi8, strided<[8, 1], offset: 4>>
  %b0 = memref.subview %b[0, 0] [1, 64] [1, 1] : memref<2x64xi8> to memref<1x64xi8, strided<[64, 1]>>
  %b1 = memref.subview %b[1, 0] [1, 64] [1, 1] : memref<2x64xi8> to memref<1x64xi8, strided<[64, 1], offset: 64>>
  %z = ucmoh.load acc @x86_avx512_vnni::@vpdpbusd_512 %c : memref<1x16xi32> -> vector<16xi32>
  %x = ucmoh.load lhs @x86_avx512_vnni::@vpdpbusd_512 %a0 : memref<1x4xi8, strided<[8, 1]>> -> vector<64xi8>
  %y = ucmoh.load rhs @x86_avx512_vnni::@vpdpbusd_512 %b0 : memref<1x64xi8, strided<[64, 1]>> -> vector<64xi8>
  %d = ucmoh.compute @x86_avx512_vnni::@vpdpbusd_512 %x, %y, %z : vector<64xi8>, vector<64xi8>, vector<16xi32>
  %x1 = ucmoh.load lhs @x86_avx512_vnni::@vpdpbusd_512 %a1 : memref<1x4xi8, strided<[8, 1], offset: 4>> -> vector<64xi8>
  %y1 = ucmoh.load rhs @x86_avx512_vnni::@vpdpbusd_512 %b1 : memref<1x64xi8, strided<[64, 1], offset: 64>> -> vector<64xi8>
  %d1 = ucmoh.compute @x86_avx512_vnni::@vpdpbusd_512 %x1, %y1, %d : vector<64xi8>, vector<64xi8>, vector<16xi32>
  ucmoh.store @x86_avx512_vnni::@vpdpbusd_512 %d1, %c : vector<16xi32>, memref<1x16xi32>
  return
}
