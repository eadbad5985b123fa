// How many rows a block has: it fits into L2, and of very long rows 16 make a block. Threads share the heads, unless one of them would be idle for long.
// RUN: ucmoh-opt %s --ucmoh-prepare --ucmoh-blocks="target=x86_avx2_fma@zen3 model=analytic" --remarks-filter=ucmoh --remark-format=emitRemark --mlir-disable-threading -o /dev/null 2>&1 | FileCheck %s
// RUN: ucmoh-opt %s --ucmoh-prepare --ucmoh-blocks="target=x86_avx2_fma@zen3 model=analytic threads=2" --remarks-filter=ucmoh --remark-format=emitRemark --mlir-disable-threading -o /dev/null 2>&1 | FileCheck %s --check-prefix=THREADS

// CHECK: {{[2-8][0-9]}} of 2100 rows at once
// CHECK: {{1[67]}} of 9000 rows at once
// THREADS: {{[2-8][0-9]}} of 2100 rows at once
// THREADS-NOT: of 9000 rows at once
func.func @long(%q: tensor<6x2100x64xf32>, %k: tensor<6x64x2100xf32>, %v: tensor<6x2100x64xf32>) -> tensor<6x2100x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6x2100x2100xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<6x2100x2100xf32>) -> tensor<6x2100x2100xf32>
  %s = linalg.batch_matmul ins(%q, %k : tensor<6x2100x64xf32>, tensor<6x64x2100xf32>) outs(%f : tensor<6x2100x2100xf32>) -> tensor<6x2100x2100xf32>
  %p = linalg.exp ins(%s : tensor<6x2100x2100xf32>) outs(%e : tensor<6x2100x2100xf32>) -> tensor<6x2100x2100xf32>
  %ev = tensor.empty() : tensor<6x2100x64xf32>
  %fv = linalg.fill ins(%zero : f32) outs(%ev : tensor<6x2100x64xf32>) -> tensor<6x2100x64xf32>
  %r = linalg.batch_matmul ins(%p, %v : tensor<6x2100x2100xf32>, tensor<6x2100x64xf32>) outs(%fv : tensor<6x2100x64xf32>) -> tensor<6x2100x64xf32>
  return %r : tensor<6x2100x64xf32>
}

func.func @very_long(%q: tensor<3x9000x64xf32>, %k: tensor<3x64x9000xf32>, %v: tensor<3x9000x64xf32>) -> tensor<3x9000x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x9000x9000xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x9000x9000xf32>) -> tensor<3x9000x9000xf32>
  %s = linalg.batch_matmul ins(%q, %k : tensor<3x9000x64xf32>, tensor<3x64x9000xf32>) outs(%f : tensor<3x9000x9000xf32>) -> tensor<3x9000x9000xf32>
  %p = linalg.exp ins(%s : tensor<3x9000x9000xf32>) outs(%e : tensor<3x9000x9000xf32>) -> tensor<3x9000x9000xf32>
  %ev = tensor.empty() : tensor<3x9000x64xf32>
  %fv = linalg.fill ins(%zero : f32) outs(%ev : tensor<3x9000x64xf32>) -> tensor<3x9000x64xf32>
  %r = linalg.batch_matmul ins(%p, %v : tensor<3x9000x9000xf32>, tensor<3x9000x64xf32>) outs(%fv : tensor<3x9000x64xf32>) -> tensor<3x9000x64xf32>
  return %r : tensor<3x9000x64xf32>
}
