// What has no legal candidate stays as it was; a remark says why, and it is no error.
// RUN: ucmoh-opt %s --tensorize-with-cost-model="target=x86_avx512_vnni+x86_avx512f@zen4" --remarks-filter=ucmoh --remark-format=emitRemark --mlir-disable-threading 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks

// REMARK: remark: {{\[Missed\]}} left alone {{.*}}Function=dynamic {{.*}}a dimension is dynamic
// CHECK-LABEL: func.func @dynamic(
// CHECK: linalg.conv_1d_nwc_wcf
func.func @dynamic(%a: tensor<1x?x32xi8>, %b: tensor<3x32x16xi8>, %f: tensor<1x?x16xi32>) -> tensor<1x?x16xi32> {
  %r = linalg.conv_1d_nwc_wcf ins(%a, %b : tensor<1x?x32xi8>, tensor<3x32x16xi8>)
    outs(%f : tensor<1x?x16xi32>) -> tensor<1x?x16xi32>
  return %r : tensor<1x?x16xi32>
}

// REMARK: remark: {{\[Missed\]}} left alone {{.*}}Function=empty {{.*}}a dimension is empty
// CHECK-LABEL: func.func @empty(
// CHECK: linalg.matmul
func.func @empty(%a: tensor<0x32xi8>, %b: tensor<32x16xi8>, %f: tensor<0x16xi32>) -> tensor<0x16xi32> {
  %r = linalg.matmul ins(%a, %b : tensor<0x32xi8>, tensor<32x16xi8>) outs(%f : tensor<0x16xi32>) -> tensor<0x16xi32>
  return %r : tensor<0x16xi32>
}

// REMARK: remark: {{\[Missed\]}} left alone {{.*}}Function=huge {{.*}}its size does not fit 64 bits
// CHECK-LABEL: func.func @huge(
// CHECK: linalg.matmul
func.func @huge(%a: tensor<4611686018427387904x32xi8>, %b: tensor<32x16xi8>, %f: tensor<4611686018427387904x16xi32>) -> tensor<4611686018427387904x16xi32> {
  %r = linalg.matmul ins(%a, %b : tensor<4611686018427387904x32xi8>, tensor<32x16xi8>) outs(%f : tensor<4611686018427387904x16xi32>) -> tensor<4611686018427387904x16xi32>
  return %r : tensor<4611686018427387904x16xi32>
}

// REMARK: remark: {{\[Missed\]}} left alone {{.*}}Function=f64 {{.*}}no intrinsic of the target multiplies f64 and f64 into f64
// CHECK-LABEL: func.func @f64(
// CHECK: linalg.matmul
func.func @f64(%a: tensor<4x32xf64>, %b: tensor<32x16xf64>, %f: tensor<4x16xf64>) -> tensor<4x16xf64> {
  %r = linalg.matmul ins(%a, %b : tensor<4x32xf64>, tensor<32x16xf64>) outs(%f : tensor<4x16xf64>) -> tensor<4x16xf64>
  return %r : tensor<4x16xf64>
}

// REMARK: remark: {{\[Missed\]}} left alone {{.*}}Function=depthwise {{.*}}depthwise
// CHECK-LABEL: func.func @depthwise(
// CHECK: linalg.depthwise_conv_2d_nhwc_hwc
func.func @depthwise(%a: tensor<1x9x9x8xf32>, %b: tensor<3x3x8xf32>, %f: tensor<1x7x7x8xf32>) -> tensor<1x7x7x8xf32> {
  %r = linalg.depthwise_conv_2d_nhwc_hwc ins(%a, %b : tensor<1x9x9x8xf32>, tensor<3x3x8xf32>) outs(%f : tensor<1x7x7x8xf32>) -> tensor<1x7x7x8xf32>
  return %r : tensor<1x7x7x8xf32>
}

// CHECK-LABEL: func.func @max_plus(
// CHECK: linalg.generic
func.func @max_plus(%a: tensor<4x32xf32>, %b: tensor<32x16xf32>, %f: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<4x32xf32>, tensor<32x16xf32>) outs(%f : tensor<4x16xf32>) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %p = arith.addf %x, %y : f32
    %t = arith.maximumf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<4x16xf32>
  return %r : tensor<4x16xf32>
}

// An operand that depends on all loops cannot be computed ahead.
// REMARK: remark: {{\[Missed\]}} left alone {{.*}}Function=inseparable {{.*}}the body is not acc + f(lhs) * g(rhs)
// CHECK-LABEL: func.func @inseparable(
// CHECK: linalg.generic
func.func @inseparable(%a: tensor<4x32xf32>, %b: tensor<32x16xf32>, %f: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %b : tensor<4x32xf32>, tensor<32x16xf32>) outs(%f : tensor<4x16xf32>) {
  ^bb0(%x: f32, %y: f32, %s: f32):
    %d = arith.subf %x, %y : f32
    %p = arith.mulf %d, %y : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<4x16xf32>
  return %r : tensor<4x16xf32>
}
