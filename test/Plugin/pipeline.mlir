// The whole way, from linalg to the instruction, in the stock tools.

// RUN: mlir-opt --load-dialect-plugin=%ucmoh_plugin %s -o %t.plugin \
// RUN:   --pass-pipeline='builtin.module(tensorize-with-cost-model{target=x86_avx512_vnni@zen4},ucmoh-to-llvm{target=x86_avx512_vnni@zen4})'
// RUN: ucmoh-opt %s -o %t.tool \
// RUN:   --pass-pipeline='builtin.module(tensorize-with-cost-model{target=x86_avx512_vnni@zen4},ucmoh-to-llvm{target=x86_avx512_vnni@zen4})'
// RUN: cmp %t.plugin %t.tool
// RUN: mlir-translate --mlir-to-llvmir %t.plugin | llc -mtriple=x86_64-unknown-linux-gnu -mattr=+avx512f,+avx512bw,+avx512vnni | FileCheck %s

// CHECK-LABEL: matmul:
// CHECK-COUNT-24: vpdpbusd
func.func @matmul(%a: tensor<12x64xi8>, %b: tensor<64x32xi8> {ucmoh.weight}) -> tensor<12x32xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<12x32xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<12x32xi32>) -> tensor<12x32xi32>
  %r = linalg.matmul {ucmoh.choice = #ucmoh.choice<intrinsic = @x86_avx512_vnni::@vpdpbusd_512, register_tile = [12, 32], cache_tile = [12, 32, 64], order = "nmk.nm", pack_lhs = "none", pack_rhs = "prepacked", predicted_seconds = 0.0, model = "hand">}
    ins(%a, %b : tensor<12x64xi8>, tensor<64x32xi8>) outs(%f : tensor<12x32xi32>) -> tensor<12x32xi32>
  return %r : tensor<12x32xi32>
}
