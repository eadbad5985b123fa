func.func @f(%l: tensor<16x64xi8>, %r: tensor<64x32xi8> {ucmoh.weight}, %a: tensor<16x32xi32>) -> tensor<16x32xi32> {
  %0 = linalg.matmul ins(%l, %r : tensor<16x64xi8>, tensor<64x32xi8>) outs(%a : tensor<16x32xi32>) -> tensor<16x32xi32>
  return %0 : tensor<16x32xi32>
}
