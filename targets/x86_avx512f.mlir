// AVX-512 single precision: all CPUs with AVX-512.
// Semantics: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, by mnemonic.
// cost: typical of the machines under machines/ that execute it; ucmoh-probe measures a machine's own.

!f32_view = memref<?x?xf32, strided<[?, 1], offset: ?>>
!bf16_view = memref<?x?xbf16, strided<[?, 1], offset: ?>>

ucmoh.target @x86_avx512f triple("x86_64-unknown-linux-gnu") features("+avx512f") registers(32 x 512) {
  ucmoh.fragment @sums_f32x16 : vector<16xf32>
  load (%c: !f32_view, %i: index, %j: index) {
    %fragment = vector.load %c[%i, %j] : !f32_view, vector<16xf32>
    ucmoh.yield %fragment : vector<16xf32>
  }
  zero () {
    %fragment = arith.constant dense<0.0> : vector<16xf32>
    ucmoh.yield %fragment : vector<16xf32>
  }
  store (%d: vector<16xf32>, %c: !f32_view, %i: index, %j: index) {
    vector.store %d, %c[%i, %j] : !f32_view, vector<16xf32>
    ucmoh.yield
  }

  ucmoh.fragment @broadcast_f32x16 : vector<16xf32>
  load (%a: !f32_view, %i: index, %k: index) {
    %scalar = memref.load %a[%i, %k] : !f32_view
    %fragment = vector.broadcast %scalar : f32 to vector<16xf32>
    ucmoh.yield %fragment : vector<16xf32>
  }

  // f32 outer product: one element of lhs times a row of rhs.
  ucmoh.intrinsic @vfmadd_512 shape [1, 16, 1] types(f32, f32, f32) mnemonic("vfmadd") cost(4.0, 0.75)
  lhs @broadcast_f32x16 acc @sums_f32x16
  load_rhs (%b: !f32_view, %k: index, %j: index) {
    %fragment = vector.load %b[%k, %j] : !f32_view, vector<16xf32>
    ucmoh.yield %fragment : vector<16xf32>
  }
  compute (%a: vector<16xf32>, %b: vector<16xf32>, %c: vector<16xf32>) {
    %d = vector.fma %a, %b, %c : vector<16xf32>
    ucmoh.yield %d : vector<16xf32>
  }

  // The same with a row of bf16, which two instructions widen for all rows of a register tile. The cost is that of four
  // rows: few rows wait for memory, which sends half as much.
  ucmoh.intrinsic @vfmadd_512_bf16 shape [1, 16, 1] types(f32, bf16, f32) mnemonic("vfmadd") cost(4.0, 1.0)
  lhs @broadcast_f32x16 acc @sums_f32x16
  load_rhs (%b: !bf16_view, %k: index, %j: index) {
    %fragment = vector.load %b[%k, %j] : !bf16_view, vector<16xbf16>
    ucmoh.yield %fragment : vector<16xbf16>
  }
  compute (%a: vector<16xf32>, %b: vector<16xbf16>, %c: vector<16xf32>) {
    %wide = arith.extf %b : vector<16xbf16> to vector<16xf32>
    %d = vector.fma %a, %wide, %c : vector<16xf32>
    ucmoh.yield %d : vector<16xf32>
  }
}
