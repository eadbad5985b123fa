// Shapes that contradict each other, where patterns undo what others do: the pass ends.
// RUN: ucmoh-opt %s --ucmoh-prepare | FileCheck %s

// CHECK: func.func @gate
func.func @gate(%image: tensor<?x8x8x32xf32>, %gate: tensor<?x1x1x32xf32>) -> tensor<?x8x8x32xf32> {
  %c0 = arith.constant 1 : index
  %n = tensor.dim %image, %c0 : tensor<?x8x8x32xf32>
  %e1 = tensor.empty(%n) : tensor<?x1x1x32xf32>
  %exp = linalg.exp ins(%gate : tensor<?x1x1x32xf32>) outs(%e1 : tensor<?x1x1x32xf32>) -> tensor<?x1x1x32xf32>
  %e2 = tensor.empty(%n) : tensor<?x8x8x32xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(b, y, x, c) -> (b, y, x, c)>, affine_map<(b, y, x, c) -> (b, 1, 1, c)>, affine_map<(b, y, x, c) -> (b, y, x, c)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%image, %exp : tensor<?x8x8x32xf32>, tensor<?x1x1x32xf32>) outs(%e2 : tensor<?x8x8x32xf32>) {
  ^bb0(%a: f32, %g: f32, %out: f32):
    %p = arith.mulf %a, %g : f32
    linalg.yield %p : f32
  } -> tensor<?x8x8x32xf32>
  return %r : tensor<?x8x8x32xf32>
}
