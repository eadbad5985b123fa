#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
#row = affine_map<(m, n) -> (n)>
#all = affine_map<(m, n) -> (m, n)>
!a = tensor<32x96xi8>
!b = tensor<96x48xi8>
!c = tensor<32x48xi32>
!f = tensor<32x48xf32>
// A named product, a generic one, and one whose epilogue reads another operand.
func.func @main(%a: !a, %b: !b, %bias: tensor<48xf32>) -> (!c, !c, !f) {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : !c
  %init = linalg.fill ins(%zero : i32) outs(%empty : !c) -> !c
  %named = linalg.matmul ins(%a, %b : !a, !b) outs(%init : !c) -> !c
  %generic = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : !a, !b) outs(%init : !c) {
  ^bb0(%x: i8, %y: i8, %sum: i32):
    %xe = arith.extui %x : i8 to i32
    %ye = arith.extsi %y : i8 to i32
    %product = arith.muli %xe, %ye : i32
    %next = arith.addi %sum, %product : i32
    linalg.yield %next : i32
  } -> !c
  %sums = linalg.matmul ins(%a, %b : !a, !b) outs(%named : !c) -> !c
  %floats = tensor.empty() : !f
  %result = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%sums, %bias : !c, tensor<48xf32>) outs(%floats : !f) {
  ^bb0(%x: i32, %y: f32, %unused: f32):
    %float = arith.sitofp %x : i32 to f32
    %sum = arith.addf %float, %y : f32
    linalg.yield %sum : f32
  } -> !f
  return %named, %generic, %result : !c, !c, !f
}
