// One column is left over, and results are narrower than the accumulators. LLVM 22 makes a masked store of a truncated vector with one lane a store
// of the wider value, over what follows it in memory: there is none such.
// RUN: ucmoh-opt %s --tensorize-with-cost-model="target=x86_avx512_vnni" | FileCheck %s --check-prefix=IR
// RUN: ucmoh-run %s | FileCheck %s

// IR-NOT: vector.maskedstore
// IR: vector.store %{{.*}} : memref<{{.*}}xi8{{.*}}>, vector<1xi8>
// CHECK: matmul_s8s8s32_7x65x32
// CHECK: {{, verified}}

#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @main(%a: tensor<7x32xi8>, %b: tensor<32x65xi8> {ucmoh.weight}, %limit: tensor<7x65xi32>) -> tensor<7x65xi8> {
  %zero = arith.constant 0 : i32
  %shift = arith.constant 9 : i32
  %e = tensor.empty() : tensor<7x65xi32>
  %e8 = tensor.empty() : tensor<7x65xi8>
  %zeros = linalg.fill ins(%zero : i32) outs(%e : tensor<7x65xi32>) -> tensor<7x65xi32>
  %0 = linalg.matmul ins(%a, %b : tensor<7x32xi8>, tensor<32x65xi8>) outs(%zeros : tensor<7x65xi32>) -> tensor<7x65xi32>
  %1 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%0, %limit : tensor<7x65xi32>, tensor<7x65xi32>) outs(%e8 : tensor<7x65xi8>) {
  ^bb0(%v: i32, %m: i32, %o: i8):
    %s = arith.shrsi %v, %shift : i32
    %c = arith.minsi %s, %m : i32
    %n = arith.trunci %c : i32 to i8
    linalg.yield %n : i8
  } -> tensor<7x65xi8>
  return %1 : tensor<7x65xi8>
}
