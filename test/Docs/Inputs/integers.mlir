func.func @main(%a: tensor<64x64xi8>, %b: tensor<64x64xi8> {ucmoh.weight}) -> tensor<64x64xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<64x64xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<64x64xi32>) -> tensor<64x64xi32>
  %c = linalg.matmul ins(%a, %b : tensor<64x64xi8>, tensor<64x64xi8>) outs(%init : tensor<64x64xi32>)
      -> tensor<64x64xi32>
  return %c : tensor<64x64xi32>
}
