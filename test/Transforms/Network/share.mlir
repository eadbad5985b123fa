// Threads share loops over rows, and ops outside of them, where that takes longer than to start the
// threads. What is inside of a kernel's shared loop gets a part for each thread.
// RUN: ucmoh-opt %s --ucmoh-share-rest="target=x86_avx512f@zen4 threads=2" | FileCheck %s
// RUN: ucmoh-opt %s --ucmoh-share-rest="target=x86_avx512f@zen4 threads=1" | FileCheck %s --check-prefix=ALONE
// ALONE-NOT: scf.parallel
// ALONE: scf.parallel {{.*}} = (%c0) to (%c7) step (%c1)
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
