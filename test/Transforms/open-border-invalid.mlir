// MLIR parses a border whose width no operand gives. It is refused before a pass asks for the width.

// RUN: ucmoh-opt %s --ucmoh-verify-borders --split-input-file --verify-diagnostics
// RUN: ucmoh-opt %s --tensorize-with-cost-model --split-input-file --verify-diagnostics
// RUN: ucmoh-opt %s --ucmoh-to-llvm --split-input-file --verify-diagnostics

func.func @low(%x: tensor<?x4xf32>, %zero: f32) -> tensor<?x5xf32> {
  // expected-error @below {{'tensor.pad' op has a width that is open, but no operand that gives it: write a number, or the operand}}
  %padded = tensor.pad %x low[-9223372036854775808, 1] high[0, 0] {
  ^bb0(%a: index, %b: index):
    tensor.yield %zero : f32
  } : tensor<?x4xf32> to tensor<?x5xf32>
  return %padded : tensor<?x5xf32>
}

// -----

func.func @high(%x: tensor<?x4xf32>, %n: index, %zero: f32) -> tensor<?x5xf32> {
  // expected-error @below {{'tensor.pad' op has a width that is open, but no operand that gives it}}
  %padded = tensor.pad %x low[%n, 1] high[-9223372036854775808, 0] {
  ^bb0(%a: index, %b: index):
    tensor.yield %zero : f32
  } : tensor<?x4xf32> to tensor<?x5xf32>
  return %padded : tensor<?x5xf32>
}
