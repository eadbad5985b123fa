// 64 copies of 4 bytes for each thread and stage. They stay loops, for the assembler too: written out by it, their
// addresses took all 255 registers, and 232 bytes were spilled.
// RUN: ucmoh-opt %s --ucmoh-tile="target=nvidia_sm80_tf32" --ucmoh-tensorize="target=nvidia_sm80_tf32" --canonicalize --ucmoh-to-llvm="target=nvidia_sm80_tf32" | FileCheck %s

// CHECK: gpu.binary
// CHECK-COUNT-3: {{\$L__BB[0-9_]+:.{0,40}\.pragma .22nounroll.22;[^$]*cp\.async\.ca\.shared\.global [^$]*bra [^$]*\$L__BB[0-9_]+;}}
// CHECK: mma.sync

func.func @product(%a: tensor<61x129xf32>, %b: tensor<129x83xf32>) -> tensor<61x83xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<61x83xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<61x83xf32>) -> tensor<61x83xf32>
  %r = linalg.matmul {ucmoh.choice = #ucmoh.choice<intrinsic = @nvidia_sm80_tf32::@mma_m16n8k8_tf32, register_tile = [16, 64],
    cache_tile = [16, 128, 32], order = "nmk.nm", pack_lhs = "block", pack_rhs = "block", pipeline_depth = 4,
    predicted_seconds = 0.0, model = "pinned">}
    ins(%a, %b : tensor<61x129xf32>, tensor<129x83xf32>) outs(%init : tensor<61x83xf32>) -> tensor<61x83xf32>
  return %r : tensor<61x83xf32>
}
