func.func @main(%x: tensor<48x64xi8>, %y: tensor<48x64xi8>, %w: tensor<64x64xi8> {ucmoh.weight})
    -> (tensor<48x64xi32>, tensor<48x64xi32>) {
  %zero = arith.constant 0 : i32
  %three = arith.constant 3 : i32
  %five = arith.constant 5 : i32
  %e = tensor.empty() : tensor<48x64xi32>
  %i = linalg.fill ins(%zero : i32) outs(%e : tensor<48x64xi32>) -> tensor<48x64xi32>
  %a = linalg.quantized_matmul ins(%x, %w, %three, %zero : tensor<48x64xi8>, tensor<64x64xi8>, i32, i32)
                               outs(%i : tensor<48x64xi32>) -> tensor<48x64xi32>
  %b = linalg.quantized_matmul ins(%y, %w, %five, %zero : tensor<48x64xi8>, tensor<64x64xi8>, i32, i32)
                               outs(%i : tensor<48x64xi32>) -> tensor<48x64xi32>
  return %a, %b : tensor<48x64xi32>, tensor<48x64xi32>
}
