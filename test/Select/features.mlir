// What a model sees of each candidate, by name: of a device the registers and spills, estimated.
// RUN: ucmoh-candidates %s --target=nvidia_sm80 --features | FileCheck %s

// CHECK: "choice":"#ucmoh.choice<intrinsic = @nvidia_sm80::@mma_m16n8k16_f16_f32,{{.*}}"features":[{{.*}}"isCompute":1,{{.*}}"isGrid":1,{{.*}}"registersPerThread":{{[1-9][0-9.]+}},{{.*}}"sharedBytes":{{[1-9][0-9]+}},{{.*}}"rank":0,

func.func @product(%a: tensor<64x128xf16>, %b: tensor<128x96xf16> {ucmoh.weight}, %c: tensor<64x96xf32>) -> tensor<64x96xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<64x128xf16>, tensor<128x96xf16>) outs(%c : tensor<64x96xf32>) -> tensor<64x96xf32>
  return %0 : tensor<64x96xf32>
}
