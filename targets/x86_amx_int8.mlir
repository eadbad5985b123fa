// Intel AMX, 8-bit integers: Sapphire Rapids and later Xeons.
// Semantics: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, by mnemonic, and volume 1,
// chapter "Programming with Intel AMX".
// Fragments are tiles of 16 rows, or of fewer, of 64 bytes; LLVM sets their shapes (ldtilecfg) once per function.
// Eight tile registers: 2 x 2 tiles of the result, two of the right operand, one of the left.
// Linux gives a process the 8 KiB of tile registers only when asked: arch_prctl (158), ARCH_REQ_XCOMP_PERM (0x1023), state
// TILEDATA (18) of XSAVE.
// cost: typical of the machines under machines/ that execute it; ucmoh-probe measures a machine's own.

!i8_view = memref<?x?xi8, strided<[?, 1], offset: ?>>
!i32_view = memref<?x?xi32, strided<[?, 1], offset: ?>>

ucmoh.target @x86_amx_int8 triple("x86_64-unknown-linux-gnu") features("+amx-tile,+amx-int8") registers(8 x 8192) permission([158, 4131, 18]) {
  ucmoh.fragment @tile_16x64_i8 : !amx.tile<16x64xi8>
  load (%a: !i8_view, %i: index, %k: index) {
    %tile = amx.tile_load %a[%i, %k] : !i8_view into !amx.tile<16x64xi8>
    ucmoh.yield %tile : !amx.tile<16x64xi8>
  }

  ucmoh.fragment @sums_16x16_i32 : !amx.tile<16x16xi32>
  load (%c: !i32_view, %i: index, %j: index) {
    %tile = amx.tile_load %c[%i, %j] : !i32_view into !amx.tile<16x16xi32>
    ucmoh.yield %tile : !amx.tile<16x16xi32>
  }
  zero () {
    %tile = amx.tile_zero : !amx.tile<16x16xi32>
    ucmoh.yield %tile : !amx.tile<16x16xi32>
  }
  store (%d: !amx.tile<16x16xi32>, %c: !i32_view, %i: index, %j: index) {
    amx.tile_store %c[%i, %j], %d : !i32_view, !amx.tile<16x16xi32>
    ucmoh.yield
  }

  // s8 x s8: four products and the accumulator are added modulo 2^32.
  ucmoh.intrinsic @tdpbssd shape [16, 16, 64] types(si8, si8, si32) mnemonic("tdpbssd") k_interleave(4) variable_m cost(16.0, 16.0)
  lhs @tile_16x64_i8 rhs @tile_16x64_i8 acc @sums_16x16_i32
  compute (%a: !amx.tile<16x64xi8>, %b: !amx.tile<16x64xi8>, %c: !amx.tile<16x16xi32>) {
    %d = amx.tile_muli %a, %b, %c : !amx.tile<16x64xi8>, !amx.tile<16x64xi8>, !amx.tile<16x16xi32>
    ucmoh.yield %d : !amx.tile<16x16xi32>
  }

  // s8 x u8: four products and the accumulator are added modulo 2^32.
  ucmoh.intrinsic @tdpbsud shape [16, 16, 64] types(si8, ui8, si32) mnemonic("tdpbsud") k_interleave(4) variable_m cost(16.0, 16.0)
  lhs @tile_16x64_i8 rhs @tile_16x64_i8 acc @sums_16x16_i32
  compute (%a: !amx.tile<16x64xi8>, %b: !amx.tile<16x64xi8>, %c: !amx.tile<16x16xi32>) {
    %d = amx.tile_muli %a, %b zext, %c : !amx.tile<16x64xi8>, !amx.tile<16x64xi8>, !amx.tile<16x16xi32>
    ucmoh.yield %d : !amx.tile<16x16xi32>
  }

  // u8 x s8: four products and the accumulator are added modulo 2^32.
  ucmoh.intrinsic @tdpbusd shape [16, 16, 64] types(ui8, si8, si32) mnemonic("tdpbusd") k_interleave(4) variable_m cost(16.0, 16.0)
  lhs @tile_16x64_i8 rhs @tile_16x64_i8 acc @sums_16x16_i32
  compute (%a: !amx.tile<16x64xi8>, %b: !amx.tile<16x64xi8>, %c: !amx.tile<16x16xi32>) {
    %d = amx.tile_muli %a zext, %b, %c : !amx.tile<16x64xi8>, !amx.tile<16x64xi8>, !amx.tile<16x16xi32>
    ucmoh.yield %d : !amx.tile<16x16xi32>
  }

  // u8 x u8: four products and the accumulator are added modulo 2^32.
  ucmoh.intrinsic @tdpbuud shape [16, 16, 64] types(ui8, ui8, si32) mnemonic("tdpbuud") k_interleave(4) variable_m cost(16.0, 16.0)
  lhs @tile_16x64_i8 rhs @tile_16x64_i8 acc @sums_16x16_i32
  compute (%a: !amx.tile<16x64xi8>, %b: !amx.tile<16x64xi8>, %c: !amx.tile<16x16xi32>) {
    %d = amx.tile_muli %a zext, %b zext, %c : !amx.tile<16x64xi8>, !amx.tile<16x64xi8>, !amx.tile<16x16xi32>
    ucmoh.yield %d : !amx.tile<16x16xi32>
  }
}
