#id = affine_map<(n, h, w, c) -> (n, h, w, c)>
module {
  func.func @conv7x7(%image: tensor<1x224x224x3xi8>, %weight: tensor<7x7x3x64xi8> {ucmoh.weight},
      %bias: tensor<64xi32> {ucmoh.weight}) -> tensor<1x112x112x64xi8> {
    %zero = arith.constant -7 : i8
    %low = arith.constant -128.0 : f32
    %scale = arith.constant 2.5e-4 : f32
    %high = arith.constant 127.0 : f32
    %padded = tensor.pad %image low[0, 3, 3, 0] high[0, 3, 3, 0] {
    ^bb0(%n: index, %h: index, %w: index, %c: index):
      tensor.yield %zero : i8
    } : tensor<1x224x224x3xi8> to tensor<1x230x230x3xi8>
    %empty = tensor.empty() : tensor<1x112x112x64xi32>
    %init = linalg.broadcast ins(%bias : tensor<64xi32>) outs(%empty : tensor<1x112x112x64xi32>) dimensions = [0, 1, 2]
    %lhs_zero = arith.constant -7 : i32
    %rhs_zero = arith.constant 0 : i32
    %sum = linalg.conv_2d_nhwc_hwcf_q {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
      ins(%padded, %weight, %lhs_zero, %rhs_zero : tensor<1x230x230x3xi8>, tensor<7x7x3x64xi8>, i32, i32)
      outs(%init : tensor<1x112x112x64xi32>) -> tensor<1x112x112x64xi32>
    %to = tensor.empty() : tensor<1x112x112x64xi8>
    %result = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%sum : tensor<1x112x112x64xi32>) outs(%to : tensor<1x112x112x64xi8>) {
    ^bb0(%x: i32, %o: i8):
      %f = arith.sitofp %x : i32 to f32
      %m = arith.mulf %f, %scale : f32
      %r = math.roundeven %m : f32
      %l = arith.maximumf %r, %low : f32
      %u = arith.minimumf %l, %high : f32
      %y = arith.fptosi %u : f32 to i8
      linalg.yield %y : i8
    } -> tensor<1x112x112x64xi8>
    return %result : tensor<1x112x112x64xi8>
  }

  func.func @conv3x3(%image: tensor<1x56x56x64xi8>, %weight: tensor<3x3x64x64xi8> {ucmoh.weight},
      %bias: tensor<64xi32> {ucmoh.weight}) -> tensor<1x56x56x64xi8> {
    %zero = arith.constant -7 : i8
    %low = arith.constant -128.0 : f32
    %scale = arith.constant 2.5e-4 : f32
    %high = arith.constant 127.0 : f32
    %padded = tensor.pad %image low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%n: index, %h: index, %w: index, %c: index):
      tensor.yield %zero : i8
    } : tensor<1x56x56x64xi8> to tensor<1x58x58x64xi8>
    %empty = tensor.empty() : tensor<1x56x56x64xi32>
    %init = linalg.broadcast ins(%bias : tensor<64xi32>) outs(%empty : tensor<1x56x56x64xi32>) dimensions = [0, 1, 2]
    %lhs_zero = arith.constant -7 : i32
    %rhs_zero = arith.constant 0 : i32
    %sum = linalg.conv_2d_nhwc_hwcf_q {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%padded, %weight, %lhs_zero, %rhs_zero : tensor<1x58x58x64xi8>, tensor<3x3x64x64xi8>, i32, i32)
      outs(%init : tensor<1x56x56x64xi32>) -> tensor<1x56x56x64xi32>
    %to = tensor.empty() : tensor<1x56x56x64xi8>
    %result = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%sum : tensor<1x56x56x64xi32>) outs(%to : tensor<1x56x56x64xi8>) {
    ^bb0(%x: i32, %o: i8):
      %f = arith.sitofp %x : i32 to f32
      %m = arith.mulf %f, %scale : f32
      %r = math.roundeven %m : f32
      %l = arith.maximumf %r, %low : f32
      %u = arith.minimumf %l, %high : f32
      %y = arith.fptosi %u : f32 to i8
      linalg.yield %y : i8
    } -> tensor<1x56x56x64xi8>
    return %result : tensor<1x56x56x64xi8>
  }

  func.func @conv1x1(%image: tensor<1x56x56x64xi8>, %weight: tensor<1x1x64x256xi8> {ucmoh.weight},
      %bias: tensor<256xi32> {ucmoh.weight}) -> tensor<1x56x56x256xi8> {
    %zero = arith.constant -7 : i8
    %low = arith.constant -128.0 : f32
    %scale = arith.constant 2.5e-4 : f32
    %high = arith.constant 127.0 : f32
    %empty = tensor.empty() : tensor<1x56x56x256xi32>
    %init = linalg.broadcast ins(%bias : tensor<256xi32>) outs(%empty : tensor<1x56x56x256xi32>) dimensions = [0, 1, 2]
    %lhs_zero = arith.constant -7 : i32
    %rhs_zero = arith.constant 0 : i32
    %sum = linalg.conv_2d_nhwc_hwcf_q {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%image, %weight, %lhs_zero, %rhs_zero : tensor<1x56x56x64xi8>, tensor<1x1x64x256xi8>, i32, i32)
      outs(%init : tensor<1x56x56x256xi32>) -> tensor<1x56x56x256xi32>
    %to = tensor.empty() : tensor<1x56x56x256xi8>
    %result = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%sum : tensor<1x56x56x256xi32>) outs(%to : tensor<1x56x56x256xi8>) {
    ^bb0(%x: i32, %o: i8):
      %f = arith.sitofp %x : i32 to f32
      %m = arith.mulf %f, %scale : f32
      %r = math.roundeven %m : f32
      %l = arith.maximumf %r, %low : f32
      %u = arith.minimumf %l, %high : f32
      %y = arith.fptosi %u : f32 to i8
      linalg.yield %y : i8
    } -> tensor<1x56x56x256xi8>
    return %result : tensor<1x56x56x256xi8>
  }
}
