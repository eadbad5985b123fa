// RUN: ucmoh-opt %s --ucmoh-prepare | FileCheck %s

// What a product of narrow floats extends stays narrow: it is computed and stored in bf16, although reshapes that add a
// unit dim stand between.
#all = affine_map<(m, n) -> (m, n)>
#cube = affine_map<(b, m, n) -> (b, m, n)>
!x = tensor<32x64xf32>
!h = tensor<32x64xbf16>
!v = tensor<64x48xf32>
!c = tensor<32x48xf32>

// CHECK-LABEL: func @gelu
// CHECK: %[[NARROW:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<32x64xbf16>)
// CHECK: math.erf
// CHECK-NOT: arith.extf
// CHECK: linalg.yield
// CHECK: %[[WIDE:.*]] = linalg.generic {{.*}} ins(%[[NARROW]] : tensor<32x64xbf16>)
// CHECK-NEXT: ^bb0
// CHECK-NEXT: arith.extf
// CHECK-NEXT: linalg.yield
// CHECK: linalg.matmul ins(%[[WIDE]],
func.func @gelu(%x: !x, %v: !v, %init: !c) -> !c {
  %one = arith.constant 1.0 : bf16
  %narrow = tensor.empty() : !h
  %wide = tensor.empty() : !x
  %cube = tensor.empty() : tensor<1x32x64xbf16>
  %h = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x : !x) outs(%narrow : !h) {
  ^bb0(%in: f32, %out: bf16):
    %r = arith.truncf %in : f32 to bf16
    linalg.yield %r : bf16
  } -> !h
  %expanded = tensor.expand_shape %h [[0, 1], [2]] output_shape [1, 32, 64] : !h into tensor<1x32x64xbf16>
  %g = linalg.generic {indexing_maps = [#cube, #cube], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%expanded : tensor<1x32x64xbf16>) outs(%cube : tensor<1x32x64xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    %e = math.erf %in : bf16
    %s = arith.addf %e, %one : bf16
    %r = arith.mulf %in, %s : bf16
    linalg.yield %r : bf16
  } -> tensor<1x32x64xbf16>
  %collapsed = tensor.collapse_shape %g [[0, 1], [2]] : tensor<1x32x64xbf16> into !h
  %a = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%collapsed : !h) outs(%wide : !x) {
  ^bb0(%in: bf16, %out: f32):
    %r = arith.extf %in : bf16 to f32
    linalg.yield %r : f32
  } -> !x
  %c = linalg.matmul ins(%a, %v : !x, !v) outs(%init : !c) -> !c
  return %c : !c
}
