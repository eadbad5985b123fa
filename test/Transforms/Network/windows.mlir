// Reductions over windows, channel by channel: a block of the result stays in registers, its neighbours share weights.
// RUN: ucmoh-opt %s --ucmoh-vectorize-rest=target=x86_avx2_fma@zen4 --canonicalize --cse | FileCheck %s
// RUN: ucmoh-run %S/Inputs/depthwise.mlir --repeat=1 --budget=0.05 | FileCheck %s --check-prefix=EXECUTED

// EXECUTED-COUNT-4: verified

// Four neighbours times two vectors of eight: eight sums, two loads of weights, eight of the image.
// CHECK-LABEL: func.func @depthwise
// CHECK: scf.for {{.*}} step %c4
// CHECK: scf.for {{.*}} step %c16
// CHECK-COUNT-8: vector.load
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>)
// CHECK: scf.for
// CHECK-COUNT-10: vector.load
// CHECK-NOT: vector.load
// CHECK: arith.addf {{.*}} fastmath<contract> : vector<8xf32>
// CHECK-COUNT-8: vector.store
func.func @depthwise(%x: memref<1x18x18x32xf32>, %w: memref<3x3x32xf32>, %y: memref<1x16x16x32xf32>) {
  linalg.depthwise_conv_2d_nhwc_hwc ins(%x, %w : memref<1x18x18x32xf32>, memref<3x3x32xf32>) outs(%y : memref<1x16x16x32xf32>)
  return
}

// No whole vectors of channels: LLVM's loops, with a remainder.
// CHECK-LABEL: func.func @ragged
// CHECK-NOT: vector.load
// CHECK: loop_annotation
func.func @ragged(%x: memref<1x18x18x33xf32>, %w: memref<3x3x33xf32>, %y: memref<1x16x16x33xf32>) {
  linalg.depthwise_conv_2d_nhwc_hwc ins(%x, %w : memref<1x18x18x33xf32>, memref<3x3x33xf32>) outs(%y : memref<1x16x16x33xf32>)
  return
}

// A product sums over what lies side by side, or reads one operand across: not a window.
// CHECK-LABEL: func.func @transposed
// CHECK-NOT: vector.load
func.func @transposed(%x: memref<1x18x18x32xf32>, %w: memref<32x3x3xf32>, %y: memref<1x16x16x32xf32>) {
  linalg.generic {indexing_maps = [affine_map<(h, w, i, j, c) -> (0, h + i, w + j, c)>, affine_map<(h, w, i, j, c) -> (c, i, j)>,
                                   affine_map<(h, w, i, j, c) -> (0, h, w, c)>],
                  iterator_types = ["parallel", "parallel", "reduction", "reduction", "parallel"]}
    ins(%x, %w : memref<1x18x18x32xf32>, memref<32x3x3xf32>) outs(%y : memref<1x16x16x32xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %p = arith.mulf %a, %b : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  }
  return
}
