// What the outer tile loop holds is read once if it leaves room in L1 (48 rows of 512 bytes of 48 KiB), and again for each tile of
// the inner loop if it does not (96 rows; four tiles of 16 columns).
// RUN: ucmoh-candidates %s --target=x86_amx_int8@sapphirerapids --model=analytic --features | FileCheck %s

// CHECK-DAG: @tdpbssd, register_tile = [48, 16], cache_tile = [96, 64, 512], order = \"nmk.mn\", pack_lhs = \"none\", pack_rhs = \"prepacked\"{{.*}}"isCompute":1,{{[^}]*}}"lhsBeyondL1":49152,
// CHECK-DAG: @tdpbssd, register_tile = [96, 16], cache_tile = [96, 64, 512], order = \"nmk.mn\", pack_lhs = \"none\", pack_rhs = \"prepacked\"{{.*}}"isCompute":1,{{[^}]*}}"lhsBeyondL1":196608,

func.func @product(%a: tensor<96x512xi8>, %b: tensor<512x64xi8> {ucmoh.weight}, %c: tensor<96x64xi32>) -> tensor<96x64xi32> {
  %0 = linalg.matmul ins(%a, %b : tensor<96x512xi8>, tensor<512x64xi8>) outs(%c : tensor<96x64xi32>) -> tensor<96x64xi32>
  return %0 : tensor<96x64xi32>
}
