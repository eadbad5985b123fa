// A choice that an op carries stays, whatever the model prefers; a file of choices wins over both,
// for the workloads that it names.
// RUN: ucmoh-opt %s --ucmoh-select="target=x86_avx512_vnni@zen4" | FileCheck %s --check-prefixes=CHECK,MODEL
// RUN: ucmoh-opt %s --ucmoh-select="target=x86_avx512_vnni@zen4 model=random:3" | FileCheck %s --check-prefixes=CHECK,RANDOM

// The name of the workload is that of the remark.
// RUN: ucmoh-opt %s --ucmoh-select="target=x86_avx512_vnni@zen4" --remarks-filter=ucmoh --remark-format=emitRemark --mlir-disable-threading -o /dev/null 2>&1 \
// RUN:   | sed -n 's/.*Function=free.*\(matmul_[a-z0-9]*_8x16x32_[0-9a-f]*\).*/{"workload": "\1", "choice": "#ucmoh.choice<intrinsic = @x86_avx512_vnni::@vpdpwssd_512, register_tile = [2, 16], cache_tile = [4, 16, 16], order = \\"nmk.nm\\", pack_lhs = \\"block\\", pack_rhs = \\"block\\", predicted_seconds = 0.0, model = \\"file\\">"}/p' >%t.jsonl
// RUN: ucmoh-opt %s --ucmoh-select="target=x86_avx512_vnni@zen4 choices=%t.jsonl" | FileCheck %s --check-prefixes=CHECK,FILE

// CHECK-LABEL: func.func @pinned(
// CHECK: linalg.matmul {ucmoh.choice = #ucmoh.choice<intrinsic = @x86_avx512_vnni::@vpdpbusd_512, register_tile = [1, 16], cache_tile = [2, 16, 8], order = "nmk.nm", pack_lhs = "none", pack_rhs = "block", predicted_seconds = 0.000000e+00, model = "hand">}
func.func @pinned(%a: tensor<10x32xi8>, %b: tensor<32x16xi8>, %f: tensor<10x16xi32>) -> tensor<10x16xi32> {
  %r = linalg.matmul {ucmoh.choice = #ucmoh.choice<intrinsic = @x86_avx512_vnni::@vpdpbusd_512, register_tile = [1, 16], cache_tile = [2, 16, 8], order = "nmk.nm", pack_lhs = "none", pack_rhs = "block", predicted_seconds = 0.0, model = "hand">}
    ins(%a, %b : tensor<10x32xi8>, tensor<32x16xi8>) outs(%f : tensor<10x16xi32>) -> tensor<10x16xi32>
  return %r : tensor<10x16xi32>
}

// CHECK-LABEL: func.func @free(
// MODEL: model = "embedded@{{[0-9a-f]+}}"
// RANDOM: model = "random:3"
// FILE: ucmoh.choice = #ucmoh.choice<intrinsic = @x86_avx512_vnni::@vpdpwssd_512, register_tile = [2, 16], cache_tile = [4, 16, 16], {{.*}}model = "file">
func.func @free(%a: tensor<8x32xi8>, %b: tensor<32x16xi8>, %f: tensor<8x16xi32>) -> tensor<8x16xi32> {
  %r = linalg.matmul ins(%a, %b : tensor<8x32xi8>, tensor<32x16xi8>) outs(%f : tensor<8x16xi32>) -> tensor<8x16xi32>
  return %r : tensor<8x16xi32>
}

// The same workload with a pinned choice, which the file overrides.
// CHECK-LABEL: func.func @both(
// MODEL: model = "hand"
// RANDOM: model = "hand"
// FILE: model = "file"
func.func @both(%a: tensor<8x32xi8>, %b: tensor<32x16xi8>, %f: tensor<8x16xi32>) -> tensor<8x16xi32> {
  %r = linalg.matmul {ucmoh.choice = #ucmoh.choice<intrinsic = @x86_avx512_vnni::@vpdpbusd_512, register_tile = [1, 16], cache_tile = [2, 16, 8], order = "nmk.nm", pack_lhs = "none", pack_rhs = "block", predicted_seconds = 0.0, model = "hand">}
    ins(%a, %b : tensor<8x32xi8>, tensor<32x16xi8>) outs(%f : tensor<8x16xi32>) -> tensor<8x16xi32>
  return %r : tensor<8x16xi32>
}

// Another workload: the file does not say anything about it.
// CHECK-LABEL: func.func @other(
// MODEL: model = "embedded@{{[0-9a-f]+}}"
// RANDOM: model = "random:3"
// FILE: model = "embedded@{{[0-9a-f]+}}"
func.func @other(%a: tensor<8x32xi8>, %b: tensor<32x48xi8>, %f: tensor<8x48xi32>) -> tensor<8x48xi32> {
  %r = linalg.matmul ins(%a, %b : tensor<8x32xi8>, tensor<32x48xi8>) outs(%f : tensor<8x48xi32>) -> tensor<8x48xi32>
  return %r : tensor<8x48xi32>
}
