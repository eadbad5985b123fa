// RUN: ucmoh-opt %s | ucmoh-opt | FileCheck %s
// RUN: ucmoh-opt %s --mlir-print-op-generic | ucmoh-opt | FileCheck %s
// RUN: ucmoh-opt %s --one-shot-bufferize=bufferize-function-boundaries | FileCheck %s --check-prefix=BUFFER
// RUN: ucmoh-opt %s --cse --canonicalize | FileCheck %s --check-prefix=CSE

// A kernel does not read its output's old contents, hence nothing is copied into the buffer; the
// block arguments take the types of the real buffers.

// CHECK-LABEL: func @copy
// CHECK: ucmoh.kernel "copy" ins(%{{.*}} : tensor<8x8xf32>) outs(%{{.*}} : tensor<8x8xf32>) (%{{.*}}: memref<8x8xf32>, %{{.*}}: memref<8x8xf32>) {
// CHECK: } -> tensor<8x8xf32>
// BUFFER-LABEL: func @copy
// BUFFER-SAME: %[[A:.*]]: memref<8x8xf32, strided<[?, ?], offset: ?>>
// BUFFER-NOT: memref.copy
// BUFFER: %[[OUT:.*]] = memref.alloc
// BUFFER-NEXT: ucmoh.kernel "copy" ins(%[[A]] : memref<8x8xf32, strided<[?, ?], offset: ?>>) outs(%[[OUT]] : memref<8x8xf32>)
// BUFFER-SAME: (%[[X:.*]]: memref<8x8xf32, strided<[?, ?], offset: ?>>, %[[Y:.*]]: memref<8x8xf32>)
// BUFFER-NEXT: memref.copy %[[X]], %[[Y]]
func.func @copy(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %e = tensor.empty() : tensor<8x8xf32>
  %r = ucmoh.kernel "copy" ins(%a : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) (%x: memref<8x8xf32>, %y: memref<8x8xf32>) {
    memref.copy %x, %y : memref<8x8xf32> to memref<8x8xf32>
    ucmoh.yield
  } -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

// On tensors a kernel is a pure value: an unused one disappears.

// CSE-LABEL: func @unused
// CSE-NOT: ucmoh.kernel
// CSE: return
func.func @unused(%a: tensor<8x8xf32>) {
  %e = tensor.empty() : tensor<8x8xf32>
  %r = ucmoh.kernel "copy" ins(%a : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) (%x: memref<8x8xf32>, %y: memref<8x8xf32>) {
    memref.copy %x, %y : memref<8x8xf32> to memref<8x8xf32>
    ucmoh.yield
  } -> tensor<8x8xf32>
  return
}

// On buffers it stays, for what it writes.

// CSE-LABEL: func @buffers
// CSE: ucmoh.kernel "copy"
func.func @buffers(%a: memref<8x8xf32>, %b: memref<8x8xf32>) {
  ucmoh.kernel "copy" ins(%a : memref<8x8xf32>) outs(%b : memref<8x8xf32>) (%x: memref<8x8xf32>, %y: memref<8x8xf32>) {
    memref.copy %x, %y : memref<8x8xf32> to memref<8x8xf32>
    ucmoh.yield
  }
  return
}

// A kernel that must become a function still must when it works on buffers.

// BUFFER-LABEL: func @outlined
// BUFFER: ucmoh.kernel "copy" {{.*}} attributes {outlined}
func.func @outlined(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %e = tensor.empty() : tensor<8x8xf32>
  %r = ucmoh.kernel "copy" ins(%a : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) attributes {outlined} (%x: memref<8x8xf32>, %y: memref<8x8xf32>) {
    memref.copy %x, %y : memref<8x8xf32> to memref<8x8xf32>
    ucmoh.yield
  } -> tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}
