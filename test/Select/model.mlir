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
// It has no measurements with three threads, and is asked about one of them.
// RUN: ucmoh-opt %s --ucmoh-select="target=x86_avx512_vnni@zen4 threads=3" --remarks-filter=ucmoh --remark-format=emitRemark 2>%t.remarks | FileCheck %s --check-prefix=LEARNED
// RUN: FileCheck %s --check-prefix=THREADS --input-file=%t.remarks
// THREADS: for zen4@{{[0-9a-f]+}} by embedded@{{.*}}; no measurement with 3 threads was learned from: the model is asked about the thread that has most to do
// On a machine that the weights have not seen they order an intrinsic's programs, and say so.
// RUN: ucmoh-opt %s --ucmoh-select="target=x86_avx512_vnni@default" --remarks-filter=ucmoh --remark-format=emitRemark 2>%t.remarks | FileCheck %s --check-prefix=LEARNED
// RUN: FileCheck %s --check-prefix=UNSEEN --input-file=%t.remarks
// UNSEEN: no machine like 'default' was learned from: the roofline chooses the intrinsic, the learned model its tiles

// LEARNED: model = "embedded@{{[0-9a-f]+}}"
// ROOFLINE: model = "analytic"
func.func @f(%a: tensor<64x128xi8>, %b: tensor<128x256xi8>, %c: tensor<64x256xi32>) -> tensor<64x256xi32> {
  %r = linalg.matmul ins(%a, %b : tensor<64x128xi8>, tensor<128x256xi8>) outs(%c : tensor<64x256xi32>) -> tensor<64x256xi32>
  return %r : tensor<64x256xi32>
}
