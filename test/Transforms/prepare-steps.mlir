// Products of a loop over steps that need no earlier step are one product in front of the loop.
// RUN: ucmoh-opt %s --ucmoh-prepare | FileCheck %s

#row = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: func @recurrent
// CHECK-SAME: %[[INPUT:[^:]*]]: tensor<40x2x64xf32>, %[[WEIGHTS:[^:]*]]: tensor<64x128xf32>, %[[STATES:[^:]*]]: tensor<128x128xf32>
// CHECK: %[[ROWS:.*]] = tensor.collapse_shape %[[INPUT]] {{\[\[}}0, 1], [2]]
// CHECK: %[[ALL:.*]] = linalg.matmul ins(%[[ROWS]], %[[WEIGHTS]] : tensor<80x64xf32>, tensor<64x128xf32>)
// CHECK: %[[STEPS:.*]] = tensor.expand_shape %[[ALL]] {{\[\[}}0, 1], [2]] output_shape [40, 2, 128]
// CHECK: scf.for %[[STEP:[^ ]*]] =
// CHECK: tensor.extract_slice %[[STEPS]][%[[STEP]], 0, 0] [1, 2, 128] [1, 1, 1] : tensor<40x2x128xf32> to tensor<2x128xf32>
// CHECK: linalg.matmul ins(%{{.*}}, %[[STATES]]
// CHECK-NOT: linalg.matmul
func.func @recurrent(%input: tensor<40x2x64xf32>, %weights: tensor<64x128xf32>, %states: tensor<128x128xf32>, %first: tensor<2x128xf32>) -> tensor<2x128xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c40 = arith.constant 40 : index
  %r = scf.for %step = %c0 to %c40 step %c1 iter_args(%state = %first) -> (tensor<2x128xf32>) {
    %slice = tensor.extract_slice %input[%step, 0, 0] [1, 2, 64] [1, 1, 1] : tensor<40x2x64xf32> to tensor<1x2x64xf32>
    %rows = tensor.collapse_shape %slice [[0, 1], [2]] : tensor<1x2x64xf32> into tensor<2x64xf32>
    %e = tensor.empty() : tensor<2x128xf32>
    %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<2x128xf32>) -> tensor<2x128xf32>
    %a = linalg.matmul ins(%rows, %weights : tensor<2x64xf32>, tensor<64x128xf32>) outs(%zeros : tensor<2x128xf32>) -> tensor<2x128xf32>
    %b = linalg.matmul ins(%state, %states : tensor<2x128xf32>, tensor<128x128xf32>) outs(%zeros : tensor<2x128xf32>) -> tensor<2x128xf32>
    %next = linalg.generic {indexing_maps = [#row, #row, #row], iterator_types = ["parallel", "parallel"]} ins(%a, %b : tensor<2x128xf32>, tensor<2x128xf32>) outs(%e : tensor<2x128xf32>) {
    ^bb0(%x: f32, %y: f32, %out: f32):
      %sum = arith.addf %x, %y : f32
      %t = math.tanh %sum : f32
      linalg.yield %t : f32
    } -> tensor<2x128xf32>
    scf.yield %next : tensor<2x128xf32>
  }
  return %r : tensor<2x128xf32>
}

// A loop over a few of the steps would not need the others.
// CHECK-LABEL: func @few_steps
// CHECK: scf.for
// CHECK: linalg.matmul {{.*}} -> tensor<2x128xf32>
func.func @few_steps(%input: tensor<40x2x64xf32>, %weights: tensor<64x128xf32>, %first: tensor<2x128xf32>) -> tensor<2x128xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r = scf.for %step = %c0 to %c4 step %c1 iter_args(%state = %first) -> (tensor<2x128xf32>) {
    %slice = tensor.extract_slice %input[%step, 0, 0] [1, 2, 64] [1, 1, 1] : tensor<40x2x64xf32> to tensor<1x2x64xf32>
    %rows = tensor.collapse_shape %slice [[0, 1], [2]] : tensor<1x2x64xf32> into tensor<2x64xf32>
    %e = tensor.empty() : tensor<2x128xf32>
    %zeros = linalg.fill ins(%zero : f32) outs(%e : tensor<2x128xf32>) -> tensor<2x128xf32>
    %a = linalg.matmul ins(%rows, %weights : tensor<2x64xf32>, tensor<64x128xf32>) outs(%zeros : tensor<2x128xf32>) -> tensor<2x128xf32>
    %next = linalg.generic {indexing_maps = [#row, #row, #row], iterator_types = ["parallel", "parallel"]} ins(%a, %state : tensor<2x128xf32>, tensor<2x128xf32>) outs(%e : tensor<2x128xf32>) {
    ^bb0(%x: f32, %y: f32, %out: f32):
      %sum = arith.addf %x, %y : f32
      linalg.yield %sum : f32
    } -> tensor<2x128xf32>
    scf.yield %next : tensor<2x128xf32>
  }
  return %r : tensor<2x128xf32>
}
