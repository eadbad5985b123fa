func.func @main(%x: tensor<48xf32>) -> tensor<48xf32> {
  %r = arith.addf %x, %x : tensor<48xf32>
  return %r : tensor<48xf32>
}
