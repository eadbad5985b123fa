#id = affine_map<(n, h, w, c) -> (n, h, w, c)>
module {
  func.func @conv7x7(%image: tensor<1x224x224x3xf32>, %weight: tensor<7x7x3x64xf32> {ucmoh.weight},
      %bias: tensor<64xf32> {ucmoh.weight}) -> tensor<1x112x112x64xf32> {
    %zero = arith.constant 0.0 : f32
    %low = arith.constant 0.0 : f32
    %padded = tensor.pad %image low[0, 3, 3, 0] high[0, 3, 3, 0] {
    ^bb0(%n: index, %h: index, %w: index, %c: index):
      tensor.yield %zero : f32
    } : tensor<1x224x224x3xf32> to tensor<1x230x230x3xf32>
    %empty = tensor.empty() : tensor<1x112x112x64xf32>
    %init = linalg.broadcast ins(%bias : tensor<64xf32>) outs(%empty : tensor<1x112x112x64xf32>) dimensions = [0, 1, 2]
    %sum = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
      ins(%padded, %weight : tensor<1x230x230x3xf32>, tensor<7x7x3x64xf32>)
      outs(%init : tensor<1x112x112x64xf32>) -> tensor<1x112x112x64xf32>
    %to = tensor.empty() : tensor<1x112x112x64xf32>
    %result = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%sum : tensor<1x112x112x64xf32>) outs(%to : tensor<1x112x112x64xf32>) {
    ^bb0(%x: f32, %o: f32):
      %y = arith.maximumf %x, %low : f32
      linalg.yield %y : f32
    } -> tensor<1x112x112x64xf32>
    return %result : tensor<1x112x112x64xf32>
  }

  func.func @conv3x3(%image: tensor<1x56x56x64xf32>, %weight: tensor<3x3x64x64xf32> {ucmoh.weight},
      %bias: tensor<64xf32> {ucmoh.weight}) -> tensor<1x56x56x64xf32> {
    %zero = arith.constant 0.0 : f32
    %low = arith.constant 0.0 : f32
    %padded = tensor.pad %image low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%n: index, %h: index, %w: index, %c: index):
      tensor.yield %zero : f32
    } : tensor<1x56x56x64xf32> to tensor<1x58x58x64xf32>
    %empty = tensor.empty() : tensor<1x56x56x64xf32>
    %init = linalg.broadcast ins(%bias : tensor<64xf32>) outs(%empty : tensor<1x56x56x64xf32>) dimensions = [0, 1, 2]
    %sum = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%padded, %weight : tensor<1x58x58x64xf32>, tensor<3x3x64x64xf32>)
      outs(%init : tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
    %to = tensor.empty() : tensor<1x56x56x64xf32>
    %result = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%sum : tensor<1x56x56x64xf32>) outs(%to : tensor<1x56x56x64xf32>) {
    ^bb0(%x: f32, %o: f32):
      %y = arith.maximumf %x, %low : f32
      linalg.yield %y : f32
    } -> tensor<1x56x56x64xf32>
    return %result : tensor<1x56x56x64xf32>
  }

  func.func @conv1x1(%image: tensor<1x56x56x64xf32>, %weight: tensor<1x1x64x256xf32> {ucmoh.weight},
      %bias: tensor<256xf32> {ucmoh.weight}) -> tensor<1x56x56x256xf32> {
    %zero = arith.constant 0.0 : f32
    %low = arith.constant 0.0 : f32
    %empty = tensor.empty() : tensor<1x56x56x256xf32>
    %init = linalg.broadcast ins(%bias : tensor<256xf32>) outs(%empty : tensor<1x56x56x256xf32>) dimensions = [0, 1, 2]
    %sum = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%image, %weight : tensor<1x56x56x64xf32>, tensor<1x1x64x256xf32>)
      outs(%init : tensor<1x56x56x256xf32>) -> tensor<1x56x56x256xf32>
    %to = tensor.empty() : tensor<1x56x56x256xf32>
    %result = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%sum : tensor<1x56x56x256xf32>) outs(%to : tensor<1x56x56x256xf32>) {
    ^bb0(%x: f32, %o: f32):
      %y = arith.maximumf %x, %low : f32
      linalg.yield %y : f32
    } -> tensor<1x56x56x256xf32>
    return %result : tensor<1x56x56x256xf32>
  }
}
