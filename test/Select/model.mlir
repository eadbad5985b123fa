// The learned model decides where its data has the target's intrinsics, under whatever name; the
// roofline elsewhere, or where it is asked for.
// RUN: ucmoh-opt %s --ucmoh-select="target=x86_avx512_vnni@zen4" | FileCheck %s --check-prefix=LEARNED
// RUN: ucmoh-opt %s --ucmoh-select="target=x86_avxvnni" | FileCheck %s --check-prefix=LEARNED
// RUN: ucmoh-opt %s --ucmoh-select="target=x86_avx512bw+x86_avx2_fma" | FileCheck %s --check-prefix=LEARNED
// RUN: ucmoh-opt %s --ucmoh-select="target=x86_amx_int8" | FileCheck %s --check-prefix=LEARNED
// RUN: ucmoh-opt %s --ucmoh-select="target=x86_amx_int8+x86_avx512_vnni" | FileCheck %s --check-prefix=LEARNED
// RUN: ucmoh-opt %s --ucmoh-select="target=aarch64_dotprod" | FileCheck %s --check-prefix=ROOFLINE
// RUN: ucmoh-opt %s --ucmoh-select="target=aarch64_dotprod+aarch64_i8mm" | FileCheck %s --check-prefix=ROOFLINE
// RUN: ucmoh-opt %s --ucmoh-select="target=nvidia_sm80" | FileCheck %s --check-prefix=ROOFLINE
// RUN: ucmoh-opt %s --ucmoh-select="target=x86_avx512_vnni model=analytic" | FileCheck %s --check-prefix=ROOFLINE
// RUN: ucmoh-opt %s --ucmoh-select="target=aarch64_dotprod model=embedded" | FileCheck %s --check-prefix=LEARNED

// LEARNED: model = "embedded@{{[0-9a-f]+}}"
// ROOFLINE: model = "analytic"
func.func @f(%a: tensor<64x128xi8>, %b: tensor<128x256xi8>, %c: tensor<64x256xi32>) -> tensor<64x256xi32> {
  %r = linalg.matmul ins(%a, %b : tensor<64x128xi8>, tensor<128x256xi8>) outs(%c : tensor<64x256xi32>) -> tensor<64x256xi32>
  return %r : tensor<64x256xi32>
}
