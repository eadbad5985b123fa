// AVX2 with FMA: Haswell, Zen and later.
// Semantics: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, by mnemonic.
// cost: typical of the machines under machines/ that execute it; ucmoh-probe measures a machine's own.

!i8_view = memref<?x?xi8, strided<[?, 1], offset: ?>>
!i16_view = memref<?x?xi16, strided<[?, 1], offset: ?>>
!i32_view = memref<?x?xi32, strided<[?, 1], offset: ?>>
!f32_view = memref<?x?xf32, strided<[?, 1], offset: ?>>
!bf16_view = memref<?x?xbf16, strided<[?, 1], offset: ?>>

ucmoh.target @x86_avx2_fma triple("x86_64-unknown-linux-gnu") features("+avx2,+fma") registers(16 x 256) {
  ucmoh.fragment @broadcast_i8x4 : vector<32xi8>
  load (%a: !i8_view, %i: index, %k: index) {
    %steps = vector.load %a[%i, %k] : !i8_view, vector<4xi8>
    %word = vector.bitcast %steps : vector<4xi8> to vector<1xi32>
    %scalar = vector.extract %word[0] : i32 from vector<1xi32>
    %words = vector.broadcast %scalar : i32 to vector<8xi32>
    %fragment = vector.bitcast %words : vector<8xi32> to vector<32xi8>
    ucmoh.yield %fragment : vector<32xi8>
  }

  ucmoh.fragment @panel_i8x32 : vector<32xi8>
  load (%b: !i8_view, %k: index, %j: index) {
    %fragment = vector.load %b[%k, %j] : !i8_view, vector<32xi8>
    ucmoh.yield %fragment : vector<32xi8>
  }

  ucmoh.fragment @broadcast_i16x2 : vector<16xi16>
  load (%a: !i16_view, %i: index, %k: index) {
    %steps = vector.load %a[%i, %k] : !i16_view, vector<2xi16>
    %word = vector.bitcast %steps : vector<2xi16> to vector<1xi32>
    %scalar = vector.extract %word[0] : i32 from vector<1xi32>
    %words = vector.broadcast %scalar : i32 to vector<8xi32>
    %fragment = vector.bitcast %words : vector<8xi32> to vector<16xi16>
    ucmoh.yield %fragment : vector<16xi16>
  }

  ucmoh.fragment @panel_i16x16 : vector<16xi16>
  load (%b: !i16_view, %k: index, %j: index) {
    %fragment = vector.load %b[%k, %j] : !i16_view, vector<16xi16>
    ucmoh.yield %fragment : vector<16xi16>
  }

  ucmoh.fragment @panel_i8x16 : vector<16xi8>
  load (%b: !i8_view, %k: index, %j: index) {
    %fragment = vector.load %b[%k, %j] : !i8_view, vector<16xi8>
    ucmoh.yield %fragment : vector<16xi8>
  }

  ucmoh.fragment @sums_i32x8 : vector<8xi32>
  load (%c: !i32_view, %i: index, %j: index) {
    %fragment = vector.load %c[%i, %j] : !i32_view, vector<8xi32>
    ucmoh.yield %fragment : vector<8xi32>
  }
  zero () {
    %fragment = arith.constant dense<0> : vector<8xi32>
    ucmoh.yield %fragment : vector<8xi32>
  }
  store (%d: vector<8xi32>, %c: !i32_view, %i: index, %j: index) {
    vector.store %d, %c[%i, %j] : !i32_view, vector<8xi32>
    ucmoh.yield
  }

  ucmoh.fragment @broadcast_f32x8 : vector<8xf32>
  load (%a: !f32_view, %i: index, %k: index) {
    %scalar = memref.load %a[%i, %k] : !f32_view
    %fragment = vector.broadcast %scalar : f32 to vector<8xf32>
    ucmoh.yield %fragment : vector<8xf32>
  }

  ucmoh.fragment @sums_f32x8 : vector<8xf32>
  load (%c: !f32_view, %i: index, %j: index) {
    %fragment = vector.load %c[%i, %j] : !f32_view, vector<8xf32>
    ucmoh.yield %fragment : vector<8xf32>
  }
  zero () {
    %fragment = arith.constant dense<0.0> : vector<8xf32>
    ucmoh.yield %fragment : vector<8xf32>
  }
  store (%d: vector<8xf32>, %c: !f32_view, %i: index, %j: index) {
    vector.store %d, %c[%i, %j] : !f32_view, vector<8xf32>
    ucmoh.yield
  }

  // f32 outer product: one element of lhs times a row of rhs.
  ucmoh.intrinsic @vfmadd_256 shape [1, 8, 1] types(f32, f32, f32) mnemonic("vfmadd") cost(4.0, 0.5)
  lhs @broadcast_f32x8 acc @sums_f32x8
  load_rhs (%b: !f32_view, %k: index, %j: index) {
    %fragment = vector.load %b[%k, %j] : !f32_view, vector<8xf32>
    ucmoh.yield %fragment : vector<8xf32>
  }
  compute (%a: vector<8xf32>, %b: vector<8xf32>, %c: vector<8xf32>) {
    %d = vector.fma %a, %b, %c : vector<8xf32>
    ucmoh.yield %d : vector<8xf32>
  }

  // The same with a row of bf16, which two instructions widen for all rows of a register tile. The cost is that of four
  // rows: few rows wait for memory, which sends half as much.
  ucmoh.intrinsic @vfmadd_256_bf16 shape [1, 8, 1] types(f32, bf16, f32) mnemonic("vfmadd") cost(4.0, 0.75)
  lhs @broadcast_f32x8 acc @sums_f32x8
  load_rhs (%b: !bf16_view, %k: index, %j: index) {
    %fragment = vector.load %b[%k, %j] : !bf16_view, vector<8xbf16>
    ucmoh.yield %fragment : vector<8xbf16>
  }
  compute (%a: vector<8xf32>, %b: vector<8xbf16>, %c: vector<8xf32>) {
    %wide = arith.extf %b : vector<8xbf16> to vector<8xf32>
    %d = vector.fma %a, %wide, %c : vector<8xf32>
    ucmoh.yield %d : vector<8xf32>
  }

  // s16 x s16, for CPUs without VNNI: exact for bytes that were extended to 16 bits.
  ucmoh.intrinsic @vpmaddwd_256 shape [1, 8, 2] types(si16, si16, si32) mnemonic("vpmaddwd") k_interleave(2) cost(1.0, 0.62)
  lhs @broadcast_i16x2 rhs @panel_i16x16 acc @sums_i32x8
  compute (%a: vector<16xi16>, %b: vector<16xi16>, %c: vector<8xi32>) {
    %products = llvm.call_intrinsic "llvm.x86.avx2.pmadd.wd"(%a, %b) : (vector<16xi16>, vector<16xi16>) -> vector<8xi32>
    %d = arith.addi %c, %products : vector<8xi32>
    ucmoh.yield %d : vector<8xi32>
  }

  // s16 x s8: the same instruction for a rhs of bytes, which takes half the memory of one of 16 bits.
  // All rows of a tile share the extension, which the load of a vector does.
  ucmoh.intrinsic @vpmaddwd_256_s8 shape [1, 8, 2] types(si16, si8, si32) mnemonic("vpmaddwd") k_interleave(2) cost(1.0, 0.62)
  lhs @broadcast_i16x2 rhs @panel_i8x16 acc @sums_i32x8
  compute (%a: vector<16xi16>, %b: vector<16xi8>, %c: vector<8xi32>) {
    %extended = arith.extsi %b : vector<16xi8> to vector<16xi16>
    %products = llvm.call_intrinsic "llvm.x86.avx2.pmadd.wd"(%a, %extended) : (vector<16xi16>, vector<16xi16>) -> vector<8xi32>
    %d = arith.addi %c, %products : vector<8xi32>
    ucmoh.yield %d : vector<8xi32>
  }

  // u8 x s8, for CPUs without VNNI: pairs of products are added with saturation at 16 bits.
  ucmoh.intrinsic @vpmaddubsw_256 shape [1, 8, 4] types(ui8, si8, si32) mnemonic("vpmaddubsw") partial_sums(2 x si16) k_interleave(4) cost(1.0, 0.95)
  lhs @broadcast_i8x4 rhs @panel_i8x32 acc @sums_i32x8
  compute (%a: vector<32xi8>, %b: vector<32xi8>, %c: vector<8xi32>) {
    %ones = arith.constant dense<1> : vector<16xi16>
    %pairs = llvm.call_intrinsic "llvm.x86.avx2.pmadd.ub.sw"(%a, %b) : (vector<32xi8>, vector<32xi8>) -> vector<16xi16>
    %products = llvm.call_intrinsic "llvm.x86.avx2.pmadd.wd"(%pairs, %ones) : (vector<16xi16>, vector<16xi16>) -> vector<8xi32>
    %d = arith.addi %c, %products : vector<8xi32>
    ucmoh.yield %d : vector<8xi32>
  }

  // s8 x u8: the same instruction, the panel being its unsigned operand.
  ucmoh.intrinsic @vpmaddubsw_256_su shape [1, 8, 4] types(si8, ui8, si32) mnemonic("vpmaddubsw") partial_sums(2 x si16) k_interleave(4) cost(1.0, 0.95)
  lhs @broadcast_i8x4 rhs @panel_i8x32 acc @sums_i32x8
  compute (%a: vector<32xi8>, %b: vector<32xi8>, %c: vector<8xi32>) {
    %ones = arith.constant dense<1> : vector<16xi16>
    %pairs = llvm.call_intrinsic "llvm.x86.avx2.pmadd.ub.sw"(%b, %a) : (vector<32xi8>, vector<32xi8>) -> vector<16xi16>
    %products = llvm.call_intrinsic "llvm.x86.avx2.pmadd.wd"(%pairs, %ones) : (vector<16xi16>, vector<16xi16>) -> vector<8xi32>
    %d = arith.addi %c, %products : vector<8xi32>
    ucmoh.yield %d : vector<8xi32>
  }

  // 16 bytes of the table at a time. A place below what was subtracted is negative, and finds 0. A place above finds its
  // byte of each part so far: parts hold what they differ by from the one before.
  ucmoh.lookup @vpshufb_256 mnemonic("vpshufb")
  (%table: vector<256xi8>, %places: vector<32xi8>) {
    %0 = vector.shuffle %table, %table [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15] : vector<256xi8>, vector<256xi8>
    %1 = vector.shuffle %table, %table [16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31] : vector<256xi8>, vector<256xi8>
    %2 = vector.shuffle %table, %table [32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47] : vector<256xi8>, vector<256xi8>
    %3 = vector.shuffle %table, %table [48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63] : vector<256xi8>, vector<256xi8>
    %4 = vector.shuffle %table, %table [64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79] : vector<256xi8>, vector<256xi8>
    %5 = vector.shuffle %table, %table [80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95] : vector<256xi8>, vector<256xi8>
    %6 = vector.shuffle %table, %table [96, 97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 96, 97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111] : vector<256xi8>, vector<256xi8>
    %7 = vector.shuffle %table, %table [112, 113, 114, 115, 116, 117, 118, 119, 120, 121, 122, 123, 124, 125, 126, 127, 112, 113, 114, 115, 116, 117, 118, 119, 120, 121, 122, 123, 124, 125, 126, 127] : vector<256xi8>, vector<256xi8>
    %8 = vector.shuffle %table, %table [128, 129, 130, 131, 132, 133, 134, 135, 136, 137, 138, 139, 140, 141, 142, 143, 128, 129, 130, 131, 132, 133, 134, 135, 136, 137, 138, 139, 140, 141, 142, 143] : vector<256xi8>, vector<256xi8>
    %9 = vector.shuffle %table, %table [144, 145, 146, 147, 148, 149, 150, 151, 152, 153, 154, 155, 156, 157, 158, 159, 144, 145, 146, 147, 148, 149, 150, 151, 152, 153, 154, 155, 156, 157, 158, 159] : vector<256xi8>, vector<256xi8>
    %10 = vector.shuffle %table, %table [160, 161, 162, 163, 164, 165, 166, 167, 168, 169, 170, 171, 172, 173, 174, 175, 160, 161, 162, 163, 164, 165, 166, 167, 168, 169, 170, 171, 172, 173, 174, 175] : vector<256xi8>, vector<256xi8>
    %11 = vector.shuffle %table, %table [176, 177, 178, 179, 180, 181, 182, 183, 184, 185, 186, 187, 188, 189, 190, 191, 176, 177, 178, 179, 180, 181, 182, 183, 184, 185, 186, 187, 188, 189, 190, 191] : vector<256xi8>, vector<256xi8>
    %12 = vector.shuffle %table, %table [192, 193, 194, 195, 196, 197, 198, 199, 200, 201, 202, 203, 204, 205, 206, 207, 192, 193, 194, 195, 196, 197, 198, 199, 200, 201, 202, 203, 204, 205, 206, 207] : vector<256xi8>, vector<256xi8>
    %13 = vector.shuffle %table, %table [208, 209, 210, 211, 212, 213, 214, 215, 216, 217, 218, 219, 220, 221, 222, 223, 208, 209, 210, 211, 212, 213, 214, 215, 216, 217, 218, 219, 220, 221, 222, 223] : vector<256xi8>, vector<256xi8>
    %14 = vector.shuffle %table, %table [224, 225, 226, 227, 228, 229, 230, 231, 232, 233, 234, 235, 236, 237, 238, 239, 224, 225, 226, 227, 228, 229, 230, 231, 232, 233, 234, 235, 236, 237, 238, 239] : vector<256xi8>, vector<256xi8>
    %15 = vector.shuffle %table, %table [240, 241, 242, 243, 244, 245, 246, 247, 248, 249, 250, 251, 252, 253, 254, 255, 240, 241, 242, 243, 244, 245, 246, 247, 248, 249, 250, 251, 252, 253, 254, 255] : vector<256xi8>, vector<256xi8>
    %part1 = arith.xori %1, %0 : vector<32xi8>
    %part2 = arith.xori %2, %1 : vector<32xi8>
    %part3 = arith.xori %3, %2 : vector<32xi8>
    %part4 = arith.xori %4, %3 : vector<32xi8>
    %part5 = arith.xori %5, %4 : vector<32xi8>
    %part6 = arith.xori %6, %5 : vector<32xi8>
    %part7 = arith.xori %7, %6 : vector<32xi8>
    %part9 = arith.xori %9, %8 : vector<32xi8>
    %part10 = arith.xori %10, %9 : vector<32xi8>
    %part11 = arith.xori %11, %10 : vector<32xi8>
    %part12 = arith.xori %12, %11 : vector<32xi8>
    %part13 = arith.xori %13, %12 : vector<32xi8>
    %part14 = arith.xori %14, %13 : vector<32xi8>
    %part15 = arith.xori %15, %14 : vector<32xi8>
    %step = arith.constant dense<16> : vector<32xi8>
    %sign = arith.constant dense<-128> : vector<32xi8>
    %high = arith.xori %places, %sign : vector<32xi8>
    %found0 = llvm.call_intrinsic "llvm.x86.avx2.pshuf.b"(%0, %places) : (vector<32xi8>, vector<32xi8>) -> vector<32xi8>
    %place1 = llvm.call_intrinsic "llvm.ssub.sat.v32i8"(%places, %step) : (vector<32xi8>, vector<32xi8>) -> vector<32xi8>
    %found1 = llvm.call_intrinsic "llvm.x86.avx2.pshuf.b"(%part1, %place1) : (vector<32xi8>, vector<32xi8>) -> vector<32xi8>
    %bytes1 = arith.xori %found0, %found1 : vector<32xi8>
    %place2 = llvm.call_intrinsic "llvm.ssub.sat.v32i8"(%place1, %step) : (vector<32xi8>, vector<32xi8>) -> vector<32xi8>
    %found2 = llvm.call_intrinsic "llvm.x86.avx2.pshuf.b"(%part2, %place2) : (vector<32xi8>, vector<32xi8>) -> vector<32xi8>
    %bytes2 = arith.xori %bytes1, %found2 : vector<32xi8>
    %place3 = llvm.call_intrinsic "llvm.ssub.sat.v32i8"(%place2, %step) : (vector<32xi8>, vector<32xi8>) -> vector<32xi8>
    %found3 = llvm.call_intrinsic "llvm.x86.avx2.pshuf.b"(%part3, %place3) : (vector<32xi8>, vector<32xi8>) -> vector<32xi8>
    %bytes3 = arith.xori %bytes2, %found3 : vector<32xi8>
    %place4 = llvm.call_intrinsic "llvm.ssub.sat.v32i8"(%place3, %step) : (vector<32xi8>, vector<32xi8>) -> vector<32xi8>
    %found4 = llvm.call_intrinsic "llvm.x86.avx2.pshuf.b"(%part4, %place4) : (vector<32xi8>, vector<32xi8>) -> vector<32xi8>
    %bytes4 = arith.xori %bytes3, %found4 : vector<32xi8>
    %place5 = llvm.call_intrinsic "llvm.ssub.sat.v32i8"(%place4, %step) : (vector<32xi8>, vector<32xi8>) -> vector<32xi8>
    %found5 = llvm.call_intrinsic "llvm.x86.avx2.pshuf.b"(%part5, %place5) : (vector<32xi8>, vector<32xi8>) -> vector<32xi8>
    %bytes5 = arith.xori %bytes4, %found5 : vector<32xi8>
    %place6 = llvm.call_intrinsic "llvm.ssub.sat.v32i8"(%place5, %step) : (vector<32xi8>, vector<32xi8>) -> vector<32xi8>
    %found6 = llvm.call_intrinsic "llvm.x86.avx2.pshuf.b"(%part6, %place6) : (vector<32xi8>, vector<32xi8>) -> vector<32xi8>
    %bytes6 = arith.xori %bytes5, %found6 : vector<32xi8>
    %place7 = llvm.call_intrinsic "llvm.ssub.sat.v32i8"(%place6, %step) : (vector<32xi8>, vector<32xi8>) -> vector<32xi8>
    %found7 = llvm.call_intrinsic "llvm.x86.avx2.pshuf.b"(%part7, %place7) : (vector<32xi8>, vector<32xi8>) -> vector<32xi8>
    %bytes7 = arith.xori %bytes6, %found7 : vector<32xi8>
    %found8 = llvm.call_intrinsic "llvm.x86.avx2.pshuf.b"(%8, %high) : (vector<32xi8>, vector<32xi8>) -> vector<32xi8>
    %bytes8 = arith.xori %bytes7, %found8 : vector<32xi8>
    %place9 = llvm.call_intrinsic "llvm.ssub.sat.v32i8"(%high, %step) : (vector<32xi8>, vector<32xi8>) -> vector<32xi8>
    %found9 = llvm.call_intrinsic "llvm.x86.avx2.pshuf.b"(%part9, %place9) : (vector<32xi8>, vector<32xi8>) -> vector<32xi8>
    %bytes9 = arith.xori %bytes8, %found9 : vector<32xi8>
    %place10 = llvm.call_intrinsic "llvm.ssub.sat.v32i8"(%place9, %step) : (vector<32xi8>, vector<32xi8>) -> vector<32xi8>
    %found10 = llvm.call_intrinsic "llvm.x86.avx2.pshuf.b"(%part10, %place10) : (vector<32xi8>, vector<32xi8>) -> vector<32xi8>
    %bytes10 = arith.xori %bytes9, %found10 : vector<32xi8>
    %place11 = llvm.call_intrinsic "llvm.ssub.sat.v32i8"(%place10, %step) : (vector<32xi8>, vector<32xi8>) -> vector<32xi8>
    %found11 = llvm.call_intrinsic "llvm.x86.avx2.pshuf.b"(%part11, %place11) : (vector<32xi8>, vector<32xi8>) -> vector<32xi8>
    %bytes11 = arith.xori %bytes10, %found11 : vector<32xi8>
    %place12 = llvm.call_intrinsic "llvm.ssub.sat.v32i8"(%place11, %step) : (vector<32xi8>, vector<32xi8>) -> vector<32xi8>
    %found12 = llvm.call_intrinsic "llvm.x86.avx2.pshuf.b"(%part12, %place12) : (vector<32xi8>, vector<32xi8>) -> vector<32xi8>
    %bytes12 = arith.xori %bytes11, %found12 : vector<32xi8>
    %place13 = llvm.call_intrinsic "llvm.ssub.sat.v32i8"(%place12, %step) : (vector<32xi8>, vector<32xi8>) -> vector<32xi8>
    %found13 = llvm.call_intrinsic "llvm.x86.avx2.pshuf.b"(%part13, %place13) : (vector<32xi8>, vector<32xi8>) -> vector<32xi8>
    %bytes13 = arith.xori %bytes12, %found13 : vector<32xi8>
    %place14 = llvm.call_intrinsic "llvm.ssub.sat.v32i8"(%place13, %step) : (vector<32xi8>, vector<32xi8>) -> vector<32xi8>
    %found14 = llvm.call_intrinsic "llvm.x86.avx2.pshuf.b"(%part14, %place14) : (vector<32xi8>, vector<32xi8>) -> vector<32xi8>
    %bytes14 = arith.xori %bytes13, %found14 : vector<32xi8>
    %place15 = llvm.call_intrinsic "llvm.ssub.sat.v32i8"(%place14, %step) : (vector<32xi8>, vector<32xi8>) -> vector<32xi8>
    %found15 = llvm.call_intrinsic "llvm.x86.avx2.pshuf.b"(%part15, %place15) : (vector<32xi8>, vector<32xi8>) -> vector<32xi8>
    %bytes15 = arith.xori %bytes14, %found15 : vector<32xi8>
    ucmoh.yield %bytes15 : vector<32xi8>
  }
}
