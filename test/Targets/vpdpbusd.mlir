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
func.func @step(%a: memref<8xi8>, %b: memref<128xi8>, %c: memref<16xi32>) {
  %0 = arith.constant 0 : index
  %4 = arith.constant 4 : index
  %64 = arith.constant 64 : index
  %z = ucmoh.load acc @x86_avx512_vnni::@vpdpbusd_512 %c[%0] : memref<16xi32> -> vector<16xi32>
  %x = ucmoh.load lhs @x86_avx512_vnni::@vpdpbusd_512 %a[%0] : memref<8xi8> -> vector<64xi8>
  %y = ucmoh.load rhs @x86_avx512_vnni::@vpdpbusd_512 %b[%0] : memref<128xi8> -> vector<64xi8>
  %d = ucmoh.compute @x86_avx512_vnni::@vpdpbusd_512 %x, %y, %z : vector<64xi8>, vector<64xi8>, vector<16xi32>
  %x1 = ucmoh.load lhs @x86_avx512_vnni::@vpdpbusd_512 %a[%4] : memref<8xi8> -> vector<64xi8>
  %y1 = ucmoh.load rhs @x86_avx512_vnni::@vpdpbusd_512 %b[%64] : memref<128xi8> -> vector<64xi8>
  %d1 = ucmoh.compute @x86_avx512_vnni::@vpdpbusd_512 %x1, %y1, %d : vector<64xi8>, vector<64xi8>, vector<16xi32>
  ucmoh.store @x86_avx512_vnni::@vpdpbusd_512 %d1, %c[%0] : vector<16xi32>, memref<16xi32>
  return
}
