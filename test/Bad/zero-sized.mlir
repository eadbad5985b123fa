// Tensors without elements: what computes them is left to plain loops, which do nothing, and a sum of nothing is what it
// starts from. No kernel writes where there is nothing.
// RUN: ucmoh-run %s --repeat=1 --budget=0.1 --json | FileCheck %s
#map = affine_map<(d0, d1) -> (d0, d1)>

// CHECK: "error":null,"function":"rows"{{.*}}"verified":true
func.func @rows(%a: tensor<0x32xf32>, %b: tensor<32x16xf32>) -> tensor<0x16xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<0x16xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<0x16xf32>) -> tensor<0x16xf32>
  %r = linalg.matmul ins(%a, %b : tensor<0x32xf32>, tensor<32x16xf32>) outs(%f : tensor<0x16xf32>) -> tensor<0x16xf32>
  return %r : tensor<0x16xf32>
}

// CHECK: "error":null,"function":"sum"{{.*}}"verified":true
func.func @sum(%a: tensor<4x0xf32>, %b: tensor<0x16xf32> {ucmoh.weight}) -> tensor<4x16xf32> {
  %z = arith.constant 1.5 : f32
  %e = tensor.empty() : tensor<4x16xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<4x16xf32>) -> tensor<4x16xf32>
  %r = linalg.matmul ins(%a, %b : tensor<4x0xf32>, tensor<0x16xf32>) outs(%f : tensor<4x16xf32>) -> tensor<4x16xf32>
  return %r : tensor<4x16xf32>
}

// CHECK: "error":null,"function":"rest"{{.*}}"verified":true
func.func @rest(%a: tensor<0x64xf32>, %b: tensor<8x0xf32>) -> (tensor<0x64xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<0x64xf32>
  %r = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<0x64xf32>) outs(%e : tensor<0x64xf32>) {
  ^bb0(%x: f32, %o: f32):
    %c = math.exp %x : f32
    linalg.yield %c : f32
  } -> tensor<0x64xf32>
  %z = arith.constant 0.0 : f32
  %e2 = tensor.empty() : tensor<8xf32>
  %f2 = linalg.fill ins(%z : f32) outs(%e2 : tensor<8xf32>) -> tensor<8xf32>
  %s = linalg.reduce ins(%b : tensor<8x0xf32>) outs(%f2 : tensor<8xf32>) dimensions = [1] (%x: f32, %o: f32) {
    %c = arith.addf %x, %o : f32
    linalg.yield %c : f32
  }
  return %r, %s : tensor<0x64xf32>, tensor<8xf32>
}

// CHECK: "error":null,"function":"image"{{.*}}"verified":true
func.func @image(%a: tensor<0x8x8x16xf32>, %k: tensor<3x3x16x16xf32> {ucmoh.weight}, %d: tensor<3x3x16xf32> {ucmoh.weight}) -> (tensor<0x6x6x16xf32>, tensor<0x6x6x16xf32>) {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<0x6x6x16xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<0x6x6x16xf32>) -> tensor<0x6x6x16xf32>
  %r = linalg.conv_2d_nhwc_hwcf ins(%a, %k : tensor<0x8x8x16xf32>, tensor<3x3x16x16xf32>) outs(%f : tensor<0x6x6x16xf32>) -> tensor<0x6x6x16xf32>
  %s = linalg.depthwise_conv_2d_nhwc_hwc ins(%a, %d : tensor<0x8x8x16xf32>, tensor<3x3x16xf32>) outs(%f : tensor<0x6x6x16xf32>) -> tensor<0x6x6x16xf32>
  return %r, %s : tensor<0x6x6x16xf32>, tensor<0x6x6x16xf32>
}

// CHECK: "error":null,"function":"channels"{{.*}}"verified":true
func.func @channels(%a: tensor<1x8x8x0xf32>, %k: tensor<3x3x0x16xf32> {ucmoh.weight}, %d: tensor<3x3x0xf32> {ucmoh.weight}, %n: tensor<1x0x8x8xf32>, %w: tensor<16x0x3x3xf32> {ucmoh.weight}) -> (tensor<1x6x6x16xf32>, tensor<1x6x6x0xf32>, tensor<1x16x6x6xf32>) {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x6x6x16xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x6x6x16xf32>) -> tensor<1x6x6x16xf32>
  %r = linalg.conv_2d_nhwc_hwcf ins(%a, %k : tensor<1x8x8x0xf32>, tensor<3x3x0x16xf32>) outs(%f : tensor<1x6x6x16xf32>) -> tensor<1x6x6x16xf32>
  %e2 = tensor.empty() : tensor<1x6x6x0xf32>
  %f2 = linalg.fill ins(%z : f32) outs(%e2 : tensor<1x6x6x0xf32>) -> tensor<1x6x6x0xf32>
  %s = linalg.depthwise_conv_2d_nhwc_hwc ins(%a, %d : tensor<1x8x8x0xf32>, tensor<3x3x0xf32>) outs(%f2 : tensor<1x6x6x0xf32>) -> tensor<1x6x6x0xf32>
  %e3 = tensor.empty() : tensor<1x16x6x6xf32>
  %f3 = linalg.fill ins(%z : f32) outs(%e3 : tensor<1x16x6x6xf32>) -> tensor<1x16x6x6xf32>
  %t = linalg.conv_2d_nchw_fchw ins(%n, %w : tensor<1x0x8x8xf32>, tensor<16x0x3x3xf32>) outs(%f3 : tensor<1x16x6x6xf32>) -> tensor<1x16x6x6xf32>
  return %r, %s, %t : tensor<1x6x6x16xf32>, tensor<1x6x6x0xf32>, tensor<1x16x6x6xf32>
}
