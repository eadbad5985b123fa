// Each thread has a row's buffers for itself, also where rows of two loops are shared by the inner one, because the outer
// one has fewer steps than there are threads.
// RUN: ucmoh-opt %s --ucmoh-share-rest="target=x86_avx512f@zen4 threads=3" --ucmoh-place-rows | FileCheck %s

#id = affine_map<(i) -> (i)>
#sum = affine_map<(i) -> ()>

// CHECK-LABEL: func.func @rows
// CHECK-NOT: memref.alloc
// CHECK: scf.for %[[HEAD:.*]] = %{{.*}} to %c2
// CHECK: scf.parallel
// CHECK-DAG: %[[SUM:.*]] = memref.alloca() {{.*}}: memref<f32>
// CHECK-DAG: %[[ROW:.*]] = memref.alloc() : memref<1024xf32>
// CHECK: scf.for
// CHECK: outs(%[[ROW]]
// CHECK: outs(%[[SUM]]
func.func @rows(%a: memref<2x1024x1024xf32>, %b: memref<2x1024xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c1024 = arith.constant 1024 : index
  scf.for %head = %c0 to %c2 step %c1 {
    scf.for %i = %c0 to %c1024 step %c1 {
      %x = memref.subview %a[%head, %i, 0] [1, 1, 1024] [1, 1, 1]
        : memref<2x1024x1024xf32> to memref<1024xf32, strided<[1], offset: ?>>
      %row = memref.alloc() : memref<1024xf32>
      %sum = memref.alloc() : memref<f32>
      linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
          ins(%x : memref<1024xf32, strided<[1], offset: ?>>) outs(%row : memref<1024xf32>) {
      ^bb0(%in: f32, %out: f32):
        %s = arith.mulf %in, %in : f32
        linalg.yield %s : f32
      }
      linalg.generic {indexing_maps = [#id, #sum], iterator_types = ["reduction"]}
          ins(%row : memref<1024xf32>) outs(%sum : memref<f32>) {
      ^bb0(%in: f32, %out: f32):
        %s = arith.addf %in, %out : f32
        linalg.yield %s : f32
      }
      %value = memref.load %sum[] : memref<f32>
      memref.store %value, %b[%head, %i] : memref<2x1024xf32>
    } {ucmoh.rows}
  } {ucmoh.rows}
  return
}

// All steps write to the same buffer.
// CHECK-LABEL: func.func @one_buffer
// CHECK-NOT: scf.parallel
// CHECK: return
func.func @one_buffer(%a: memref<1024x1024xf32>, %b: memref<1024xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c1024 = arith.constant 1024 : index
  %all = memref.alloc() : memref<2x1024xf32>
  scf.for %i = %c0 to %c1024 step %c1 {
    %x = memref.subview %a[%i, 0] [1, 1024] [1, 1]
      : memref<1024x1024xf32> to memref<1024xf32, strided<[1], offset: ?>>
    %row = memref.subview %all[1, 0] [1, 1024] [1, 1]
      : memref<2x1024xf32> to memref<1024xf32, strided<[1], offset: 1024>>
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%x : memref<1024xf32, strided<[1], offset: ?>>)
        outs(%row : memref<1024xf32, strided<[1], offset: 1024>>) {
    ^bb0(%in: f32, %out: f32):
      %s = arith.mulf %in, %in : f32
      linalg.yield %s : f32
    }
    %value = memref.load %row[%c0] : memref<1024xf32, strided<[1], offset: 1024>>
    memref.store %value, %b[%i] : memref<1024xf32>
  } {ucmoh.rows}
  return
}
