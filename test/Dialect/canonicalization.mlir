// RUN: ucmoh-opt %s --canonicalize --split-input-file | FileCheck %s

// A program op works on the buffer itself, whose type says more than the cast one.

// CHECK-LABEL: func @casts
// CHECK-SAME: (%[[C:.*]]: memref<1x4xi32>)
// CHECK-NOT: memref.cast
// CHECK: %[[F:.*]] = ucmoh.load acc @toy::@dot %[[C]] : memref<1x4xi32>
// CHECK: ucmoh.store @toy::@dot %[[F]], %[[C]] : vector<4xi32>, memref<1x4xi32>
func.func @casts(%c: memref<1x4xi32>) {
  %cast = memref.cast %c : memref<1x4xi32> to memref<1x4xi32, strided<[?, 1], offset: ?>>
  %f = ucmoh.load acc @toy::@dot %cast : memref<1x4xi32, strided<[?, 1], offset: ?>> -> vector<4xi32>
  ucmoh.store @toy::@dot %f, %cast : vector<4xi32>, memref<1x4xi32, strided<[?, 1], offset: ?>>
  return
}

// -----

// compute and zero have no effects.

// CHECK-LABEL: func @unused
// CHECK-NEXT: return
func.func @unused(%a: vector<8xi8>, %b: vector<8xi8>) {
  %z = ucmoh.zero @toy::@dot : vector<4xi32>
  %d = ucmoh.compute @toy::@dot %a, %b, %z : vector<8xi8>, vector<8xi8>, vector<4xi32>
  return
}

// -----

// Inputs that are the same become one, those that the body does not use go away.

// CHECK-LABEL: func @inputs
// CHECK-SAME: (%[[A:.*]]: tensor<8xf32>, %[[B:.*]]: tensor<8xf32>)
// CHECK: ucmoh.kernel "add" ins(%[[A]] : tensor<8xf32>) outs(%{{.*}} : tensor<8xf32>) (%[[X:.*]]: memref<8xf32>, %[[O:.*]]: memref<8xf32>) {
// CHECK: linalg.add ins(%[[X]], %[[X]] : memref<8xf32>, memref<8xf32>) outs(%[[O]] : memref<8xf32>)
func.func @inputs(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %r = ucmoh.kernel "add" ins(%b, %a, %a : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>)
      (%u: memref<8xf32>, %x: memref<8xf32>, %y: memref<8xf32>, %o: memref<8xf32>) {
    linalg.add ins(%x, %y : memref<8xf32>, memref<8xf32>) outs(%o : memref<8xf32>)
    ucmoh.yield
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}
