// Moves: whole rows where they stay rows; a transposition of the innermost dim is none, and stays as LLVM finds best.
// RUN: %vectorized %s | FileCheck %s --check-prefix=VECTORS
// RUN: ucmoh-run %s --repeat=1 --budget=0.1 | FileCheck %s --check-prefix=EXECUTED

// VECTORS-COUNT-4: vectorized loop

// EXECUTED-COUNT-3: verified

func.func @heads(%x: tensor<1x128x12x64xf32>) -> tensor<1x12x128x64xf32> {
  %empty = tensor.empty() : tensor<1x12x128x64xf32>
  %y = linalg.transpose ins(%x : tensor<1x128x12x64xf32>) outs(%empty : tensor<1x12x128x64xf32>) permutation = [0, 2, 1, 3]
  return %y : tensor<1x12x128x64xf32>
}

func.func @innermost(%x: tensor<64x48xf32>) -> tensor<48x64xf32> {
  %empty = tensor.empty() : tensor<48x64xf32>
  %y = linalg.transpose ins(%x : tensor<64x48xf32>) outs(%empty : tensor<48x64xf32>) permutation = [1, 0]
  return %y : tensor<48x64xf32>
}

func.func @concat(%x: tensor<32x48xf32>, %y: tensor<32x80xf32>) -> tensor<32x128xf32> {
  %both = tensor.concat dim(1) %x, %y : (tensor<32x48xf32>, tensor<32x80xf32>) -> tensor<32x128xf32>
  return %both : tensor<32x128xf32>
}
