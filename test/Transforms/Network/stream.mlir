// Results that the last-level cache (32 MiB on zen4) does not hold are written past the caches, by whole vectors at
// aligned places. Others are not, nor what the op reads as well.
// RUN: ucmoh-opt %s --ucmoh-approximate-math --ucmoh-vectorize-rest=target=x86_avx512f@zen4 | FileCheck %s
// RUN: ucmoh-run %S/Inputs/large-results.mlir --repeat=1 --budget=0.05 | FileCheck %s --check-prefix=EXECUTED

// EXECUTED-COUNT-4: verified

#all = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// CHECK-LABEL: func.func @large
// CHECK: scf.for {{.*}} step %c64
// CHECK-COUNT-4: vector.store {{.*}} {alignment = 64 : i64, nontemporal = true}
// CHECK-NOT: memref.store
func.func @large(%x: memref<16384x1024xf32>, %s: memref<16384xf32>) -> memref<16384x1024xf32> {
  %y = memref.alloc() {alignment = 64 : i64} : memref<16384x1024xf32>
  linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]} ins(%x, %s : memref<16384x1024xf32>, memref<16384xf32>) outs(%y : memref<16384x1024xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.mulf %a, %b : f32
    linalg.yield %0 : f32
  }
  return %y : memref<16384x1024xf32>
}

// Polynomials are so too, though they take longer than a copy.
// CHECK-LABEL: func.func @powers
// CHECK-COUNT-4: vector.store {{.*}} nontemporal = true
func.func @powers(%x: memref<16384x1024xf32>) -> memref<16384x1024xf32> {
  %y = memref.alloc() {alignment = 64 : i64} : memref<16384x1024xf32>
  linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<16384x1024xf32>) outs(%y : memref<16384x1024xf32>) {
  ^bb0(%a: f32, %out: f32):
    %r = math.exp %a : f32
    linalg.yield %r : f32
  }
  return %y : memref<16384x1024xf32>
}

// What is the same for a row is loaded ahead.
// CHECK-LABEL: func.func @quotients
// CHECK: scf.for
// CHECK: memref.load
// CHECK: scf.for {{.*}} step %c64
// CHECK-NOT: memref.load
// CHECK-COUNT-4: vector.store {{.*}} nontemporal = true
func.func @quotients(%x: memref<16384x1024xf32>) -> memref<16384x1024xf32> {
  %sum = memref.alloca() : memref<f32>
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16384 = arith.constant 16384 : index
  memref.store %zero, %sum[] : memref<f32>
  %y = memref.alloc() {alignment = 64 : i64} : memref<16384x1024xf32>
  scf.for %i = %c0 to %c16384 step %c1 {
    %a = memref.subview %x[%i, 0] [1, 1024] [1, 1] : memref<16384x1024xf32> to memref<1024xf32, strided<[1], offset: ?>>
    %b = memref.subview %y[%i, 0] [1, 1024] [1, 1] : memref<16384x1024xf32> to memref<1024xf32, strided<[1], offset: ?>>
    linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a : memref<1024xf32, strided<[1], offset: ?>>) outs(%b : memref<1024xf32, strided<[1], offset: ?>>) {
    ^bb0(%in: f32, %out: f32):
      %0 = memref.load %sum[] : memref<f32>
      %1 = arith.divf %in, %0 fastmath<arcp> : f32
      linalg.yield %1 : f32
    }
  }
  return %y : memref<16384x1024xf32>
}

// CHECK-LABEL: func.func @small
// CHECK-NOT: nontemporal
// CHECK: return
func.func @small(%x: memref<1024x1024xf32>) -> memref<1024x1024xf32> {
  %y = memref.alloc() {alignment = 64 : i64} : memref<1024x1024xf32>
  linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%x : memref<1024x1024xf32>) outs(%y : memref<1024x1024xf32>) {
  ^bb0(%a: f32, %out: f32):
    %0 = arith.negf %a : f32
    linalg.yield %0 : f32
  }
  return %y : memref<1024x1024xf32>
}

// Rows begin between lines.
// CHECK-LABEL: func.func @ragged
// CHECK-NOT: nontemporal
// CHECK: return
func.func @ragged(%x: memref<16384x1023xf32>) -> memref<16384x1023xf32> {
  %y = memref.alloc() {alignment = 64 : i64} : memref<16384x1023xf32>
  linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%x : memref<16384x1023xf32>) outs(%y : memref<16384x1023xf32>) {
  ^bb0(%a: f32, %out: f32):
    %0 = arith.negf %a : f32
    linalg.yield %0 : f32
  }
  return %y : memref<16384x1023xf32>
}

// A part that begins between lines.
// CHECK-LABEL: func.func @shifted
// CHECK-NOT: nontemporal
// CHECK: return
func.func @shifted(%x: memref<16384x512xf32>) -> memref<16384x1024xf32> {
  %y = memref.alloc() {alignment = 64 : i64} : memref<16384x1024xf32>
  %part = memref.subview %y[0, 8] [16384, 512] [1, 1] : memref<16384x1024xf32> to memref<16384x512xf32, strided<[1024, 1], offset: 8>>
  linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%x : memref<16384x512xf32>) outs(%part : memref<16384x512xf32, strided<[1024, 1], offset: 8>>) {
  ^bb0(%a: f32, %out: f32):
    linalg.yield %a : f32
  }
  return %y : memref<16384x1024xf32>
}

// Its lines are in the cache when they are written.
// CHECK-LABEL: func.func @in_place
// CHECK-NOT: nontemporal
// CHECK: return
func.func @in_place() -> memref<16384x1024xf32> {
  %y = memref.alloc() {alignment = 64 : i64} : memref<16384x1024xf32>
  linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%y : memref<16384x1024xf32>) outs(%y : memref<16384x1024xf32>) {
  ^bb0(%a: f32, %out: f32):
    %0 = arith.negf %a : f32
    linalg.yield %0 : f32
  }
  return %y : memref<16384x1024xf32>
}

// The caller's buffer may lie anywhere.
// CHECK-LABEL: func.func @given
// CHECK-NOT: nontemporal
// CHECK: return
func.func @given(%x: memref<16384x1024xf32>, %y: memref<16384x1024xf32>) {
  linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%x : memref<16384x1024xf32>) outs(%y : memref<16384x1024xf32>) {
  ^bb0(%a: f32, %out: f32):
    %0 = arith.negf %a : f32
    linalg.yield %0 : f32
  }
  return
}
