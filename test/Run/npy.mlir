// Arguments come from .npy files and results go to .npy files; the numbers are those of another
// implementation, in Python. All elements count, the extremes of their range among them.
// RUN: rm -rf %t && mkdir -p %t
// RUN: %python %S/Inputs/npy.py write %t
// RUN: ucmoh-run %s --repeat=1 --budget=0.1 --input=%t/a.npy --input=%t/b.npy --input=%t/x.npy --output=%t/results --json | FileCheck %s
// RUN: %python %S/Inputs/npy.py compare %t/results | FileCheck %s --check-prefix=PYTHON

// Unsigned bytes are taken bit by bit; a folder for results may exist.
// RUN: ucmoh-run %s --repeat=1 --budget=0.1 --input=%t/unsigned.npy --input=%t/b.npy --input=%t/x.npy --output=%t/results --json | FileCheck %s
// RUN: %python %S/Inputs/npy.py compare %t/results | FileCheck %s --check-prefix=PYTHON

// CHECK: "error":null,"function":"product"
// CHECK-SAME: "choice":"#ucmoh.choice<
// CHECK-SAME: "workload":"matmul_s8s8s32_5x19x13_
// CHECK-SAME: "verified":true
// PYTHON: as expected

// What does not fit is refused with the file's name, and what would fit.
// RUN: not ucmoh-run %s --input=%t/shape.npy | FileCheck %s --check-prefix=SHAPE
// SHAPE: shape.npy: type or shape is not that of the argument, tensor<5x13xi8>
// RUN: not ucmoh-run %s --input=%t/type.npy | FileCheck %s --check-prefix=TYPE
// TYPE: type.npy: holds <i4; give row-major |i1
// RUN: not ucmoh-run %s --input=%t/none.npy | FileCheck %s --check-prefix=NONE
// NONE: none.npy: No such file or directory
// RUN: not ucmoh-run %s --input=%t/a.npy --input=%t/b.npy --input=%t/x.npy --input=%t/x.npy | FileCheck %s --check-prefix=MANY
// MANY: more input files than arguments that are no weights
// RUN: not ucmoh-run %s --repeat=1 --budget=0.1 --output=%t/a.npy/results | FileCheck %s --check-prefix=OUTPUT
// OUTPUT: a.npy/results: Not a directory

func.func @product(%a: tensor<5x13xi8>, %b: tensor<13x19xi8>, %w: tensor<5x19xf32> {ucmoh.weight}, %x: tensor<5x19xf32>) -> (tensor<5x19xi32>, tensor<5x19xf32>) {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<5x19xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<5x19xi32>) -> tensor<5x19xi32>
  %r = linalg.matmul ins(%a, %b : tensor<5x13xi8>, tensor<13x19xi8>) outs(%f : tensor<5x19xi32>) -> tensor<5x19xi32>
  %to = tensor.empty() : tensor<5x19xf32>
  %twice = linalg.add ins(%x, %x : tensor<5x19xf32>, tensor<5x19xf32>) outs(%to : tensor<5x19xf32>) -> tensor<5x19xf32>
  return %r, %twice : tensor<5x19xi32>, tensor<5x19xf32>
}
