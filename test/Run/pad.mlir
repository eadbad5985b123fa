// What the border of a padded tensor is filled with, and where the source lies in it: compared with another implementation.
// RUN: rm -rf %t && mkdir -p %t
// RUN: %python %S/Inputs/pad.py write %t
// RUN: ucmoh-run %s --repeat=1 --budget=0.1 --input=%t/x.npy --output=%t/results
// RUN: %python %S/Inputs/pad.py compare %t/results | FileCheck %s
// CHECK: as expected

// Only the border is filled, unless an extent is not known yet.
// RUN: ucmoh-opt %s --ucmoh-decompose | FileCheck %s --check-prefix=BORDER
// BORDER-LABEL: func.func @pad(
// BORDER-NOT: tensor.pad
// BORDER-COUNT-5: linalg.fill
// BORDER-NOT: linalg.fill
// BORDER: tensor.insert_slice %{{.*}} into %{{.*}}[1, 0, 2] [2, 3, 4] [1, 1, 1]
// BORDER-LABEL: func.func private @open(
// BORDER: tensor.pad

func.func @pad(%x: tensor<2x3x4xf32>) -> tensor<5x4x7xf32> {
  %padded = tensor.pad %x low[1, 0, 2] high[2, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index):
    %border = arith.constant -7.5 : f32
    tensor.yield %border : f32
  } : tensor<2x3x4xf32> to tensor<5x4x7xf32>
  return %padded : tensor<5x4x7xf32>
}

func.func private @open(%x: tensor<2x?xf32>) -> tensor<4x?xf32> {
  %border = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[1, 1] high[1, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %border : f32
  } : tensor<2x?xf32> to tensor<4x?xf32>
  return %padded : tensor<4x?xf32>
}
