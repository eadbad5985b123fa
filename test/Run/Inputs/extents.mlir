// Rows of a product and of what is added to it; at most 64 are promised.
func.func @main(%x: tensor<?x24xf32> {ucmoh.assume = array<i64: 2, 64>}, %y: tensor<?x16xf32>,
                %w: tensor<24x16xf32> {ucmoh.weight}) -> tensor<?x16xf32> {
  %r = linalg.matmul ins(%x, %w : tensor<?x24xf32>, tensor<24x16xf32>)
    outs(%y : tensor<?x16xf32>) -> tensor<?x16xf32>
  return %r : tensor<?x16xf32>
}
