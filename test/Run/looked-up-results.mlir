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

// A right operand that a body looks up in an argument is no weight.
// CHECK: @places on
// CHECK-NOT: prepacked
// CHECK: verified
func.func @places(%x: tensor<64x32xf32>, %a: tensor<16x64xf32>) -> tensor<16x32xf32> {
  %last = arith.constant 63 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x32xf32>
  %turned = linalg.generic {indexing_maps = [#all], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<64x32xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = arith.subi %last, %i : index
    %t = tensor.extract %x[%k, %j] : tensor<64x32xf32>
    linalg.yield %t : f32
  } -> tensor<64x32xf32>
  %s = tensor.empty() : tensor<16x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%s : tensor<16x32xf32>) -> tensor<16x32xf32>
  %r = linalg.matmul ins(%a, %turned : tensor<16x64xf32>, tensor<64x32xf32>) outs(%f : tensor<16x32xf32>) -> tensor<16x32xf32>
  return %r : tensor<16x32xf32>
}
