// Convolutions: of two types and strides, with a filter of 1x1, of a single image, and with channels first.
!a = tensor<2x18x18x8xf32>
!w = tensor<3x3x8x32xf32>
!r = tensor<2x16x16x32xf32>
!ah = tensor<2x17x17x8xbf16>
!wh = tensor<3x3x8x32xbf16>
!rh = tensor<2x8x8x32xf32>
!af = tensor<2x17x17x8xf32>
!wf = tensor<3x3x8x32xf32>
!w1 = tensor<1x1x8x32xf32>
!r1 = tensor<2x18x18x32xf32>
!as = tensor<1x18x18x8xf32>
!rs = tensor<1x16x16x32xf32>
!ac = tensor<2x8x18x18xf32>
!wc = tensor<32x8x3x3xf32>
!rc = tensor<2x32x16x16xf32>
func.func @main(%a: !a, %w: !w, %af: !af, %wf: !wf, %w1: !w1, %as: !as, %ac: !ac,
                %wc: !wc) -> (!r, !rh, !r1, !rs, !rc) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : !r
  %i = linalg.fill ins(%zero : f32) outs(%e : !r) -> !r
  %r = linalg.conv_2d_nhwc_hwcf ins(%a, %w : !a, !w) outs(%i : !r) -> !r
  %ah = arith.truncf %af : !af to !ah
  %wh = arith.truncf %wf : !wf to !wh
  %eh = tensor.empty() : !rh
  %ih = linalg.fill ins(%zero : f32) outs(%eh : !rh) -> !rh
  %rh = linalg.conv_2d_nhwc_hwcf {strides = dense<2> : vector<2xi64>} ins(%ah, %wh : !ah, !wh) outs(%ih : !rh) -> !rh
  %e1 = tensor.empty() : !r1
  %i1 = linalg.fill ins(%zero : f32) outs(%e1 : !r1) -> !r1
  %r1 = linalg.conv_2d_nhwc_hwcf ins(%a, %w1 : !a, !w1) outs(%i1 : !r1) -> !r1
  %es = tensor.empty() : !rs
  %is = linalg.fill ins(%zero : f32) outs(%es : !rs) -> !rs
  %rs = linalg.conv_2d_nhwc_hwcf ins(%as, %w : !as, !w) outs(%is : !rs) -> !rs
  %ec = tensor.empty() : !rc
  %ic = linalg.fill ins(%zero : f32) outs(%ec : !rc) -> !rc
  %rc = linalg.conv_2d_nchw_fchw ins(%ac, %wc : !ac, !wc) outs(%ic : !rc) -> !rc
  return %r, %rh, %r1, %rs, %rc : !r, !rh, !r1, !rs, !rc
}
