// Poolings have whole pixels in registers, so that an image is read as it lies in memory, and as many columns as hide
// the latency of a maximum. Fewer do where windows share nothing and the L2 cache (1 MiB on zen4) has no room for the
// image.
// RUN: ucmoh-opt %s --ucmoh-windows=target=x86_avx512f@zen4 --canonicalize --cse | FileCheck %s
// RUN: ucmoh-run %s --repeat=1 --budget=0.1 | FileCheck %s --check-prefix=EXECUTED

// EXECUTED-COUNT-5: verified

// CHECK-LABEL: func.func @in_memory
// CHECK: scf.for {{.*}} step %c1 {
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
// CHECK-COUNT-4: vector.store
// CHECK-NOT: vector.store
func.func @in_memory(%x: tensor<1x128x128x64xf32>) -> tensor<1x64x64x64xf32> {
  %least = arith.constant 0xFF800000 : f32
  %window = tensor.empty() : tensor<2x2xf32>
  %empty = tensor.empty() : tensor<1x64x64x64xf32>
  %leasts = linalg.fill ins(%least : f32) outs(%empty : tensor<1x64x64x64xf32>) -> tensor<1x64x64x64xf32>
  %y = linalg.pooling_nhwc_max {strides = dense<2> : vector<2xi64>} ins(%x, %window : tensor<1x128x128x64xf32>, tensor<2x2xf32>) outs(%leasts : tensor<1x64x64x64xf32>) -> tensor<1x64x64x64xf32>
  return %y : tensor<1x64x64x64xf32>
}

// CHECK-LABEL: func.func @overlapping
// CHECK: scf.for {{.*}} step %c2 {
// CHECK: scf.for {{.*}} iter_args
// CHECK-COUNT-8: vector.store
func.func @overlapping(%x: tensor<1x129x129x64xf32>) -> tensor<1x64x64x64xf32> {
  %least = arith.constant 0xFF800000 : f32
  %window = tensor.empty() : tensor<3x3xf32>
  %empty = tensor.empty() : tensor<1x64x64x64xf32>
  %leasts = linalg.fill ins(%least : f32) outs(%empty : tensor<1x64x64x64xf32>) -> tensor<1x64x64x64xf32>
  %y = linalg.pooling_nhwc_max {strides = dense<2> : vector<2xi64>} ins(%x, %window : tensor<1x129x129x64xf32>, tensor<3x3xf32>) outs(%leasts : tensor<1x64x64x64xf32>) -> tensor<1x64x64x64xf32>
  return %y : tensor<1x64x64x64xf32>
}

// CHECK-LABEL: func.func @in_cache
// CHECK: scf.for {{.*}} step %c4 {
// CHECK: scf.for {{.*}} iter_args
// CHECK-COUNT-8: vector.store
func.func @in_cache(%x: tensor<1x32x32x32xf32>) -> tensor<1x16x16x32xf32> {
  %least = arith.constant 0xFF800000 : f32
  %window = tensor.empty() : tensor<2x2xf32>
  %empty = tensor.empty() : tensor<1x16x16x32xf32>
  %leasts = linalg.fill ins(%least : f32) outs(%empty : tensor<1x16x16x32xf32>) -> tensor<1x16x16x32xf32>
  %y = linalg.pooling_nhwc_max {strides = dense<2> : vector<2xi64>} ins(%x, %window : tensor<1x32x32x32xf32>, tensor<2x2xf32>) outs(%leasts : tensor<1x16x16x32xf32>) -> tensor<1x16x16x32xf32>
  return %y : tensor<1x16x16x32xf32>
}

// Many channels fill registers by themselves.
// CHECK-LABEL: func.func @wide
// CHECK: scf.for {{.*}} step %c128 {
// CHECK: scf.for {{.*}} iter_args
// CHECK-COUNT-8: vector.store
func.func @wide(%x: tensor<1x8x8x256xf32>) -> tensor<1x4x4x256xf32> {
  %zero = arith.constant 0.0 : f32
  %window = tensor.empty() : tensor<2x2xf32>
  %empty = tensor.empty() : tensor<1x4x4x256xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x4x4x256xf32>) -> tensor<1x4x4x256xf32>
  %y = linalg.pooling_nhwc_sum {strides = dense<2> : vector<2xi64>} ins(%x, %window : tensor<1x8x8x256xf32>, tensor<2x2xf32>) outs(%zeros : tensor<1x4x4x256xf32>) -> tensor<1x4x4x256xf32>
  return %y : tensor<1x4x4x256xf32>
}

// Seven columns: blocks of four and of three.
// CHECK-LABEL: func.func @ragged
// CHECK-COUNT-8: vector.store
// CHECK-COUNT-6: vector.store
func.func @ragged(%x: tensor<1x15x15x32xf32>) -> tensor<1x7x7x32xf32> {
  %least = arith.constant 0xFF800000 : f32
  %window = tensor.empty() : tensor<3x3xf32>
  %empty = tensor.empty() : tensor<1x7x7x32xf32>
  %leasts = linalg.fill ins(%least : f32) outs(%empty : tensor<1x7x7x32xf32>) -> tensor<1x7x7x32xf32>
  %y = linalg.pooling_nhwc_max {strides = dense<2> : vector<2xi64>} ins(%x, %window : tensor<1x15x15x32xf32>, tensor<3x3xf32>) outs(%leasts : tensor<1x7x7x32xf32>) -> tensor<1x7x7x32xf32>
  return %y : tensor<1x7x7x32xf32>
}
