func.func @trap(%a: tensor<4xf32>) -> tensor<4xf32> {
  %no = arith.constant false
  cf.assert %no, "always"
  return %a : tensor<4xf32>
}

func.func @hang(%a: tensor<4xf32>) -> tensor<4xf32> {
  %yes = arith.constant true
  %r = scf.while (%x = %a) : (tensor<4xf32>) -> tensor<4xf32> {
    scf.condition(%yes) %x : tensor<4xf32>
  } do {
  ^bb0(%x: tensor<4xf32>):
    %i = arith.constant 0 : index
    %v = tensor.extract %x[%i] : tensor<4xf32>
    %y = tensor.insert %v into %x[%i] : tensor<4xf32>
    scf.yield %y : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
