#map = affine_map<(d0, d1) -> (d1)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map5 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map6 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map7 = affine_map<(d0, d1, d2) -> (d2)>
module {
  func.func @main(%arg0: tensor<1x128x128xf32>, %cst_4: tensor<128xf32> {ucmoh.weight}, %cst_5: tensor<128xf32> {ucmoh.weight}, %cst_6: tensor<128xf32> {ucmoh.weight}, %cst_7: tensor<128x512xf32> {ucmoh.weight}, %cst_8: tensor<512xf32> {ucmoh.weight}, %cst_9: tensor<512x128xf32> {ucmoh.weight}, %cst_10: tensor<128xf32> {ucmoh.weight}, %cst_11: tensor<128xf32> {ucmoh.weight}, %cst_13: tensor<128xf32> {ucmoh.weight}, %cst_14: tensor<128x128xf32> {ucmoh.weight}, %cst_15: tensor<128xf32> {ucmoh.weight}, %cst_16: tensor<128x128xf32> {ucmoh.weight}, %cst_17: tensor<128xf32> {ucmoh.weight}, %cst_18: tensor<128x128xf32> {ucmoh.weight}, %cst_19: tensor<128xf32> {ucmoh.weight}, %cst_20: tensor<128x128xf32> {ucmoh.weight}) -> tensor<1x128x128xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %c0_i64 = arith.constant 0 : i64
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 0.000000e+00 : f64
    %cst_2 = arith.constant 1.000000e+00 : f32
    %cst_3 = arith.constant 5.000000e-01 : f32
    %cst_12 = arith.constant 9.9999999999999998E-13 : f64
    %cst_21 = arith.constant 1.250000e-01 : f32
    %cst_22 = arith.constant 1.280000e+02 : f64
    %cst_23 = arith.constant 1.280000e+02 : f32
    %cst_24 = arith.constant 1.41421354 : f32
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<1x128x128xf32> into tensor<128x128xf32>
    %0 = tensor.empty() : tensor<128x128xf32>
    %transposed = linalg.transpose ins(%cst_20 : tensor<128x128xf32>) outs(%0 : tensor<128x128xf32>) permutation = [1, 0] 
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<128x128xf32>) -> tensor<128x128xf32>
    %2 = linalg.matmul ins(%collapsed, %transposed : tensor<128x128xf32>, tensor<128x128xf32>) outs(%1 : tensor<128x128xf32>) -> tensor<128x128xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_19 : tensor<128xf32>) outs(%0 : tensor<128x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<128x128xf32>
    %4 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%2, %3 : tensor<128x128xf32>, tensor<128x128xf32>) outs(%0 : tensor<128x128xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %87 = arith.addf %in, %in_49 : f32
      linalg.yield %87 : f32
    } -> tensor<128x128xf32>
    %expanded = tensor.expand_shape %4 [[0, 1], [2, 3]] output_shape [1, 128, 2, 64] : tensor<128x128xf32> into tensor<1x128x2x64xf32>
    %5 = tensor.empty() : tensor<1x2x128x64xf32>
    %transposed_25 = linalg.transpose ins(%expanded : tensor<1x128x2x64xf32>) outs(%5 : tensor<1x2x128x64xf32>) permutation = [0, 2, 1, 3] 
    %transposed_26 = linalg.transpose ins(%cst_18 : tensor<128x128xf32>) outs(%0 : tensor<128x128xf32>) permutation = [1, 0] 
    %6 = linalg.matmul ins(%collapsed, %transposed_26 : tensor<128x128xf32>, tensor<128x128xf32>) outs(%1 : tensor<128x128xf32>) -> tensor<128x128xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_17 : tensor<128xf32>) outs(%0 : tensor<128x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<128x128xf32>
    %8 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%6, %7 : tensor<128x128xf32>, tensor<128x128xf32>) outs(%0 : tensor<128x128xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %87 = arith.addf %in, %in_49 : f32
      linalg.yield %87 : f32
    } -> tensor<128x128xf32>
    %expanded_27 = tensor.expand_shape %8 [[0, 1], [2, 3]] output_shape [1, 128, 2, 64] : tensor<128x128xf32> into tensor<1x128x2x64xf32>
    %transposed_28 = linalg.transpose ins(%cst_16 : tensor<128x128xf32>) outs(%0 : tensor<128x128xf32>) permutation = [1, 0] 
    %9 = linalg.matmul ins(%collapsed, %transposed_28 : tensor<128x128xf32>, tensor<128x128xf32>) outs(%1 : tensor<128x128xf32>) -> tensor<128x128xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_15 : tensor<128xf32>) outs(%0 : tensor<128x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<128x128xf32>
    %11 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%9, %10 : tensor<128x128xf32>, tensor<128x128xf32>) outs(%0 : tensor<128x128xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %87 = arith.addf %in, %in_49 : f32
      linalg.yield %87 : f32
    } -> tensor<128x128xf32>
    %expanded_29 = tensor.expand_shape %11 [[0, 1], [2, 3]] output_shape [1, 128, 2, 64] : tensor<128x128xf32> into tensor<1x128x2x64xf32>
    %transposed_30 = linalg.transpose ins(%expanded_29 : tensor<1x128x2x64xf32>) outs(%5 : tensor<1x2x128x64xf32>) permutation = [0, 2, 1, 3] 
    %12 = tensor.empty() : tensor<1x2x64x128xf32>
    %transposed_31 = linalg.transpose ins(%expanded_27 : tensor<1x128x2x64xf32>) outs(%12 : tensor<1x2x64x128xf32>) permutation = [0, 2, 3, 1] 
    %collapsed_32 = tensor.collapse_shape %transposed_25 [[0, 1], [2], [3]] : tensor<1x2x128x64xf32> into tensor<2x128x64xf32>
    %collapsed_33 = tensor.collapse_shape %transposed_31 [[0, 1], [2], [3]] : tensor<1x2x64x128xf32> into tensor<2x64x128xf32>
    %13 = tensor.empty() : tensor<2x128x128xf32>
    %14 = linalg.fill ins(%cst : f32) outs(%13 : tensor<2x128x128xf32>) -> tensor<2x128x128xf32>
    %15 = linalg.batch_matmul ins(%collapsed_32, %collapsed_33 : tensor<2x128x64xf32>, tensor<2x64x128xf32>) outs(%14 : tensor<2x128x128xf32>) -> tensor<2x128x128xf32>
    %expanded_34 = tensor.expand_shape %15 [[0, 1], [2], [3]] output_shape [1, 2, 128, 128] : tensor<2x128x128xf32> into tensor<1x2x128x128xf32>
    %16 = tensor.empty() : tensor<1x2x128x128xf32>
    %17 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_34 : tensor<1x2x128x128xf32>) outs(%16 : tensor<1x2x128x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %87 = arith.mulf %in, %cst_21 : f32
      linalg.yield %87 : f32
    } -> tensor<1x2x128x128xf32>
    %18 = tensor.empty() : tensor<1x2x128xi64>
    %19 = linalg.fill ins(%c0_i64 : i64) outs(%18 : tensor<1x2x128xi64>) -> tensor<1x2x128xi64>
    %20 = tensor.empty() : tensor<1x2x128xf32>
    %21 = linalg.fill ins(%cst_0 : f32) outs(%20 : tensor<1x2x128xf32>) -> tensor<1x2x128xf32>
    %22:2 = linalg.generic {indexing_maps = [#map2, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%17 : tensor<1x2x128x128xf32>) outs(%21, %19 : tensor<1x2x128xf32>, tensor<1x2x128xi64>) {
    ^bb0(%in: f32, %out: f32, %out_49: i64):
      %87 = linalg.index 3 : index
      %88 = arith.index_cast %87 : index to i64
      %89 = arith.maximumf %in, %out : f32
      %90 = arith.cmpf ogt, %in, %out : f32
      %91 = arith.select %90, %88, %out_49 : i64
      linalg.yield %89, %91 : f32, i64
    } -> (tensor<1x2x128xf32>, tensor<1x2x128xi64>)
    %expanded_35 = tensor.expand_shape %22#0 [[0], [1], [2, 3]] output_shape [1, 2, 128, 1] : tensor<1x2x128xf32> into tensor<1x2x128x1xf32>
    %23 = linalg.generic {indexing_maps = [#map2, #map4, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%17, %expanded_35 : tensor<1x2x128x128xf32>, tensor<1x2x128x1xf32>) outs(%16 : tensor<1x2x128x128xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %87 = arith.subf %in, %in_49 : f32
      linalg.yield %87 : f32
    } -> tensor<1x2x128x128xf32>
    %24 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%23 : tensor<1x2x128x128xf32>) outs(%16 : tensor<1x2x128x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %87 = math.exp %in : f32
      linalg.yield %87 : f32
    } -> tensor<1x2x128x128xf32>
    %25 = tensor.empty() : tensor<1x2x128x1xf32>
    %26 = linalg.fill ins(%cst : f32) outs(%25 : tensor<1x2x128x1xf32>) -> tensor<1x2x128x1xf32>
    %27 = linalg.generic {indexing_maps = [#map2, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%24 : tensor<1x2x128x128xf32>) outs(%26 : tensor<1x2x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %87 = arith.addf %in, %out : f32
      linalg.yield %87 : f32
    } -> tensor<1x2x128x1xf32>
    %28 = linalg.generic {indexing_maps = [#map2, #map4, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24, %27 : tensor<1x2x128x128xf32>, tensor<1x2x128x1xf32>) outs(%16 : tensor<1x2x128x128xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %87 = arith.divf %in, %in_49 : f32
      linalg.yield %87 : f32
    } -> tensor<1x2x128x128xf32>
    %collapsed_36 = tensor.collapse_shape %28 [[0, 1], [2], [3]] : tensor<1x2x128x128xf32> into tensor<2x128x128xf32>
    %collapsed_37 = tensor.collapse_shape %transposed_30 [[0, 1], [2], [3]] : tensor<1x2x128x64xf32> into tensor<2x128x64xf32>
    %29 = tensor.empty() : tensor<2x128x64xf32>
    %30 = linalg.fill ins(%cst : f32) outs(%29 : tensor<2x128x64xf32>) -> tensor<2x128x64xf32>
    %31 = linalg.batch_matmul ins(%collapsed_36, %collapsed_37 : tensor<2x128x128xf32>, tensor<2x128x64xf32>) outs(%30 : tensor<2x128x64xf32>) -> tensor<2x128x64xf32>
    %expanded_38 = tensor.expand_shape %31 [[0, 1], [2], [3]] output_shape [1, 2, 128, 64] : tensor<2x128x64xf32> into tensor<1x2x128x64xf32>
    %32 = tensor.empty() : tensor<1x128x2x64xf32>
    %transposed_39 = linalg.transpose ins(%expanded_38 : tensor<1x2x128x64xf32>) outs(%32 : tensor<1x128x2x64xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_40 = tensor.collapse_shape %transposed_39 [[0, 1], [2, 3]] : tensor<1x128x2x64xf32> into tensor<128x128xf32>
    %transposed_41 = linalg.transpose ins(%cst_14 : tensor<128x128xf32>) outs(%0 : tensor<128x128xf32>) permutation = [1, 0] 
    %33 = linalg.matmul ins(%collapsed_40, %transposed_41 : tensor<128x128xf32>, tensor<128x128xf32>) outs(%1 : tensor<128x128xf32>) -> tensor<128x128xf32>
    %34 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_13 : tensor<128xf32>) outs(%0 : tensor<128x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<128x128xf32>
    %35 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%33, %34 : tensor<128x128xf32>, tensor<128x128xf32>) outs(%0 : tensor<128x128xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %87 = arith.addf %in, %in_49 : f32
      linalg.yield %87 : f32
    } -> tensor<128x128xf32>
    %expanded_42 = tensor.expand_shape %35 [[0, 1], [2]] output_shape [1, 128, 128] : tensor<128x128xf32> into tensor<1x128x128xf32>
    %36 = tensor.empty() : tensor<1x128x128xf32>
    %37 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_42, %arg0 : tensor<1x128x128xf32>, tensor<1x128x128xf32>) outs(%36 : tensor<1x128x128xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %87 = arith.addf %in, %in_49 : f32
      linalg.yield %87 : f32
    } -> tensor<1x128x128xf32>
    %38 = tensor.empty() : tensor<1x128x128xf64>
    %39 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%37 : tensor<1x128x128xf32>) outs(%38 : tensor<1x128x128xf64>) {
    ^bb0(%in: f32, %out: f64):
      %87 = arith.extf %in : f32 to f64
      linalg.yield %87 : f64
    } -> tensor<1x128x128xf64>
    %40 = tensor.empty() : tensor<1x128x1xf64>
    %41 = linalg.fill ins(%cst_1 : f64) outs(%40 : tensor<1x128x1xf64>) -> tensor<1x128x1xf64>
    %42 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%39 : tensor<1x128x128xf64>) outs(%41 : tensor<1x128x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %87 = arith.addf %in, %out : f64
      linalg.yield %87 : f64
    } -> tensor<1x128x1xf64>
    %43 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%42 : tensor<1x128x1xf64>) outs(%40 : tensor<1x128x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %87 = arith.divf %in, %cst_22 : f64
      linalg.yield %87 : f64
    } -> tensor<1x128x1xf64>
    %44 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%39, %43 : tensor<1x128x128xf64>, tensor<1x128x1xf64>) outs(%38 : tensor<1x128x128xf64>) {
    ^bb0(%in: f64, %in_49: f64, %out: f64):
      %87 = arith.subf %in, %in_49 : f64
      linalg.yield %87 : f64
    } -> tensor<1x128x128xf64>
    %45 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%44, %44 : tensor<1x128x128xf64>, tensor<1x128x128xf64>) outs(%38 : tensor<1x128x128xf64>) {
    ^bb0(%in: f64, %in_49: f64, %out: f64):
      %87 = arith.mulf %in, %in_49 : f64
      linalg.yield %87 : f64
    } -> tensor<1x128x128xf64>
    %46 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%45 : tensor<1x128x128xf64>) outs(%41 : tensor<1x128x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %87 = arith.addf %in, %out : f64
      linalg.yield %87 : f64
    } -> tensor<1x128x1xf64>
    %47 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%46 : tensor<1x128x1xf64>) outs(%40 : tensor<1x128x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %87 = arith.divf %in, %cst_22 : f64
      linalg.yield %87 : f64
    } -> tensor<1x128x1xf64>
    %48 = tensor.empty() : tensor<1x128x1xf32>
    %49 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%47 : tensor<1x128x1xf64>) outs(%48 : tensor<1x128x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %87 = arith.truncf %in : f64 to f32
      linalg.yield %87 : f32
    } -> tensor<1x128x1xf32>
    %50 = linalg.fill ins(%cst : f32) outs(%48 : tensor<1x128x1xf32>) -> tensor<1x128x1xf32>
    %51 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%37 : tensor<1x128x128xf32>) outs(%50 : tensor<1x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %87 = arith.addf %in, %out : f32
      linalg.yield %87 : f32
    } -> tensor<1x128x1xf32>
    %52 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%51 : tensor<1x128x1xf32>) outs(%48 : tensor<1x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %87 = arith.divf %in, %cst_23 : f32
      linalg.yield %87 : f32
    } -> tensor<1x128x1xf32>
    %53 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%49 : tensor<1x128x1xf32>) outs(%48 : tensor<1x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %87 = arith.truncf %cst_12 : f64 to f32
      %88 = arith.addf %in, %87 : f32
      linalg.yield %88 : f32
    } -> tensor<1x128x1xf32>
    %54 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%53 : tensor<1x128x1xf32>) outs(%48 : tensor<1x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %87 = math.rsqrt %in : f32
      linalg.yield %87 : f32
    } -> tensor<1x128x1xf32>
    %55 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%37, %52 : tensor<1x128x128xf32>, tensor<1x128x1xf32>) outs(%36 : tensor<1x128x128xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %87 = arith.subf %in, %in_49 : f32
      linalg.yield %87 : f32
    } -> tensor<1x128x128xf32>
    %56 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%55, %54 : tensor<1x128x128xf32>, tensor<1x128x1xf32>) outs(%36 : tensor<1x128x128xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %87 = arith.mulf %in, %in_49 : f32
      linalg.yield %87 : f32
    } -> tensor<1x128x128xf32>
    %57 = linalg.generic {indexing_maps = [#map5, #map7, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%56, %cst_11 : tensor<1x128x128xf32>, tensor<128xf32>) outs(%36 : tensor<1x128x128xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %87 = arith.mulf %in, %in_49 : f32
      linalg.yield %87 : f32
    } -> tensor<1x128x128xf32>
    %58 = linalg.generic {indexing_maps = [#map5, #map7, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%57, %cst_10 : tensor<1x128x128xf32>, tensor<128xf32>) outs(%36 : tensor<1x128x128xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %87 = arith.addf %in, %in_49 : f32
      linalg.yield %87 : f32
    } -> tensor<1x128x128xf32>
    %collapsed_43 = tensor.collapse_shape %58 [[0, 1], [2]] : tensor<1x128x128xf32> into tensor<128x128xf32>
    %59 = tensor.empty() : tensor<128x512xf32>
    %transposed_44 = linalg.transpose ins(%cst_9 : tensor<512x128xf32>) outs(%59 : tensor<128x512xf32>) permutation = [1, 0] 
    %60 = linalg.fill ins(%cst : f32) outs(%59 : tensor<128x512xf32>) -> tensor<128x512xf32>
    %61 = linalg.matmul ins(%collapsed_43, %transposed_44 : tensor<128x128xf32>, tensor<128x512xf32>) outs(%60 : tensor<128x512xf32>) -> tensor<128x512xf32>
    %62 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_8 : tensor<512xf32>) outs(%59 : tensor<128x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<128x512xf32>
    %63 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%61, %62 : tensor<128x512xf32>, tensor<128x512xf32>) outs(%59 : tensor<128x512xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %87 = arith.addf %in, %in_49 : f32
      linalg.yield %87 : f32
    } -> tensor<128x512xf32>
    %expanded_45 = tensor.expand_shape %63 [[0, 1], [2]] output_shape [1, 128, 512] : tensor<128x512xf32> into tensor<1x128x512xf32>
    %64 = tensor.empty() : tensor<1x128x512xf32>
    %65 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_45 : tensor<1x128x512xf32>) outs(%64 : tensor<1x128x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %87 = arith.divf %in, %cst_24 : f32
      %88 = math.erf %87 : f32
      %89 = arith.addf %88, %cst_2 : f32
      %90 = arith.mulf %89, %cst_3 : f32
      %91 = arith.mulf %in, %90 : f32
      linalg.yield %91 : f32
    } -> tensor<1x128x512xf32>
    %collapsed_46 = tensor.collapse_shape %65 [[0, 1], [2]] : tensor<1x128x512xf32> into tensor<128x512xf32>
    %66 = tensor.empty() : tensor<512x128xf32>
    %transposed_47 = linalg.transpose ins(%cst_7 : tensor<128x512xf32>) outs(%66 : tensor<512x128xf32>) permutation = [1, 0] 
    %67 = linalg.matmul ins(%collapsed_46, %transposed_47 : tensor<128x512xf32>, tensor<512x128xf32>) outs(%1 : tensor<128x128xf32>) -> tensor<128x128xf32>
    %68 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst_6 : tensor<128xf32>) outs(%0 : tensor<128x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<128x128xf32>
    %69 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%67, %68 : tensor<128x128xf32>, tensor<128x128xf32>) outs(%0 : tensor<128x128xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %87 = arith.addf %in, %in_49 : f32
      linalg.yield %87 : f32
    } -> tensor<128x128xf32>
    %expanded_48 = tensor.expand_shape %69 [[0, 1], [2]] output_shape [1, 128, 128] : tensor<128x128xf32> into tensor<1x128x128xf32>
    %70 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_48, %58 : tensor<1x128x128xf32>, tensor<1x128x128xf32>) outs(%36 : tensor<1x128x128xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %87 = arith.addf %in, %in_49 : f32
      linalg.yield %87 : f32
    } -> tensor<1x128x128xf32>
    %71 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%70 : tensor<1x128x128xf32>) outs(%38 : tensor<1x128x128xf64>) {
    ^bb0(%in: f32, %out: f64):
      %87 = arith.extf %in : f32 to f64
      linalg.yield %87 : f64
    } -> tensor<1x128x128xf64>
    %72 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%71 : tensor<1x128x128xf64>) outs(%41 : tensor<1x128x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %87 = arith.addf %in, %out : f64
      linalg.yield %87 : f64
    } -> tensor<1x128x1xf64>
    %73 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%72 : tensor<1x128x1xf64>) outs(%40 : tensor<1x128x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %87 = arith.divf %in, %cst_22 : f64
      linalg.yield %87 : f64
    } -> tensor<1x128x1xf64>
    %74 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%71, %73 : tensor<1x128x128xf64>, tensor<1x128x1xf64>) outs(%38 : tensor<1x128x128xf64>) {
    ^bb0(%in: f64, %in_49: f64, %out: f64):
      %87 = arith.subf %in, %in_49 : f64
      linalg.yield %87 : f64
    } -> tensor<1x128x128xf64>
    %75 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%74, %74 : tensor<1x128x128xf64>, tensor<1x128x128xf64>) outs(%38 : tensor<1x128x128xf64>) {
    ^bb0(%in: f64, %in_49: f64, %out: f64):
      %87 = arith.mulf %in, %in_49 : f64
      linalg.yield %87 : f64
    } -> tensor<1x128x128xf64>
    %76 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%75 : tensor<1x128x128xf64>) outs(%41 : tensor<1x128x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %87 = arith.addf %in, %out : f64
      linalg.yield %87 : f64
    } -> tensor<1x128x1xf64>
    %77 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%76 : tensor<1x128x1xf64>) outs(%40 : tensor<1x128x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %87 = arith.divf %in, %cst_22 : f64
      linalg.yield %87 : f64
    } -> tensor<1x128x1xf64>
    %78 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%77 : tensor<1x128x1xf64>) outs(%48 : tensor<1x128x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %87 = arith.truncf %in : f64 to f32
      linalg.yield %87 : f32
    } -> tensor<1x128x1xf32>
    %79 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "parallel", "reduction"]} ins(%70 : tensor<1x128x128xf32>) outs(%50 : tensor<1x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %87 = arith.addf %in, %out : f32
      linalg.yield %87 : f32
    } -> tensor<1x128x1xf32>
    %80 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%79 : tensor<1x128x1xf32>) outs(%48 : tensor<1x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %87 = arith.divf %in, %cst_23 : f32
      linalg.yield %87 : f32
    } -> tensor<1x128x1xf32>
    %81 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%78 : tensor<1x128x1xf32>) outs(%48 : tensor<1x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %87 = arith.truncf %cst_12 : f64 to f32
      %88 = arith.addf %in, %87 : f32
      linalg.yield %88 : f32
    } -> tensor<1x128x1xf32>
    %82 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%81 : tensor<1x128x1xf32>) outs(%48 : tensor<1x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %87 = math.rsqrt %in : f32
      linalg.yield %87 : f32
    } -> tensor<1x128x1xf32>
    %83 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%70, %80 : tensor<1x128x128xf32>, tensor<1x128x1xf32>) outs(%36 : tensor<1x128x128xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %87 = arith.subf %in, %in_49 : f32
      linalg.yield %87 : f32
    } -> tensor<1x128x128xf32>
    %84 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%83, %82 : tensor<1x128x128xf32>, tensor<1x128x1xf32>) outs(%36 : tensor<1x128x128xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %87 = arith.mulf %in, %in_49 : f32
      linalg.yield %87 : f32
    } -> tensor<1x128x128xf32>
    %85 = linalg.generic {indexing_maps = [#map5, #map7, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%84, %cst_5 : tensor<1x128x128xf32>, tensor<128xf32>) outs(%36 : tensor<1x128x128xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %87 = arith.mulf %in, %in_49 : f32
      linalg.yield %87 : f32
    } -> tensor<1x128x128xf32>
    %86 = linalg.generic {indexing_maps = [#map5, #map7, #map5], iterator_types = ["parallel", "parallel", "parallel"]} ins(%85, %cst_4 : tensor<1x128x128xf32>, tensor<128xf32>) outs(%36 : tensor<1x128x128xf32>) {
    ^bb0(%in: f32, %in_49: f32, %out: f32):
      %87 = arith.addf %in, %in_49 : f32
      linalg.yield %87 : f32
    } -> tensor<1x128x128xf32>
    return %86 : tensor<1x128x128xf32>
  }
}
