// The same seed makes the same choice, in another process and with other threads; another seed
// makes another one. What is drawn is legal: ucmoh-tile takes it.
// RUN: ucmoh-opt %s --ucmoh-select="target=x86_avx512_vnni@zen4 model=random:1" >%t.first
// RUN: ucmoh-opt %s --ucmoh-select="target=x86_avx512_vnni@zen4 model=random:1" --mlir-disable-threading >%t.second
// RUN: ucmoh-opt %s --ucmoh-select="target=x86_avx512_vnni@zen4 model=random:2" >%t.other
// RUN: diff %t.first %t.second
// RUN: not diff %t.first %t.other >/dev/null
// RUN: FileCheck %s <%t.first
// RUN: ucmoh-opt %t.first --ucmoh-tile="target=x86_avx512_vnni@zen4" | FileCheck %s --check-prefix=TILE
// RUN: ucmoh-opt %t.other --ucmoh-tile="target=x86_avx512_vnni@zen4" | FileCheck %s --check-prefix=TILE

// A random score is no prediction: seconds are those of the analytic model.
// CHECK-LABEL: func.func @product(
// CHECK: ucmoh.choice = #ucmoh.choice<{{.*}}predicted_seconds = {{[0-9.E-]+}}, model = "random:1">
// TILE: ucmoh.kernel
func.func @product(%a: tensor<128x768xi8>, %b: tensor<768x768xi8>, %f: tensor<128x768xi32>) -> tensor<128x768xi32> {
  %r = linalg.matmul ins(%a, %b : tensor<128x768xi8>, tensor<768x768xi8>) outs(%f : tensor<128x768xi32>) -> tensor<128x768xi32>
  return %r : tensor<128x768xi32>
}

// CHECK-LABEL: func.func @convolution(
// CHECK: ucmoh.choice = #ucmoh.choice<{{.*}}model = "random:1">
// TILE: ucmoh.kernel
func.func @convolution(%a: tensor<1x16x16x64xi8>, %b: tensor<3x3x64x48xi8>, %f: tensor<1x14x14x48xi32>) -> tensor<1x14x14x48xi32> {
  %r = linalg.conv_2d_nhwc_hwcf ins(%a, %b : tensor<1x16x16x64xi8>, tensor<3x3x64x48xi8>) outs(%f : tensor<1x14x14x48xi32>) -> tensor<1x14x14x48xi32>
  return %r : tensor<1x14x14x48xi32>
}
