// An assertion that does not hold ends the program with its message and an error, and no signal.
// RUN: not %ucmoh_run %s --verify=false --repeat=1 2>&1 | FileCheck %s

// CHECK: the last element is zero
// CHECK: error: an assertion of the program does not hold
func.func @main(%x: tensor<16xf32>) -> tensor<16xf32> {
  %last = arith.constant 15 : index
  %element = tensor.extract %x[%last] : tensor<16xf32>
  %zero = arith.constant 0.0 : f32
  %different = arith.cmpf one, %element, %element : f32
  cf.assert %different, "the last element is zero"
  return %x : tensor<16xf32>
}
