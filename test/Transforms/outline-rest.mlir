// RUN: ucmoh-opt %s --ucmoh-outline-rest | FileCheck %s
// RUN: ucmoh-opt %s --ucmoh-outline-rest --convert-scf-to-cf --convert-to-llvm --ucmoh-lower-distinct | FileCheck %s --check-prefix=LLVM

// Equal loops are one function, and what they multiply by is its argument. Its result overlaps nothing that it reads in
// any call: both are allocations. The second pointer of a buffer is the one that is used.
// CHECK: func.func private @network.loop(%[[IN:.*]]: memref<16xf32>, %[[OUT:.*]]: memref<16xf32>, %[[FACTOR:.*]]: f32)
// CHECK-SAME: passthrough = ["noinline"], ucmoh.distinct = array<i64: 1, 6>
// CHECK: scf.for
// CHECK: arith.mulf %{{.*}}, %[[FACTOR]]
// CHECK: return
// LLVM: llvm.func @network.loop({{%.*}}: !llvm.ptr, {{%.*}}: !llvm.ptr {llvm.noalias}, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr {llvm.noalias},

// Nobody knows whether two arguments of the network overlap, and one is written.
// CHECK: func.func private @network.loop_0(%{{.*}}: memref<16xf32>, %{{.*}}: memref<16xf32>)
// CHECK-SAME: ucmoh.distinct = array<i64>
// CHECK-LABEL: func.func @network
// CHECK: call @network.loop(%[[A:.*]], %[[B:.*]], %{{.*}}) : (memref<16xf32>, memref<16xf32>, f32) -> ()
// CHECK: call @network.loop(%[[B]], %[[A]], %{{.*}}) :
// CHECK-COUNT-5: call @network.loop(
// CHECK: call @network.loop_0(%arg0, %arg1)
// CHECK-NOT: scf.for
func.func @network(%x: memref<16xf32>, %y: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %two = arith.constant 2.0 : f32
  %three = arith.constant 3.0 : f32
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  scf.for %i = %c0 to %c16 step %c1 {
    %e = memref.load %a[%i] : memref<16xf32>
    %m = arith.mulf %e, %two : f32
    memref.store %m, %b[%i] : memref<16xf32>
  }
  scf.for %i = %c0 to %c16 step %c1 {
    %e = memref.load %b[%i] : memref<16xf32>
    %m = arith.mulf %e, %three : f32
    memref.store %m, %a[%i] : memref<16xf32>
  }
  scf.for %i = %c0 to %c16 step %c1 {
    %e = memref.load %a[%i] : memref<16xf32>
    %m = arith.mulf %e, %two : f32
    memref.store %m, %b[%i] : memref<16xf32>
  }
  scf.for %i = %c0 to %c16 step %c1 {
    %e = memref.load %b[%i] : memref<16xf32>
    %m = arith.mulf %e, %two : f32
    memref.store %m, %a[%i] : memref<16xf32>
  }
  scf.for %i = %c0 to %c16 step %c1 {
    %e = memref.load %a[%i] : memref<16xf32>
    %m = arith.mulf %e, %two : f32
    memref.store %m, %b[%i] : memref<16xf32>
  }
  scf.for %i = %c0 to %c16 step %c1 {
    %e = memref.load %b[%i] : memref<16xf32>
    %m = arith.mulf %e, %two : f32
    memref.store %m, %a[%i] : memref<16xf32>
  }
  scf.for %i = %c0 to %c16 step %c1 {
    %e = memref.load %a[%i] : memref<16xf32>
    %m = arith.mulf %e, %two : f32
    memref.store %m, %b[%i] : memref<16xf32>
  }
  scf.for %i = %c0 to %c16 step %c1 {
    %e = memref.load %x[%i] : memref<16xf32>
    memref.store %e, %y[%i] : memref<16xf32>
  }
  memref.dealloc %a : memref<16xf32>
  memref.dealloc %b : memref<16xf32>
  return
}

// A few loops stay where they are.
// CHECK-LABEL: func.func @small
// CHECK: scf.for
func.func @small(%x: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0.0 : f32
  scf.for %i = %c0 to %c16 step %c1 {
    memref.store %zero, %x[%i] : memref<16xf32>
  }
  return
}
