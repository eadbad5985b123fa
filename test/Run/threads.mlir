// The outermost loop of a kernel is shared by threads: whole tiles of rows, of columns, or an outer
// dimension, with remainders; each thread packs into buffers of its own.
// RUN: ucmoh-opt %s --tensorize-with-cost-model="target=x86_avx512_vnni+x86_avx512f@zen4 threads=3" | FileCheck %s
// RUN: ucmoh-run %s --threads=3 --repeat=2 --json | FileCheck %s --check-prefix=VERIFIED
// RUN: not ucmoh-opt %s --tensorize-with-cost-model=threads=0 2>&1 | FileCheck %s --check-prefix=BAD
// RUN: not ucmoh-run %s --threads=0 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: ucmoh-run %s --threads=1000 --entry=columns --repeat=1 2>&1 | FileCheck %s --check-prefix=MANY
// MANY: warning: --threads=1000, but this process may use {{[0-9]+}} core{{s?}}: threads take turns
// VERIFIED-COUNT-5: "error":null,{{.*}}"verified":true
// BAD: error: threads must be between 1 and 1024, but is 0
// ZERO: error: --threads must be positive, but is 0

// CHECK-LABEL: func.func @rows
// CHECK: scf.parallel
func.func @rows(%a: tensor<197x147xi8>, %b: tensor<147x40xi8>, %c: tensor<197x40xi32>) -> tensor<197x40xi32> {
  %0 = linalg.matmul ins(%a, %b : tensor<197x147xi8>, tensor<147x40xi8>) outs(%c : tensor<197x40xi32>) -> tensor<197x40xi32>
  return %0 : tensor<197x40xi32>
}

// CHECK-LABEL: func.func @columns
// CHECK: scf.parallel
func.func @columns(%a: tensor<1x300xf32>, %b: tensor<300x1000xf32> {ucmoh.weight}, %c: tensor<1x1000xf32>) -> tensor<1x1000xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<1x300xf32>, tensor<300x1000xf32>) outs(%c : tensor<1x1000xf32>) -> tensor<1x1000xf32>
  return %0 : tensor<1x1000xf32>
}

// CHECK-LABEL: func.func @batch
// CHECK: scf.parallel
func.func @batch(%a: tensor<7x20x30xi8>, %b: tensor<7x30x20xi8>, %c: tensor<7x20x20xi32>) -> tensor<7x20x20xi32> {
  %0 = linalg.batch_matmul ins(%a, %b : tensor<7x20x30xi8>, tensor<7x30x20xi8>) outs(%c : tensor<7x20x20xi32>) -> tensor<7x20x20xi32>
  return %0 : tensor<7x20x20xi32>
}

// What is no product is shared as well: each thread has rows of its own, and buffers for them.
// CHECK-LABEL: func.func @softmax
func.func @softmax(%a: tensor<31x2048xf32>, %b: tensor<31x2048xf32>) -> tensor<31x2048xf32> {
  %0 = linalg.softmax dimension(1) ins(%a : tensor<31x2048xf32>) outs(%b : tensor<31x2048xf32>) -> tensor<31x2048xf32>
  return %0 : tensor<31x2048xf32>
}

// CHECK-LABEL: func.func @depthwise
func.func @depthwise(%a: tensor<1x58x58x64xf32>, %w: tensor<3x3x64xf32> {ucmoh.weight}, %c: tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32> {
  %0 = linalg.depthwise_conv_2d_nhwc_hwc {strides = dense<1> : vector<2xi64>, dilations = dense<1> : vector<2xi64>}
      ins(%a, %w : tensor<1x58x58x64xf32>, tensor<3x3x64xf32>) outs(%c : tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
  return %0 : tensor<1x56x56x64xf32>
}
