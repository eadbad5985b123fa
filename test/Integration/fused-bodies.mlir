// Contractions as other tools leave them: with the quantization of their operands fused into the
// body, or on operands that were extended to 32 bits ahead and summed in 64. Integers are compared
// exactly.
// RUN: ucmoh-run %s --verify --repeat=1 --json | FileCheck %s
// RUN: ucmoh-run %s --verify --repeat=1 --json --model=random:7 | FileCheck %s
// All of them are recognized.
// RUN: ucmoh-opt %s --tensorize-with-cost-model="target=x86_avx512_vnni+x86_avx512f@zen4" --remarks-filter=ucmoh --remark-format=emitRemark --mlir-disable-threading 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK

#id = affine_map<(i, j) -> (i, j)>
#one = affine_map<(i, j) -> ()>
#lhs = affine_map<(m, n, k) -> (m, k)>
#scale = affine_map<(m, n, k) -> (k)>
#rhs = affine_map<(m, n, k) -> (k, n)>
#rhs_t = affine_map<(m, n, k) -> (n, k)>
#acc = affine_map<(m, n, k) -> (m, n)>

// Both operands are quantized in the body, one by a scale per row, and both have zero points.
// REMARK: [Passed] chosen {{.*}}Function=quantized {{.*}}matmul_u8s8s32_31x97x66
// CHECK-DAG: "function":"quantized"{{.*}}"verified":true
func.func @quantized(%a: tensor<31x66xf32>, %s: tensor<66xf32>, %b: tensor<66x97xf32>) -> tensor<31x97xi32> {
  %c0 = arith.constant 0 : i32
  %low = arith.constant 0.0 : f32
  %high = arith.constant 255.0 : f32
  %least = arith.constant -128.0 : f32
  %most = arith.constant 127.0 : f32
  %scale = arith.constant 0.01 : f32
  %shift = arith.constant -128 : i8
  %za = arith.constant 13 : i32
  %zb = arith.constant -5 : i32
  %empty = tensor.empty() : tensor<31x97xi32>
  %init = linalg.fill ins(%c0 : i32) outs(%empty : tensor<31x97xi32>) -> tensor<31x97xi32>
  %r = linalg.generic {indexing_maps = [#lhs, #scale, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %s, %b : tensor<31x66xf32>, tensor<66xf32>, tensor<66x97xf32>) outs(%init : tensor<31x97xi32>) {
  ^bb0(%x: f32, %y: f32, %w: f32, %o: i32):
    %0 = arith.mulf %x, %y : f32
    %1 = arith.divf %0, %scale : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.maximumf %2, %low : f32
    %4 = arith.minimumf %3, %high : f32
    %5 = arith.fptoui %4 : f32 to i8
    %6 = arith.addi %5, %shift : i8
    %7 = arith.extsi %6 : i8 to i32
    %8 = arith.subi %7, %za : i32
    %9 = arith.divf %w, %scale : f32
    %10 = math.roundeven %9 : f32
    %11 = arith.maximumf %10, %least : f32
    %12 = arith.minimumf %11, %most : f32
    %13 = arith.fptosi %12 : f32 to i8
    %14 = arith.extsi %13 : i8 to i32
    %15 = arith.subi %14, %zb : i32
    %16 = arith.muli %8, %15 : i32
    %17 = arith.addi %o, %16 : i32
    linalg.yield %17 : i32
  } -> tensor<31x97xi32>
  return %r : tensor<31x97xi32>
}

// One row, found by its position.
// REMARK: [Passed] chosen {{.*}}Function=position {{.*}}matmul_f32f32f32_1x97x66
// CHECK-DAG: "function":"position"{{.*}}"verified":true
func.func @position(%a: tensor<8x66xf32>, %b: tensor<97x66xf32> {ucmoh.weight}) -> tensor<1x97xf32> {
  %c0 = arith.constant 0.0 : f32
  %row = arith.constant 5 : index
  %empty = tensor.empty() : tensor<1x97xf32>
  %init = linalg.fill ins(%c0 : f32) outs(%empty : tensor<1x97xf32>) -> tensor<1x97xf32>
  %r = linalg.generic {indexing_maps = [#rhs_t, #acc], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%b : tensor<97x66xf32>) outs(%init : tensor<1x97xf32>) {
  ^bb0(%w: f32, %o: f32):
    %i = linalg.index 2 : index
    %x = tensor.extract %a[%row, %i] : tensor<8x66xf32>
    %0 = arith.negf %x : f32
    %1 = arith.mulf %0, %w : f32
    %2 = arith.addf %o, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<1x97xf32>
  return %r : tensor<1x97xf32>
}

// The zero point is known at run time only; the sum of 64 bits is used as such.
// REMARK: [Passed] chosen {{.*}}Function=dynamic_zero_point {{.*}}matmul_u8s8s32_31x97x66
// CHECK-DAG: "function":"dynamic_zero_point"{{.*}}"verified":true
func.func @dynamic_zero_point(%a: tensor<31x66xi8>, %za: tensor<i8>, %b: tensor<66x97xi8> {ucmoh.weight}) -> tensor<31x97xi64> {
  %c0 = arith.constant 0 : i64
  %ea = tensor.empty() : tensor<31x66xi32>
  %az = linalg.generic {indexing_maps = [#id, #one, #id], iterator_types = ["parallel", "parallel"]} ins(%a, %za : tensor<31x66xi8>, tensor<i8>) outs(%ea : tensor<31x66xi32>) {
  ^bb0(%x: i8, %z: i8, %o: i32):
    %0 = arith.extui %x : i8 to i32
    %1 = arith.extui %z : i8 to i32
    %2 = arith.subi %0, %1 : i32
    linalg.yield %2 : i32
  } -> tensor<31x66xi32>
  %e = tensor.empty() : tensor<31x97xi64>
  %init = linalg.fill ins(%c0 : i64) outs(%e : tensor<31x97xi64>) -> tensor<31x97xi64>
  %r = linalg.matmul ins(%az, %b : tensor<31x66xi32>, tensor<66x97xi8>) outs(%init : tensor<31x97xi64>) -> tensor<31x97xi64>
  return %r : tensor<31x97xi64>
}

// The same, fused into the body as a whole.
// REMARK: [Passed] chosen {{.*}}Function=fused_zero_point {{.*}}matmul_u8s8s32_31x97x66
// CHECK-DAG: "function":"fused_zero_point"{{.*}}"verified":true
func.func @fused_zero_point(%a: tensor<31x66xi8>, %za: tensor<1xi8>, %b: tensor<66x97xi8> {ucmoh.weight}) -> tensor<31x97xi64> {
  %c0 = arith.constant 0 : i64
  %e = tensor.empty() : tensor<31x97xi64>
  %init = linalg.fill ins(%c0 : i64) outs(%e : tensor<31x97xi64>) -> tensor<31x97xi64>
  %r = linalg.generic {indexing_maps = [#lhs, affine_map<(m, n, k) -> (0)>, #rhs, #acc], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%a, %za, %b : tensor<31x66xi8>, tensor<1xi8>, tensor<66x97xi8>) outs(%init : tensor<31x97xi64>) {
  ^bb0(%x: i8, %z: i8, %w: i8, %o: i64):
    %0 = arith.extui %x : i8 to i32
    %1 = arith.extui %z : i8 to i32
    %2 = arith.subi %0, %1 : i32
    %3 = arith.extsi %2 : i32 to i64
    %4 = arith.extsi %w : i8 to i64
    %5 = arith.muli %3, %4 : i64
    %6 = arith.addi %o, %5 : i64
    linalg.yield %6 : i64
  } -> tensor<31x97xi64>
  return %r : tensor<31x97xi64>
}
