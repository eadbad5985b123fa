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

func.func @element(%a: memref<64xi16>, %i: index) -> vector<64xi8> {
  // expected-error @+1 {{lhs elements are 'i16', but @vpdpbusd_512 has 'i8'}}
  %x = ucmoh.load lhs @x86_avx512_vnni::@vpdpbusd_512 %a[%i] : memref<64xi16> -> vector<64xi8>
  return %x : vector<64xi8>
}

// -----

func.func @valid(%a: memref<64xi8>, %i: index) -> vector<64xi8> {
  // expected-error @+1 {{'valid' [1, 5] exceeds the fragment of [1, 4]}}
  %x = ucmoh.load lhs @x86_avx512_vnni::@vpdpbusd_512 %a[%i] valid [1, 5] : memref<64xi8> -> vector<64xi8>
  return %x : vector<64xi8>
}

// -----

func.func @tile(%a: memref<20xi16>, %b: memref<384xi8>, %c: memref<40xi32>, %i: index) {
  // expected-error @+1 {{lhs elements are 'i16', but @vpdpbusd_512 has 'i8'}}
  ucmoh.tile @x86_avx512_vnni::@vpdpbusd_512 [2, 20] reduction [10] unroll 1
    lhs %a[%i] strides [10, 1] : memref<20xi16>
    rhs %b[%i] strides [4, 32] : memref<384xi8>
    extras() [] strides []
    outs(%c) [%i] strides [20, 1] : memref<40xi32>
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
func.func @variable_m(%a: memref<960xi8>, %b: memref<1024xi8>, %i: index) -> !amx.tile<15x16xi32> {
  %x = ucmoh.load lhs @x86_amx_int8::@tdpbssd %a[%i] stride 64 : memref<960xi8> -> !amx.tile<15x64xi8>
  %y = ucmoh.load rhs @x86_amx_int8::@tdpbssd %b[%i] stride 64 : memref<1024xi8> -> !amx.tile<16x64xi8>
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

func.func @valid_of_fewer(%a: memref<960xi8>, %i: index) -> !amx.tile<15x64xi8> {
  // expected-error @+1 {{'valid' [16, 5] exceeds the fragment of [15, 64]}}
  %x = ucmoh.load lhs @x86_amx_int8::@tdpbssd %a[%i] stride 64 valid [16, 5] : memref<960xi8> -> !amx.tile<15x64xi8>
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
