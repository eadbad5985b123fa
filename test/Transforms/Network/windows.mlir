// Reductions over windows, channel by channel: a block of the result stays in registers, its neighbours share weights.
// RUN: ucmoh-opt %s --ucmoh-windows=target=x86_avx2_fma@zen4 --canonicalize --cse | FileCheck %s
// RUN: ucmoh-run %S/Inputs/depthwise.mlir --repeat=1 --budget=0.05 | FileCheck %s --check-prefix=EXECUTED

// EXECUTED-COUNT-9: verified

#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>

// Four neighbours times two vectors of eight: eight sums. The columns of a window are unrolled, so that a row of it
// needs (4 + 2) * 2 loads of the image and 3 * 2 of the weights.
// CHECK-LABEL: func.func @depthwise
// CHECK: ucmoh.kernel "windows"
// CHECK: scf.for {{.*}} step %c4
// CHECK: scf.for {{.*}} step %c16
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>)
// CHECK-COUNT-18: vector.load
// CHECK-NOT: vector.load
// CHECK: arith.addf {{.*}} fastmath<contract> : vector<8xf32>
// CHECK-COUNT-8: vector.store
// Threads may share the outermost loop.
// CHECK: {ucmoh.rows}
func.func @depthwise(%x: tensor<1x18x18x32xf32>, %w: tensor<3x3x32xf32>) -> tensor<1x16x16x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x16x16x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x16x16x32xf32>) -> tensor<1x16x16x32xf32>
  %y = linalg.depthwise_conv_2d_nhwc_hwc ins(%x, %w : tensor<1x18x18x32xf32>, tensor<3x3x32xf32>) outs(%f : tensor<1x16x16x32xf32>) -> tensor<1x16x16x32xf32>
  return %y : tensor<1x16x16x32xf32>
}

// What is around a window is in its kernel: the border, which is left out, the bias and the limits.
// CHECK-LABEL: func.func @joined
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<1x16x16x32xf32>, %[[W:[a-z0-9]+]]: tensor<3x3x32xf32>, %[[BIAS:[a-z0-9]+]]: tensor<32xf32>
// CHECK-NOT: linalg
// CHECK-NOT: tensor.pad
// CHECK: ucmoh.kernel "windows" ins(%[[X]], %[[W]], %[[BIAS]]
// CHECK: affine.max
// CHECK: affine.min
// CHECK: arith.maximumf {{.*}} : vector<8xf32>
// CHECK-NOT: linalg
func.func @joined(%x: tensor<1x16x16x32xf32>, %w: tensor<3x3x32xf32>, %bias: tensor<32xf32>) -> tensor<1x16x16x32xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x16x16x32xf32> to tensor<1x18x18x32xf32>
  %e = tensor.empty() : tensor<1x16x16x32xf32>
  %f = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (d)>, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%bias : tensor<32xf32>) outs(%e : tensor<1x16x16x32xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x16x16x32xf32>
  %r = linalg.depthwise_conv_2d_nhwc_hwc ins(%p, %w : tensor<1x18x18x32xf32>, tensor<3x3x32xf32>) outs(%f : tensor<1x16x16x32xf32>) -> tensor<1x16x16x32xf32>
  %y = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%r : tensor<1x16x16x32xf32>) outs(%e : tensor<1x16x16x32xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.maximumf %in, %zero : f32
    linalg.yield %0 : f32
  } -> tensor<1x16x16x32xf32>
  return %y : tensor<1x16x16x32xf32>
}

// An element of this border counts, so that it has to be in memory.
// CHECK-LABEL: func.func @counted
// CHECK: tensor.pad
// CHECK: ucmoh.kernel "windows"
func.func @counted(%x: tensor<1x16x16x32xf32>, %w: tensor<3x3x32xf32>) -> tensor<1x16x16x32xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %one : f32
  } : tensor<1x16x16x32xf32> to tensor<1x18x18x32xf32>
  %e = tensor.empty() : tensor<1x16x16x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x16x16x32xf32>) -> tensor<1x16x16x32xf32>
  %y = linalg.depthwise_conv_2d_nhwc_hwc ins(%p, %w : tensor<1x18x18x32xf32>, tensor<3x3x32xf32>) outs(%f : tensor<1x16x16x32xf32>) -> tensor<1x16x16x32xf32>
  return %y : tensor<1x16x16x32xf32>
}

// u8 that was shifted to i8, with a zero point that shifts it back: read as it is.
// CHECK-LABEL: func.func @hidden
// CHECK: ucmoh.kernel "windows"
// CHECK: arith.extui %{{.*}} : vector<8xi8> to vector<8xi32>
// CHECK-NOT: arith.subi
// CHECK: arith.muli
func.func @hidden(%x: tensor<1x18x18x32xi8>, %w: tensor<3x3x32xi8>) -> tensor<1x16x16x32xi32> {
  %zero = arith.constant 0 : i32
  %half = arith.constant -128 : i8
  %zx = arith.constant -128 : i32
  %es = tensor.empty() : tensor<1x18x18x32xi8>
  %s = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<1x18x18x32xi8>) outs(%es : tensor<1x18x18x32xi8>) {
  ^bb0(%in: i8, %out: i8):
    %0 = arith.addi %in, %half : i8
    linalg.yield %0 : i8
  } -> tensor<1x18x18x32xi8>
  %e = tensor.empty() : tensor<1x16x16x32xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<1x16x16x32xi32>) -> tensor<1x16x16x32xi32>
  %y = linalg.depthwise_conv_2d_nhwc_hwc_q ins(%s, %w, %zx, %zero : tensor<1x18x18x32xi8>, tensor<3x3x32xi8>, i32, i32) outs(%f : tensor<1x16x16x32xi32>) -> tensor<1x16x16x32xi32>
  return %y : tensor<1x16x16x32xi32>
}

// No whole vectors of channels: LLVM's loops, with a remainder.
// CHECK-LABEL: func.func @ragged
// CHECK-NOT: ucmoh.kernel
func.func @ragged(%x: tensor<1x18x18x33xf32>, %w: tensor<3x3x33xf32>) -> tensor<1x16x16x33xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x16x16x33xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x16x16x33xf32>) -> tensor<1x16x16x33xf32>
  %y = linalg.depthwise_conv_2d_nhwc_hwc ins(%x, %w : tensor<1x18x18x33xf32>, tensor<3x3x33xf32>) outs(%f : tensor<1x16x16x33xf32>) -> tensor<1x16x16x33xf32>
  return %y : tensor<1x16x16x33xf32>
}

// One operand is read across: not a window.
// CHECK-LABEL: func.func @transposed
// CHECK-NOT: ucmoh.kernel
func.func @transposed(%x: tensor<1x18x18x32xf32>, %w: tensor<32x3x3xf32>) -> tensor<1x16x16x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x16x16x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x16x16x32xf32>) -> tensor<1x16x16x32xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(h, w, i, j, c) -> (0, h + i, w + j, c)>, affine_map<(h, w, i, j, c) -> (c, i, j)>,
                                        affine_map<(h, w, i, j, c) -> (0, h, w, c)>],
                       iterator_types = ["parallel", "parallel", "reduction", "reduction", "parallel"]}
    ins(%x, %w : tensor<1x18x18x32xf32>, tensor<32x3x3xf32>) outs(%f : tensor<1x16x16x32xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %p = arith.mulf %a, %b : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<1x16x16x32xf32>
  return %y : tensor<1x16x16x32xf32>
}

// The sum joins the first window, and is gone when the second one is looked at.
// CHECK-LABEL: func.func @sum_of_two
// CHECK-COUNT-2: ucmoh.kernel "windows"
func.func @sum_of_two(%x: tensor<1x6x6x16xf32>, %w: tensor<3x3x16xf32>, %y: tensor<1x6x6x16xf32>, %v: tensor<3x3x16xf32>) -> tensor<1x4x4x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x4x4x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x4x16xf32>) -> tensor<1x4x4x16xf32>
  %a = linalg.depthwise_conv_2d_nhwc_hwc ins(%x, %w : tensor<1x6x6x16xf32>, tensor<3x3x16xf32>) outs(%init : tensor<1x4x4x16xf32>) -> tensor<1x4x4x16xf32>
  %b = linalg.depthwise_conv_2d_nhwc_hwc ins(%y, %v : tensor<1x6x6x16xf32>, tensor<3x3x16xf32>) outs(%init : tensor<1x4x4x16xf32>) -> tensor<1x4x4x16xf32>
  %r = linalg.generic {indexing_maps = [#all, #all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%a, %b : tensor<1x4x4x16xf32>, tensor<1x4x4x16xf32>) outs(%e : tensor<1x4x4x16xf32>) {
  ^bb0(%p: f32, %q: f32, %out: f32):
    %t = arith.addf %p, %q : f32
    linalg.yield %t : f32
  } -> tensor<1x4x4x16xf32>
  return %r : tensor<1x4x4x16xf32>
}
