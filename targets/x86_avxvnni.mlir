// AVX-VNNI, the VEX-encoded form on 256-bit registers: Alder Lake, Sapphire Rapids, Zen 5.
// Semantics: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, by mnemonic.
// fast-dpwssd: LLVM would otherwise split vpdpwssd into vpmaddwd and vpaddd where that shortens a chain.
// The left operand is read straight from memory, one 32-bit word broadcast to all columns.
// cost: typical of the machines under machines/ that execute it; ucmoh-probe measures a machine's own.

!i8_view = memref<?x?xi8, strided<[?, 1], offset: ?>>
!i16_view = memref<?x?xi16, strided<[?, 1], offset: ?>>
!i32_view = memref<?x?xi32, strided<[?, 1], offset: ?>>

ucmoh.target @x86_avxvnni triple("x86_64-unknown-linux-gnu") features("+avx2,+avxvnni") tuning("+fast-dpwssd") registers(16 x 256) {
  // u8 x s8: four products and the accumulator are added without saturation.
  ucmoh.intrinsic @vpdpbusd_256 shape [1, 8, 4] types(ui8, si8, si32) mnemonic("vpdpbusd") rhs_pack(4) cost(4.25, 0.5)
  load_lhs (%a: !i8_view, %i: index, %k: index) {
    %steps = vector.load %a[%i, %k] : !i8_view, vector<4xi8>
    %word = vector.bitcast %steps : vector<4xi8> to vector<1xi32>
    %scalar = vector.extract %word[0] : i32 from vector<1xi32>
    %words = vector.broadcast %scalar : i32 to vector<8xi32>
    %fragment = vector.bitcast %words : vector<8xi32> to vector<32xi8>
    ucmoh.yield %fragment : vector<32xi8>
  }
  load_rhs (%b: !i8_view, %k: index, %j: index) {
    %fragment = vector.load %b[%k, %j] : !i8_view, vector<32xi8>
    ucmoh.yield %fragment : vector<32xi8>
  }
  load_acc (%c: !i32_view, %i: index, %j: index) {
    %fragment = vector.load %c[%i, %j] : !i32_view, vector<8xi32>
    ucmoh.yield %fragment : vector<8xi32>
  }
  zero () {
    %fragment = arith.constant dense<0> : vector<8xi32>
    ucmoh.yield %fragment : vector<8xi32>
  }
  compute (%a: vector<32xi8>, %b: vector<32xi8>, %c: vector<8xi32>) {
    %d = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(%c, %a, %b) : (vector<8xi32>, vector<32xi8>, vector<32xi8>) -> vector<8xi32>
    ucmoh.yield %d : vector<8xi32>
  }
  store (%d: vector<8xi32>, %c: !i32_view, %i: index, %j: index) {
    vector.store %d, %c[%i, %j] : !i32_view, vector<8xi32>
    ucmoh.yield
  }

  // s8 x u8: the same instruction, the panel being its unsigned operand.
  ucmoh.intrinsic @vpdpbusd_256_su shape [1, 8, 4] types(si8, ui8, si32) mnemonic("vpdpbusd") rhs_pack(4) cost(4.25, 0.5)
  load_lhs (%a: !i8_view, %i: index, %k: index) {
    %steps = vector.load %a[%i, %k] : !i8_view, vector<4xi8>
    %word = vector.bitcast %steps : vector<4xi8> to vector<1xi32>
    %scalar = vector.extract %word[0] : i32 from vector<1xi32>
    %words = vector.broadcast %scalar : i32 to vector<8xi32>
    %fragment = vector.bitcast %words : vector<8xi32> to vector<32xi8>
    ucmoh.yield %fragment : vector<32xi8>
  }
  load_rhs (%b: !i8_view, %k: index, %j: index) {
    %fragment = vector.load %b[%k, %j] : !i8_view, vector<32xi8>
    ucmoh.yield %fragment : vector<32xi8>
  }
  load_acc (%c: !i32_view, %i: index, %j: index) {
    %fragment = vector.load %c[%i, %j] : !i32_view, vector<8xi32>
    ucmoh.yield %fragment : vector<8xi32>
  }
  zero () {
    %fragment = arith.constant dense<0> : vector<8xi32>
    ucmoh.yield %fragment : vector<8xi32>
  }
  compute (%a: vector<32xi8>, %b: vector<32xi8>, %c: vector<8xi32>) {
    %d = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(%c, %b, %a) : (vector<8xi32>, vector<32xi8>, vector<32xi8>) -> vector<8xi32>
    ucmoh.yield %d : vector<8xi32>
  }
  store (%d: vector<8xi32>, %c: !i32_view, %i: index, %j: index) {
    vector.store %d, %c[%i, %j] : !i32_view, vector<8xi32>
    ucmoh.yield
  }

  // s16 x s16; modulo 2^32, as the sum of two products may be 2^31.
  ucmoh.intrinsic @vpdpwssd_256 shape [1, 8, 2] types(si16, si16, si32) mnemonic("vpdpwssd") rhs_pack(2) cost(4.25, 0.5)
  load_lhs (%a: !i16_view, %i: index, %k: index) {
    %steps = vector.load %a[%i, %k] : !i16_view, vector<2xi16>
    %word = vector.bitcast %steps : vector<2xi16> to vector<1xi32>
    %scalar = vector.extract %word[0] : i32 from vector<1xi32>
    %words = vector.broadcast %scalar : i32 to vector<8xi32>
    %fragment = vector.bitcast %words : vector<8xi32> to vector<16xi16>
    ucmoh.yield %fragment : vector<16xi16>
  }
  load_rhs (%b: !i16_view, %k: index, %j: index) {
    %fragment = vector.load %b[%k, %j] : !i16_view, vector<16xi16>
    ucmoh.yield %fragment : vector<16xi16>
  }
  load_acc (%c: !i32_view, %i: index, %j: index) {
    %fragment = vector.load %c[%i, %j] : !i32_view, vector<8xi32>
    ucmoh.yield %fragment : vector<8xi32>
  }
  zero () {
    %fragment = arith.constant dense<0> : vector<8xi32>
    ucmoh.yield %fragment : vector<8xi32>
  }
  compute (%a: vector<16xi16>, %b: vector<16xi16>, %c: vector<8xi32>) {
    %d = llvm.call_intrinsic "llvm.x86.avx512.vpdpwssd.256"(%c, %a, %b) : (vector<8xi32>, vector<16xi16>, vector<16xi16>) -> vector<8xi32>
    ucmoh.yield %d : vector<8xi32>
  }
  store (%d: vector<8xi32>, %c: !i32_view, %i: index, %j: index) {
    vector.store %d, %c[%i, %j] : !i32_view, vector<8xi32>
    ucmoh.yield
  }
}
