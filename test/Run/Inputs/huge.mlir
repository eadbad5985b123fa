func.func @main(%a: tensor<10000000x10000000xi8>, %b: tensor<10000000x10000000xi8>) -> tensor<10000000x10000000xi8> {
  %0 = arith.addi %a, %b : tensor<10000000x10000000xi8>
  return %0 : tensor<10000000x10000000xi8>
}
