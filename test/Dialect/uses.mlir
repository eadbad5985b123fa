// RUN: ucmoh-opt %s --ucmoh-tensorize --ucmoh-lower --split-input-file --verify-diagnostics=only-expected

// Ops against intrinsics that only the passes can see: those of the target files.

func.func @unknown() -> vector<16xi32> {
  // expected-error @+1 {{unknown intrinsic @x86_avx512_vnni::@vpdpbusd_1024; known targets: @}}
  %z = ucmoh.zero @x86_avx512_vnni::@vpdpbusd_1024 : vector<16xi32>
  return %z : vector<16xi32>
}

// -----

func.func @fragment() -> vector<8xi32> {
  // expected-error @+1 {{acc fragment is 'vector<8xi32>', but @vpdpbusd_512 has 'vector<16xi32>'}}
  %z = ucmoh.zero @x86_avx512_vnni::@vpdpbusd_512 : vector<8xi32>
  return %z : vector<8xi32>
}

// -----

func.func @operand(%a: vector<32xi8>, %b: vector<64xi8>, %c: vector<16xi32>) -> vector<16xi32> {
  // expected-error @+1 {{lhs fragment is 'vector<32xi8>', but @vpdpbusd_512 has 'vector<64xi8>'}}
  %d = ucmoh.compute @x86_avx512_vnni::@vpdpbusd_512 %a, %b, %c : vector<32xi8>, vector<64xi8>, vector<16xi32>
  return %d : vector<16xi32>
}

// -----

func.func @element(%a: memref<1x4xi16>) -> vector<64xi8> {
  // expected-error @+1 {{lhs elements are 'i16', but @vpdpbusd_512 has 'i8'}}
  %x = ucmoh.load lhs @x86_avx512_vnni::@vpdpbusd_512 %a : memref<1x4xi16> -> vector<64xi8>
  return %x : vector<64xi8>
}

// -----

func.func @exceeds(%a: memref<1x5xi8>) -> vector<64xi8> {
  // expected-error @+1 {{view is 'memref<1x5xi8>', which exceeds the fragment of 1 x 4}}
  %x = ucmoh.load lhs @x86_avx512_vnni::@vpdpbusd_512 %a : memref<1x5xi8> -> vector<64xi8>
  return %x : vector<64xi8>
}

// -----

func.func @tile_elements(%l: memref<2x10xi16>, %r: memref<3x128xi8>, %o: memref<2x20xi32>) {
  // expected-error @+1 {{lhs elements are 'i16', but @vpdpbusd_512 has 'i8'}}
  ucmoh.tile @x86_avx512_vnni::@vpdpbusd_512
    lhs %l : memref<2x10xi16>
    rhs %r : memref<3x128xi8>
    outs(%o : memref<2x20xi32>)
    prologue () {
      %0 = arith.constant 0 : i32
      ucmoh.yield %0 : i32
    } epilogue (%acc: i32) {
      ucmoh.yield %acc : i32
    }
  return
}

// -----

func.func @tile_lhs_rows(%l: memref<3x10xi8>, %r: memref<3x128xi8>, %o: memref<2x20xi32>) {
  // expected-error @+1 {{the number of rows of lhs is 3, expected 2}}
  ucmoh.tile @x86_avx512_vnni::@vpdpbusd_512
    lhs %l : memref<3x10xi8>
    rhs %r : memref<3x128xi8>
    outs(%o : memref<2x20xi32>)
    prologue () {
      %0 = arith.constant 0 : i32
      ucmoh.yield %0 : i32
    } epilogue (%acc: i32) {
      ucmoh.yield %acc : i32
    }
  return
}

// -----

func.func @tile_rhs_rows(%l: memref<2x10xi8>, %r: memref<10x128xi8>, %o: memref<2x20xi32>) {
  // expected-error @+1 {{the number of rows of rhs is 10, expected 3}}
  ucmoh.tile @x86_avx512_vnni::@vpdpbusd_512
    lhs %l : memref<2x10xi8>
    rhs %r : memref<10x128xi8>
    outs(%o : memref<2x20xi32>)
    prologue () {
      %0 = arith.constant 0 : i32
      ucmoh.yield %0 : i32
    } epilogue (%acc: i32) {
      ucmoh.yield %acc : i32
    }
  return
}

// -----

func.func @tile_rhs_columns(%l: memref<2x10xi8>, %r: memref<3x80xi8>, %o: memref<2x20xi32>) {
  // expected-error @+1 {{the length of rows of rhs is 80, expected 128}}
  ucmoh.tile @x86_avx512_vnni::@vpdpbusd_512
    lhs %l : memref<2x10xi8>
    rhs %r : memref<3x80xi8>
    outs(%o : memref<2x20xi32>)
    prologue () {
      %0 = arith.constant 0 : i32
      ucmoh.yield %0 : i32
    } epilogue (%acc: i32) {
      ucmoh.yield %acc : i32
    }
  return
}

// -----

// Fragments may have fewer rows, but all of a computation the same kind.
func.func @variable_m(%a: memref<15x64xi8>, %b: memref<16x64xi8>) -> !amx.tile<15x16xi32> {
  %x = ucmoh.load lhs @x86_amx_int8::@tdpbssd %a : memref<15x64xi8> -> !amx.tile<15x64xi8>
  %y = ucmoh.load rhs @x86_amx_int8::@tdpbssd %b : memref<16x64xi8> -> !amx.tile<16x64xi8>
  %z = ucmoh.zero @x86_amx_int8::@tdpbssd : !amx.tile<15x16xi32>
  %d = ucmoh.compute @x86_amx_int8::@tdpbssd %x, %y, %z : !amx.tile<15x64xi8>, !amx.tile<16x64xi8>, !amx.tile<15x16xi32>
  return %d : !amx.tile<15x16xi32>
}

// -----

func.func @fewer_columns() -> !amx.tile<15x8xi32> {
  // expected-error @+1 {{acc fragment is '!amx.tile<15x8xi32>', but @tdpbssd has '!amx.tile<16x16xi32>' or fewer rows}}
  %z = ucmoh.zero @x86_amx_int8::@tdpbssd : !amx.tile<15x8xi32>
  return %z : !amx.tile<15x8xi32>
}

// -----

func.func @exceeds_fewer(%a: memref<16x5xi8>) -> !amx.tile<15x64xi8> {
  // expected-error @+1 {{view is 'memref<16x5xi8>', which exceeds the fragment of 15 x 64}}
  %x = ucmoh.load lhs @x86_amx_int8::@tdpbssd %a : memref<16x5xi8> -> !amx.tile<15x64xi8>
  return %x : !amx.tile<15x64xi8>
}

// -----

module {
  module @inner {
    func.func @not_of_the_module(%c: memref<16xi32>) {
      // expected-error @+1 {{is outlined, and must be in a function of the module for that}}
      ucmoh.kernel "contract" outs(%c : memref<16xi32>) attributes {outlined} (%C: memref<16xi32>) {
        ucmoh.yield
      }
      return
    }
  }
}
