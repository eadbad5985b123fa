func.func @a.b(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}

func.func @a_b(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
