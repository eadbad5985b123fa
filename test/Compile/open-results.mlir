// Extents of results that follow from those of the arguments, and one that does not.
// RUN: ucmoh-compile %s -o %t.o --header=%t.h && FileCheck %s --input-file=%t.h

// Rows that a loop writes one by one are as many as before it.
// CHECK-LABEL: @carried
// CHECK: inputs[0]: tensor<?x4xf32> with e0 for ?
// CHECK: outputs[0]: tensor<?x4xf32> with e0 for ?
func.func @carried(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = tensor.dim %x, %c0 : tensor<?x4xf32>
  %r = scf.for %i = %c0 to %rows step %c1 iter_args(%t = %x) -> tensor<?x4xf32> {
    %row = tensor.extract_slice %t[%i, 0] [1, 4] [1, 1] : tensor<?x4xf32> to tensor<1x4xf32>
    %twice = arith.addf %row, %row : tensor<1x4xf32>
    %next = tensor.insert_slice %twice into %t[%i, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<?x4xf32>
    scf.yield %next : tensor<?x4xf32>
  }
  return %r : tensor<?x4xf32>
}

// What a loop makes longer is not as long as before it.
// CHECK-LABEL: @grown
// CHECK: inputs[0]: tensor<?x4xf32> with e0 for ?
// CHECK: outputs[0]: tensor<?x4xf32> with e1 for ?
func.func @grown(%x: tensor<?x4xf32>, %steps: tensor<3xf32>) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%t = %x) -> tensor<?x4xf32> {
    %next = tensor.concat dim(0) %t, %x : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
    scf.yield %next : tensor<?x4xf32>
  }
  return %r : tensor<?x4xf32>
}

// Ten open rows that become one dim, and ten again.
// CHECK-LABEL: @flattened
// CHECK: inputs[0]: tensor<?x10x4xf32> with e0 for ?
// CHECK: outputs[0]: tensor<?x10x4xf32> with e0 for ?
func.func @flattened(%x: tensor<?x10x4xf32>) -> tensor<?x10x4xf32> {
  %c0 = arith.constant 0 : index
  %c10 = arith.constant 10 : index
  %flat = tensor.collapse_shape %x [[0, 1], [2]] : tensor<?x10x4xf32> into tensor<?x4xf32>
  %rows = tensor.dim %flat, %c0 : tensor<?x4xf32>
  %empty = tensor.empty(%rows) : tensor<?x4xf32>
  %exp = linalg.exp ins(%flat : tensor<?x4xf32>) outs(%empty : tensor<?x4xf32>) -> tensor<?x4xf32>
  %n = arith.divui %rows, %c10 : index
  %r = tensor.expand_shape %exp [[0, 1], [2]] output_shape [%n, 10, 4] : tensor<?x4xf32> into tensor<?x10x4xf32>
  return %r : tensor<?x10x4xf32>
}

// A slice as long as another argument.
// CHECK-LABEL: @cut
// CHECK: inputs[0]: tensor<?xf32> with e0 for ?
// CHECK: inputs[1]: tensor<?xf32> with e1 for ?
// CHECK: outputs[0]: tensor<?xf32> with e1 for ?
func.func @cut(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %y, %c0 : tensor<?xf32>
  %r = tensor.extract_slice %x[0] [%n] [1] : tensor<?xf32> to tensor<?xf32>
  return %r : tensor<?xf32>
}

// Tensors that one number sizes are as large as each other.
// CHECK-LABEL: @sized
// CHECK: inputs[0]: tensor<?x10xf32> with e0 for ?
// CHECK: outputs[0]: tensor<?xf32> with e0 for ?
func.func @sized(%x: tensor<?x10xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c10 = arith.constant 10 : index
  %flat = tensor.collapse_shape %x [[0, 1]] : tensor<?x10xf32> into tensor<?xf32>
  %elements = tensor.dim %flat, %c0 : tensor<?xf32>
  %n = arith.divui %elements, %c10 : index
  %empty = tensor.empty(%elements) : tensor<?xf32>
  %exp = linalg.exp ins(%flat : tensor<?xf32>) outs(%empty : tensor<?xf32>) -> tensor<?xf32>
  %rows = tensor.expand_shape %exp [[0, 1]] output_shape [%n, 10] : tensor<?xf32> into tensor<?x10xf32>
  %r = tensor.extract_slice %rows[0, 3] [%n, 1] [1, 1] : tensor<?x10xf32> to tensor<?xf32>
  return %r : tensor<?xf32>
}

// A cache may be of no rows, and the result has as many as both.
// CHECK-LABEL: @joined
// CHECK: inputs[0]: tensor<?x4xf32> with e0 for ?
func.func @joined(%cache: tensor<?x4xf32>, %new: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %r = tensor.concat dim(0) %cache, %new : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}

// A cache with new rows may stay where it is.
// CHECK-LABEL: @replaced
// CHECK: outputs[0]: tensor<8x4xf32>; elements are float; may be the memory of inputs[0] */
func.func @replaced(%cache: tensor<8x4xf32>, %new: tensor<1x4xf32>, %place: tensor<1xi64>) -> tensor<8x4xf32> {
  %c0 = arith.constant 0 : index
  %number = tensor.extract %place[%c0] : tensor<1xi64>
  %row = arith.index_cast %number : i64 to index
  %r = tensor.insert_slice %new into %cache[%row, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<8x4xf32>
  return %r : tensor<8x4xf32>
}
