// Intel AMX, f16: Granite Rapids and later Xeons.
// Semantics: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, by mnemonic, and volume 1,
// chapter "Programming with Intel AMX"; AMX-FP16 is in "Intel Architecture Instruction Set Extensions and Future Features".
// Fragments are tiles of 16 rows, or of fewer, of 64 bytes; LLVM sets their shapes (ldtilecfg) once per function.
// Eight tile registers: 2 x 2 tiles of the result, two of the right operand, one of the left.
// Linux gives a process the 8 KiB of tile registers only when asked: arch_prctl (158), ARCH_REQ_XCOMP_PERM (0x1023), state
// TILEDATA (18) of XSAVE.
// cost: typical of the machines under machines/ that execute it; ucmoh-probe measures a machine's own.

!f16_view = memref<?x?xf16, strided<[?, 1], offset: ?>>

ucmoh.target @x86_amx_fp16 triple("x86_64-unknown-linux-gnu") features("+amx-tile,+amx-fp16") registers(8 x 8192) permission([158, 4131, 18]) {
  ucmoh.fragment @tile_16x32_f16 : !amx.tile<16x32xf16>
  load (%a: !f16_view, %i: index, %k: index) {
    %tile = amx.tile_load %a[%i, %k] : !f16_view into !amx.tile<16x32xf16>
    ucmoh.yield %tile : !amx.tile<16x32xf16>
  }

  // f16 x f16 -> f32; subnormal results count as zero, rounding is to nearest even. Sums of even and of odd steps are
  // formed apart and added at the end.
  ucmoh.intrinsic @tdpfp16ps shape [16, 16, 32] types(f16, f16, f32) mnemonic("tdpfp16ps") k_interleave(2) variable_m cost(16.0, 16.0)
  lhs @tile_16x32_f16 rhs @tile_16x32_f16 acc @x86_amx_bf16::@sums_16x16_f32
  compute (%a: !amx.tile<16x32xf16>, %b: !amx.tile<16x32xf16>, %c: !amx.tile<16x16xf32>) {
    %d = amx.tile_mulf %a, %b, %c : !amx.tile<16x32xf16>, !amx.tile<16x32xf16>, !amx.tile<16x16xf32>
    ucmoh.yield %d : !amx.tile<16x16xf32>
  }
}
