// The outermost loop of a kernel is shared by threads: whole tiles of rows, of columns, or an outer
// dimension, with remainders; each thread packs into buffers of its own.
// RUN: ucmoh-opt %s --tensorize-with-cost-model="target=x86_avx512_vnni+x86_avx512f@zen4 threads=3" | FileCheck %s
// RUN: ucmoh-run %s --threads=3 --repeat=2 --json | FileCheck %s --check-prefix=VERIFIED
// RUN: not ucmoh-opt %s --tensorize-with-cost-model=threads=0 2>&1 | FileCheck %s --check-prefix=BAD
// RUN: not ucmoh-run %s --threads=0 2>&1 | FileCheck %s --check-prefix=ZERO
// VERIFIED-COUNT-3: "error":null,{{.*}}"verified":true
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
