// Results of more than 32 MiB: both parts of a concatenation, integers, and an op whose operand is the same in a row.
#all = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

func.func @concatenation(%x: tensor<16448x512xf32>, %y: tensor<16448x64xf32>) -> tensor<16448x576xf32> {
  %z = tensor.concat dim(1) %x, %y : (tensor<16448x512xf32>, tensor<16448x64xf32>) -> tensor<16448x576xf32>
  return %z : tensor<16448x576xf32>
}

func.func @dequantize(%x: tensor<16448x544xi8>) -> tensor<16448x544xf32> {
  %scale = arith.constant 0.03 : f32
  %empty = tensor.empty() : tensor<16448x544xf32>
  %y = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<16448x544xi8>) outs(%empty : tensor<16448x544xf32>) {
  ^bb0(%a: i8, %out: f32):
    %0 = arith.sitofp %a : i8 to f32
    %1 = arith.mulf %0, %scale : f32
    linalg.yield %1 : f32
  } -> tensor<16448x544xf32>
  return %y : tensor<16448x544xf32>
}

func.func @scale(%x: tensor<16448x576xf32>, %s: tensor<16448xf32>) -> tensor<16448x576xf32> {
  %empty = tensor.empty() : tensor<16448x576xf32>
  %y = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]} ins(%x, %s : tensor<16448x576xf32>, tensor<16448xf32>) outs(%empty : tensor<16448x576xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = math.absf %0 : f32
    linalg.yield %1 : f32
  } -> tensor<16448x576xf32>
  return %y : tensor<16448x576xf32>
}

// The sum of a row is loaded ahead of the loop over the row.
func.func @softmax(%x: tensor<16448x576xf32>) -> tensor<16448x576xf32> {
  %empty = tensor.empty() : tensor<16448x576xf32>
  %y = linalg.softmax dimension(1) ins(%x : tensor<16448x576xf32>) outs(%empty : tensor<16448x576xf32>) -> tensor<16448x576xf32>
  return %y : tensor<16448x576xf32>
}
