// What the device's assembler says of a kernel: registers, spills, shared memory with what the launch adds; and of one that it refuses.
// REQUIRES: ptxas
// RUN: ucmoh-opt %s --tensorize-with-cost-model="target=nvidia_sm80" --ucmoh-to-llvm="target=nvidia_sm80" --remarks-filter=ucmoh --remark-format=emitRemark --mlir-disable-threading -o %t.mlir 2>%t.remarks
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: ucmoh-run %s --target=nvidia_sm80 --driver=%ptx_interpreter | FileCheck %s --check-prefix=TABLE
// RUN: ucmoh-run %s --target=nvidia_sm80 --driver=%ptx_interpreter --json | FileCheck %s --check-prefix=JSON
// RUN: ucmoh-run %s --target=nvidia_sm80 --driver=%ptx_interpreter --json --assembler=none | FileCheck %s --check-prefix=NONE
// RUN: ucmoh-run %s --target=nvidia_sm80 --driver=%ptx_interpreter --assembler=false | FileCheck %s --check-prefix=REFUSED

// REMARK: {{\[Analysis\]}} assembled {{.*}}Function=product {{.*}}product_kernel: {{[0-9]+}} registers a thread, 0 bytes spilled, {{[1-9][0-9]+}} bytes of shared memory
// CHECK: gpu.binary @product_kernel {{.*}}ucmoh.needs = {error = "", function = "product", registers = {{[0-9]+}} : i64, shared_memory_bytes = {{[0-9]+}} : i64, spill_bytes = 0 : i64}
// CHECK-SAME: .extern .shared .align 16 .b8
// TABLE: kernel product_kernel: {{[0-9]+}} registers a thread, 0 bytes spilled, {{[1-9][0-9]+}} bytes of shared memory
// TABLE: verified
// JSON: "kernels":[{"error":null,"kernel":"product_kernel","registers":{{[0-9]+}},"shared_memory_bytes":{{[0-9]+}},"spill_bytes":0}]
// NONE-NOT: kernels
// NONE: "verified":true
// REFUSED: kernel product_kernel: the assembler refuses it
// REFUSED: verified

func.func @product(%a: tensor<64x128xf16>, %b: tensor<128x96xf16> {ucmoh.weight}, %c: tensor<64x96xf32>) -> tensor<64x96xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<64x128xf16>, tensor<128x96xf16>) outs(%c : tensor<64x96xf32>) -> tensor<64x96xf32>
  return %0 : tensor<64x96xf32>
}
