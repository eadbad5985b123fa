func.func @main(%x: tensor<48x64xf32>, %w: tensor<64x64xf32> {ucmoh.weight}, %v: tensor<64x64xf32> {ucmoh.weight},
                %u: tensor<64x96xf32> {ucmoh.weight}) -> tensor<48x96xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<48x64xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<48x64xf32>) -> tensor<48x64xf32>
  %a = linalg.matmul ins(%x, %w : tensor<48x64xf32>, tensor<64x64xf32>) outs(%i : tensor<48x64xf32>) -> tensor<48x64xf32>
  %b = linalg.matmul ins(%a, %v : tensor<48x64xf32>, tensor<64x64xf32>) outs(%i : tensor<48x64xf32>) -> tensor<48x64xf32>
  %f = tensor.empty() : tensor<48x96xf32>
  %j = linalg.fill ins(%zero : f32) outs(%f : tensor<48x96xf32>) -> tensor<48x96xf32>
  %c = linalg.matmul ins(%b, %u : tensor<48x64xf32>, tensor<64x96xf32>) outs(%j : tensor<48x96xf32>) -> tensor<48x96xf32>
  return %c : tensor<48x96xf32>
}
