// Buffers of a function lie in one: those that live at the same time in different places.
// RUN: ucmoh-opt %s -allow-unregistered-dialect --ucmoh-plan-memory --canonicalize --cse | FileCheck %s

// The third buffer lives after the first one, and takes its place.
// CHECK-LABEL: func.func @chain
// CHECK: %[[ARENA:.*]] = memref.alloc() {alignment = 64 : i64} : memref<8192xi8>
// CHECK: %[[A:.*]] = memref.view %[[ARENA]][%c0][] : memref<8192xi8> to memref<1024xf32>
// CHECK: %[[B:.*]] = memref.view %[[ARENA]][%c4096][] : memref<8192xi8> to memref<1024xf32>
// CHECK: "use"(%[[A]], %[[B]])
// CHECK: %[[C:.*]] = memref.view %[[ARENA]][%c0][] : memref<8192xi8> to memref<512x2xf32>
// CHECK: "use"(%[[B]], %[[C]])
// CHECK: memref.dealloc %[[ARENA]]
// CHECK-NOT: memref.dealloc
func.func @chain() {
  %a = memref.alloc() : memref<1024xf32>
  %b = memref.alloc() : memref<1024xf32>
  "use"(%a, %b) : (memref<1024xf32>, memref<1024xf32>) -> ()
  memref.dealloc %a : memref<1024xf32>
  %c = memref.alloc() : memref<512x2xf32>
  "use"(%b, %c) : (memref<1024xf32>, memref<512x2xf32>) -> ()
  memref.dealloc %b : memref<1024xf32>
  memref.dealloc %c : memref<512x2xf32>
  return
}

// A line of the cache for each; those of a part lie behind those of the part before. What is
// returned, or has no size that is known, stays.
// CHECK-LABEL: func.func @parts
// CHECK: %[[ARENA:.*]] = memref.alloc() {alignment = 64 : i64} : memref<192xi8>
// CHECK: %[[RESULT:.*]] = memref.alloc() : memref<4xf32>
// CHECK: scf.parallel (%[[I:.*]]) =
// CHECK:   %[[OFFSET:.*]] = arith.muli %{{.*}}, %c64
// CHECK:   memref.view %[[ARENA]][%[[OFFSET]]][] : memref<192xi8> to memref<2xf64>
// CHECK: memref.alloc(%{{.*}}) : memref<?xf32>
// CHECK: return %[[RESULT]]
func.func @parts(%n: index) -> memref<4xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c6 = arith.constant 6 : index
  %result = memref.alloc() : memref<4xf32>
  scf.parallel (%i) = (%c0) to (%c6) step (%c2) {
    %own = memref.alloc() : memref<2xf64>
    "use"(%own) : (memref<2xf64>) -> ()
    memref.dealloc %own : memref<2xf64>
    scf.reduce
  }
  %open = memref.alloc(%n) : memref<?xf32>
  "use"(%open, %result) : (memref<?xf32>, memref<4xf32>) -> ()
  memref.dealloc %open : memref<?xf32>
  return %result : memref<4xf32>
}

// Callers have the memory of what they call: both calls the same.
// CHECK-LABEL: func.func private @kernel(%{{.*}}: memref<8xf32>, %{{.*}}: memref<128xi8>)
// CHECK-NOT: memref.alloc
func.func private @kernel(%x: memref<8xf32>) {
  %packed = memref.alloc() {alignment = 64 : i64} : memref<32xf32>
  "use"(%x, %packed) : (memref<8xf32>, memref<32xf32>) -> ()
  memref.dealloc %packed : memref<32xf32>
  return
}
// CHECK-LABEL: func.func @caller
// CHECK: %[[ARENA:.*]] = memref.alloc() {alignment = 64 : i64} : memref<128xi8>
// CHECK: call @kernel(%{{.*}}, %[[ARENA]])
// CHECK: call @kernel(%{{.*}}, %[[ARENA]])
// CHECK: memref.dealloc %[[ARENA]]
func.func @caller(%x: memref<8xf32>) {
  call @kernel(%x) : (memref<8xf32>) -> ()
  call @kernel(%x) : (memref<8xf32>) -> ()
  return
}
