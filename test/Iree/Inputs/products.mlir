!a = tensor<64x256xf32>
!b = tensor<256x128xf32>
!c = tensor<64x128xf32>
!ba = tensor<4x32x32xf32>
!bb = tensor<4x32x64xf32>
!bc = tensor<4x32x64xf32>
!d = tensor<16x16xf64>
func.func @main(%a: !a, %b: !b, %ba: !ba, %bb: !bb, %d: !d) -> (!c, !bc, !d) {
  %zero = arith.constant 0.0 : f32
  %zero64 = arith.constant 0.0 : f64
  %c0 = tensor.empty() : !c
  %c1 = linalg.fill ins(%zero : f32) outs(%c0 : !c) -> !c
  %c = linalg.matmul ins(%a, %b : !a, !b) outs(%c1 : !c) -> !c
  %bc0 = tensor.empty() : !bc
  %bc1 = linalg.fill ins(%zero : f32) outs(%bc0 : !bc) -> !bc
  %bc = linalg.batch_matmul ins(%ba, %bb : !ba, !bb) outs(%bc1 : !bc) -> !bc
  %d0 = tensor.empty() : !d
  %d1 = linalg.fill ins(%zero64 : f64) outs(%d0 : !d) -> !d
  %dd = linalg.matmul ins(%d, %d : !d, !d) outs(%d1 : !d) -> !d
  return %c, %bc, %dd : !c, !bc, !d
}
