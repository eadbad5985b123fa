func.func @f32(%x: tensor<1x17x17x48xf32>, %w: tensor<3x3x48xf32> {ucmoh.weight}) -> tensor<1x15x15x48xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x15x15x48xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x15x15x48xf32>) -> tensor<1x15x15x48xf32>
  %r = linalg.depthwise_conv_2d_nhwc_hwc {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x17x17x48xf32>, tensor<3x3x48xf32>) outs(%f : tensor<1x15x15x48xf32>) -> tensor<1x15x15x48xf32>
  return %r : tensor<1x15x15x48xf32>
}

func.func @stride(%x: tensor<1x17x17x64xf32>, %w: tensor<3x3x64xf32> {ucmoh.weight}) -> tensor<1x8x8x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x8x8x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x8x8x64xf32>) -> tensor<1x8x8x64xf32>
  %r = linalg.depthwise_conv_2d_nhwc_hwc {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x17x17x64xf32>, tensor<3x3x64xf32>) outs(%f : tensor<1x8x8x64xf32>) -> tensor<1x8x8x64xf32>
  return %r : tensor<1x8x8x64xf32>
}

func.func @bytes(%x: tensor<1x9x9x96xi8>, %w: tensor<3x3x96xi8> {ucmoh.weight}) -> tensor<1x7x7x96xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1x7x7x96xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<1x7x7x96xi32>) -> tensor<1x7x7x96xi32>
  %r = linalg.depthwise_conv_2d_nhwc_hwc {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x9x9x96xi8>, tensor<3x3x96xi8>) outs(%f : tensor<1x7x7x96xi32>) -> tensor<1x7x7x96xi32>
  return %r : tensor<1x7x7x96xi32>
}

func.func @zero_point(%x: tensor<1x9x9x32xi8>, %w: tensor<3x3x32xi8> {ucmoh.weight}) -> tensor<1x7x7x32xi32> {
  %zero = arith.constant 0 : i32
  %zx = arith.constant -5 : i32
  %zw = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1x7x7x32xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<1x7x7x32xi32>) -> tensor<1x7x7x32xi32>
  %r = linalg.depthwise_conv_2d_nhwc_hwc_q {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%x, %w, %zx, %zw : tensor<1x9x9x32xi8>, tensor<3x3x32xi8>, i32, i32) outs(%f : tensor<1x7x7x32xi32>) -> tensor<1x7x7x32xi32>
  return %r : tensor<1x7x7x32xi32>
}

