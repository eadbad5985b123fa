// A pooling with one row of windows reads some rows of an image that has more.
// RUN: ucmoh-run %s --repeat=1 | FileCheck %s

#all = affine_map<(a, b, c, d) -> (a, b, c, d)>
#rows = affine_map<(a, b, c, d) -> (b, c, d)>

// CHECK: verified
func.func @main(%x: tensor<1x3x3x5xf32>, %y: tensor<3x3x5xf32>) -> tensor<1x3x1x2xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x3x3x5xf32>
  %scaled = linalg.generic {indexing_maps = [#all, #rows, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x, %y : tensor<1x3x3x5xf32>, tensor<3x3x5xf32>) outs(%e : tensor<1x3x3x5xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    linalg.yield %p : f32
  } -> tensor<1x3x3x5xf32>
  %s = tensor.empty() : tensor<1x3x1x2xf32>
  %f = linalg.fill ins(%zero : f32) outs(%s : tensor<1x3x1x2xf32>) -> tensor<1x3x1x2xf32>
  %windows = tensor.empty() : tensor<2x2xf32>
  %r = linalg.pooling_nchw_sum {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%scaled, %windows : tensor<1x3x3x5xf32>, tensor<2x2xf32>) outs(%f : tensor<1x3x1x2xf32>) -> tensor<1x3x1x2xf32>
  return %r : tensor<1x3x1x2xf32>
}
