// Three stages of 32 reduction steps: two are on their way before the loop, one more in each iteration; one barrier an
// iteration. Eight warps of 64 x 32, fragments by ldmatrix from rows that fall into different banks.
// RUN: ucmoh-opt %s --ucmoh-tile="target=nvidia_sm80" --ucmoh-tensorize="target=nvidia_sm80" --canonicalize --ucmoh-to-llvm="target=nvidia_sm80" | FileCheck %s
// RUN: env PTX_INTERPRETER_STATS=%t.json ucmoh-run %s --target=nvidia_sm80 --driver=%ptx_interpreter | FileCheck %s --check-prefix=VERIFIED
// RUN: FileCheck %s --check-prefix=STATS < %t.json

// CHECK: gpu.binary
// CHECK-COUNT-4: cp.async.cg.shared.global
// CHECK: cp.async.commit_group
// CHECK-COUNT-4: cp.async.cg.shared.global
// CHECK: cp.async.commit_group
// CHECK-COUNT-16: ldmatrix.sync.aligned.m8n8
// CHECK-NOT: ldmatrix
// CHECK: cp.async.wait_group
// CHECK: bar.sync
// CHECK-NOT: bar.sync
// CHECK-COUNT-4: cp.async.cg.shared.global

// VERIFIED: verified
// STATS: "ldmatrix_conflicts":0

func.func @product(%a: tensor<128x256xf16>, %b: tensor<256x128xf16> {ucmoh.weight}) -> tensor<128x128xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<128x128xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<128x128xf32>) -> tensor<128x128xf32>
  %r = linalg.matmul {ucmoh.choice = #ucmoh.choice<intrinsic = @nvidia_sm80::@mma_m16n8k16_f16_f32, register_tile = [64, 32],
    cache_tile = [128, 128, 32], order = "nmk.nm", pack_lhs = "block", pack_rhs = "prepacked", pipeline_depth = 3,
    predicted_seconds = 0.0, model = "pinned">}
    ins(%a, %b : tensor<128x256xf16>, tensor<256x128xf16>) outs(%init : tensor<128x128xf32>) -> tensor<128x128xf32>
  return %r : tensor<128x128xf32>
}
