// Remarks say what was chosen, from how many, and the runner-up, or why an op was left alone. Nothing is applied.
// RUN: ucmoh-opt %s --ucmoh-select="target=x86_avx512_vnni@zen4" --remarks-filter=ucmoh --remark-format=emitRemark --mlir-disable-threading 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks

// REMARK: remark: {{\[Passed\]}} chosen {{.*}}Function=chosen
// REMARK-SAME: matmul_s8s8s32_64x256x128_{{[0-9a-f]+.*}}x86_avx512_vnni::{{[a-z0-9_]+}} tile {{[0-9]+x[0-9]+}} cache {{[0-9]+x[0-9]+x[0-9]+}} order {{[nmk.]+}}, predicted {{[0-9.]+}} us{{.*}}, from {{[0-9]+}} candidates{{.*}}; runner-up {{.*}}x86_avx512_vnni::
// CHECK-LABEL: func.func @chosen(
// CHECK: linalg.matmul {ucmoh.choice = #ucmoh.choice<intrinsic = @x86_avx512_vnni::@{{[a-z0-9_]+}}, register_tile = [{{[0-9]+}}, {{[0-9]+}}], cache_tile = [{{[0-9, ]+}}], order = "{{[nmk.]+}}", pack_lhs = "{{[a-z]+}}", pack_rhs = "{{[a-z]+}}"
func.func @chosen(%a: tensor<64x128xi8>, %b: tensor<128x256xi8> {ucmoh.weight}, %f: tensor<64x256xi32>) -> tensor<64x256xi32> {
  %r = linalg.matmul ins(%a, %b : tensor<64x128xi8>, tensor<128x256xi8>) outs(%f : tensor<64x256xi32>) -> tensor<64x256xi32>
  return %r : tensor<64x256xi32>
}

// REMARK: remark: {{\[Missed\]}} left alone {{.*}}Function=f32 {{.*}}no intrinsic of the target multiplies f32 and f32 into f32
// CHECK-LABEL: func.func @f32(
// CHECK-NOT: ucmoh.choice
func.func @f32(%a: tensor<64x128xf32>, %b: tensor<128x256xf32>, %f: tensor<64x256xf32>) -> tensor<64x256xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<64x128xf32>, tensor<128x256xf32>) outs(%f : tensor<64x256xf32>) -> tensor<64x256xf32>
  return %r : tensor<64x256xf32>
}

// REMARK: remark: {{\[Missed\]}} left alone {{.*}}Function=depthwise {{.*}}no intrinsic of the target multiplies s8 and s8 into s32 lane by lane, in whole vectors of the channels (depthwise)
// CHECK-LABEL: func.func @depthwise(
// CHECK-NOT: ucmoh.choice
func.func @depthwise(%a: tensor<1x9x9x8xi8>, %b: tensor<3x3x8xi8>, %f: tensor<1x7x7x8xi32>) -> tensor<1x7x7x8xi32> {
  %r = linalg.depthwise_conv_2d_nhwc_hwc ins(%a, %b : tensor<1x9x9x8xi8>, tensor<3x3x8xi8>) outs(%f : tensor<1x7x7x8xi32>) -> tensor<1x7x7x8xi32>
  return %r : tensor<1x7x7x8xi32>
}

// REMARK: remark: {{\[Missed\]}} left alone {{.*}}Function=dynamic {{.*}}a dimension is dynamic
// CHECK-LABEL: func.func @dynamic(
// CHECK-NOT: ucmoh.choice
func.func @dynamic(%a: tensor<64x?xi8>, %b: tensor<?x256xi8>, %f: tensor<64x256xi32>) -> tensor<64x256xi32> {
  %r = linalg.matmul ins(%a, %b : tensor<64x?xi8>, tensor<?x256xi8>) outs(%f : tensor<64x256xi32>) -> tensor<64x256xi32>
  return %r : tensor<64x256xi32>
}

// REMARK: remark: {{\[Missed\]}} left alone {{.*}}Function=dot {{.*}}the result is a single value
// CHECK-LABEL: func.func @dot(
// CHECK-NOT: ucmoh.choice
func.func @dot(%a: tensor<64xi8>, %b: tensor<64xi8>, %f: tensor<i32>) -> tensor<i32> {
  %r = linalg.dot ins(%a, %b : tensor<64xi8>, tensor<64xi8>) outs(%f : tensor<i32>) -> tensor<i32>
  return %r : tensor<i32>
}

// REMARK: remark: {{\[Missed\]}} left alone {{.*}}Function=buffers {{.*}}operands are buffers; run the pass before bufferization
// CHECK-LABEL: func.func @buffers(
// CHECK-NOT: ucmoh.choice
func.func @buffers(%a: memref<64x128xi8>, %b: memref<128x256xi8>, %f: memref<64x256xi32>) {
  linalg.matmul ins(%a, %b : memref<64x128xi8>, memref<128x256xi8>) outs(%f : memref<64x256xi32>)
  return
}
