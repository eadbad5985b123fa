// RUN: ucmoh-opt %s --ucmoh-lower-copies | FileCheck %s

// Width and channels are contiguous in the image and in the inside of its padded form: one run per row.
// CHECK-LABEL: func @inside
// CHECK-DAG: memref.collapse_shape %{{.*}} {{\[}}[0], [1, 2]] : memref<8x8x3xi8> into memref<8x24xi8>
// CHECK-DAG: memref.collapse_shape %{{.*}} {{\[}}[0], [1, 2]] : memref<8x8x3xi8, strided<[30, 3, 1], offset: 33>>
// CHECK: linalg.generic
// CHECK-SAME: iterator_types = ["parallel", "parallel"]
// CHECK-NOT: memref.copy
func.func @inside(%image: memref<8x8x3xi8>, %padded: memref<10x10x3xi8>) {
  %inside = memref.subview %padded[1, 1, 0] [8, 8, 3] [1, 1, 1]
      : memref<10x10x3xi8> to memref<8x8x3xi8, strided<[30, 3, 1], offset: 33>>
  memref.copy %image, %inside : memref<8x8x3xi8> to memref<8x8x3xi8, strided<[30, 3, 1], offset: 33>>
  return
}

// Equal layouts: memcpy.
// CHECK-LABEL: func @whole
// CHECK: memref.copy
func.func @whole(%a: memref<4x4xi8>) -> memref<4x4xi8> {
  %b = memref.alloc() : memref<4x4xi8>
  memref.copy %a, %b : memref<4x4xi8> to memref<4x4xi8>
  return %b : memref<4x4xi8>
}

// Rows of open length: memcpy for each.
// CHECK-LABEL: func @open_rows
// CHECK: memref.collapse_shape %{{.*}} {{\[}}[0], [1], [2, 3]] : memref<?x8x?x64xf32> into memref<?x8x?xf32>
// CHECK: scf.for
// CHECK: scf.for
// CHECK-NOT: scf.for
// CHECK: "llvm.intr.memcpy"
// CHECK-NOT: memref.copy
func.func @open_rows(%past: memref<?x8x?x64xf32>, %all: memref<?x8x?x64xf32>, %batch: index, %words: index) {
  %part = memref.subview %all[0, 0, 0, 0] [%batch, 8, %words, 64] [1, 1, 1, 1]
      : memref<?x8x?x64xf32> to memref<?x8x?x64xf32, strided<[?, ?, 64, 1]>>
  memref.copy %past, %part : memref<?x8x?x64xf32> to memref<?x8x?x64xf32, strided<[?, ?, 64, 1]>>
  return
}

// Whoever calls may pass the memory of an argument as that of a result: then there is nothing to
// copy.
// CHECK-LABEL: func @of_caller
// CHECK-SAME: %[[A:.*]]: memref<4x4xi8>, %[[B:.*]]: memref<4x4xi8>
// CHECK: %[[FROM:.*]] = memref.extract_aligned_pointer_as_index %[[A]]
// CHECK: %[[TO:.*]] = memref.extract_aligned_pointer_as_index %[[B]]
// CHECK: %[[DIFFER:.*]] = arith.cmpi ne, %[[FROM]], %[[TO]]
// CHECK: scf.if %[[DIFFER]] {
// CHECK-NEXT: memref.copy %[[A]], %[[B]]
func.func @of_caller(%a: memref<4x4xi8>, %b: memref<4x4xi8>) {
  memref.copy %a, %b : memref<4x4xi8> to memref<4x4xi8>
  return
}
