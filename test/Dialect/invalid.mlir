// RUN: ucmoh-opt %s --split-input-file --verify-diagnostics

// What a choice must say; the bodies of intrinsics are tested in Unit/IntrinsicVerifierTest.cpp.

// expected-error @+1 {{#ucmoh.choice lacks the field 'cache_tile'}}
func.func private @f() attributes {c = #ucmoh.choice<intrinsic = @t::@i, register_tile = [12, 32], order = "nmk.nm", pack_lhs = "none", pack_rhs = "prepacked", predicted_seconds = 0.0, model = "m">}

// -----

// expected-error @+1 {{unknown field 'tile' of #ucmoh.choice}}
func.func private @f() attributes {c = #ucmoh.choice<intrinsic = @t::@i, tile = [12, 32]>}

// -----

// expected-error @+1 {{field 'order' is given twice}}
func.func private @f() attributes {c = #ucmoh.choice<order = "nmk.nm", order = "mnk.nm">}

// -----

// expected-error @+1 {{field 'pipeline_depth' is given twice}}
func.func private @f() attributes {c = #ucmoh.choice<stages = 1, pipeline_depth = 1>}

// -----

// expected-error @+1 {{'pipeline_depth' must be between 1 and 16, but is 17}}
func.func private @f() attributes {c = #ucmoh.choice<intrinsic = @t::@i, register_tile = [12, 32], cache_tile = [1, 1, 1], order = "nmk.nm", pack_lhs = "none", pack_rhs = "none", pipeline_depth = 17, predicted_seconds = 0.0, model = "m">}

// -----

// expected-error @+1 {{'intrinsic' must be of the form @target::@intrinsic}}
func.func private @f() attributes {c = #ucmoh.choice<intrinsic = @t, register_tile = [12, 32], cache_tile = [1, 1, 1], order = "nmk.nm", pack_lhs = "none", pack_rhs = "prepacked", predicted_seconds = 0.0, model = "m">}

// -----

// expected-error @+1 {{'register_tile' must be two positive numbers [rows, columns] with a product of at most 8192, but is [12]}}
func.func private @f() attributes {c = #ucmoh.choice<intrinsic = @t::@i, register_tile = [12], cache_tile = [1, 1, 1], order = "nmk.nm", pack_lhs = "none", pack_rhs = "prepacked", predicted_seconds = 0.0, model = "m">}

// -----

// expected-error @+1 {{'cache_tile' must be three positive numbers [m, n, k], but is [1, 0, 1]}}
func.func private @f() attributes {c = #ucmoh.choice<intrinsic = @t::@i, register_tile = [12, 32], cache_tile = [1, 0, 1], order = "nmk.nm", pack_lhs = "none", pack_rhs = "prepacked", predicted_seconds = 0.0, model = "m">}

// -----

// expected-error @+1 {{'order' must be nmk, mnk or nomk, a dot and nm or mn, as "nmk.nm", but is "nnk.nm"}}
func.func private @f() attributes {c = #ucmoh.choice<intrinsic = @t::@i, register_tile = [12, 32], cache_tile = [1, 1, 1], order = "nnk.nm", pack_lhs = "none", pack_rhs = "prepacked", predicted_seconds = 0.0, model = "m">}

// -----

// expected-error @+1 {{'pack_lhs' must be "none" or "block", but is "prepacked"}}
func.func private @f() attributes {c = #ucmoh.choice<intrinsic = @t::@i, register_tile = [12, 32], cache_tile = [1, 1, 1], order = "nmk.nm", pack_lhs = "prepacked", pack_rhs = "prepacked", predicted_seconds = 0.0, model = "m">}

// -----

// expected-error @+1 {{'pack_rhs' must be "none", "block", "prepacked" or "widened", but is "later"}}
func.func private @f() attributes {c = #ucmoh.choice<intrinsic = @t::@i, register_tile = [12, 32], cache_tile = [1, 1, 1], order = "nmk.nm", pack_lhs = "none", pack_rhs = "later", predicted_seconds = 0.0, model = "m">}

// -----

// expected-error @+1 {{'predicted_seconds' must not be negative or NaN}}
func.func private @f() attributes {c = #ucmoh.choice<intrinsic = @t::@i, register_tile = [12, 32], cache_tile = [1, 1, 1], order = "nmk.nm", pack_lhs = "none", pack_rhs = "none", predicted_seconds = -1.0, model = "m">}

// -----

ucmoh.target @t triple("x86_64") features("") registers(16 x 128) {
  // expected-error @+1 {{target @t: only 'ucmoh.intrinsic', 'ucmoh.fragment', 'ucmoh.async_copy' and 'ucmoh.lookup' ops may stand here}}
  %c = arith.constant 0 : i32
}

// -----

// expected-error @+1 {{target @t: 'registers' must be positive}}
ucmoh.target @t triple("x86_64") features("") registers(0 x 128) {
}

// -----

// expected-error @+1 {{target @t: feature 'fma' must begin with '+'}}
ucmoh.target @t triple("x86_64") features("+avx,fma") registers(16 x 128) {
}

// -----

// expected-error @+1 {{machine @m: 'clock_ghz' of numbers must be a positive number}}
ucmoh.machine @m cpus [] numbers {clock_ghz = "fast"}

// -----

// expected-error @+1 {{machine @m: 't::i' must be {latency_cycles = ..., throughput_cycles = ...}}}
ucmoh.machine @m cpus [] numbers {} intrinsics {"t::i" = 4.0}

// -----

// expected-error @+1 {{machine @m: 'throughput_cycles' of t::i must be a positive number}}
ucmoh.machine @m cpus [] numbers {} intrinsics {"t::i" = {latency_cycles = 4.0, throughput_cycles = 0.0}}

// -----

func.func @f(%a: memref<16xi8>) {
  // expected-error @+1 {{view is 'memref<16xi8>', expected rows and columns of static extents}}
  %x = ucmoh.load lhs @t::@i %a : memref<16xi8> -> vector<8xi8>
  return
}

// -----

func.func @f(%a: memref<?x4xi8>) {
  // expected-error @+1 {{view is 'memref<?x4xi8>', expected rows and columns of static extents}}
  %x = ucmoh.load lhs @t::@i %a : memref<?x4xi8> -> vector<8xi8>
  return
}

// -----

func.func @f(%a: memref<2x4xi8, strided<[1, 2]>>) {
  // expected-error @+1 {{view is 'memref<2x4xi8, strided<[1, 2]>>', but columns must be neighbours in memory}}
  %x = ucmoh.load lhs @t::@i %a : memref<2x4xi8, strided<[1, 2]>> -> vector<8xi8>
  return
}

// -----

func.func @f(%a: memref<2x4xi8, strided<[-4, 1], offset: 4>>) {
  // expected-error @+1 {{view is 'memref<2x4xi8, strided<[-4, 1], offset: 4>>', but rows must be at least 0 apart}}
  %x = ucmoh.load lhs @t::@i %a : memref<2x4xi8, strided<[-4, 1], offset: 4>> -> vector<8xi8>
  return
}

// -----

func.func @f(%a: memref<2x4xi32, strided<[0, 1]>>, %x: vector<4xi32>) {
  // expected-error @+1 {{view is 'memref<2x4xi32, strided<[0, 1]>>', but rows must be at least 1 apart}}
  ucmoh.store @t::@i %x, %a : vector<4xi32>, memref<2x4xi32, strided<[0, 1]>>
  return
}

// -----

func.func @f(%a: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{body takes 1 buffers, expected one for each of the 2 operands}}
  %r = ucmoh.kernel "k" ins(%a : tensor<8xf32>) outs(%a : tensor<8xf32>) (%x: memref<8xf32>) {
    ucmoh.yield
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

func.func @f(%a: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{body argument 0 is 'memref<4xf32>', expected a memref of the shape and element type of 'tensor<8xf32>'}}
  %r = ucmoh.kernel "k" outs(%a : tensor<8xf32>) (%x: memref<4xf32>) {
    ucmoh.yield
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

func.func @f(%a: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{body must end in a 'ucmoh.yield' without operands}}
  %r = ucmoh.kernel "k" outs(%a : tensor<8xf32>) (%x: memref<8xf32>) {
    %c = arith.constant 0 : i32
    ucmoh.yield %c : i32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

func.func @f(%l: memref<2x10xi8>, %r: memref<10x32xi8>, %o0: memref<2x9223372036854775807xi32>) {
  // expected-error @+1 {{must have at most 8192 results, but has 2 x 9223372036854775807}}
  ucmoh.tile @t::@i
    lhs %l : memref<2x10xi8>
    rhs %r : memref<10x32xi8>
    outs(%o0 : memref<2x9223372036854775807xi32>)
    prologue () {
      %0 = arith.constant 0 : i32
      ucmoh.yield %0 : i32
    } epilogue (%acc: i32) {
      ucmoh.yield %acc : i32
    }
  return
}

// -----

func.func @f(%l: memref<2x10xi8>, %r: memref<10x32xi8>, %o0: memref<40xi32>) {
  // expected-error @+1 {{an extra or output is 'memref<40xi32>', expected a view of 2 dimensions with static extents and strides}}
  ucmoh.tile @t::@i
    lhs %l : memref<2x10xi8>
    rhs %r : memref<10x32xi8>
    outs(%o0 : memref<40xi32>)
    prologue () {
      %0 = arith.constant 0 : i32
      ucmoh.yield %0 : i32
    } epilogue (%acc: i32) {
      ucmoh.yield %acc : i32
    }
  return
}

// -----

func.func @f(%l: memref<2x10xi8>, %r: memref<10x32xi8>, %o0: memref<2x?xi32>) {
  // expected-error @+1 {{an extra or output is 'memref<2x?xi32>', expected a view of 2 dimensions with static extents and strides}}
  ucmoh.tile @t::@i
    lhs %l : memref<2x10xi8>
    rhs %r : memref<10x32xi8>
    outs(%o0 : memref<2x?xi32>)
    prologue () {
      %0 = arith.constant 0 : i32
      ucmoh.yield %0 : i32
    } epilogue (%acc: i32) {
      ucmoh.yield %acc : i32
    }
  return
}

// -----

func.func @f(%l: memref<2x10xi8>, %r: memref<10x32xi8>, %o0: memref<2x20xi32, strided<[?, 1]>>) {
  // expected-error @+1 {{an extra or output is 'memref<2x20xi32, strided<[?, 1]>>', expected a view of 2 dimensions with static extents and strides}}
  ucmoh.tile @t::@i
    lhs %l : memref<2x10xi8>
    rhs %r : memref<10x32xi8>
    outs(%o0 : memref<2x20xi32, strided<[?, 1]>>)
    prologue () {
      %0 = arith.constant 0 : i32
      ucmoh.yield %0 : i32
    } epilogue (%acc: i32) {
      ucmoh.yield %acc : i32
    }
  return
}

// -----

func.func @f(%l: memref<2x10xi8>, %r: memref<10x32xi8>, %o0: memref<2x20xi32>) {
  // expected-error @+1 {{'ucmoh.steps' must be array<i64: FROM, TO, ...> with 0 <= FROM < TO <= 10 for each of 2 rows}}
  ucmoh.tile @t::@i
    lhs %l : memref<2x10xi8>
    rhs %r : memref<10x32xi8>
    outs(%o0 : memref<2x20xi32>) attributes {ucmoh.steps = array<i64: 4, 10, 0, 12>}
    prologue () {
      %0 = arith.constant 0 : i32
      ucmoh.yield %0 : i32
    } epilogue (%acc: i32) {
      ucmoh.yield %acc : i32
    }
  return
}

// -----

func.func @f(%l: memref<2x10xi8>, %r: memref<10x32xi8>, %e0: memref<2x16xi32>, %o0: memref<2x20xi32>) {
  // expected-error @+1 {{an extra or output has 2 x 16 elements, but the tile has 2 x 20}}
  ucmoh.tile @t::@i
    lhs %l : memref<2x10xi8>
    rhs %r : memref<10x32xi8>
    extras(%e0 : memref<2x16xi32>)
    outs(%o0 : memref<2x20xi32>)
    prologue (%x0: i32) {
      %0 = arith.constant 0 : i32
      ucmoh.yield %0 : i32
    } epilogue (%acc: i32, %x0: i32) {
      ucmoh.yield %acc : i32
    }
  return
}

// -----

func.func @f(%l: memref<2x10xi8>, %r: memref<10x32xi8>, %o0: memref<2x20xi32>, %p0: memref<2x16xi32>) {
  // expected-error @+1 {{has 1 partials, but says of 2 how they are combined}}
  ucmoh.tile @t::@i
    lhs %l : memref<2x10xi8>
    rhs %r : memref<10x32xi8>
    outs(%o0 : memref<2x20xi32>)
    partials(%p0 : memref<2x16xi32>) by [#vector.kind<add>, #vector.kind<add>]
    prologue () {
      %0 = arith.constant 0 : i32
      ucmoh.yield %0 : i32
    } epilogue (%acc: i32) {
      ucmoh.yield %acc, %acc : i32, i32
    }
  return
}

// -----

func.func @f(%l: memref<2x10xi8>, %r: memref<10x32xi8>, %o0: memref<2x20xi32>, %p0: memref<1x16xi32>) {
  // expected-error @+1 {{a partial is 'memref<1x16xi32>', expected neighbours in memory for each of 2 rows}}
  ucmoh.tile @t::@i
    lhs %l : memref<2x10xi8>
    rhs %r : memref<10x32xi8>
    outs(%o0 : memref<2x20xi32>)
    partials(%p0 : memref<1x16xi32>) by [#vector.kind<add>]
    prologue () {
      %0 = arith.constant 0 : i32
      ucmoh.yield %0 : i32
    } epilogue (%acc: i32) {
      ucmoh.yield %acc, %acc : i32, i32
    }
  return
}

// -----

func.func @f(%l: memref<2x10xi8>, %r: memref<10x32xi8>, %o0: memref<2x20xi32, strided<[1, 2]>>) {
  // expected-error @+1 {{the columns of an output must be neighbours in memory, but it is 'memref<2x20xi32, strided<[1, 2]>>'}}
  ucmoh.tile @t::@i
    lhs %l : memref<2x10xi8>
    rhs %r : memref<10x32xi8>
    outs(%o0 : memref<2x20xi32, strided<[1, 2]>>)
    prologue () {
      %0 = arith.constant 0 : i32
      ucmoh.yield %0 : i32
    } epilogue (%acc: i32) {
      ucmoh.yield %acc : i32
    }
  return
}

// -----

func.func @f(%l: memref<20xi8>, %r: memref<10x32xi8>, %o0: memref<2x20xi32>) {
  // expected-error @+1 {{lhs is 'memref<20xi8>', expected rows and a loop of the reduction}}
  ucmoh.tile @t::@i
    lhs %l : memref<20xi8>
    rhs %r : memref<10x32xi8>
    outs(%o0 : memref<2x20xi32>)
    prologue () {
      %0 = arith.constant 0 : i32
      ucmoh.yield %0 : i32
    } epilogue (%acc: i32) {
      ucmoh.yield %acc : i32
    }
  return
}

// -----

func.func @f(%l: memref<2x?xi8>, %r: memref<10x32xi8>, %o0: memref<2x20xi32>) {
  // expected-error @+1 {{lhs is 'memref<2x?xi8>', expected a view of 2 dimensions with static extents and strides}}
  ucmoh.tile @t::@i
    lhs %l : memref<2x?xi8>
    rhs %r : memref<10x32xi8>
    outs(%o0 : memref<2x20xi32>)
    prologue () {
      %0 = arith.constant 0 : i32
      ucmoh.yield %0 : i32
    } epilogue (%acc: i32) {
      ucmoh.yield %acc : i32
    }
  return
}

// -----

func.func @f(%l: memref<2x10xi8>, %r: memref<3x10x32xi8>, %o0: memref<2x20xi32>) {
  // expected-error @+1 {{rhs is 'memref<3x10x32xi8>', expected a view of 2 dimensions with static extents and strides}}
  ucmoh.tile @t::@i
    lhs %l : memref<2x10xi8>
    rhs %r : memref<3x10x32xi8>
    outs(%o0 : memref<2x20xi32>)
    prologue () {
      %0 = arith.constant 0 : i32
      ucmoh.yield %0 : i32
    } epilogue (%acc: i32) {
      ucmoh.yield %acc : i32
    }
  return
}

// -----

func.func @f(%l: memref<2x3x10xi8>, %r: memref<4x10x32xi8>, %o0: memref<2x20xi32>) {
  // expected-error @+1 {{lhs is 'memref<2x3x10xi8>' and rhs is 'memref<4x10x32xi8>', but their outer loops of the reduction must be the same}}
  ucmoh.tile @t::@i
    lhs %l : memref<2x3x10xi8>
    rhs %r : memref<4x10x32xi8>
    outs(%o0 : memref<2x20xi32>)
    prologue () {
      %0 = arith.constant 0 : i32
      ucmoh.yield %0 : i32
    } epilogue (%acc: i32) {
      ucmoh.yield %acc : i32
    }
  return
}

// -----

func.func @f(%l: memref<2x3x10xi8>, %r: memref<3x10x32xi8>, %n: memref<4x10x8xi8>, %o0: memref<2x20xi32>) {
  // expected-error @+1 {{lhs is 'memref<2x3x10xi8>' and next is 'memref<4x10x8xi8>', but their outer loops of the reduction must be the same}}
  ucmoh.tile @t::@i
    lhs %l : memref<2x3x10xi8>
    rhs %r : memref<3x10x32xi8>
    next %n : memref<4x10x8xi8>
    outs(%o0 : memref<2x20xi32>)
    prologue () {
      %0 = arith.constant 0 : i32
      ucmoh.yield %0 : i32
    } epilogue (%acc: i32) {
      ucmoh.yield %acc : i32
    }
  return
}

// -----

func.func @f(%l: memref<2x10xi8, strided<[1, 2]>>, %r: memref<10x32xi8>, %o0: memref<2x20xi32>) {
  // expected-error @+1 {{the last dimension of lhs and rhs must be neighbours in memory, but a view is 'memref<2x10xi8, strided<[1, 2]>>'}}
  ucmoh.tile @t::@i
    lhs %l : memref<2x10xi8, strided<[1, 2]>>
    rhs %r : memref<10x32xi8>
    outs(%o0 : memref<2x20xi32>)
    prologue () {
      %0 = arith.constant 0 : i32
      ucmoh.yield %0 : i32
    } epilogue (%acc: i32) {
      ucmoh.yield %acc : i32
    }
  return
}

// -----

func.func @f(%l: memref<2x10xi8>, %r: memref<10x32xi8>, %o0: memref<2x20xi32>) {
  // expected-error @+1 {{'epilogue' must take the accumulator's value first}}
  ucmoh.tile @t::@i
    lhs %l : memref<2x10xi8>
    rhs %r : memref<10x32xi8>
    outs(%o0 : memref<2x20xi32>)
    prologue () {
      %0 = arith.constant 0 : i32
      ucmoh.yield %0 : i32
    } epilogue () {
      ucmoh.yield
    }
  return
}

// -----

func.func @f(%l: memref<2x10xi8>, %r: memref<10x32xi8>, %o0: memref<2x20xi32>) {
  // expected-error @+1 {{'epilogue' yields 'f32', expected 'i32'}}
  ucmoh.tile @t::@i
    lhs %l : memref<2x10xi8>
    rhs %r : memref<10x32xi8>
    outs(%o0 : memref<2x20xi32>)
    prologue () {
      %0 = arith.constant 0 : i32
      ucmoh.yield %0 : i32
    } epilogue (%acc: i32) {
      %f = arith.sitofp %acc : i32 to f32
      ucmoh.yield %f : f32
    }
  return
}

// -----

func.func @f(%l: memref<2x10xi8>, %r: memref<10x32xi8>, %o0: memref<2x20xi32>) {
  // expected-error @+9 {{'epilogue' of a ucmoh.tile may only contain elementwise ops, not 'vector.broadcast'}}
  ucmoh.tile @t::@i
    lhs %l : memref<2x10xi8>
    rhs %r : memref<10x32xi8>
    outs(%o0 : memref<2x20xi32>)
    prologue () {
      %0 = arith.constant 0 : i32
      ucmoh.yield %0 : i32
    } epilogue (%acc: i32) {
      %v = vector.broadcast %acc : i32 to vector<4xi32>
      ucmoh.yield %acc : i32
    }
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{expects parent op to be one of 'ucmoh.intrinsic, ucmoh.fragment, ucmoh.async_copy, ucmoh.lookup, ucmoh.kernel, ucmoh.tile, ucmoh.pipeline'}}
  ucmoh.yield
}

// -----

func.func @f(%fragment: vector<2xi32>) {
  // expected-error @+1 {{expects parent op to be one of 'ucmoh.intrinsic, ucmoh.fragment'}}
  %registers:2 = ucmoh.registers %fragment : vector<2xi32>
}

// -----

func.func @f(%fragment: i32) {
  // expected-error @+1 {{takes a vector or a struct apart, not 'i32'}}
  %register = ucmoh.registers %fragment : i32
}

// -----

// An undefined name must not be found in a later body, which in addition is malformed.
func.func @f(%a: memref<2x10xi8>, %b: memref<10x32xi8>, %c: memref<2x20xi32>) {
  ucmoh.tile @t::@i
    lhs %a : memref<2x10xi8>
    rhs %b : memref<10x32xi8>
    outs(%c : memref<2x20xi32>)
    prologue () {
      ucmoh.yield %late : i32
    } epilogue (%acc: i32) {
      %late = arith.constant 0 : i32
      // expected-error @+1 {{custom op 'ucmoh.yeild' is unknown}}
      ucmoh.yeild %acc : i32
    }
  return
}

// -----

func.func @f(%a: tensor<8xf32>) -> tensor<8xf32> {
  %r = ucmoh.kernel "k" outs(%a : tensor<8xf32>) (%x: memref<8xf32>) {
    // expected-error @+1 {{use of undeclared SSA value name}}
    memref.copy %late, %x : memref<8xf32> to memref<8xf32>
    ucmoh.yield
  } -> tensor<8xf32>
  %late = memref.alloc() : memref<8xf32>
  return %r : tensor<8xf32>
}

// -----

ucmoh.target @t triple("x86_64") features("") registers(16 x 128) {
  // expected-error @+1 {{needs 'init' if and only if it has a 'barrier'}}
  ucmoh.async_copy @a bytes(16) barrier(8)
  copy (%to: !llvm.ptr, %from: !llvm.ptr, %bytes: i32, %barrier: !llvm.ptr) {
    ucmoh.yield
  }
  commit (%barrier: !llvm.ptr) {
    ucmoh.yield
  }
  wait (%barrier: !llvm.ptr, %parity: i32) {
    ucmoh.yield
  }
}

// -----

ucmoh.target @t triple("x86_64") features("") registers(16 x 128) {
  // expected-error @+1 {{async_copy @a: 'wait' must take a pointer and an i32}}
  ucmoh.async_copy @a bytes(16) barrier(8)
  init (%barrier: !llvm.ptr, %threads: i32) {
    ucmoh.yield
  }
  copy (%to: !llvm.ptr, %from: !llvm.ptr, %bytes: i32, %barrier: !llvm.ptr) {
    ucmoh.yield
  }
  commit (%barrier: !llvm.ptr) {
    ucmoh.yield
  }
  wait (%parity: i32) {
    ucmoh.yield
  }
}

// -----

// expected-error @+1 {{'ucmoh.range' of argument #1 must be array<i64: LOW, HIGH> of numbers that 'i8' holds}}
func.func private @f(tensor<4xi8> {ucmoh.range = array<i64: 0, 255>}, tensor<4xi8> {ucmoh.range = array<i64: -1, 128>})

// -----

// expected-error @+1 {{'ucmoh.range' of argument #0 must be array<i64: LOW, HIGH> of numbers that 'i8' holds}}
func.func private @f(tensor<4xi8> {ucmoh.range = array<i64: 3, 2>})

// -----

// expected-error @+1 {{'ucmoh.range' of argument #0 must be array<i64: LOW, HIGH> of numbers that 'i8' holds}}
func.func private @f(tensor<4xi8> {ucmoh.range = [0, 2]})

// -----

// expected-error @+1 {{'ucmoh.range' is for tensors of integers of at most 32 bits, but argument #0 is not one}}
func.func private @f(tensor<4xf32> {ucmoh.range = array<i64: 0, 1>})

// -----

// expected-error @below {{target @t: 'permission' must be [158, 4131, COMPONENT] of x86-64: arch_prctl(ARCH_REQ_XCOMP_PERM)}}
ucmoh.target @t triple("x86_64") features("") registers(16 x 128) permission([]) {
}

// -----

// expected-error @below {{target @t: 'permission' must be [158, 4131, COMPONENT] of x86-64: arch_prctl(ARCH_REQ_XCOMP_PERM)}}
ucmoh.target @t triple("x86_64") features("") registers(16 x 128) permission([39, 4131, 18]) {
}

// -----

// expected-error @below {{target @t: 'permission' must be [158, 4131, COMPONENT] of x86-64: arch_prctl(ARCH_REQ_XCOMP_PERM)}}
ucmoh.target @t triple("aarch64") features("") registers(16 x 128) permission([158, 4131, 18]) {
}

// -----

// expected-error @below {{target @t: 'driver' must name the library that starts kernels}}
ucmoh.target @t triple("nvptx64") features("sm_80") registers(255 x 32)
    device(#nvvm.target) driver("") shared_memory(1024) row_padding(16) threads(32) {
}

// -----

func.func @f(%l: memref<3x2x8xi8>, %r: memref<3x8x20xi8>, %s: memref<40xi32>, %o: memref<2x20xi32>, %i: index) {
  // expected-error @+1 {{staging is 'memref<40xi32>', expected a view of 2 dimensions with static extents and strides}}
  ucmoh.pipeline 20 lhs %l : memref<3x2x8xi8> rhs %r : memref<3x8x20xi8>
    limits [%i, %i] staging %s width 4 : memref<40xi32>
  copy (%slot: index, %from: index) {
    ucmoh.yield
  } body (%a: memref<2x8xi8, strided<[8, 1], offset: ?>>, %b: memref<8x20xi8, strided<[20, 1], offset: ?>>) {
    ucmoh.tile @t::@i
      lhs %a : memref<2x8xi8, strided<[8, 1], offset: ?>>
      rhs %b : memref<8x20xi8, strided<[20, 1], offset: ?>>
      outs(%o : memref<2x20xi32>)
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

// -----

func.func @f(%l: memref<3x2x8xi8>, %r: memref<3x8x20xi8>, %s: memref<2x16xi32>, %o: memref<2x20xi32>, %i: index) {
  // expected-error @+1 {{staging is 'memref<2x16xi32>', expected rows of 20 elements}}
  ucmoh.pipeline 20 lhs %l : memref<3x2x8xi8> rhs %r : memref<3x8x20xi8>
    limits [%i, %i] staging %s width 4 : memref<2x16xi32>
  copy (%slot: index, %from: index) {
    ucmoh.yield
  } body (%a: memref<2x8xi8, strided<[8, 1], offset: ?>>, %b: memref<8x20xi8, strided<[20, 1], offset: ?>>) {
    ucmoh.tile @t::@i
      lhs %a : memref<2x8xi8, strided<[8, 1], offset: ?>>
      rhs %b : memref<8x20xi8, strided<[20, 1], offset: ?>>
      outs(%o : memref<2x20xi32>)
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

// -----

func.func @f(%l: memref<3x2x8xi8>, %r: memref<3x8x20xi8>, %s: memref<2x20xi32>, %o: memref<2x20xi32>, %i: index) {
  // expected-error @+1 {{'staging_width' must divide the columns of the tile}}
  ucmoh.pipeline 20 lhs %l : memref<3x2x8xi8> rhs %r : memref<3x8x20xi8>
    limits [%i, %i] staging %s width 3 : memref<2x20xi32>
  copy (%slot: index, %from: index) {
    ucmoh.yield
  } body (%a: memref<2x8xi8, strided<[8, 1], offset: ?>>, %b: memref<8x20xi8, strided<[20, 1], offset: ?>>) {
    ucmoh.tile @t::@i
      lhs %a : memref<2x8xi8, strided<[8, 1], offset: ?>>
      rhs %b : memref<8x20xi8, strided<[20, 1], offset: ?>>
      outs(%o : memref<2x20xi32>)
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

// -----

func.func @f(%l: memref<3x2x8xi8>, %r: memref<3x8x20xi8>, %s: memref<2x20xi32>, %o: memref<2x20xi32>, %i: index) {
  // expected-error @+1 {{must have one 'ucmoh.tile' and a 'ucmoh.yield' in its body}}
  ucmoh.pipeline 20 lhs %l : memref<3x2x8xi8> rhs %r : memref<3x8x20xi8>
    limits [%i, %i] staging %s width 4 : memref<2x20xi32>
  copy (%slot: index, %from: index) {
    ucmoh.yield
  } body (%a: memref<2x8xi8, strided<[8, 1], offset: ?>>, %b: memref<8x20xi8, strided<[20, 1], offset: ?>>) {
    ucmoh.yield
  }
  return
}

// -----

func.func @f(%l: memref<2x8xi8>, %r: memref<3x8x20xi8>, %s: memref<2x20xi32>, %o: memref<2x20xi32>, %i: index) {
  // expected-error @+1 {{lhs is 'memref<2x8xi8>', expected a view of 3 dimensions with static extents and strides}}
  ucmoh.pipeline 20 lhs %l : memref<2x8xi8> rhs %r : memref<3x8x20xi8>
    limits [%i, %i] staging %s width 4 : memref<2x20xi32>
  copy (%slot: index, %from: index) {
    ucmoh.yield
  } body (%a: memref<2x8xi8, strided<[8, 1], offset: ?>>, %b: memref<8x20xi8, strided<[20, 1], offset: ?>>) {
    ucmoh.tile @t::@i
      lhs %a : memref<2x8xi8, strided<[8, 1], offset: ?>>
      rhs %b : memref<8x20xi8, strided<[20, 1], offset: ?>>
      outs(%o : memref<2x20xi32>)
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

// -----

func.func @f(%l: memref<3x2x8xi8>, %r: memref<2x8x20xi8>, %s: memref<2x20xi32>, %o: memref<2x20xi32>, %i: index) {
  // expected-error @+1 {{lhs is 'memref<3x2x8xi8>' and rhs is 'memref<2x8x20xi8>', but they must have as many slots}}
  ucmoh.pipeline 20 lhs %l : memref<3x2x8xi8> rhs %r : memref<2x8x20xi8>
    limits [%i, %i] staging %s width 4 : memref<2x20xi32>
  copy (%slot: index, %from: index) {
    ucmoh.yield
  } body (%a: memref<2x8xi8, strided<[8, 1], offset: ?>>, %b: memref<8x20xi8, strided<[20, 1], offset: ?>>) {
    ucmoh.tile @t::@i
      lhs %a : memref<2x8xi8, strided<[8, 1], offset: ?>>
      rhs %b : memref<8x20xi8, strided<[20, 1], offset: ?>>
      outs(%o : memref<2x20xi32>)
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

// -----

func.func @f(%l: memref<3x2x8xi8>, %r: memref<3x8x20xi8>, %s: memref<2x20xi32>, %o: memref<2x20xi32>, %i: index) {
  // expected-error @+1 {{body takes 'memref<2x8xi8>', 'memref<8x20xi8, strided<[20, 1], offset: ?>>', expected a slot of lhs and one of rhs, 'memref<2x8xi8, strided<[8, 1], offset: ?>>', 'memref<8x20xi8, strided<[20, 1], offset: ?>>'}}
  ucmoh.pipeline 20 lhs %l : memref<3x2x8xi8> rhs %r : memref<3x8x20xi8>
    limits [%i, %i] staging %s width 4 : memref<2x20xi32>
  copy (%slot: index, %from: index) {
    ucmoh.yield
  } body (%a: memref<2x8xi8>, %b: memref<8x20xi8, strided<[20, 1], offset: ?>>) {
    ucmoh.tile @t::@i
      lhs %a : memref<2x8xi8>
      rhs %b : memref<8x20xi8, strided<[20, 1], offset: ?>>
      outs(%o : memref<2x20xi32>)
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

// -----

ucmoh.target @t triple("x86_64") features("") registers(32 x 512) {
  // expected-error @+1 {{intrinsic @dot: variable_m needs fragments of two dimensions, the first of 2 rows, but that of lhs is 'vector<8xi8>'}}
  ucmoh.intrinsic @dot shape [2, 4, 4] types(ui8, si8, si32) mnemonic("dot") k_interleave(4) variable_m
  load_lhs (%a: memref<?x?xi8>, %i: index, %k: index) {
    %f = vector.load %a[%i, %k] : memref<?x?xi8>, vector<8xi8>
    ucmoh.yield %f : vector<8xi8>
  }
  load_rhs (%b: memref<?x?xi8>, %k: index, %j: index) {
    %f = vector.load %b[%k, %j] : memref<?x?xi8>, vector<16xi8>
    ucmoh.yield %f : vector<16xi8>
  }
  load_acc (%c: memref<?x?xi32>, %i: index, %j: index) {
    %f = vector.load %c[%i, %j] : memref<?x?xi32>, vector<8xi32>
    ucmoh.yield %f : vector<8xi32>
  }
  zero () {
    %f = arith.constant dense<0> : vector<8xi32>
    ucmoh.yield %f : vector<8xi32>
  }
  compute (%a: vector<8xi8>, %b: vector<16xi8>, %c: vector<8xi32>) {
    ucmoh.yield %c : vector<8xi32>
  }
  store (%d: vector<8xi32>, %c: memref<?x?xi32>, %i: index, %j: index) {
    vector.store %d, %c[%i, %j] : memref<?x?xi32>, vector<8xi32>
    ucmoh.yield
  }
}

// -----

ucmoh.target @t triple("x86_64") features("") registers(16 x 128) {
  // expected-error @+1 {{async_copy @a: 'wait' is missing; write it, or name a copy that has it: like(@NAME)}}
  ucmoh.async_copy @a bytes(16)
  copy (%to: !llvm.ptr, %from: !llvm.ptr, %valid: i32) {
    ucmoh.yield
  }
  commit () {
    ucmoh.yield
  }
}

// -----

func.func @check(%a: tensor<4xf32>, %b: tensor<8xf32>) {
  // expected-error @+1 {{compares 'tensor<4xf32>' with 'tensor<8xf32>'; both must have the same shape and element type}}
  ucmoh.check %a, %b number 0 types [f32] : tensor<4xf32>, tensor<8xf32>
  return
}

// -----

func.func @f(%l: memref<2x10xi8>, %r: memref<10x32xi8>, %o0: memref<2x20xi32>) {
  // expected-error @+1 {{'ucmoh.streams' must be an integer of 1 to 10, the steps of the last loop of the reduction}}
  ucmoh.tile @t::@i
    lhs %l : memref<2x10xi8>
    rhs %r : memref<10x32xi8>
    outs(%o0 : memref<2x20xi32>) attributes {ucmoh.streams = 11 : i64}
    prologue () {
      %0 = arith.constant 0 : i32
      ucmoh.yield %0 : i32
    } epilogue (%acc: i32) {
      ucmoh.yield %acc : i32
    }
  return
}

// -----

ucmoh.target @t triple("x86_64") features("") registers(16 x 128) {
  // expected-error @+1 {{lookup @l: the body must take a table, vector<256xi8>, and places, a vector of i8}}
  ucmoh.lookup @l mnemonic("l")
  (%table: vector<128xi8>, %places: vector<16xi8>) {
    ucmoh.yield %places : vector<16xi8>
  }
}

// -----

ucmoh.target @t triple("x86_64") features("") registers(16 x 128) {
  // expected-error @+1 {{lookup @l: the body must yield a vector like that of the places}}
  ucmoh.lookup @l mnemonic("l")
  (%table: vector<256xi8>, %places: vector<16xi8>) {
    ucmoh.yield %table : vector<256xi8>
  }
}

// -----

ucmoh.target @t triple("x86_64") features("") registers(16 x 128) {
  ucmoh.lookup @l mnemonic("l")
  (%table: vector<256xi8>, %places: vector<16xi8>) {
    // expected-error @+1 {{has no intrinsic "llvm.none"}}
    %bytes = llvm.call_intrinsic "llvm.none"(%places) : (vector<16xi8>) -> vector<16xi8>
    ucmoh.yield %bytes : vector<16xi8>
  }
}
