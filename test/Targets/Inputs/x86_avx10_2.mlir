// AVX10.2, products of signed 8-bit integers on 512-bit registers.
// Semantics: Intel Advanced Vector Extensions 10.2 Architecture Specification, vpdpbssd.

!i8_view = memref<?x?xi8, strided<[?, 1], offset: ?>>
!i32_view = memref<?x?xi32, strided<[?, 1], offset: ?>>

ucmoh.target @x86_avx10_2 triple("x86_64-unknown-linux-gnu") features("+avx10.2") registers(32 x 512) {
  // s8 x s8: four products and the accumulator are added without saturation.
  ucmoh.intrinsic @vpdpbssd_512 shape [1, 16, 4] types(si8, si8, si32) mnemonic("vpdpbssd") rhs_pack(4)
  load_lhs (%a: !i8_view, %i: index, %k: index) {
    %steps = vector.load %a[%i, %k] : !i8_view, vector<4xi8>
    %word = vector.bitcast %steps : vector<4xi8> to vector<1xi32>
    %scalar = vector.extract %word[0] : i32 from vector<1xi32>
    %words = vector.broadcast %scalar : i32 to vector<16xi32>
    %fragment = vector.bitcast %words : vector<16xi32> to vector<64xi8>
    ucmoh.yield %fragment : vector<64xi8>
  }
  load_rhs (%b: !i8_view, %k: index, %j: index) {
    %fragment = vector.load %b[%k, %j] : !i8_view, vector<64xi8>
    ucmoh.yield %fragment : vector<64xi8>
  }
  load_acc (%c: !i32_view, %i: index, %j: index) {
    %fragment = vector.load %c[%i, %j] : !i32_view, vector<16xi32>
    ucmoh.yield %fragment : vector<16xi32>
  }
  zero () {
    %fragment = arith.constant dense<0> : vector<16xi32>
    ucmoh.yield %fragment : vector<16xi32>
  }
  compute (%a: vector<64xi8>, %b: vector<64xi8>, %c: vector<16xi32>) {
    %d = llvm.call_intrinsic "llvm.x86.avx10.vpdpbssd.512"(%c, %a, %b) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
    ucmoh.yield %d : vector<16xi32>
  }
  store (%d: vector<16xi32>, %c: !i32_view, %i: index, %j: index) {
    vector.store %d, %c[%i, %j] : !i32_view, vector<16xi32>
    ucmoh.yield
  }
}
