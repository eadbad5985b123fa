// An intrinsic that saturates between products is rejected unless the operands are known to be small, and a remark says so.
// It takes part where they are; what does not saturate is taken where the target has it at the same price.
// RUN: ucmoh-opt %s --ucmoh-select="target=x86_avx2_fma@zen4 model=analytic" --remarks-filter=ucmoh --remark-format=emitRemark --mlir-disable-threading 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks
// RUN: ucmoh-opt %s --ucmoh-select="target=x86_avx512_vnni+x86_avx512vl_vnni+x86_avx512bw+x86_avx2_fma@zen4 model=analytic" | FileCheck %s --check-prefix=VNNI

// Weights that know products of 16 bits are asked about those whose one operand is extended from bytes.
// RUN: ucmoh-opt %s --ucmoh-select="target=x86_avx2_fma@zen4 model=auto" | FileCheck %s --check-prefix=AUTO
// AUTO-COUNT-2: model = "embedded@
// AUTO-NOT: model = "analytic

// REMARK: remark: {{\[Passed\]}} chosen {{.*}}Function=unknown {{.*}}x86_avx2_fma::vpmaddwd_256{{(_s8)?}} tile
// REMARK: remark: {{\[Analysis\]}} rejected {{.*}}Function=unknown {{.*}}x86_avx2_fma::vpmaddubsw_256 adds 2 products in s16, which may not hold them: lhs is known to be in [0, 255], rhs in [-128, 127]
// CHECK-LABEL: func.func @unknown(
// CHECK: intrinsic = @x86_avx2_fma::@vpmaddwd_256
// VNNI-LABEL: func.func @unknown(
// VNNI: intrinsic = @x86_avx512{{(vl)?}}_vnni::@
func.func @unknown(%a: tensor<64x128xi8>, %b: tensor<128x256xi8> {ucmoh.weight}, %f: tensor<64x256xi32>) -> tensor<64x256xi32> {
  %r = linalg.matmul ins(%a, %b : tensor<64x128xi8>, tensor<128x256xi8>) outs(%f : tensor<64x256xi32>) -> tensor<64x256xi32>
  return %r : tensor<64x256xi32>
}

// REMARK: remark: {{\[Passed\]}} chosen {{.*}}Function=small {{.*}}x86_avx2_fma::vpmaddubsw_256 tile
// REMARK: remark: {{\[Analysis\]}} rejected {{.*}}Function=small {{.*}}"x86_avx2_fma::vpmaddubsw_256_su adds
// CHECK-LABEL: func.func @small(
// CHECK: intrinsic = @x86_avx2_fma::@vpmaddubsw_256,
// VNNI-LABEL: func.func @small(
// VNNI: intrinsic = @x86_avx512{{(vl)?}}_vnni::@
func.func @small(%a: tensor<64x128xi8>, %b: tensor<128x256xi8> {ucmoh.weight}, %f: tensor<64x256xi32>) -> tensor<64x256xi32> {
  %least = arith.constant dense<-64> : tensor<128x256xi8>
  %most = arith.constant dense<64> : tensor<128x256xi8>
  %c = arith.maxsi %b, %least : tensor<128x256xi8>
  %d = arith.minsi %c, %most : tensor<128x256xi8>
  %r = linalg.matmul ins(%a, %d : tensor<64x128xi8>, tensor<128x256xi8>) outs(%f : tensor<64x256xi32>) -> tensor<64x256xi32>
  return %r : tensor<64x256xi32>
}
