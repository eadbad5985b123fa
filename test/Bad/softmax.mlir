// A softmax of integers has no meaning, but upstream's verifier accepts it: one diagnostic at the op, no crash.
// RUN: ucmoh-opt %s --ucmoh-decompose --verify-diagnostics

func.func @integers(%x: tensor<4x8xi32>) -> tensor<4x8xi32> {
  %e = tensor.empty() : tensor<4x8xi32>
  // expected-error @below {{needs elements of a float type; convert its operand first}}
  %r = linalg.softmax dimension(1) ins(%x : tensor<4x8xi32>) outs(%e : tensor<4x8xi32>) -> tensor<4x8xi32>
  return %r : tensor<4x8xi32>
}
