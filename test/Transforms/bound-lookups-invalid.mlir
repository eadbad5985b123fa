// RUN: ucmoh-opt %s --ucmoh-bound-lookups --split-input-file --verify-diagnostics

func.func @no_such_dim(%x: tensor<?x16xf32>) -> index {
  %dim = arith.constant -1 : index
  // expected-error @+1 {{'tensor.dim' op asks for dim -1 of 'tensor<?x16xf32>', which has 2: give one from 0 on}}
  %extent = tensor.dim %x, %dim : tensor<?x16xf32>
  return %extent : index
}

// -----

func.func @behind_the_last(%x: memref<4x16xf32>) -> index {
  %dim = arith.constant 2 : index
  // expected-error @+1 {{asks for dim 2 of 'memref<4x16xf32>'}}
  %extent = memref.dim %x, %dim : memref<4x16xf32>
  return %extent : index
}
