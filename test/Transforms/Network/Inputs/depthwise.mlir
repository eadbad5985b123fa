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


#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>

// A border of zeros, a bias and limits join.
func.func @bordered(%x: tensor<1x13x13x48xf32>, %w: tensor<3x3x48xf32> {ucmoh.weight}, %bias: tensor<48xf32> {ucmoh.weight}) -> tensor<1x7x7x48xf32> {
  %zero = arith.constant 0.0 : f32
  %six = arith.constant 6.0 : f32
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x13x13x48xf32> to tensor<1x15x15x48xf32>
  %e = tensor.empty() : tensor<1x7x7x48xf32>
  %f = linalg.broadcast ins(%bias : tensor<48xf32>) outs(%e : tensor<1x7x7x48xf32>) dimensions = [0, 1, 2]
  %r = linalg.depthwise_conv_2d_nhwc_hwc {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%p, %w : tensor<1x15x15x48xf32>, tensor<3x3x48xf32>) outs(%f : tensor<1x7x7x48xf32>) -> tensor<1x7x7x48xf32>
  %y = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%r : tensor<1x7x7x48xf32>) outs(%e : tensor<1x7x7x48xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.maximumf %in, %zero : f32
    %1 = arith.minimumf %0, %six : f32
    linalg.yield %1 : f32
  } -> tensor<1x7x7x48xf32>
  return %y : tensor<1x7x7x48xf32>
}

// Windows with holes, more padding behind than before, and a window that is hardly in the image.
func.func @holes(%x: tensor<2x6x9x16xf32>, %w: tensor<3x5x16xf32> {ucmoh.weight}) -> tensor<2x6x8x16xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 1, 3, 0] high[0, 3, 4, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<2x6x9x16xf32> to tensor<2x10x16x16xf32>
  %e = tensor.empty() : tensor<2x6x8x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x6x8x16xf32>) -> tensor<2x6x8x16xf32>
  %r = linalg.depthwise_conv_2d_nhwc_hwc {strides = dense<1> : tensor<2xi64>, dilations = dense<2> : tensor<2xi64>} ins(%p, %w : tensor<2x10x16x16xf32>, tensor<3x5x16xf32>) outs(%f : tensor<2x6x8x16xf32>) -> tensor<2x6x8x16xf32>
  return %r : tensor<2x6x8x16xf32>
}

// u8 hidden as i8; the border is the zero point.
func.func @hidden(%x: tensor<1x9x9x32xi8>, %w: tensor<3x3x32xi8> {ucmoh.weight}) -> tensor<1x9x9x32xi32> {
  %zero = arith.constant 0 : i32
  %border = arith.constant 3 : i8
  %half = arith.constant -128 : i8
  %zx = arith.constant -125 : i32
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %border : i8
  } : tensor<1x9x9x32xi8> to tensor<1x11x11x32xi8>
  %es = tensor.empty() : tensor<1x11x11x32xi8>
  %s = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%p : tensor<1x11x11x32xi8>) outs(%es : tensor<1x11x11x32xi8>) {
  ^bb0(%in: i8, %out: i8):
    %0 = arith.addi %in, %half : i8
    linalg.yield %0 : i8
  } -> tensor<1x11x11x32xi8>
  %e = tensor.empty() : tensor<1x9x9x32xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<1x9x9x32xi32>) -> tensor<1x9x9x32xi32>
  %r = linalg.depthwise_conv_2d_nhwc_hwc_q {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%s, %w, %zx, %zero : tensor<1x11x11x32xi8>, tensor<3x3x32xi8>, i32, i32) outs(%f : tensor<1x9x9x32xi32>) -> tensor<1x9x9x32xi32>
  return %r : tensor<1x9x9x32xi32>
}

// A border that is not neutral stays.
func.func @ones(%x: tensor<1x9x9x32xf32>, %w: tensor<3x3x32xf32> {ucmoh.weight}) -> tensor<1x9x9x32xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %one : f32
  } : tensor<1x9x9x32xf32> to tensor<1x11x11x32xf32>
  %e = tensor.empty() : tensor<1x9x9x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x9x9x32xf32>) -> tensor<1x9x9x32xf32>
  %r = linalg.depthwise_conv_2d_nhwc_hwc {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%p, %w : tensor<1x11x11x32xf32>, tensor<3x3x32xf32>) outs(%f : tensor<1x9x9x32xf32>) -> tensor<1x9x9x32xf32>
  return %r : tensor<1x9x9x32xf32>
}

// A maximum, whose border is the least value.
func.func @pooling(%x: tensor<1x12x12x32xf32>) -> tensor<1x6x6x32xf32> {
  %least = arith.constant 0xFF800000 : f32
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %least : f32
  } : tensor<1x12x12x32xf32> to tensor<1x14x14x32xf32>
  %window = tensor.empty() : tensor<3x3xf32>
  %e = tensor.empty() : tensor<1x6x6x32xf32>
  %f = linalg.fill ins(%least : f32) outs(%e : tensor<1x6x6x32xf32>) -> tensor<1x6x6x32xf32>
  %r = linalg.pooling_nhwc_max {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%p, %window : tensor<1x14x14x32xf32>, tensor<3x3xf32>) outs(%f : tensor<1x6x6x32xf32>) -> tensor<1x6x6x32xf32>
  return %r : tensor<1x6x6x32xf32>
}
