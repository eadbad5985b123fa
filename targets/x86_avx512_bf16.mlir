// AVX512-BF16: Cooper Lake, Sapphire Rapids, Zen 4, Zen 5.
// Semantics: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, by mnemonic.
// The left operand is read straight from memory, one 32-bit word broadcast to all columns.
// cost: typical of the machines under machines/ that execute it; ucmoh-probe measures a machine's own.

!bf16_view = memref<?x?xbf16, strided<[?, 1], offset: ?>>

ucmoh.target @x86_avx512_bf16 triple("x86_64-unknown-linux-gnu") features("+avx512f,+avx512bf16") registers(32 x 512) {
  // bf16 x bf16 -> f32; subnormal inputs and results count as zero, rounding is to nearest even.
  ucmoh.intrinsic @vdpbf16ps_512 shape [1, 16, 2] types(bf16, bf16, f32) mnemonic("vdpbf16ps") k_interleave(2) cost(6.5, 1.0)
  acc @x86_avx512f::@sums_f32x16
  load_lhs (%a: !bf16_view, %i: index, %k: index) {
    %steps = vector.load %a[%i, %k] : !bf16_view, vector<2xbf16>
    %word = vector.bitcast %steps : vector<2xbf16> to vector<1xi32>
    %scalar = vector.extract %word[0] : i32 from vector<1xi32>
    %words = vector.broadcast %scalar : i32 to vector<16xi32>
    %fragment = vector.bitcast %words : vector<16xi32> to vector<32xbf16>
    ucmoh.yield %fragment : vector<32xbf16>
  }
  load_rhs (%b: !bf16_view, %k: index, %j: index) {
    %fragment = vector.load %b[%k, %j] : !bf16_view, vector<32xbf16>
    ucmoh.yield %fragment : vector<32xbf16>
  }
  compute (%a: vector<32xbf16>, %b: vector<32xbf16>, %c: vector<16xf32>) {
    %d = llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(%c, %a, %b) : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
    ucmoh.yield %d : vector<16xf32>
  }
}
