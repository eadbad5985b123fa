// RUN: ucmoh-opt %s | ucmoh-opt | FileCheck %s
// RUN: ucmoh-opt %s --mlir-print-op-generic | ucmoh-opt | FileCheck %s
// RUN: ucmoh-opt %s --emit-bytecode | ucmoh-opt | FileCheck %s

// CHECK: ucmoh.target @toy triple("x86_64") features("+sse2,+avx") tuning("+slow-3ops-lea") registers(16 x 128) permission([158, 4131, 18]) {
ucmoh.target @toy triple("x86_64") features("+sse2,+avx") tuning("+slow-3ops-lea") registers(16 x 128) permission([158, 4131, 18]) {
  // CHECK-NEXT: ucmoh.intrinsic @dot shape [1, 4, 2] types(ui8, si8, si32) mnemonic("dot") partial_sums(2 x si16) k_interleave(2)
  // CHECK-NEXT: load_lhs (%{{.*}}: memref<?x?xi8>, %{{.*}}: index, %{{.*}}: index) {
  // CHECK: load_rhs (
  // CHECK: load_acc (
  // CHECK: zero () {
  // CHECK: compute (%{{.*}}: vector<8xi8>, %{{.*}}: vector<8xi8>, %[[C:.*]]: vector<4xi32>) {
  // CHECK-NEXT: %[[CS:.*]]:4 = ucmoh.registers %[[C]] : vector<4xi32>
  // CHECK: ucmoh.registers %{{.*}} : !llvm.struct<(i32, f32)>
  // CHECK: store (%{{.*}}: vector<4xi32>, %{{.*}}: memref<?x?xi32>, %{{.*}}: index, %{{.*}}: index) {
  // CHECK: ucmoh.yield{{$}}
  ucmoh.intrinsic @dot shape [1, 4, 2] types(ui8, si8, si32) mnemonic("dot") partial_sums(2 x si16) k_interleave(2)
  load_lhs (%a: memref<?x?xi8>, %i: index, %k: index) {
    %f = vector.load %a[%i, %k] : memref<?x?xi8>, vector<8xi8>
    ucmoh.yield %f : vector<8xi8>
  }
  load_rhs (%b: memref<?x?xi8>, %k: index, %j: index) {
    %f = vector.load %b[%k, %j] : memref<?x?xi8>, vector<8xi8>
    ucmoh.yield %f : vector<8xi8>
  }
  load_acc (%c: memref<?x?xi32>, %i: index, %j: index) {
    %f = vector.load %c[%i, %j] : memref<?x?xi32>, vector<4xi32>
    ucmoh.yield %f : vector<4xi32>
  }
  zero () {
    %f = arith.constant dense<0> : vector<4xi32>
    ucmoh.yield %f : vector<4xi32>
  }
  compute (%a: vector<8xi8>, %b: vector<8xi8>, %c: vector<4xi32>) {
    %cs:4 = ucmoh.registers %c : vector<4xi32>
    %none = llvm.mlir.undef : !llvm.struct<(i32, f32)>
    %two:2 = ucmoh.registers %none : !llvm.struct<(i32, f32)>
    %d = vector.from_elements %cs#3, %cs#2, %cs#1, %two#0 : vector<4xi32>
    ucmoh.yield %d : vector<4xi32>
  }
  store (%d: vector<4xi32>, %c: memref<?x?xi32>, %i: index, %j: index) {
    vector.store %d, %c[%i, %j] : memref<?x?xi32>, vector<4xi32>
    ucmoh.yield
  }
}

// CHECK: ucmoh.target @shared extends([@toy, @toy::@dot]) triple
ucmoh.target @shared extends([@toy, @toy::@dot]) triple("x86_64") features("") registers(16 x 128) {
  // CHECK: ucmoh.fragment @bytes : vector<8xi8>
  // CHECK-NEXT: load (%{{.*}}: memref<?x?xi8>, %{{.*}}: index, %{{.*}}: index) {
  ucmoh.fragment @bytes : vector<8xi8>
  load (%a: memref<?x?xi8>, %i: index, %k: index) {
    %f = vector.load %a[%i, %k] : memref<?x?xi8>, vector<8xi8>
    ucmoh.yield %f : vector<8xi8>
  }
  // CHECK: ucmoh.fragment @sums : vector<4xi32>
  // CHECK-NEXT: load (
  // CHECK: zero () {
  // CHECK: store (%{{.*}}: vector<4xi32>, %{{.*}}: memref<?x?xi32>, %{{.*}}: index, %{{.*}}: index) {
  ucmoh.fragment @sums : vector<4xi32>
  load (%c: memref<?x?xi32>, %i: index, %j: index) {
    %f = vector.load %c[%i, %j] : memref<?x?xi32>, vector<4xi32>
    ucmoh.yield %f : vector<4xi32>
  }
  zero () {
    %f = arith.constant dense<0> : vector<4xi32>
    ucmoh.yield %f : vector<4xi32>
  }
  store (%d: vector<4xi32>, %c: memref<?x?xi32>, %i: index, %j: index) {
    vector.store %d, %c[%i, %j] : memref<?x?xi32>, vector<4xi32>
    ucmoh.yield
  }
  // CHECK: ucmoh.intrinsic @all shape [1, 4, 2] types(ui8, si8, si32) mnemonic("dot") k_interleave(2)
  // CHECK-NEXT: lhs @bytes rhs @other::@bytes acc @sums
  // CHECK-NEXT: compute (
  // CHECK-NOT: store
  ucmoh.intrinsic @all shape [1, 4, 2] types(ui8, si8, si32) mnemonic("dot") k_interleave(2)
  lhs @bytes rhs @other::@bytes acc @sums
  compute (%a: vector<8xi8>, %b: vector<8xi8>, %c: vector<4xi32>) {
    ucmoh.yield %c : vector<4xi32>
  }
  // CHECK: ucmoh.intrinsic @some
  // CHECK-NEXT: acc @sums
  // CHECK-NEXT: load_lhs (
  // CHECK: load_rhs (
  // CHECK: compute (
  ucmoh.intrinsic @some shape [1, 4, 2] types(ui8, si8, si32) mnemonic("dot") k_interleave(2)
  acc @sums
  load_lhs (%a: memref<?x?xi8>, %i: index, %k: index) {
    %f = vector.load %a[%i, %k] : memref<?x?xi8>, vector<8xi8>
    ucmoh.yield %f : vector<8xi8>
  }
  load_rhs (%b: memref<?x?xi8>, %k: index, %j: index) {
    %f = vector.load %b[%k, %j] : memref<?x?xi8>, vector<8xi8>
    ucmoh.yield %f : vector<8xi8>
  }
  compute (%a: vector<8xi8>, %b: vector<8xi8>, %c: vector<4xi32>) {
    ucmoh.yield %c : vector<4xi32>
  }
  // CHECK: ucmoh.async_copy @few bytes(4) like(@other::@many)
  // CHECK-NEXT: wait (
  ucmoh.async_copy @few bytes(4) like(@other::@many)
  wait (%pending: i32) {
    ucmoh.yield
  }
  // CHECK: ucmoh.lookup @found mnemonic("tbl") (%{{.*}}: vector<256xi8>, %[[PLACES:.*]]: vector<16xi8>) {
  // CHECK-NEXT: ucmoh.yield %[[PLACES]] : vector<16xi8>
  ucmoh.lookup @found mnemonic("tbl")
  (%table: vector<256xi8>, %places: vector<16xi8>) {
    ucmoh.yield %places : vector<16xi8>
  }
}

// CHECK: ucmoh.machine @fast cpus ["fast1", "fast2"] numbers {clock_ghz = 3.500000e+00 : f64, cores = 8 : i64} intrinsics {"toy::dot" = {latency_cycles = 4.000000e+00 : f64, throughput_cycles = 5.000000e-01 : f64}}
ucmoh.machine @fast cpus ["fast1", "fast2"] numbers {clock_ghz = 3.5, cores = 8}
    intrinsics {"toy::dot" = {latency_cycles = 4.0, throughput_cycles = 0.5}}
// CHECK: ucmoh.machine @bare cpus [] numbers {}
ucmoh.machine @bare cpus [] numbers {}

// CHECK-LABEL: func @program
func.func @program(%a: memref<1x2xi8>, %b: memref<1x6xi8, strided<[64, 1], offset: ?>>, %c: memref<1x3xi32, strided<[8, 1]>>) {
  // CHECK: ucmoh.load lhs @toy::@dot %{{.*}} : memref<1x2xi8> -> vector<8xi8>
  %x = ucmoh.load lhs @toy::@dot %a : memref<1x2xi8> -> vector<8xi8>
  // CHECK: ucmoh.load rhs @toy::@dot %{{.*}} : memref<1x6xi8, strided<[64, 1], offset: ?>> -> vector<8xi8>
  %y = ucmoh.load rhs @toy::@dot %b : memref<1x6xi8, strided<[64, 1], offset: ?>> -> vector<8xi8>
  // CHECK: ucmoh.zero @toy::@dot : vector<4xi32>
  %z = ucmoh.zero @toy::@dot : vector<4xi32>
  // CHECK: ucmoh.compute @toy::@dot %{{.*}}, %{{.*}}, %{{.*}} : vector<8xi8>, vector<8xi8>, vector<4xi32>
  %d = ucmoh.compute @toy::@dot %x, %y, %z : vector<8xi8>, vector<8xi8>, vector<4xi32>
  // CHECK: ucmoh.store @toy::@dot %{{.*}}, %{{.*}} : vector<4xi32>, memref<1x3xi32, strided<[8, 1]>>
  ucmoh.store @toy::@dot %d, %c : vector<4xi32>, memref<1x3xi32, strided<[8, 1]>>
  return
}

// CHECK-LABEL: func @tile
func.func @tile(%l: memref<2x3x8xi8>, %r: memref<3x4x8xi8>, %n: memref<3x8x4xi8>, %x: memref<2x4xi32, strided<[0, 1], offset: ?>>, %o: memref<2x4xi32>, %p: memref<2x4xi32>) {
  // CHECK: ucmoh.tile @toy::@dot
  // CHECK-NEXT: lhs %{{.*}} : memref<2x3x8xi8>
  // CHECK-NEXT: rhs %{{.*}} : memref<3x4x8xi8>
  // CHECK-NEXT: next %{{.*}} : memref<3x8x4xi8>
  // CHECK-NEXT: extras(%{{.*}} : memref<2x4xi32, strided<[0, 1], offset: ?>>)
  // CHECK-NEXT: outs(%{{.*}} : memref<2x4xi32>) streamed
  // CHECK-NEXT: partials(%{{.*}} : memref<2x4xi32>) by [#vector.kind<maxsi>]
  // CHECK-NEXT: prologue (%{{.*}}: i32)
  ucmoh.tile @toy::@dot
    lhs %l : memref<2x3x8xi8>
    rhs %r : memref<3x4x8xi8>
    next %n : memref<3x8x4xi8>
    extras(%x : memref<2x4xi32, strided<[0, 1], offset: ?>>)
    outs(%o : memref<2x4xi32>) streamed
    partials(%p : memref<2x4xi32>) by [#vector.kind<maxsi>]
    prologue (%first: i32) {
      ucmoh.yield %first : i32
    } epilogue (%acc: i32, %first: i32) {
      ucmoh.yield %acc, %acc : i32, i32
    }
  return
}

// CHECK-LABEL: func @pipeline
func.func @pipeline(%l: memref<3x2x8xi8>, %r: memref<3x4x8xi8>, %s: memref<2x4xi32>, %o: memref<2x4xi32>, %i: index) {
  // CHECK: ucmoh.pipeline 20
  // CHECK-NEXT: lhs %{{.*}} : memref<3x2x8xi8>
  // CHECK-NEXT: rhs %{{.*}} : memref<3x4x8xi8>
  // CHECK-NEXT: limits[%{{.*}}, %{{.*}}]
  // CHECK-NEXT: staging %{{.*}} width 4 : memref<2x4xi32>
  // CHECK-NEXT: copy (%{{.*}}: index, %{{.*}}: index)
  // CHECK: body (%{{.*}}: memref<2x8xi8, strided<[8, 1], offset: ?>>, %{{.*}}: memref<4x8xi8, strided<[8, 1], offset: ?>>)
  ucmoh.pipeline 20
    lhs %l : memref<3x2x8xi8>
    rhs %r : memref<3x4x8xi8>
    limits [%i, %i] staging %s width 4 : memref<2x4xi32>
  copy (%slot: index, %from: index) {
    ucmoh.yield
  } body (%a: memref<2x8xi8, strided<[8, 1], offset: ?>>, %b: memref<4x8xi8, strided<[8, 1], offset: ?>>) {
    ucmoh.tile @toy::@dot
      lhs %a : memref<2x8xi8, strided<[8, 1], offset: ?>>
      rhs %b : memref<4x8xi8, strided<[8, 1], offset: ?>>
      outs(%o : memref<2x4xi32>)
      prologue () {
        %0 = arith.constant 0 : i32
        ucmoh.yield %0 : i32
      } epilogue (%acc: i32) {
        ucmoh.yield %acc : i32
      }
    ucmoh.yield
  }
  return
}

// The fields of a choice may come in any order.
// CHECK-LABEL: func @choice
// CHECK-SAME: #ucmoh.choice<intrinsic = @toy::@dot, register_tile = [4, 8], cache_tile = [64, 32, 16], order = "nmk.nm", pack_lhs = "none", pack_rhs = "prepacked", predicted_seconds = 2.900000e-04, model = "a \22quoted\22 model">
func.func @choice() attributes {ucmoh.choice = #ucmoh.choice<model = "a \"quoted\" model",
    order = "nmk.nm", pack_rhs = "prepacked", pack_lhs = "none", predicted_seconds = 0.00029,
    cache_tile = [64, 32, 16], register_tile = [4, 8], intrinsic = @toy::@dot>} {
  return
}

// A choice in words of former versions is read, and printed in those of now.
// CHECK-LABEL: func @former
// CHECK-SAME: pack_lhs = "none", pack_rhs = "prepacked", pipeline_depth = 3, predicted_seconds = 0.000000e+00, model = "ahead"
func.func @former() attributes {ucmoh.choice = #ucmoh.choice<intrinsic = @toy::@dot, register_tile = [4, 8], cache_tile = [64, 32, 16],
    order = "nmk.nm", pack_lhs = "none", pack_rhs = "ahead", unroll = 2, stages = 3, predicted_seconds = 0.0, model = "ahead">} {
  return
}
