// The stock mlir-opt knows dialect and passes after loading the plugin; passes by --pass-pipeline
// only, as it reads its flags before it loads plugins.

// RUN: mlir-opt --load-dialect-plugin=%ucmoh_plugin %s --pass-pipeline='builtin.module(ucmoh-lower)' -o %t.plugin
// RUN: ucmoh-opt %s --ucmoh-lower -o %t.tool
// RUN: cmp %t.plugin %t.tool
// RUN: FileCheck %s < %t.plugin

// CHECK-LABEL: func @step
// CHECK: vector.load
// CHECK: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"
// CHECK-NOT: ucmoh.
func.func @step(%a: memref<1x4xi8>, %b: memref<1x64xi8>) -> vector<16xi32> {
  %x = ucmoh.load lhs @x86_avx512_vnni::@vpdpbusd_512 %a : memref<1x4xi8> -> vector<64xi8>
  %y = ucmoh.load rhs @x86_avx512_vnni::@vpdpbusd_512 %b : memref<1x64xi8> -> vector<64xi8>
  %z = ucmoh.zero @x86_avx512_vnni::@vpdpbusd_512 : vector<16xi32>
  %d = ucmoh.compute @x86_avx512_vnni::@vpdpbusd_512 %x, %y, %z : vector<64xi8>, vector<64xi8>, vector<16xi32>
  return %d : vector<16xi32>
}
