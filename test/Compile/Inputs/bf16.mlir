func.func @bf(%a: tensor<16x64xbf16>, %b: tensor<64x32xbf16> {ucmoh.weight}) -> tensor<16x32xbf16> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x32xf32>
  %i = linalg.fill ins(%z : f32) outs(%e : tensor<16x32xf32>) -> tensor<16x32xf32>
  %c = linalg.matmul ins(%a, %b : tensor<16x64xbf16>, tensor<64x32xbf16>) outs(%i : tensor<16x32xf32>) -> tensor<16x32xf32>
  %e2 = tensor.empty() : tensor<16x32xbf16>
  %r = linalg.generic {indexing_maps = [affine_map<(d0,d1)->(d0,d1)>, affine_map<(d0,d1)->(d0,d1)>], iterator_types=["parallel","parallel"]} ins(%c : tensor<16x32xf32>) outs(%e2 : tensor<16x32xbf16>) {
   ^bb0(%x: f32, %y: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16 } -> tensor<16x32xbf16>
  return %r : tensor<16x32xbf16>
}
func.func @half(%a: tensor<16x64xf16>, %b: tensor<64x32xf16> {ucmoh.weight}, %s: f16) -> (tensor<16x32xf16>, f16) {
  %z = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<16x32xf16>
  %i = linalg.fill ins(%z : f16) outs(%e : tensor<16x32xf16>) -> tensor<16x32xf16>
  %c = linalg.matmul ins(%a, %b : tensor<16x64xf16>, tensor<64x32xf16>) outs(%i : tensor<16x32xf16>) -> tensor<16x32xf16>
  %t = math.tanh %s : f16
  return %c, %t : tensor<16x32xf16>, f16
}
