!a = tensor<512x64xf32>
!b = tensor<64x1024xf32>
!ab = tensor<512x1024xf32>
!c = tensor<1024x1024xf32>
func.func @chain(%a: !a, %b: !b {ucmoh.weight}, %c: !c {ucmoh.weight}) -> !ab {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : !ab
  %init = linalg.fill ins(%zero : f32) outs(%empty : !ab) -> !ab
  %ab = linalg.matmul ins(%a, %b : !a, !b) outs(%init : !ab) -> !ab
  %abc = linalg.matmul ins(%ab, %c : !ab, !c) outs(%init : !ab) -> !ab
  return %abc : !ab
}
