// Padded with the constant that also fills the result.
func.func @f(%lhs: tensor<1x6x6x16xf32>, %rhs: tensor<3x3x16x16xf32> {ucmoh.weight}, %init: tensor<1x6x6x16xf32>)
    -> tensor<1x6x6x16xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %lhs low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<1x6x6x16xf32> to tensor<1x8x8x16xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%init : tensor<1x6x6x16xf32>) -> tensor<1x6x6x16xf32>
  %result = linalg.conv_2d_nhwc_hwcf ins(%padded, %rhs : tensor<1x8x8x16xf32>, tensor<3x3x16x16xf32>)
      outs(%zeros : tensor<1x6x6x16xf32>) -> tensor<1x6x6x16xf32>
  return %result : tensor<1x6x6x16xf32>
}
