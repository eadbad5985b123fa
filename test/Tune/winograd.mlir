// Where the model computes a convolution with fewer products, the product is what is tuned; without them, the convolution.
// RUN: ucmoh-tune %s --target=x86_avx2_fma@zen3 --plan=1 --output=%t.jsonl && FileCheck %s < %t.jsonl
// RUN: ucmoh-tune %s --target=x86_avx2_fma@zen3 --plan=1 --winograd=false --output=%t.jsonl && FileCheck %s --check-prefix=DIRECT < %t.jsonl
// CHECK: matmul_f32f32f32_b16_196x128x128
// DIRECT-NOT: b16_196x128x128
// DIRECT: conv_f32f32f32_1x28x28x128x3x3x128
func.func @main(%x: tensor<1x28x28x128xf32>, %w: tensor<3x3x128x128xf32> {ucmoh.weight}, %b: tensor<128xf32> {ucmoh.weight}) -> tensor<1x28x28x128xf32> {
  %z = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0,1,1,0] high[0,1,1,0] {
  ^bb0(%a: index, %bb: index, %c: index, %d: index): tensor.yield %z : f32 } : tensor<1x28x28x128xf32> to tensor<1x30x30x128xf32>
  %e = tensor.empty() : tensor<1x28x28x128xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x28x28x128xf32>) -> tensor<1x28x28x128xf32>
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%p, %w : tensor<1x30x30x128xf32>, tensor<3x3x128x128xf32>) outs(%f : tensor<1x28x28x128xf32>) -> tensor<1x28x28x128xf32>
  %o = linalg.generic {indexing_maps = [affine_map<(a,b,c,d)->(a,b,c,d)>, affine_map<(a,b,c,d)->(d)>, affine_map<(a,b,c,d)->(a,b,c,d)>], iterator_types = ["parallel","parallel","parallel","parallel"]} ins(%r, %b : tensor<1x28x28x128xf32>, tensor<128xf32>) outs(%e : tensor<1x28x28x128xf32>) {
  ^bb0(%i: f32, %j: f32, %k: f32):
    %s = arith.addf %i, %j : f32
    %m = arith.maximumf %s, %z : f32
    linalg.yield %m : f32 } -> tensor<1x28x28x128xf32>
  return %o : tensor<1x28x28x128xf32>
}
