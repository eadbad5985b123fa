func.func @good(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}

func.func @open(%a: tensor<?x4xf32> {ucmoh.weight}) -> tensor<?x4xf32> {
  return %a : tensor<?x4xf32>
}

func.func private @taken_run(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}

func.func @taken(%a: tensor<4xf32>) -> tensor<4xf32> {
  %b = call @taken_run(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %b : tensor<4xf32>
}

func.func private @missing(tensor<4xf32>) -> tensor<4xf32>

func.func @calls(%a: tensor<4xf32>) -> tensor<4xf32> {
  %b = call @missing(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %b : tensor<4xf32>
}

func.func @elided(%a: tensor<4xf32>) -> tensor<4xf32> {
  %b = arith.constant dense_resource<__elided__> : tensor<4xf32>
  %empty = tensor.empty() : tensor<4xf32>
  %c = linalg.add ins(%a, %b : tensor<4xf32>, tensor<4xf32>) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
  return %c : tensor<4xf32>
}
