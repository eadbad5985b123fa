// RUN: ucmoh-opt %s --tensorize-with-cost-model=target=aarch64_dotprod+aarch64_i8mm+aarch64_neon --ucmoh-to-llvm=target=aarch64_dotprod+aarch64_i8mm+aarch64_neon \
// RUN:   | mlir-translate --mlir-to-llvmir | opt -O3 -mtriple=aarch64-linux-gnu -mcpu=neoverse-v1 -S \
// RUN:   | llc -mtriple=aarch64-linux-gnu -mcpu=neoverse-v1 > %t.s
// RUN: FileCheck %s --input-file=%t.s
// RUN: FileCheck %s --input-file=%t.s --check-prefix=COUNT

// The full register tile of 8 x 12: 24 accumulators, six registers of the panel, and words of lhs that the instruction
// takes by element. In the loop there is no dup, no ld1r (it would take a vector unit), and no spill.

// CHECK-LABEL: bytes:
// CHECK: [[LOOP:.LBB[0-9]+_1]]:
// CHECK-NOT: {{dup|ld1r|ld1|Spill|Reload}}
// CHECK: sdot v{{[0-9]+}}.4s, v{{[0-9]+}}.16b, v{{[0-9]+}}.4b[0]
// CHECK-NOT: {{dup|ld1r|ld1|Spill|Reload}}
// CHECK: sdot v{{[0-9]+}}.4s, v{{[0-9]+}}.16b, v{{[0-9]+}}.4b[1]
// CHECK-NOT: {{dup|ld1r|ld1|Spill|Reload}}
// CHECK: b.{{.*}} [[LOOP]]
// COUNT-LABEL: bytes:
// COUNT-COUNT-48: sdot v{{[0-9]+}}.4s, v{{[0-9]+}}.16b, v{{[0-9]+}}.4b[
// COUNT: b.
func.func @bytes(%a: tensor<8x256xi8>, %b: tensor<256x12xi8> {ucmoh.weight}, %c: tensor<8x12xi32>) -> tensor<8x12xi32> {
  %r = linalg.matmul {ucmoh.choice = #ucmoh.choice<intrinsic = @aarch64_dotprod::@sdot_x2, register_tile = [8, 12],
    cache_tile = [8, 12, 256], order = "nmk.nm", pack_lhs = "none", pack_rhs = "prepacked", threads = 1,
    predicted_seconds = 0.0, model = "test">}
    ins(%a, %b : tensor<8x256xi8>, tensor<256x12xi8>) outs(%c : tensor<8x12xi32>) -> tensor<8x12xi32>
  return %r : tensor<8x12xi32>
}

// CHECK-LABEL: floats:
// CHECK: [[LOOP:.LBB[0-9]+_1]]:
// CHECK-NOT: {{dup|ld1r|ld1|Spill|Reload}}
// CHECK: fmla v{{[0-9]+}}.4s, v{{[0-9]+}}.4s, v{{[0-9]+}}.s[0]
// CHECK-NOT: {{dup|ld1r|ld1|Spill|Reload}}
// CHECK: fmla v{{[0-9]+}}.4s, v{{[0-9]+}}.4s, v{{[0-9]+}}.s[1]
// CHECK-NOT: {{dup|ld1r|ld1|Spill|Reload}}
// CHECK: b.{{.*}} [[LOOP]]
// COUNT-LABEL: floats:
// COUNT-COUNT-48: fmla v{{[0-9]+}}.4s, v{{[0-9]+}}.4s, v{{[0-9]+}}.s[
// COUNT: b.
func.func @floats(%a: tensor<8x256xf32>, %b: tensor<256x12xf32> {ucmoh.weight}, %c: tensor<8x12xf32>) -> tensor<8x12xf32> {
  %r = linalg.matmul {ucmoh.choice = #ucmoh.choice<intrinsic = @aarch64_neon::@fmla_x2, register_tile = [8, 12],
    cache_tile = [8, 12, 256], order = "nmk.nm", pack_lhs = "none", pack_rhs = "prepacked", threads = 1,
    predicted_seconds = 0.0, model = "test">}
    ins(%a, %b : tensor<8x256xf32>, tensor<256x12xf32>) outs(%c : tensor<8x12xf32>) -> tensor<8x12xf32>
  return %r : tensor<8x12xf32>
}

// Matrix products have no form by element: two loads of eight bytes make an operand.

// CHECK-LABEL: matrices:
// CHECK: [[LOOP:.LBB[0-9]+_1]]:
// CHECK-NOT: {{dup|ld1r|Spill|Reload}}
// CHECK: b.{{.*}} [[LOOP]]
// COUNT-LABEL: matrices:
// COUNT-COUNT-24: smmla v{{[0-9]+}}.4s, v{{[0-9]+}}.16b, v{{[0-9]+}}.16b
// COUNT: b.
func.func @matrices(%a: tensor<8x256xi8>, %b: tensor<256x12xi8> {ucmoh.weight}, %c: tensor<8x12xi32>) -> tensor<8x12xi32> {
  %r = linalg.matmul {ucmoh.choice = #ucmoh.choice<intrinsic = @aarch64_i8mm::@smmla, register_tile = [8, 12],
    cache_tile = [8, 12, 256], order = "nmk.nm", pack_lhs = "none", pack_rhs = "prepacked", threads = 1,
    predicted_seconds = 0.0, model = "test">}
    ins(%a, %b : tensor<8x256xi8>, tensor<256x12xi8>) outs(%c : tensor<8x12xi32>) -> tensor<8x12xi32>
  return %r : tensor<8x12xi32>
}
