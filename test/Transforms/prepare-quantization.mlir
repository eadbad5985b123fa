// What is quantized and dequantized again stays a float; functions of 8 bits become tables; maxima of dequantized values
// become maxima of integers.
// RUN: ucmoh-opt %s --ucmoh-prepare --split-input-file | FileCheck %s
// RUN: sed -e "/^\/\/ -----/,$ d" %s > %t.first.mlir
// RUN: ucmoh-run %t.first.mlir --entry=rounded --repeat=1 --budget=0.05 | FileCheck %s --check-prefix=EXECUTED
// RUN: ucmoh-run %t.first.mlir --entry=quantized --repeat=1 --budget=0.05 | FileCheck %s --check-prefix=EXECUTED
// RUN: ucmoh-run %t.first.mlir --entry=again --repeat=1 --budget=0.05 | FileCheck %s --check-prefix=EXECUTED
// RUN: ucmoh-run %t.first.mlir --entry=rescaled --repeat=1 --budget=0.05 | FileCheck %s --check-prefix=EXECUTED
// RUN: ucmoh-run %t.first.mlir --entry=rectified --repeat=1 --budget=0.05 | FileCheck %s --check-prefix=EXECUTED
// RUN: ucmoh-run %t.first.mlir --entry=hidden_limit --repeat=1 --budget=0.05 | FileCheck %s --check-prefix=EXECUTED
// RUN: ucmoh-run %t.first.mlir --entry=gated --repeat=1 --budget=0.05 | FileCheck %s --check-prefix=EXECUTED
// RUN: ucmoh-run %t.first.mlir --entry=table --repeat=1 --budget=0.05 | FileCheck %s --check-prefix=EXECUTED
// RUN: ucmoh-run %t.first.mlir --entry=pooled --repeat=1 --budget=0.05 | FileCheck %s --check-prefix=EXECUTED

// EXECUTED: verified

#id = affine_map<(i, j) -> (i, j)>
#all = affine_map<(a, b, c, d) -> (a, b, c, d)>

// To u8 and back, with a zero point: the limits move by it, and in front of the division, which becomes a product with
// the reciprocal in two parts. They do not treat NaN, whose conversion is undefined.
// CHECK-LABEL: func.func @rounded
// CHECK: ^bb0(%[[X:[a-z0-9]+]]: f32
// CHECK-DAG: %[[LEAST:.*]] = arith.constant -2.37999988 : f32
// CHECK-DAG: %[[MOST:.*]] = arith.constant 2.720000e+00 : f32
// CHECK: %[[RAISED:.*]] = arith.maximumf %[[X]], %[[LEAST]] fastmath<nnan,nsz>
// CHECK: %[[LIMITED:.*]] = arith.minimumf %[[RAISED]], %[[MOST]] fastmath<nnan,nsz>
// CHECK: %[[SMALL:.*]] = arith.mulf %[[LIMITED]]
// CHECK: %[[QUOTIENT:.*]] = math.fma %[[LIMITED]], %{{.*}}, %[[SMALL]]
// CHECK-NEXT: %[[ROUNDED:.*]] = math.roundeven %[[QUOTIENT]]
// CHECK-NEXT: arith.mulf %[[ROUNDED]]
// CHECK-NEXT: linalg.yield
func.func @rounded(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %scale = arith.constant 0.02 : f32
  %zero = arith.constant 119.0 : f32
  %least = arith.constant 0.0 : f32
  %most = arith.constant 255.0 : f32
  %point = arith.constant 119 : i32
  %e = tensor.empty() : tensor<8x64xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.divf %in, %scale : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %zero : f32
    %3 = arith.maximumf %2, %least : f32
    %4 = arith.minimumf %3, %most : f32
    %5 = arith.fptoui %4 : f32 to i8
    %6 = arith.extui %5 : i8 to i32
    %7 = arith.subi %6, %point : i32
    %8 = arith.extsi %7 : i32 to i64
    %9 = arith.sitofp %8 : i64 to f32
    %10 = arith.mulf %9, %scale : f32
    linalg.yield %10 : f32
  } -> tensor<8x64xf32>
  return %y : tensor<8x64xf32>
}

// Each integer is the one that the division has: the plain loops divide.
// CHECK-LABEL: func.func @quantized
// CHECK-NOT: arith.divf
// CHECK: linalg.yield
func.func @quantized(%x: tensor<1024x1024xf32>) -> tensor<1024x1024xi8> {
  %scale = arith.constant 0.0206308514 : f32
  %zero = arith.constant 8.0 : f32
  %least = arith.constant -128.0 : f32
  %most = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<1024x1024xi8>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<1024x1024xf32>) outs(%e : tensor<1024x1024xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %scale : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %zero : f32
    %3 = arith.maximumf %2, %least : f32
    %4 = arith.minimumf %3, %most : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<1024x1024xi8>
  return %y : tensor<1024x1024xi8>
}

// A ReLU between two quantizations is a limit of the first one. The second one multiplies once, and needs no limits.
// CHECK-LABEL: func.func @rectified
// CHECK: %[[RAISED:.*]] = arith.maximumf {{.*}} fastmath<nnan,nsz>
// CHECK: %[[LIMITED:.*]] = arith.minimumf %[[RAISED]], {{.*}} fastmath<nnan,nsz>
// CHECK: %[[SMALL:.*]] = arith.mulf %[[LIMITED]]
// CHECK: %[[QUOTIENT:.*]] = math.fma %[[LIMITED]], %{{.*}}, %[[SMALL]]
// CHECK-NEXT: %[[FIRST:.*]] = math.roundeven %[[QUOTIENT]]
// CHECK: %[[SCALED:.*]] = arith.mulf %[[FIRST]]
// CHECK-NEXT: %[[SECOND:.*]] = math.roundeven %[[SCALED]]
// CHECK-NEXT: arith.fptosi %[[SECOND]]
func.func @rectified(%x: tensor<256x512xf32>) -> tensor<256x512xi8> {
  %scale = arith.constant 0.0206308514 : f32
  %other = arith.constant 0.0317314 : f32
  %zero = arith.constant 0.0 : f32
  %nothing = arith.constant 0 : i8
  %least = arith.constant -128.0 : f32
  %most = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<256x512xi8>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<256x512xf32>) outs(%e : tensor<256x512xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %scale : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %zero : f32
    %3 = arith.maximumf %2, %least : f32
    %4 = arith.minimumf %3, %most : f32
    %5 = arith.fptosi %4 : f32 to i8
    %6 = arith.maxsi %5, %nothing : i8
    %7 = arith.sitofp %6 : i8 to f32
    %8 = arith.mulf %7, %scale : f32
    %9 = arith.divf %8, %other : f32
    %10 = math.roundeven %9 : f32
    %11 = arith.addf %10, %zero : f32
    %12 = arith.maximumf %11, %least : f32
    %13 = arith.minimumf %12, %most : f32
    %14 = arith.fptosi %13 : f32 to i8
    linalg.yield %14 : i8
  } -> tensor<256x512xi8>
  return %y : tensor<256x512xi8>
}

// Bytes with another scale, as a concatenation wants them.
// CHECK-LABEL: func.func @rescaled
// CHECK-NOT: arith.divf
// CHECK: %[[SCALED:.*]] = arith.mulf
// CHECK-NEXT: %[[ROUNDED:.*]] = math.roundeven %[[SCALED]]
// CHECK-NOT: arith.maximumf
// CHECK: arith.fptoui
func.func @rescaled(%x: tensor<256x512xi8>) -> tensor<256x512xi8> {
  %scale = arith.constant 0.0206308514 : f32
  %other = arith.constant 0.0317314 : f32
  %point = arith.constant 117 : i32
  %shift = arith.constant 120.0 : f32
  %least = arith.constant 0.0 : f32
  %most = arith.constant 255.0 : f32
  %e = tensor.empty() : tensor<256x512xi8>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<256x512xi8>) outs(%e : tensor<256x512xi8>) {
  ^bb0(%in: i8, %out: i8):
    %0 = arith.extui %in : i8 to i32
    %1 = arith.subi %0, %point : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %scale : f32
    %4 = arith.divf %3, %other : f32
    %5 = math.roundeven %4 : f32
    %6 = arith.addf %5, %shift : f32
    %7 = arith.maximumf %6, %least : f32
    %8 = arith.minimumf %7, %most : f32
    %9 = arith.fptoui %8 : f32 to i8
    linalg.yield %9 : i8
  } -> tensor<256x512xi8>
  return %y : tensor<256x512xi8>
}

// The same of u8 that is hidden as i8 when it is limited.
// CHECK-LABEL: func.func @hidden_limit
// CHECK-NOT: arith.maxsi
// CHECK: arith.maximumf
// CHECK-NOT: arith.max
// CHECK: arith.fptosi
func.func @hidden_limit(%x: tensor<256x512xf32>) -> tensor<256x512xi8> {
  %scale = arith.constant 0.0206308514 : f32
  %zero = arith.constant 96.0 : f32
  %half = arith.constant -128 : i8
  %point = arith.constant -32 : i8
  %least = arith.constant 0.0 : f32
  %most = arith.constant 255.0 : f32
  %e = tensor.empty() : tensor<256x512xi8>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<256x512xf32>) outs(%e : tensor<256x512xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %scale : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %zero : f32
    %3 = arith.maximumf %2, %least : f32
    %4 = arith.minimumf %3, %most : f32
    %5 = arith.fptoui %4 : f32 to i8
    %6 = arith.addi %5, %half : i8
    %7 = arith.maxsi %6, %point : i8
    linalg.yield %7 : i8
  } -> tensor<256x512xi8>
  return %y : tensor<256x512xi8>
}

// A hard swish: selects are limits, as the value is a number, and all quotients by 6 are products.
// CHECK-LABEL: func.func @gated
// CHECK-NOT: arith.cmpf
// CHECK-NOT: arith.divf
// CHECK: arith.fptoui
func.func @gated(%x: tensor<256x512xi8>) -> tensor<256x512xi8> {
  %scale = arith.constant 0.0306308514 : f32
  %other = arith.constant 0.0117314 : f32
  %point = arith.constant 117 : i32
  %three = arith.constant 3.0 : f32
  %six = arith.constant 6.0 : f32
  %zero = arith.constant 0.0 : f32
  %shift = arith.constant 24.0 : f32
  %most = arith.constant 255.0 : f32
  %e = tensor.empty() : tensor<256x512xi8>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<256x512xi8>) outs(%e : tensor<256x512xi8>) {
  ^bb0(%in: i8, %out: i8):
    %0 = arith.extui %in : i8 to i32
    %1 = arith.subi %0, %point : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %scale : f32
    %4 = arith.addf %3, %three : f32
    %5 = arith.cmpf ugt, %4, %zero : f32
    %6 = arith.select %5, %4, %zero : f32
    %7 = arith.cmpf ult, %6, %six : f32
    %8 = arith.select %7, %6, %six : f32
    %9 = arith.divf %8, %six : f32
    %10 = arith.mulf %9, %3 : f32
    %11 = arith.divf %10, %other : f32
    %12 = math.roundeven %11 : f32
    %13 = arith.addf %12, %shift : f32
    %14 = arith.maximumf %13, %zero : f32
    %15 = arith.minimumf %14, %most : f32
    %16 = arith.fptoui %15 : f32 to i8
    linalg.yield %16 : i8
  } -> tensor<256x512xi8>
  return %y : tensor<256x512xi8>
}

// Floats may be infinite or no numbers: they are compared and divided.
// CHECK-LABEL: func.func @floats
// CHECK: arith.cmpf
// CHECK: arith.select
// CHECK: arith.divf
func.func @floats(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %zero = arith.constant 0.0 : f32
  %six = arith.constant 6.0 : f32
  %e = tensor.empty() : tensor<8x64xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.cmpf ugt, %in, %zero : f32
    %1 = arith.select %0, %in, %zero : f32
    %2 = arith.divf %1, %six : f32
    linalg.yield %2 : f32
  } -> tensor<8x64xf32>
  return %y : tensor<8x64xf32>
}

// A limit on one side only leaves quotients that may be infinite: the division stays.
// CHECK-LABEL: func.func @one_limit
// CHECK: arith.divf
func.func @one_limit(%x: tensor<8x64xf32>) -> tensor<8x64xi8> {
  %scale = arith.constant 0.02 : f32
  %least = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x64xi8>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x64xf32>) outs(%e : tensor<8x64xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %scale : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.maximumf %1, %least : f32
    %3 = arith.fptosi %2 : f32 to i8
    linalg.yield %3 : i8
  } -> tensor<8x64xi8>
  return %y : tensor<8x64xi8>
}

// A function of 8 bits with an exponential in it is computed 256 times, and looked up for each element.
// CHECK-LABEL: func.func @table
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<64x128xi8>
// CHECK: %[[TABLE:.*]] = linalg.generic {{.*}} ins(%{{.*}} : tensor<256xi8>) outs(%{{.*}} : tensor<256xf32>)
// CHECK: math.exp
// CHECK: linalg.generic {{.*}} ins(%[[X]] : tensor<64x128xi8>)
// CHECK-NEXT: ^bb0
// CHECK-NEXT: %[[PLACE:.*]] = arith.index_castui
// CHECK-NEXT: tensor.extract %[[TABLE]][%[[PLACE]]]
// CHECK-NEXT: linalg.yield
func.func @table(%x: tensor<64x128xi8>) -> tensor<64x128xf32> {
  %scale = arith.constant 0.02 : f32
  %e = tensor.empty() : tensor<64x128xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x128xi8>) outs(%e : tensor<64x128xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %scale : f32
    %2 = math.exp %1 : f32
    linalg.yield %2 : f32
  } -> tensor<64x128xf32>
  return %y : tensor<64x128xf32>
}

// What is quantized and then a float again is looked up as bytes. Each reader computes its floats.
// CHECK-LABEL: func.func @table_of_bytes
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<64x128xi8>
// CHECK: %[[TABLE:.*]] = linalg.generic {{.*}} ins(%{{.*}} : tensor<256xi8>) outs(%{{.*}} : tensor<256xi8>)
// CHECK: math.exp
// CHECK: %[[BYTES:.*]] = linalg.generic {{.*}} ins(%[[X]] : tensor<64x128xi8>)
// CHECK: tensor.extract %[[TABLE]]
// CHECK: linalg.yield %{{.*}} : i8
// CHECK-COUNT-2: linalg.generic {{.*}} ins(%[[BYTES]] : tensor<64x128xi8>)
func.func @table_of_bytes(%x: tensor<64x128xi8>) -> (tensor<64xf32>, tensor<64x128xf32>) {
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.03 : f32
  %steps = arith.constant 100.0 : f32
  %empty = tensor.empty() : tensor<64x128xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<64x128xi8>) outs(%empty : tensor<64x128xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %scale : f32
    %2 = math.exp %1 : f32
    %3 = arith.fptosi %2 : f32 to i8
    %4 = arith.sitofp %3 : i8 to f32
    %5 = arith.mulf %4, %steps : f32
    linalg.yield %5 : f32
  } -> tensor<64x128xf32>
  %row = tensor.empty() : tensor<64xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%row : tensor<64xf32>) -> tensor<64xf32>
  %sum = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%y : tensor<64x128xf32>) outs(%zeros : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %out, %in : f32
    linalg.yield %0 : f32
  } -> tensor<64xf32>
  return %sum, %y : tensor<64xf32>, tensor<64x128xf32>
}

// So it is where the number of rows is open: 128 rows are assumed. What is quantized first has a result of its own.
// CHECK-LABEL: func.func @table_of_open_rows
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<256xi8>) outs(%{{.*}} : tensor<256xf32>)
// CHECK: math.exp
// CHECK: %[[NARROW:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<?x128xi8>)
// CHECK: linalg.generic {{.*}} ins(%[[NARROW]] : tensor<?x128xi8>)
// CHECK: tensor.extract
func.func @table_of_open_rows(%x: tensor<?x128xf32>, %e: tensor<?x128xf32>) -> tensor<?x128xf32> {
  %scale = arith.constant 0.02 : f32
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<?x128xf32>) outs(%e : tensor<?x128xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.fptosi %in : f32 to i8
    %1 = arith.sitofp %0 : i8 to f32
    %2 = arith.mulf %1, %scale : f32
    %3 = math.exp %2 : f32
    linalg.yield %3 : f32
  } -> tensor<?x128xf32>
  return %y : tensor<?x128xf32>
}

// The largest of dequantized values is the largest of the integers, dequantized.
// CHECK-LABEL: func.func @pooled
// CHECK: tensor.pad {{.*}}
// CHECK: tensor.yield %{{.*}} : i8
// CHECK: arith.maxui {{.*}} : i8
// CHECK: } -> tensor<1x4x4x16xi8>
// CHECK: arith.uitofp
// CHECK: } -> tensor<1x4x4x16xf32>
func.func @pooled(%x: tensor<1x8x8x16xi8>) -> tensor<1x4x4x16xf32> {
  %scale = arith.constant 0.02 : f32
  %least = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<1x8x8x16xf32>
  %f = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<1x8x8x16xi8>) outs(%e : tensor<1x8x8x16xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.uitofp %in : i8 to f32
    %1 = arith.mulf %0, %scale : f32
    linalg.yield %1 : f32
  } -> tensor<1x8x8x16xf32>
  %p = tensor.pad %f low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %least : f32
  } : tensor<1x8x8x16xf32> to tensor<1x10x10x16xf32>
  %window = tensor.empty() : tensor<3x3xf32>
  %ey = tensor.empty() : tensor<1x4x4x16xf32>
  %leasts = linalg.fill ins(%least : f32) outs(%ey : tensor<1x4x4x16xf32>) -> tensor<1x4x4x16xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(n, h, w, i, j, c) -> (n, h * 2 + i, w * 2 + j, c)>, affine_map<(n, h, w, i, j, c) -> (i, j)>,
                                        affine_map<(n, h, w, i, j, c) -> (n, h, w, c)>],
                       iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "parallel"]}
    ins(%p, %window : tensor<1x10x10x16xf32>, tensor<3x3xf32>) outs(%leasts : tensor<1x4x4x16xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %t = arith.maximumf %s, %a : f32
    linalg.yield %t : f32
  } -> tensor<1x4x4x16xf32>
  return %y : tensor<1x4x4x16xf32>
}

// What is quantized stays so behind the same scale and zero point: once is enough. Another scale is another quantization.
// CHECK-LABEL: func.func @again
// CHECK: arith.maximumf
// CHECK-NEXT: arith.minimumf
// CHECK-COUNT-1: math.roundeven
// CHECK-NOT: math.roundeven
// CHECK-NOT: arith.maximumf
// CHECK: %[[MOVED:.*]] = arith.addf
// CHECK-NEXT: arith.fptoui %[[MOVED]] : f32 to i8
// CHECK-NEXT: linalg.yield
// CHECK: linalg.generic
// CHECK-COUNT-2: math.roundeven
// CHECK: return
func.func @again(%x: tensor<8x64xf32>) -> (tensor<8x64xi8>, tensor<8x64xi8>) {
  %scale = arith.constant 0.02 : f32
  %other = arith.constant 0.03 : f32
  %zero = arith.constant 119.0 : f32
  %least = arith.constant 0.0 : f32
  %most = arith.constant 255.0 : f32
  %point = arith.constant 119 : i32
  %e = tensor.empty() : tensor<8x64xi8>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x64xf32>) outs(%e : tensor<8x64xi8>) {
  ^bb0(%in: f32, %out: i8):
    %a0 = arith.divf %in, %scale : f32
    %a1 = math.roundeven %a0 : f32
    %a2 = arith.addf %a1, %zero : f32
    %a3 = arith.maximumf %a2, %least : f32
    %a4 = arith.minimumf %a3, %most : f32
    %a = arith.fptoui %a4 : f32 to i8
    %b0 = arith.extui %a : i8 to i32
    %b1 = arith.subi %b0, %point : i32
    %b2 = arith.sitofp %b1 : i32 to f32
    %b = arith.mulf %b2, %scale : f32
    %c0 = arith.divf %b, %scale : f32
    %c1 = math.roundeven %c0 : f32
    %c2 = arith.addf %c1, %zero : f32
    %c3 = arith.maximumf %c2, %least : f32
    %c4 = arith.minimumf %c3, %most : f32
    %c = arith.fptoui %c4 : f32 to i8
    %d0 = arith.extui %c : i8 to i32
    %d1 = arith.subi %d0, %point : i32
    %d2 = arith.sitofp %d1 : i32 to f32
    %d = arith.mulf %d2, %scale : f32
    %f0 = arith.divf %d, %scale : f32
    %f1 = math.roundeven %f0 : f32
    %f2 = arith.addf %f1, %zero : f32
    %f3 = arith.maximumf %f2, %least : f32
    %f4 = arith.minimumf %f3, %most : f32
    %f = arith.fptoui %f4 : f32 to i8
    linalg.yield %f : i8
  } -> tensor<8x64xi8>
  %z = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x64xf32>) outs(%e : tensor<8x64xi8>) {
  ^bb0(%in: f32, %out: i8):
    %a0 = arith.divf %in, %scale : f32
    %a1 = math.roundeven %a0 : f32
    %a2 = arith.addf %a1, %zero : f32
    %a3 = arith.maximumf %a2, %least : f32
    %a4 = arith.minimumf %a3, %most : f32
    %a = arith.fptoui %a4 : f32 to i8
    %b0 = arith.extui %a : i8 to i32
    %b1 = arith.subi %b0, %point : i32
    %b2 = arith.sitofp %b1 : i32 to f32
    %b = arith.mulf %b2, %scale : f32
    %c0 = arith.divf %b, %other : f32
    %c1 = math.roundeven %c0 : f32
    %c2 = arith.addf %c1, %zero : f32
    %c3 = arith.maximumf %c2, %least : f32
    %c4 = arith.minimumf %c3, %most : f32
    %c = arith.fptoui %c4 : f32 to i8
    linalg.yield %c : i8
  } -> tensor<8x64xi8>
  return %y, %z : tensor<8x64xi8>, tensor<8x64xi8>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// A float that was not rounded, and one that may be too large, is another one after the conversion.
// CHECK-LABEL: func.func @truncated
// CHECK: arith.fptosi
// CHECK: arith.sitofp
// CHECK: arith.fptosi
// CHECK: arith.sitofp
func.func @truncated(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %least = arith.constant -30000.0 : f32
  %most = arith.constant 30000.0 : f32
  %e = tensor.empty() : tensor<8x64xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.maximumf %in, %least : f32
    %1 = arith.minimumf %0, %most : f32
    %2 = arith.fptosi %1 : f32 to i16
    %3 = arith.sitofp %2 : i16 to f32
    %4 = math.roundeven %3 : f32
    %5 = arith.fptosi %4 : f32 to i8
    %6 = arith.sitofp %5 : i8 to f32
    linalg.yield %6 : f32
  } -> tensor<8x64xf32>
  return %y : tensor<8x64xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// Two branches meet: the first one is stored in 8 bits, the second one and the sum are computed with its contraction.
// CHECK-LABEL: func.func @branches
// CHECK: linalg.matmul
// CHECK: linalg.generic
// CHECK: arith.fptosi {{.*}} to i8
// CHECK: } -> tensor<64x64xi8>
// CHECK: linalg.matmul
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<64x64xi32>, tensor<64x64xi8>)
// CHECK-NOT: linalg.generic
func.func @branches(%a: tensor<64x64xi8>, %v: tensor<64x64xi8>, %w: tensor<64x64xi8>) -> tensor<64x64xi8> {
  %zero = arith.constant 0 : i32
  %scale = arith.constant 0.02 : f32
  %least = arith.constant -128.0 : f32
  %most = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<64x64xi32>
  %e8 = tensor.empty() : tensor<64x64xi8>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<64x64xi32>) -> tensor<64x64xi32>
  %c = linalg.matmul ins(%a, %v : tensor<64x64xi8>, tensor<64x64xi8>) outs(%f : tensor<64x64xi32>) -> tensor<64x64xi32>
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<64x64xi32>) outs(%e8 : tensor<64x64xi8>) {
  ^bb0(%in: i32, %out: i8):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %scale : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.maximumf %2, %least : f32
    %4 = arith.minimumf %3, %most : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<64x64xi8>
  %d = linalg.matmul ins(%a, %w : tensor<64x64xi8>, tensor<64x64xi8>) outs(%f : tensor<64x64xi32>) -> tensor<64x64xi32>
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%d, %q : tensor<64x64xi32>, tensor<64x64xi8>) outs(%e8 : tensor<64x64xi8>) {
  ^bb0(%x: i32, %y: i8, %out: i8):
    %0 = arith.sitofp %x : i32 to f32
    %1 = arith.sitofp %y : i8 to f32
    %2 = arith.addf %0, %1 : f32
    %3 = math.roundeven %2 : f32
    %4 = arith.maximumf %3, %least : f32
    %5 = arith.minimumf %4, %most : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<64x64xi8>
  return %r : tensor<64x64xi8>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#column = affine_map<(i, j) -> (j)>

// So they do where each step is an op: a scale, one per channel, 8 bits and back, the sum.
// CHECK-LABEL: func.func @steps
// CHECK: linalg.matmul
// CHECK: linalg.generic
// CHECK: arith.fptosi {{.*}} to i8
// CHECK: } -> tensor<64x64xi8>
// CHECK: linalg.matmul
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<64x64xi32>, tensor<64x64xi8>)
// CHECK-NOT: linalg.generic
func.func @steps(%a: tensor<64x64xi8>, %v: tensor<64x64xi8>, %w: tensor<64x64xi8>, %scales: tensor<64xf32>) -> tensor<64x64xf32> {
  %zero = arith.constant 0 : i32
  %scale = arith.constant 0.02 : f32
  %least = arith.constant -128.0 : f32
  %most = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<64x64xi32>
  %ef = tensor.empty() : tensor<64x64xf32>
  %e8 = tensor.empty() : tensor<64x64xi8>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<64x64xi32>) -> tensor<64x64xi32>
  %c = linalg.matmul ins(%a, %v : tensor<64x64xi8>, tensor<64x64xi8>) outs(%f : tensor<64x64xi32>) -> tensor<64x64xi32>
  %float = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<64x64xi32>) outs(%ef : tensor<64x64xf32>) {
  ^bb0(%in: i32, %out: f32):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %scale : f32
    linalg.yield %1 : f32
  } -> tensor<64x64xf32>
  %scaled = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]} ins(%float, %scales : tensor<64x64xf32>, tensor<64xf32>) outs(%ef : tensor<64x64xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %0 = arith.mulf %in, %s : f32
    linalg.yield %0 : f32
  } -> tensor<64x64xf32>
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%scaled : tensor<64x64xf32>) outs(%e8 : tensor<64x64xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = math.roundeven %in : f32
    %1 = arith.maximumf %0, %least : f32
    %2 = arith.minimumf %1, %most : f32
    %3 = arith.fptosi %2 : f32 to i8
    linalg.yield %3 : i8
  } -> tensor<64x64xi8>
  %back = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%q : tensor<64x64xi8>) outs(%ef : tensor<64x64xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    linalg.yield %0 : f32
  } -> tensor<64x64xf32>
  %d = linalg.matmul ins(%a, %w : tensor<64x64xi8>, tensor<64x64xi8>) outs(%f : tensor<64x64xi32>) -> tensor<64x64xi32>
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%d, %back : tensor<64x64xi32>, tensor<64x64xf32>) outs(%ef : tensor<64x64xf32>) {
  ^bb0(%x: i32, %y: f32, %out: f32):
    %0 = arith.sitofp %x : i32 to f32
    %1 = arith.addf %0, %y : f32
    linalg.yield %1 : f32
  } -> tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// With a limit on one side only, sums of large floats round, and stay as they are.
// CHECK-LABEL: func.func @unlimited
// CHECK: arith.addf
// CHECK: arith.maximumf
// CHECK: arith.addf
func.func @unlimited(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %point = arith.constant 119.0 : f32
  %minus = arith.constant -119.0 : f32
  %least = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x64xf32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.roundeven %in : f32
    %1 = arith.addf %0, %point : f32
    %2 = arith.maximumf %1, %least : f32
    %3 = arith.addf %2, %minus : f32
    linalg.yield %3 : f32
  } -> tensor<8x64xf32>
  return %y : tensor<8x64xf32>
}
