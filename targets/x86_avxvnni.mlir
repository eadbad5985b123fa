// AVX-VNNI, the VEX-encoded form on 256-bit registers: Alder Lake, Sapphire Rapids, Zen 5.
// Semantics: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, by mnemonic.
// cost: typical of the machines under machines/ that execute it; ucmoh-probe measures a machine's own.

ucmoh.target @x86_avxvnni extends([@x86_avx512vl_vnni]) triple("x86_64-unknown-linux-gnu") features("+avx2,+avxvnni") tuning("+fast-dpwssd") registers(16 x 256) {}
