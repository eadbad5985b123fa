// Threads share loops over rows, and ops outside of them, where that takes longer than to start the
// threads. What is inside of a kernel's shared loop gets a part for each thread.
// RUN: ucmoh-opt %s --ucmoh-share-rest="target=x86_avx512f@zen4 threads=2" | FileCheck %s
// RUN: ucmoh-opt %s --ucmoh-share-rest="target=x86_avx512f@zen4 threads=1" | FileCheck %s --check-prefix=ALONE
// ALONE-NOT: scf.parallel
// ALONE: scf.parallel {{.*}} = (%c0) to (%c7) step (%c1)
// ALONE-NOT: scf.parallel
// ALONE: scf.parallel {{.*}} = (%c0) to (%c64) step (%c32)
// ALONE-NOT: scf.parallel

#id = affine_map<(i, j) -> (i, j)>

// The first thread has 7 of 13 rows.
// CHECK-LABEL: func.func @rows
// CHECK: scf.parallel (%[[PART:.*]]) = (%{{.*}}) to (%{{.*}}) step (%[[EACH:.*]]) {
// CHECK:   %[[END:.*]] = arith.minsi
// CHECK:   scf.for %{{.*}} = %[[PART]] to %[[END]] step
// CHECK:     linalg.generic
// CHECK:   } {ucmoh.rows}
func.func @rows(%a: memref<13x32768xf32>, %b: memref<13x32768xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c13 = arith.constant 13 : index
  scf.for %i = %c0 to %c13 step %c1 {
    %x = memref.subview %a[%i, 0] [1, 32768] [1, 1] : memref<13x32768xf32> to memref<1x32768xf32, strided<[32768, 1], offset: ?>>
    %y = memref.subview %b[%i, 0] [1, 32768] [1, 1] : memref<13x32768xf32> to memref<1x32768xf32, strided<[32768, 1], offset: ?>>
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%x : memref<1x32768xf32, strided<[32768, 1], offset: ?>>) outs(%y : memref<1x32768xf32, strided<[32768, 1], offset: ?>>) {
    ^bb0(%in: f32, %out: f32):
      %s = arith.mulf %in, %in : f32
      linalg.yield %s : f32
    }
  } {ucmoh.rows}
  return
}

// CHECK-LABEL: func.func @op
// CHECK: scf.parallel
// CHECK: memref.subview {{.*}}[256, 1024]
// CHECK: linalg.transpose
func.func @op(%a: memref<1024x512xf32>, %b: memref<512x1024xf32>) {
  linalg.transpose ins(%a : memref<1024x512xf32>) outs(%b : memref<512x1024xf32>) permutation = [1, 0]
  return
}

// CHECK-LABEL: func.func @tiny
// CHECK-NOT: scf.parallel
func.func @tiny(%a: memref<32x16xf32>, %b: memref<16x32xf32>) {
  linalg.transpose ins(%a : memref<32x16xf32>) outs(%b : memref<16x32xf32>) permutation = [1, 0]
  return
}

// CHECK-LABEL: func.func @kernel
// CHECK: scf.parallel
// CHECK: scf.for
func.func @kernel(%a: memref<7xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  scf.parallel (%i) = (%c0) to (%c7) step (%c1) {
    %x = memref.load %a[%i] : memref<7xf32>
    %y = arith.addf %x, %x : f32
    memref.store %y, %a[%i] : memref<7xf32>
    scf.reduce
  }
  return
}

// Rows whose number is open are shared where there are enough of them.
// CHECK-LABEL: func.func @open_rows
// CHECK: %[[ROWS:.*]] = memref.dim
// CHECK: %[[ENOUGH:.*]] = arith.cmpi sge, %[[ROWS]], %{{.*}} : index
// CHECK: scf.if %[[ENOUGH]] {
// CHECK:   %[[HALF:.*]] = affine.apply
// CHECK:   scf.parallel (%{{.*}}) = (%{{.*}}) to (%{{.*}}) step (%[[HALF]])
// CHECK:     linalg.generic
// CHECK: } else {
// CHECK-NOT: scf.parallel
// CHECK:   linalg.generic
func.func @open_rows(%a: memref<?x4096xf32>, %b: memref<?x4096xf32>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%a : memref<?x4096xf32>) outs(%b : memref<?x4096xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.mulf %in, %in : f32
    linalg.yield %s : f32
  }
  return
}

// Batches are shared as a whole: what threads would share of each is a loop of one thread.
// CHECK-LABEL: func.func @batches
// CHECK: scf.parallel
// CHECK:   scf.for
// CHECK-NOT: scf.parallel
// CHECK:   linalg.generic
// CHECK: } {ucmoh.items}
// CHECK: return
func.func @batches(%a: memref<16x64x1024xf32>, %b: memref<16x64x1024xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c16 step %c1 {
    scf.parallel (%j) = (%c0) to (%c64) step (%c32) {
      %x = memref.subview %a[%i, %j, 0] [1, 32, 1024] [1, 1, 1] : memref<16x64x1024xf32> to memref<32x1024xf32, strided<[1024, 1], offset: ?>>
      %y = memref.subview %b[%i, %j, 0] [1, 32, 1024] [1, 1, 1] : memref<16x64x1024xf32> to memref<32x1024xf32, strided<[1024, 1], offset: ?>>
      linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
          ins(%x : memref<32x1024xf32, strided<[1024, 1], offset: ?>>) outs(%y : memref<32x1024xf32, strided<[1024, 1], offset: ?>>) {
      ^bb0(%in: f32, %out: f32):
        %s = arith.mulf %in, %in : f32
        linalg.yield %s : f32
      }
    }
  } {ucmoh.items}
  return
}

// Comparisons are for one thread, and a number of batches that is open may be one.
// CHECK-LABEL: func.func @compared
// CHECK-NOT: scf.parallel
// CHECK: return
func.func private @compare(memref<64x1024xf32, strided<[1024, 1], offset: ?>>)
func.func @compared(%a: memref<16x64x1024xf32>, %b: memref<?x64x1024xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  scf.for %i = %c0 to %c16 step %c1 {
    %x = memref.subview %a[%i, 0, 0] [1, 64, 1024] [1, 1, 1] : memref<16x64x1024xf32> to memref<64x1024xf32, strided<[1024, 1], offset: ?>>
    memref.copy %x, %x : memref<64x1024xf32, strided<[1024, 1], offset: ?>> to memref<64x1024xf32, strided<[1024, 1], offset: ?>>
    func.call @compare(%x) : (memref<64x1024xf32, strided<[1024, 1], offset: ?>>) -> ()
  } {ucmoh.items}
  %n = memref.dim %b, %c0 : memref<?x64x1024xf32>
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.subview %b[%i, 0, 0] [1, 64, 1024] [1, 1, 1] : memref<?x64x1024xf32> to memref<64x1024xf32, strided<[1024, 1], offset: ?>>
    memref.copy %x, %x : memref<64x1024xf32, strided<[1024, 1], offset: ?>> to memref<64x1024xf32, strided<[1024, 1], offset: ?>>
  } {ucmoh.items}
  return
}

// Steps that use the same buffer are not, but what is inside of each.
// CHECK-LABEL: func.func @dependent
// CHECK-NOT: scf.parallel
// CHECK: scf.for
// CHECK: scf.parallel
// CHECK: return
func.func @dependent(%a: memref<16x64x1024xf32>, %b: memref<16x64x1024xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %buffer = memref.alloc() : memref<64x1024xf32>
  scf.for %i = %c0 to %c16 step %c1 {
    %x = memref.subview %a[%i, 0, 0] [1, 64, 1024] [1, 1, 1] : memref<16x64x1024xf32> to memref<64x1024xf32, strided<[1024, 1], offset: ?>>
    %y = memref.subview %b[%i, 0, 0] [1, 64, 1024] [1, 1, 1] : memref<16x64x1024xf32> to memref<64x1024xf32, strided<[1024, 1], offset: ?>>
    memref.copy %x, %buffer : memref<64x1024xf32, strided<[1024, 1], offset: ?>> to memref<64x1024xf32>
    memref.copy %buffer, %y : memref<64x1024xf32> to memref<64x1024xf32, strided<[1024, 1], offset: ?>>
  } {ucmoh.items}
  return
}

// Copies are shared along their outermost dim, if its extent is known, where there is enough of them.
// CHECK-LABEL: func.func @copies
// CHECK: arith.cmpi sge
// CHECK: scf.if
// CHECK: scf.parallel (%[[PART:.*]]) = (%{{.*}}) to (%c7{{.*}}) step (%c4{{.*}}) {
// CHECK:   %[[SIZE:.*]] = affine.min
// CHECK:   memref.subview %{{.*}}[%[[PART]], 0, 0] [%[[SIZE]], %{{.*}}, 128]
// CHECK:   memref.copy
// CHECK-NOT: scf.parallel
// CHECK: return
func.func @copies(%a: memref<7x?x128xf32>, %b: memref<7x?x128xf32>, %c: memref<?x128xf32>, %d: memref<?x128xf32>) {
  memref.copy %a, %b : memref<7x?x128xf32> to memref<7x?x128xf32>
  memref.copy %c, %d : memref<?x128xf32> to memref<?x128xf32>
  return
}
