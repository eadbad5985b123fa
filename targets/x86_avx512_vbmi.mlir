// AVX-512 VBMI, bytes that change places: Ice Lake, Sapphire Rapids, Zen 4, Zen 5.
// Semantics: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, by mnemonic.
// It has no intrinsics that multiply.

ucmoh.target @x86_avx512_vbmi triple("x86_64-unknown-linux-gnu") features("+avx512f,+avx512bw,+avx512vbmi") registers(32 x 512) {
  // Seven bits of a place choose a byte of two registers, the eighth chooses the pair of registers.
  ucmoh.lookup @vpermi2b_512 mnemonic("vpermi2b")
  (%table: vector<256xi8>, %places: vector<64xi8>) {
    %0 = vector.extract_strided_slice %table {offsets = [0], sizes = [64], strides = [1]} : vector<256xi8> to vector<64xi8>
    %1 = vector.extract_strided_slice %table {offsets = [64], sizes = [64], strides = [1]} : vector<256xi8> to vector<64xi8>
    %2 = vector.extract_strided_slice %table {offsets = [128], sizes = [64], strides = [1]} : vector<256xi8> to vector<64xi8>
    %3 = vector.extract_strided_slice %table {offsets = [192], sizes = [64], strides = [1]} : vector<256xi8> to vector<64xi8>
    %low = llvm.call_intrinsic "llvm.x86.avx512.vpermi2var.qi.512"(%0, %places, %1) : (vector<64xi8>, vector<64xi8>, vector<64xi8>) -> vector<64xi8>
    %high = llvm.call_intrinsic "llvm.x86.avx512.vpermi2var.qi.512"(%2, %places, %3) : (vector<64xi8>, vector<64xi8>, vector<64xi8>) -> vector<64xi8>
    %zero = arith.constant dense<0> : vector<64xi8>
    %isHigh = arith.cmpi slt, %places, %zero : vector<64xi8>
    %bytes = arith.select %isHigh, %high, %low : vector<64xi1>, vector<64xi8>
    ucmoh.yield %bytes : vector<64xi8>
  }
}
