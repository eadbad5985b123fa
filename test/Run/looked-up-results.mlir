// An op that looks up what another one computes stays behind it, although both read the same elements.
// RUN: ucmoh-run %s --repeat=1 | FileCheck %s

#all = affine_map<(a, b) -> (a, b)>

// CHECK: verified
func.func @main(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %last = arith.constant 7 : index
  %e = tensor.empty() : tensor<8x16xf32>
  %roots = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = math.absf %a : f32
    %r = math.sqrt %m : f32
    linalg.yield %r : f32
  } -> tensor<8x16xf32>
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %turned = arith.subi %last, %i : index
    %t = tensor.extract %roots[%turned, %j] : tensor<8x16xf32>
    %s = arith.subf %t, %a : f32
    linalg.yield %s : f32
  } -> tensor<8x16xf32>
  return %r : tensor<8x16xf32>
}
