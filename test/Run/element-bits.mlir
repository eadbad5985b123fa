// Elements that take a byte in a buffer but a bit in a vector (i1), or whose width is the machine's (index): as operands of consumers, as their
// results, below an extension and in a contraction itself.
// RUN: ucmoh-run %s | FileCheck %s
// RUN: ucmoh-opt %s --tensorize-with-cost-model --remarks-filter=ucmoh --remark-format=emitRemark --mlir-disable-threading -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// CHECK: matmul_s8s8s32_17x40x64
// CHECK: matmul_f32f32f32_17x40x64
// CHECK: {{, verified}}
// REMARK-DAG: {{\[Missed\]}} left alone {{.*}}elements of i1 are not supported
// REMARK-DAG: {{\[Missed\]}} left alone {{.*}}elements of f8E4M3FNUZ are not supported

#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @main(%a: tensor<17x64xi8>, %b: tensor<64x40xi8> {ucmoh.weight}, %x: tensor<17x64xf32>, %y: tensor<64x40xf32>, %mask: tensor<17x40xi1>,
                %where: tensor<17x40xindex>, %bits: tensor<17x64xi1>, %others: tensor<64x40xi1>)
    -> (tensor<17x40xi32>, tensor<17x40xf32>, tensor<17x40xi1>, tensor<17x40xi32>, tensor<17x40xi32>) {
  %zero = arith.constant 0 : i32
  %zerof = arith.constant 0.0 : f32
  %low = arith.constant -77 : i32
  %e = tensor.empty() : tensor<17x40xi32>
  %ef = tensor.empty() : tensor<17x40xf32>
  %eb = tensor.empty() : tensor<17x40xi1>
  %e8 = tensor.empty() : tensor<17x64xi8>
  %zeros = linalg.fill ins(%zero : i32) outs(%e : tensor<17x40xi32>) -> tensor<17x40xi32>
  %zerosf = linalg.fill ins(%zerof : f32) outs(%ef : tensor<17x40xf32>) -> tensor<17x40xf32>

  %0 = linalg.matmul ins(%a, %b : tensor<17x64xi8>, tensor<64x40xi8>) outs(%zeros : tensor<17x40xi32>) -> tensor<17x40xi32>
  %masked = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%0, %mask : tensor<17x40xi32>, tensor<17x40xi1>) outs(%e : tensor<17x40xi32>) {
  ^bb0(%v: i32, %m: i1, %o: i32):
    %s = arith.select %m, %v, %low : i32
    linalg.yield %s : i32
  } -> tensor<17x40xi32>

  %1 = linalg.matmul ins(%x, %y : tensor<17x64xf32>, tensor<64x40xf32>) outs(%zerosf : tensor<17x40xf32>) -> tensor<17x40xf32>
  %relu:2 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%1, %where : tensor<17x40xf32>, tensor<17x40xindex>) outs(%ef, %eb : tensor<17x40xf32>, tensor<17x40xi1>) {
  ^bb0(%v: f32, %w: index, %o: f32, %p: i1):
    %i = arith.index_cast %w : index to i32
    %f = arith.sitofp %i : i32 to f32
    %s = arith.addf %v, %f : f32
    %c = arith.cmpf ogt, %s, %zerof : f32
    %r = arith.select %c, %s, %zerof : f32
    linalg.yield %r, %c : f32, i1
  } -> (tensor<17x40xf32>, tensor<17x40xi1>)

  %wide = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%bits : tensor<17x64xi1>) outs(%e8 : tensor<17x64xi8>) {
  ^bb0(%v: i1, %o: i8):
    %s = arith.extui %v : i1 to i8
    linalg.yield %s : i8
  } -> tensor<17x64xi8>
  %2 = linalg.matmul ins(%wide, %b : tensor<17x64xi8>, tensor<64x40xi8>) outs(%zeros : tensor<17x40xi32>) -> tensor<17x40xi32>

  %3 = linalg.matmul ins(%bits, %others : tensor<17x64xi1>, tensor<64x40xi1>) outs(%zeros : tensor<17x40xi32>) -> tensor<17x40xi32>
  return %masked, %relu#0, %relu#1, %2, %3 : tensor<17x40xi32>, tensor<17x40xf32>, tensor<17x40xi1>, tensor<17x40xi32>, tensor<17x40xi32>
}

func.func private @other_floats(%a: tensor<16x64xf8E4M3FNUZ>, %b: tensor<64x16xf8E4M3FNUZ>, %c: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<16x64xf8E4M3FNUZ>, tensor<64x16xf8E4M3FNUZ>) outs(%c : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %r : tensor<16x16xf32>
}
