// RUN: ucmoh-opt %s --ucmoh-outline-rest | FileCheck %s

// A loop over pieces that holds kernels alone is outlined; where it holds several loops, these are.
// CHECK-LABEL: func.func @f(
// CHECK-NOT: scf.for
// CHECK-COUNT-8: call @f.
// CHECK: scf.for
// CHECK-NOT: scf.for
// CHECK-COUNT-2: call @f.
// CHECK: ucmoh.pieces
func.func private @kernel(memref<8xf32>, index)
func.func @f(%b: memref<8xf32>, %n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    func.call @kernel(%b, %i) : (memref<8xf32>, index) -> ()
  } {ucmoh.pieces}
  scf.for %i = %c0 to %n step %c1 {
    func.call @kernel(%b, %i) : (memref<8xf32>, index) -> ()
  } {ucmoh.pieces}
  scf.for %i = %c0 to %n step %c1 {
    func.call @kernel(%b, %i) : (memref<8xf32>, index) -> ()
  } {ucmoh.pieces}
  scf.for %i = %c0 to %n step %c1 {
    func.call @kernel(%b, %i) : (memref<8xf32>, index) -> ()
  } {ucmoh.pieces}
  scf.for %i = %c0 to %n step %c1 {
    func.call @kernel(%b, %i) : (memref<8xf32>, index) -> ()
  } {ucmoh.pieces}
  scf.for %i = %c0 to %n step %c1 {
    func.call @kernel(%b, %i) : (memref<8xf32>, index) -> ()
  } {ucmoh.pieces}
  scf.for %i = %c0 to %n step %c1 {
    func.call @kernel(%b, %i) : (memref<8xf32>, index) -> ()
  } {ucmoh.pieces}
  scf.for %i = %c0 to %n step %c1 {
    func.call @kernel(%b, %i) : (memref<8xf32>, index) -> ()
  } {ucmoh.pieces}
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      memref.store %f, %b[%j] : memref<8xf32>
    }
    scf.for %j = %c0 to %n step %c1 {
      memref.store %f, %b[%j] : memref<8xf32>
    }
  } {ucmoh.pieces}
  return
}
