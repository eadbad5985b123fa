// Several open dims out of one: upstream's lowering takes one.
//
// RUN: ucmoh-opt --ucmoh-split-open-dims %s | FileCheck %s
// RUN: ucmoh-opt --ucmoh-split-open-dims --expand-strided-metadata %s | FileCheck %s --check-prefix=WHOLE

// CHECK-LABEL: func.func @rows
// CHECK-SAME:    %[[ALL:.*]]: memref<?x32xf32>, %[[BATCHES:.*]]: index, %[[WORDS:.*]]: index
// CHECK:         %[[BASE:.*]], %{{.*}}, %{{.*}}:2, %[[STRIDES:.*]]:2 = memref.extract_strided_metadata %[[ALL]]
// CHECK:         %[[ROW:.*]] = arith.muli %[[STRIDES]]#0, %[[WORDS]] : index
// CHECK:         memref.reinterpret_cast %[[BASE]] to offset: [0], sizes: [%[[BATCHES]], %[[WORDS]], 32], strides: [%[[ROW]], 32, 1]
// WHOLE-NOT:     expand_shape
func.func @rows(%all: memref<?x32xf32>, %batches: index, %words: index) -> memref<?x?x32xf32> {
  %split = memref.expand_shape %all [[0, 1], [2]] output_shape [%batches, %words, 32]
      : memref<?x32xf32> into memref<?x?x32xf32>
  return %split : memref<?x?x32xf32>
}

// One stays for upstream.
// CHECK-LABEL: func.func @one
// CHECK:         memref.expand_shape
func.func @one(%all: memref<?x32xf32>, %batches: index) -> memref<?x4x32xf32> {
  %split = memref.expand_shape %all [[0, 1], [2]] output_shape [%batches, 4, 32]
      : memref<?x32xf32> into memref<?x4x32xf32>
  return %split : memref<?x4x32xf32>
}
