// AVX-512 single precision: all CPUs with AVX-512.
// Semantics: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, by mnemonic.
// cost: typical of the machines under machines/ that execute it; ucmoh-probe measures a machine's own.

!f32_view = memref<?x?xf32, strided<[?, 1], offset: ?>>

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

  // f32 outer product: one element of lhs times a row of rhs.
  ucmoh.intrinsic @vfmadd_512 shape [1, 16, 1] types(f32, f32, f32) mnemonic("vfmadd") cost(4.0, 0.75)
  acc @sums_f32x16
  load_lhs (%a: !f32_view, %i: index, %k: index) {
    %scalar = memref.load %a[%i, %k] : !f32_view
    %fragment = vector.broadcast %scalar : f32 to vector<16xf32>
    ucmoh.yield %fragment : vector<16xf32>
  }
  load_rhs (%b: !f32_view, %k: index, %j: index) {
    %fragment = vector.load %b[%k, %j] : !f32_view, vector<16xf32>
    ucmoh.yield %fragment : vector<16xf32>
  }
  compute (%a: vector<16xf32>, %b: vector<16xf32>, %c: vector<16xf32>) {
    %d = vector.fma %a, %b, %c : vector<16xf32>
    ucmoh.yield %d : vector<16xf32>
  }
}
