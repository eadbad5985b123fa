!a = tensor<64x64xi8>
!c = tensor<64x64xi32>
#all = affine_map<(m, n) -> (m, n)>
// The constant in the last body keeps that op from being replaced.
func.func @main(%a: !a, %b: !a) -> (!c, !c, !c) {
  %three = arith.constant 3 : i32
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : !c
  %init = linalg.fill ins(%zero : i32) outs(%empty : !c) -> !c
  %ab = linalg.matmul ins(%a, %b : !a, !a) outs(%init : !c) -> !c
  %aa = linalg.matmul ins(%a, %a : !a, !a) outs(%init : !c) -> !c
  %multiple = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%ab : !c) outs(%empty : !c) {
  ^bb0(%x: i32, %unused: i32):
    %product = arith.muli %x, %three : i32
    linalg.yield %product : i32
  } -> !c
  return %ab, %aa, %multiple : !c, !c, !c
}
