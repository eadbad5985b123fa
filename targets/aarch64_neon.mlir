// Advanced SIMD as every AArch64 processor has it.
// Semantics: Arm Architecture Reference Manual for A-profile, A64 SIMD&FP instructions, by mnemonic.
// cost: typical of the machines under machines/ that execute it; ucmoh-probe measures a machine's own.

!i16_view = memref<?x?xi16, strided<[?, 1], offset: ?>>
!i32_view = memref<?x?xi32, strided<[?, 1], offset: ?>>
!f32_view = memref<?x?xf32, strided<[?, 1], offset: ?>>

ucmoh.target @aarch64_neon triple("aarch64-unknown-linux-gnu") features("+neon") registers(32 x 128) {
  ucmoh.fragment @sums_f32x4 : vector<4xf32>
  load (%c: !f32_view, %i: index, %j: index) {
    %fragment = vector.load %c[%i, %j] : !f32_view, vector<4xf32>
    ucmoh.yield %fragment : vector<4xf32>
  }
  zero () {
    %fragment = arith.constant dense<0.0> : vector<4xf32>
    ucmoh.yield %fragment : vector<4xf32>
  }
  store (%d: vector<4xf32>, %c: !f32_view, %i: index, %j: index) {
    vector.store %d, %c[%i, %j] : !f32_view, vector<4xf32>
    ucmoh.yield
  }

  // f32 outer product: one element of lhs times a row of rhs.
  ucmoh.intrinsic @fmla shape [1, 4, 1] types(f32, f32, f32) mnemonic("fmla") cost(2.0, 0.25)
  acc @sums_f32x4
  load_lhs (%a: !f32_view, %i: index, %k: index) {
    %scalar = memref.load %a[%i, %k] : !f32_view
    %fragment = vector.broadcast %scalar : f32 to vector<4xf32>
    ucmoh.yield %fragment : vector<4xf32>
  }
  load_rhs (%b: !f32_view, %k: index, %j: index) {
    %fragment = vector.load %b[%k, %j] : !f32_view, vector<4xf32>
    ucmoh.yield %fragment : vector<4xf32>
  }
  compute (%a: vector<4xf32>, %b: vector<4xf32>, %c: vector<4xf32>) {
    %d = vector.fma %b, %a, %c : vector<4xf32>
    ucmoh.yield %d : vector<4xf32>
  }

  // Two steps from one load of lhs, each an operand by element: no broadcast, which would take a vector unit.
  ucmoh.intrinsic @fmla_x2 shape [1, 4, 2] types(f32, f32, f32) mnemonic("fmla") cost(4.0, 0.5)
  acc @sums_f32x4
  load_lhs (%a: !f32_view, %i: index, %k: index) {
    %fragment = vector.load %a[%i, %k] : !f32_view, vector<2xf32>
    ucmoh.yield %fragment : vector<2xf32>
  }
  load_rhs (%b: !f32_view, %k: index, %j: index) {
    %one = arith.constant 1 : index
    %next = arith.addi %k, %one : index
    %f0 = arith.constant dense<0.0> : vector<2x4xf32>
    %b0 = vector.load %b[%k, %j] : !f32_view, vector<4xf32>
    %f1 = vector.insert %b0, %f0 [0] : vector<4xf32> into vector<2x4xf32>
    %b1 = vector.load %b[%next, %j] : !f32_view, vector<4xf32>
    %f2 = vector.insert %b1, %f1 [1] : vector<4xf32> into vector<2x4xf32>
    ucmoh.yield %f2 : vector<2x4xf32>
  }
  compute (%a: vector<2xf32>, %b: vector<2x4xf32>, %c: vector<4xf32>) {
    %s0 = vector.extract %a[0] : f32 from vector<2xf32>
    %a0 = vector.broadcast %s0 : f32 to vector<4xf32>
    %b0 = vector.extract %b[0] : vector<4xf32> from vector<2x4xf32>
    %d0 = vector.fma %b0, %a0, %c : vector<4xf32>
    %s1 = vector.extract %a[1] : f32 from vector<2xf32>
    %a1 = vector.broadcast %s1 : f32 to vector<4xf32>
    %b1 = vector.extract %b[1] : vector<4xf32> from vector<2x4xf32>
    %d1 = vector.fma %b1, %a1, %d0 : vector<4xf32>
    ucmoh.yield %d1 : vector<4xf32>
  }

  // s16 x s16: exact for bytes that were extended to 16 bits; eight columns as two halves.
  ucmoh.intrinsic @smlal shape [1, 8, 1] types(si16, si16, si32) mnemonic("smlal") cost(1.0, 1.0)
  load_lhs (%a: !i16_view, %i: index, %k: index) {
    %scalar = memref.load %a[%i, %k] : !i16_view
    %fragment = vector.broadcast %scalar : i16 to vector<8xi16>
    ucmoh.yield %fragment : vector<8xi16>
  }
  load_rhs (%b: !i16_view, %k: index, %j: index) {
    %fragment = vector.load %b[%k, %j] : !i16_view, vector<8xi16>
    ucmoh.yield %fragment : vector<8xi16>
  }
  load_acc (%c: !i32_view, %i: index, %j: index) {
    %fragment = vector.load %c[%i, %j] : !i32_view, vector<8xi32>
    ucmoh.yield %fragment : vector<8xi32>
  }
  zero () {
    %fragment = arith.constant dense<0> : vector<8xi32>
    ucmoh.yield %fragment : vector<8xi32>
  }
  compute (%a: vector<8xi16>, %b: vector<8xi16>, %c: vector<8xi32>) {
    %a_low = vector.extract_strided_slice %a {offsets = [0], sizes = [4], strides = [1]} : vector<8xi16> to vector<4xi16>
    %a_high = vector.extract_strided_slice %a {offsets = [4], sizes = [4], strides = [1]} : vector<8xi16> to vector<4xi16>
    %b_low = vector.extract_strided_slice %b {offsets = [0], sizes = [4], strides = [1]} : vector<8xi16> to vector<4xi16>
    %b_high = vector.extract_strided_slice %b {offsets = [4], sizes = [4], strides = [1]} : vector<8xi16> to vector<4xi16>
    %low = arm_neon.intr.smull %a_low, %b_low : vector<4xi16> to vector<4xi32>
    %high = arm_neon.intr.smull %a_high, %b_high : vector<4xi16> to vector<4xi32>
    %products = vector.shuffle %low, %high [0, 1, 2, 3, 4, 5, 6, 7] : vector<4xi32>, vector<4xi32>
    %d = arith.addi %c, %products : vector<8xi32>
    ucmoh.yield %d : vector<8xi32>
  }
  store (%d: vector<8xi32>, %c: !i32_view, %i: index, %j: index) {
    vector.store %d, %c[%i, %j] : !i32_view, vector<8xi32>
    ucmoh.yield
  }

  // 64 bytes of the table at a time: places beyond them leave what was found before.
  ucmoh.lookup @tbl4 mnemonic("tbl")
  (%table: vector<256xi8>, %places: vector<16xi8>) {
    %0 = vector.extract_strided_slice %table {offsets = [0], sizes = [16], strides = [1]} : vector<256xi8> to vector<16xi8>
    %1 = vector.extract_strided_slice %table {offsets = [16], sizes = [16], strides = [1]} : vector<256xi8> to vector<16xi8>
    %2 = vector.extract_strided_slice %table {offsets = [32], sizes = [16], strides = [1]} : vector<256xi8> to vector<16xi8>
    %3 = vector.extract_strided_slice %table {offsets = [48], sizes = [16], strides = [1]} : vector<256xi8> to vector<16xi8>
    %4 = vector.extract_strided_slice %table {offsets = [64], sizes = [16], strides = [1]} : vector<256xi8> to vector<16xi8>
    %5 = vector.extract_strided_slice %table {offsets = [80], sizes = [16], strides = [1]} : vector<256xi8> to vector<16xi8>
    %6 = vector.extract_strided_slice %table {offsets = [96], sizes = [16], strides = [1]} : vector<256xi8> to vector<16xi8>
    %7 = vector.extract_strided_slice %table {offsets = [112], sizes = [16], strides = [1]} : vector<256xi8> to vector<16xi8>
    %8 = vector.extract_strided_slice %table {offsets = [128], sizes = [16], strides = [1]} : vector<256xi8> to vector<16xi8>
    %9 = vector.extract_strided_slice %table {offsets = [144], sizes = [16], strides = [1]} : vector<256xi8> to vector<16xi8>
    %10 = vector.extract_strided_slice %table {offsets = [160], sizes = [16], strides = [1]} : vector<256xi8> to vector<16xi8>
    %11 = vector.extract_strided_slice %table {offsets = [176], sizes = [16], strides = [1]} : vector<256xi8> to vector<16xi8>
    %12 = vector.extract_strided_slice %table {offsets = [192], sizes = [16], strides = [1]} : vector<256xi8> to vector<16xi8>
    %13 = vector.extract_strided_slice %table {offsets = [208], sizes = [16], strides = [1]} : vector<256xi8> to vector<16xi8>
    %14 = vector.extract_strided_slice %table {offsets = [224], sizes = [16], strides = [1]} : vector<256xi8> to vector<16xi8>
    %15 = vector.extract_strided_slice %table {offsets = [240], sizes = [16], strides = [1]} : vector<256xi8> to vector<16xi8>
    %step = arith.constant dense<64> : vector<16xi8>
    %first = llvm.call_intrinsic "llvm.aarch64.neon.tbl4.v16i8"(%0, %1, %2, %3, %places) : (vector<16xi8>, vector<16xi8>, vector<16xi8>, vector<16xi8>, vector<16xi8>) -> vector<16xi8>
    %behind64 = arith.subi %places, %step : vector<16xi8>
    %second = llvm.call_intrinsic "llvm.aarch64.neon.tbx4.v16i8"(%first, %4, %5, %6, %7, %behind64) : (vector<16xi8>, vector<16xi8>, vector<16xi8>, vector<16xi8>, vector<16xi8>, vector<16xi8>) -> vector<16xi8>
    %behind128 = arith.subi %behind64, %step : vector<16xi8>
    %third = llvm.call_intrinsic "llvm.aarch64.neon.tbx4.v16i8"(%second, %8, %9, %10, %11, %behind128) : (vector<16xi8>, vector<16xi8>, vector<16xi8>, vector<16xi8>, vector<16xi8>, vector<16xi8>) -> vector<16xi8>
    %behind192 = arith.subi %behind128, %step : vector<16xi8>
    %bytes = llvm.call_intrinsic "llvm.aarch64.neon.tbx4.v16i8"(%third, %12, %13, %14, %15, %behind192) : (vector<16xi8>, vector<16xi8>, vector<16xi8>, vector<16xi8>, vector<16xi8>, vector<16xi8>) -> vector<16xi8>
    ucmoh.yield %bytes : vector<16xi8>
  }
}
