func.func @s8(%a: tensor<61x129xi8>, %b: tensor<129x83xi8> {ucmoh.weight}) -> tensor<61x83xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<61x83xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<61x83xi32>) -> tensor<61x83xi32>
  %r = linalg.matmul ins(%a, %b : tensor<61x129xi8>, tensor<129x83xi8>)
    outs(%init : tensor<61x83xi32>) -> tensor<61x83xi32>
  return %r : tensor<61x83xi32>
}

func.func @image(%a: tensor<1x9x9x19xi8>, %b: tensor<3x3x19x35xi8> {ucmoh.weight}) -> tensor<1x7x7x35xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<1x7x7x35xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<1x7x7x35xi32>) -> tensor<1x7x7x35xi32>
  %r = linalg.conv_2d_nhwc_hwcf ins(%a, %b : tensor<1x9x9x19xi8>, tensor<3x3x19x35xi8>)
    outs(%init : tensor<1x7x7x35xi32>) -> tensor<1x7x7x35xi32>
  return %r : tensor<1x7x7x35xi32>
}
