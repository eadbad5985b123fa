#map = affine_map<() -> ()>
#map1 = affine_map<(d0) -> (d0)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> (d1)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> ()>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map9 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map10 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map11 = affine_map<(d0, d1, d2) -> (d2)>
#map12 = affine_map<(d0, d1, d2) -> ()>
module {
  func.func @main(%arg0: tensor<1x128x768xf32>, %cst_53: tensor<768x768xi8> {ucmoh.weight}, %cst_54: tensor<768x768xi8> {ucmoh.weight}, %cst_56: tensor<768x768xi8> {ucmoh.weight}, %cst_57: tensor<768x768xi8> {ucmoh.weight}, %cst_59: tensor<768x3072xi8> {ucmoh.weight}, %cst_60: tensor<3072x768xi8> {ucmoh.weight}, %cst_61: tensor<768xi32> {ucmoh.weight}, %cst_62: tensor<768xi32> {ucmoh.weight}, %cst_63: tensor<768xi32> {ucmoh.weight}, %cst_64: tensor<768xi32> {ucmoh.weight}, %cst_65: tensor<768xi32> {ucmoh.weight}, %cst_66: tensor<3072xi32> {ucmoh.weight}, %cst_67: tensor<768xi32> {ucmoh.weight}, %cst_68: tensor<768xi32> {ucmoh.weight}) -> tensor<1x128x768xf32> {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 2.550000e+02 : f32
    %c128_i64 = arith.constant 128 : i64
    %c0_i32 = arith.constant 0 : i32
    %c-128_i8 = arith.constant -128 : i8
    %c131_i64 = arith.constant 131 : i64
    %c123_i64 = arith.constant 123 : i64
    %c127_i64 = arith.constant 127 : i64
    %c130_i64 = arith.constant 130 : i64
    %cst_1 = arith.constant 0xFF800000 : f32
    %c122_i64 = arith.constant 122 : i64
    %c135_i64 = arith.constant 135 : i64
    %c13_i64 = arith.constant 13 : i64
    %c126_i64 = arith.constant 126 : i64
    %c137_i64 = arith.constant 137 : i64
    %cst_2 = arith.constant dense<1.41421354> : tensor<f32>
    %cst_3 = arith.constant 4.90196107E-4 : f32
    %cst_4 = arith.constant 0.00392156886 : f32
    %cst_5 = arith.constant 0.00196078443 : f32
    %cst_6 = arith.constant 3.21781787E-4 : f32
    %cst_7 = arith.constant 0.00787401571 : f32
    %cst_8 = arith.constant 1.454680e-06 : f32
    %cst_9 = arith.constant 1.11045665E-5 : f32
    %cst_10 = arith.constant 1.110460e-05 : f32
    %cst_11 = arith.constant 1.11045792E-5 : f32
    %cst_12 = arith.constant 1.11502968E-5 : f32
    %cst_13 = arith.constant 3.21866071E-4 : f32
    %cst_14 = arith.constant 1.86182569E-6 : f32
    %cst_15 = arith.constant 0.0390829556 : f32
    %cst_16 = arith.constant 1.280000e+02 : f32
    %cst_17 = arith.constant 1.1104566842073775E-5 : f64
    %cst_18 = arith.constant 1.1104599828521441E-5 : f64
    %cst_19 = arith.constant 1.1104579354174614E-5 : f64
    %cst_20 = arith.constant 0.0237393882 : f32
    %cst_21 = arith.constant 1.310000e+02 : f32
    %cst_22 = arith.constant 0.0234566946 : f32
    %cst_23 = arith.constant 1.230000e+02 : f32
    %cst_24 = arith.constant 0.022657793 : f32
    %cst_25 = arith.constant 1.270000e+02 : f32
    %c-5_i32 = arith.constant -5 : i32
    %c3_i32 = arith.constant 3 : i32
    %cst_26 = arith.constant 5.5684757830208251E-4 : f64
    %cst_27 = arith.constant 0.133724511 : f32
    %cst_28 = arith.constant 1.300000e+02 : f32
    %cst_29 = arith.constant 0.0167155638 : f32
    %c-128_i32 = arith.constant -128 : i32
    %c-1_i32 = arith.constant -1 : i32
    %cst_30 = arith.constant 8.8854095510590078E-5 : f64
    %cst_31 = arith.constant 0.00511978939 : f32
    %cst_32 = arith.constant 1.4546800287563045E-6 : f64
    %cst_33 = arith.constant 7.188390e-03 : f32
    %cst_34 = arith.constant 1.220000e+02 : f32
    %cst_35 = arith.constant 0.0408662856 : f32
    %cst_36 = arith.constant 7.680000e+02 : f32
    %cst_37 = arith.constant 9.99999996E-13 : f32
    %cst_38 = arith.constant 0.0392437838 : f32
    %cst_39 = arith.constant 1.350000e+02 : f32
    %c7_i32 = arith.constant 7 : i32
    %cst_40 = arith.constant 1.1150296930451499E-5 : f64
    %cst_41 = arith.constant 0.025596628 : f32
    %cst_42 = arith.constant 7.834110e-03 : f32
    %cst_43 = arith.constant 0.0078372471 : f32
    %cst_44 = arith.constant 0.0262109917 : f32
    %cst_45 = arith.constant 1.300000e+01 : f32
    %cst_46 = arith.constant 0.0131054958 : f32
    %c-115_i32 = arith.constant -115 : i32
    %cst_47 = arith.constant 1.8618256931497593E-6 : f64
    %cst_48 = arith.constant 0.0113291321 : f32
    %cst_49 = arith.constant 1.260000e+02 : f32
    %cst_50 = arith.constant 0.040876992 : f32
    %cst_51 = arith.constant 1.370000e+02 : f32
    %cst_52 = arith.constant 0.0403880477 : f32
    %cst_55 = arith.constant dense<-1> : tensor<i8>
    %cst_58 = arith.constant dense<127> : tensor<768xi8>
    %0 = tensor.empty() : tensor<f32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%cst_55 : tensor<i8>) outs(%0 : tensor<f32>) {
    ^bb0(%in: i8, %out: f32):
      %174 = arith.uitofp %in : i8 to f32
      %175 = arith.mulf %174, %cst_3 : f32
      linalg.yield %175 : f32
    } -> tensor<f32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%cst_55 : tensor<i8>) outs(%0 : tensor<f32>) {
    ^bb0(%in: i8, %out: f32):
      %174 = arith.uitofp %in : i8 to f32
      %175 = arith.mulf %174, %cst_4 : f32
      linalg.yield %175 : f32
    } -> tensor<f32>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%cst_55 : tensor<i8>) outs(%0 : tensor<f32>) {
    ^bb0(%in: i8, %out: f32):
      %174 = arith.uitofp %in : i8 to f32
      %175 = arith.mulf %174, %cst_5 : f32
      linalg.yield %175 : f32
    } -> tensor<f32>
    %4 = tensor.empty() : tensor<768xf32>
    %5 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%cst_65 : tensor<768xi32>) outs(%4 : tensor<768xf32>) {
    ^bb0(%in: i32, %out: f32):
      %174 = arith.sitofp %in : i32 to f32
      %175 = arith.mulf %174, %cst_6 : f32
      linalg.yield %175 : f32
    } -> tensor<768xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%cst_58 : tensor<768xi8>) outs(%4 : tensor<768xf32>) {
    ^bb0(%in: i8, %out: f32):
      %174 = arith.sitofp %in : i8 to f32
      %175 = arith.mulf %174, %cst_7 : f32
      linalg.yield %175 : f32
    } -> tensor<768xf32>
    %7 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%cst_64 : tensor<768xi32>) outs(%4 : tensor<768xf32>) {
    ^bb0(%in: i32, %out: f32):
      %174 = arith.sitofp %in : i32 to f32
      %175 = arith.mulf %174, %cst_8 : f32
      linalg.yield %175 : f32
    } -> tensor<768xf32>
    %8 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%cst_61 : tensor<768xi32>) outs(%4 : tensor<768xf32>) {
    ^bb0(%in: i32, %out: f32):
      %174 = arith.sitofp %in : i32 to f32
      %175 = arith.mulf %174, %cst_9 : f32
      linalg.yield %175 : f32
    } -> tensor<768xf32>
    %9 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%cst_62 : tensor<768xi32>) outs(%4 : tensor<768xf32>) {
    ^bb0(%in: i32, %out: f32):
      %174 = arith.sitofp %in : i32 to f32
      %175 = arith.mulf %174, %cst_10 : f32
      linalg.yield %175 : f32
    } -> tensor<768xf32>
    %10 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%cst_63 : tensor<768xi32>) outs(%4 : tensor<768xf32>) {
    ^bb0(%in: i32, %out: f32):
      %174 = arith.sitofp %in : i32 to f32
      %175 = arith.mulf %174, %cst_11 : f32
      linalg.yield %175 : f32
    } -> tensor<768xf32>
    %11 = tensor.empty() : tensor<3072xf32>
    %12 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%cst_66 : tensor<3072xi32>) outs(%11 : tensor<3072xf32>) {
    ^bb0(%in: i32, %out: f32):
      %174 = arith.sitofp %in : i32 to f32
      %175 = arith.mulf %174, %cst_12 : f32
      linalg.yield %175 : f32
    } -> tensor<3072xf32>
    %13 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%cst_68 : tensor<768xi32>) outs(%4 : tensor<768xf32>) {
    ^bb0(%in: i32, %out: f32):
      %174 = arith.sitofp %in : i32 to f32
      %175 = arith.mulf %174, %cst_13 : f32
      linalg.yield %175 : f32
    } -> tensor<768xf32>
    %14 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%cst_67 : tensor<768xi32>) outs(%4 : tensor<768xf32>) {
    ^bb0(%in: i32, %out: f32):
      %174 = arith.sitofp %in : i32 to f32
      %175 = arith.mulf %174, %cst_14 : f32
      linalg.yield %175 : f32
    } -> tensor<768xf32>
    %15 = tensor.empty() : tensor<1x128x768xi8>
    %16 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x128x768xf32>) outs(%15 : tensor<1x128x768xi8>) {
    ^bb0(%in: f32, %out: i8):
      %174 = arith.divf %in, %cst_15 : f32
      %175 = math.roundeven %174 : f32
      %176 = arith.addf %175, %cst_16 : f32
      %177 = arith.maximumf %176, %cst : f32
      %178 = arith.minimumf %177, %cst_0 : f32
      %179 = arith.fptoui %178 : f32 to i8
      linalg.yield %179 : i8
    } -> tensor<1x128x768xi8>
    %17 = tensor.empty() : tensor<1x128x768xf32>
    %18 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%16 : tensor<1x128x768xi8>) outs(%17 : tensor<1x128x768xf32>) {
    ^bb0(%in: i8, %out: f32):
      %174 = arith.extui %in : i8 to i64
      %175 = arith.subi %174, %c128_i64 : i64
      %176 = arith.sitofp %175 : i64 to f32
      %177 = arith.mulf %176, %cst_15 : f32
      linalg.yield %177 : f32
    } -> tensor<1x128x768xf32>
    %collapsed = tensor.collapse_shape %18 [[0, 1], [2]] : tensor<1x128x768xf32> into tensor<128x768xf32>
    %19 = tensor.empty() : tensor<128x768xi8>
    %20 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%collapsed : tensor<128x768xf32>) outs(%19 : tensor<128x768xi8>) {
    ^bb0(%in: f32, %out: i8):
      %174 = arith.divf %in, %cst_15 : f32
      %175 = math.roundeven %174 : f32
      %176 = arith.addf %175, %cst_16 : f32
      %177 = arith.maximumf %176, %cst : f32
      %178 = arith.minimumf %177, %cst_0 : f32
      %179 = arith.fptoui %178 : f32 to i8
      linalg.yield %179 : i8
    } -> tensor<128x768xi8>
    %21 = tensor.empty() : tensor<128x768xi32>
    %22 = linalg.fill ins(%c0_i32 : i32) outs(%21 : tensor<128x768xi32>) -> tensor<128x768xi32>
    %23 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%20 : tensor<128x768xi8>) outs(%19 : tensor<128x768xi8>) {
    ^bb0(%in: i8, %out: i8):
      %174 = arith.addi %in, %c-128_i8 : i8
      linalg.yield %174 : i8
    } -> tensor<128x768xi8>
    %24 = linalg.quantized_matmul ins(%23, %cst_53, %c0_i32, %c0_i32 : tensor<128x768xi8>, tensor<768x768xi8>, i32, i32) outs(%22 : tensor<128x768xi32>) -> tensor<128x768xi32>
    %25 = tensor.empty() : tensor<128x768xf32>
    %26 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%24 : tensor<128x768xi32>) outs(%25 : tensor<128x768xf32>) {
    ^bb0(%in: i32, %out: f32):
      %174 = arith.truncf %cst_17 : f64 to f32
      %175 = arith.sitofp %in : i32 to f32
      %176 = arith.mulf %175, %174 : f32
      linalg.yield %176 : f32
    } -> tensor<128x768xf32>
    %27 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%26, %8 : tensor<128x768xf32>, tensor<768xf32>) outs(%25 : tensor<128x768xf32>) {
    ^bb0(%in: f32, %in_91: f32, %out: f32):
      %174 = arith.addf %in, %in_91 : f32
      linalg.yield %174 : f32
    } -> tensor<128x768xf32>
    %28 = linalg.quantized_matmul ins(%23, %cst_54, %c0_i32, %c0_i32 : tensor<128x768xi8>, tensor<768x768xi8>, i32, i32) outs(%22 : tensor<128x768xi32>) -> tensor<128x768xi32>
    %29 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%28 : tensor<128x768xi32>) outs(%25 : tensor<128x768xf32>) {
    ^bb0(%in: i32, %out: f32):
      %174 = arith.truncf %cst_18 : f64 to f32
      %175 = arith.sitofp %in : i32 to f32
      %176 = arith.mulf %175, %174 : f32
      linalg.yield %176 : f32
    } -> tensor<128x768xf32>
    %30 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%29, %9 : tensor<128x768xf32>, tensor<768xf32>) outs(%25 : tensor<128x768xf32>) {
    ^bb0(%in: f32, %in_91: f32, %out: f32):
      %174 = arith.addf %in, %in_91 : f32
      linalg.yield %174 : f32
    } -> tensor<128x768xf32>
    %31 = linalg.quantized_matmul ins(%23, %cst_56, %c0_i32, %c0_i32 : tensor<128x768xi8>, tensor<768x768xi8>, i32, i32) outs(%22 : tensor<128x768xi32>) -> tensor<128x768xi32>
    %32 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%31 : tensor<128x768xi32>) outs(%25 : tensor<128x768xf32>) {
    ^bb0(%in: i32, %out: f32):
      %174 = arith.truncf %cst_19 : f64 to f32
      %175 = arith.sitofp %in : i32 to f32
      %176 = arith.mulf %175, %174 : f32
      linalg.yield %176 : f32
    } -> tensor<128x768xf32>
    %33 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%32, %10 : tensor<128x768xf32>, tensor<768xf32>) outs(%25 : tensor<128x768xf32>) {
    ^bb0(%in: f32, %in_91: f32, %out: f32):
      %174 = arith.addf %in, %in_91 : f32
      linalg.yield %174 : f32
    } -> tensor<128x768xf32>
    %34 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%27 : tensor<128x768xf32>) outs(%19 : tensor<128x768xi8>) {
    ^bb0(%in: f32, %out: i8):
      %174 = arith.divf %in, %cst_20 : f32
      %175 = math.roundeven %174 : f32
      %176 = arith.addf %175, %cst_21 : f32
      %177 = arith.maximumf %176, %cst : f32
      %178 = arith.minimumf %177, %cst_0 : f32
      %179 = arith.fptoui %178 : f32 to i8
      linalg.yield %179 : i8
    } -> tensor<128x768xi8>
    %35 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%30 : tensor<128x768xf32>) outs(%19 : tensor<128x768xi8>) {
    ^bb0(%in: f32, %out: i8):
      %174 = arith.divf %in, %cst_22 : f32
      %175 = math.roundeven %174 : f32
      %176 = arith.addf %175, %cst_23 : f32
      %177 = arith.maximumf %176, %cst : f32
      %178 = arith.minimumf %177, %cst_0 : f32
      %179 = arith.fptoui %178 : f32 to i8
      linalg.yield %179 : i8
    } -> tensor<128x768xi8>
    %36 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%33 : tensor<128x768xf32>) outs(%19 : tensor<128x768xi8>) {
    ^bb0(%in: f32, %out: i8):
      %174 = arith.divf %in, %cst_24 : f32
      %175 = math.roundeven %174 : f32
      %176 = arith.addf %175, %cst_25 : f32
      %177 = arith.maximumf %176, %cst : f32
      %178 = arith.minimumf %177, %cst_0 : f32
      %179 = arith.fptoui %178 : f32 to i8
      linalg.yield %179 : i8
    } -> tensor<128x768xi8>
    %37 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%34 : tensor<128x768xi8>) outs(%25 : tensor<128x768xf32>) {
    ^bb0(%in: i8, %out: f32):
      %174 = arith.extui %in : i8 to i64
      %175 = arith.subi %174, %c131_i64 : i64
      %176 = arith.sitofp %175 : i64 to f32
      %177 = arith.mulf %176, %cst_20 : f32
      linalg.yield %177 : f32
    } -> tensor<128x768xf32>
    %38 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%35 : tensor<128x768xi8>) outs(%25 : tensor<128x768xf32>) {
    ^bb0(%in: i8, %out: f32):
      %174 = arith.extui %in : i8 to i64
      %175 = arith.subi %174, %c123_i64 : i64
      %176 = arith.sitofp %175 : i64 to f32
      %177 = arith.mulf %176, %cst_22 : f32
      linalg.yield %177 : f32
    } -> tensor<128x768xf32>
    %39 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%36 : tensor<128x768xi8>) outs(%25 : tensor<128x768xf32>) {
    ^bb0(%in: i8, %out: f32):
      %174 = arith.extui %in : i8 to i64
      %175 = arith.subi %174, %c127_i64 : i64
      %176 = arith.sitofp %175 : i64 to f32
      %177 = arith.mulf %176, %cst_24 : f32
      linalg.yield %177 : f32
    } -> tensor<128x768xf32>
    %expanded = tensor.expand_shape %37 [[0, 1], [2, 3]] output_shape [1, 128, 12, 64] : tensor<128x768xf32> into tensor<1x128x12x64xf32>
    %expanded_69 = tensor.expand_shape %38 [[0, 1], [2, 3]] output_shape [1, 128, 12, 64] : tensor<128x768xf32> into tensor<1x128x12x64xf32>
    %expanded_70 = tensor.expand_shape %39 [[0, 1], [2, 3]] output_shape [1, 128, 12, 64] : tensor<128x768xf32> into tensor<1x128x12x64xf32>
    %40 = tensor.empty() : tensor<1x128x12x64xi8>
    %41 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<1x128x12x64xf32>) outs(%40 : tensor<1x128x12x64xi8>) {
    ^bb0(%in: f32, %out: i8):
      %174 = arith.divf %in, %cst_20 : f32
      %175 = math.roundeven %174 : f32
      %176 = arith.addf %175, %cst_21 : f32
      %177 = arith.maximumf %176, %cst : f32
      %178 = arith.minimumf %177, %cst_0 : f32
      %179 = arith.fptoui %178 : f32 to i8
      linalg.yield %179 : i8
    } -> tensor<1x128x12x64xi8>
    %42 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_69 : tensor<1x128x12x64xf32>) outs(%40 : tensor<1x128x12x64xi8>) {
    ^bb0(%in: f32, %out: i8):
      %174 = arith.divf %in, %cst_22 : f32
      %175 = math.roundeven %174 : f32
      %176 = arith.addf %175, %cst_23 : f32
      %177 = arith.maximumf %176, %cst : f32
      %178 = arith.minimumf %177, %cst_0 : f32
      %179 = arith.fptoui %178 : f32 to i8
      linalg.yield %179 : i8
    } -> tensor<1x128x12x64xi8>
    %43 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_70 : tensor<1x128x12x64xf32>) outs(%40 : tensor<1x128x12x64xi8>) {
    ^bb0(%in: f32, %out: i8):
      %174 = arith.divf %in, %cst_24 : f32
      %175 = math.roundeven %174 : f32
      %176 = arith.addf %175, %cst_25 : f32
      %177 = arith.maximumf %176, %cst : f32
      %178 = arith.minimumf %177, %cst_0 : f32
      %179 = arith.fptoui %178 : f32 to i8
      linalg.yield %179 : i8
    } -> tensor<1x128x12x64xi8>
    %44 = tensor.empty() : tensor<1x128x12x64xf32>
    %45 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%41 : tensor<1x128x12x64xi8>) outs(%44 : tensor<1x128x12x64xf32>) {
    ^bb0(%in: i8, %out: f32):
      %174 = arith.extui %in : i8 to i64
      %175 = arith.subi %174, %c131_i64 : i64
      %176 = arith.sitofp %175 : i64 to f32
      %177 = arith.mulf %176, %cst_20 : f32
      linalg.yield %177 : f32
    } -> tensor<1x128x12x64xf32>
    %46 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%42 : tensor<1x128x12x64xi8>) outs(%44 : tensor<1x128x12x64xf32>) {
    ^bb0(%in: i8, %out: f32):
      %174 = arith.extui %in : i8 to i64
      %175 = arith.subi %174, %c123_i64 : i64
      %176 = arith.sitofp %175 : i64 to f32
      %177 = arith.mulf %176, %cst_22 : f32
      linalg.yield %177 : f32
    } -> tensor<1x128x12x64xf32>
    %47 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%43 : tensor<1x128x12x64xi8>) outs(%44 : tensor<1x128x12x64xf32>) {
    ^bb0(%in: i8, %out: f32):
      %174 = arith.extui %in : i8 to i64
      %175 = arith.subi %174, %c127_i64 : i64
      %176 = arith.sitofp %175 : i64 to f32
      %177 = arith.mulf %176, %cst_24 : f32
      linalg.yield %177 : f32
    } -> tensor<1x128x12x64xf32>
    %48 = tensor.empty() : tensor<1x12x64x128xf32>
    %transposed = linalg.transpose ins(%45 : tensor<1x128x12x64xf32>) outs(%48 : tensor<1x12x64x128xf32>) permutation = [0, 2, 3, 1] 
    %49 = tensor.empty() : tensor<1x12x128x64xf32>
    %transposed_71 = linalg.transpose ins(%46 : tensor<1x128x12x64xf32>) outs(%49 : tensor<1x12x128x64xf32>) permutation = [0, 2, 1, 3] 
    %transposed_72 = linalg.transpose ins(%47 : tensor<1x128x12x64xf32>) outs(%49 : tensor<1x12x128x64xf32>) permutation = [0, 2, 1, 3] 
    %50 = tensor.empty() : tensor<1x12x64x128xi8>
    %51 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed : tensor<1x12x64x128xf32>) outs(%50 : tensor<1x12x64x128xi8>) {
    ^bb0(%in: f32, %out: i8):
      %174 = arith.divf %in, %cst_20 : f32
      %175 = math.roundeven %174 : f32
      %176 = arith.addf %175, %cst_21 : f32
      %177 = arith.maximumf %176, %cst : f32
      %178 = arith.minimumf %177, %cst_0 : f32
      %179 = arith.fptoui %178 : f32 to i8
      linalg.yield %179 : i8
    } -> tensor<1x12x64x128xi8>
    %52 = tensor.empty() : tensor<1x12x128x64xi8>
    %53 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_71 : tensor<1x12x128x64xf32>) outs(%52 : tensor<1x12x128x64xi8>) {
    ^bb0(%in: f32, %out: i8):
      %174 = arith.divf %in, %cst_22 : f32
      %175 = math.roundeven %174 : f32
      %176 = arith.addf %175, %cst_23 : f32
      %177 = arith.maximumf %176, %cst : f32
      %178 = arith.minimumf %177, %cst_0 : f32
      %179 = arith.fptoui %178 : f32 to i8
      linalg.yield %179 : i8
    } -> tensor<1x12x128x64xi8>
    %54 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_72 : tensor<1x12x128x64xf32>) outs(%52 : tensor<1x12x128x64xi8>) {
    ^bb0(%in: f32, %out: i8):
      %174 = arith.divf %in, %cst_24 : f32
      %175 = math.roundeven %174 : f32
      %176 = arith.addf %175, %cst_25 : f32
      %177 = arith.maximumf %176, %cst : f32
      %178 = arith.minimumf %177, %cst_0 : f32
      %179 = arith.fptoui %178 : f32 to i8
      linalg.yield %179 : i8
    } -> tensor<1x12x128x64xi8>
    %55 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%53 : tensor<1x12x128x64xi8>) outs(%52 : tensor<1x12x128x64xi8>) {
    ^bb0(%in: i8, %out: i8):
      %174 = arith.addi %in, %c-128_i8 : i8
      linalg.yield %174 : i8
    } -> tensor<1x12x128x64xi8>
    %56 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%51 : tensor<1x12x64x128xi8>) outs(%50 : tensor<1x12x64x128xi8>) {
    ^bb0(%in: i8, %out: i8):
      %174 = arith.addi %in, %c-128_i8 : i8
      linalg.yield %174 : i8
    } -> tensor<1x12x64x128xi8>
    %collapsed_73 = tensor.collapse_shape %55 [[0, 1], [2], [3]] : tensor<1x12x128x64xi8> into tensor<12x128x64xi8>
    %collapsed_74 = tensor.collapse_shape %56 [[0, 1], [2], [3]] : tensor<1x12x64x128xi8> into tensor<12x64x128xi8>
    %57 = tensor.empty() : tensor<12x128x128xi32>
    %58 = linalg.fill ins(%c0_i32 : i32) outs(%57 : tensor<12x128x128xi32>) -> tensor<12x128x128xi32>
    %59 = linalg.quantized_batch_matmul ins(%collapsed_73, %collapsed_74, %c-5_i32, %c3_i32 : tensor<12x128x64xi8>, tensor<12x64x128xi8>, i32, i32) outs(%58 : tensor<12x128x128xi32>) -> tensor<12x128x128xi32>
    %expanded_75 = tensor.expand_shape %59 [[0, 1], [2], [3]] output_shape [1, 12, 128, 128] : tensor<12x128x128xi32> into tensor<1x12x128x128xi32>
    %60 = tensor.empty() : tensor<1x12x128x128xf32>
    %61 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_75 : tensor<1x12x128x128xi32>) outs(%60 : tensor<1x12x128x128xf32>) {
    ^bb0(%in: i32, %out: f32):
      %174 = arith.truncf %cst_26 : f64 to f32
      %175 = arith.sitofp %in : i32 to f32
      %176 = arith.mulf %175, %174 : f32
      linalg.yield %176 : f32
    } -> tensor<1x12x128x128xf32>
    %62 = tensor.empty() : tensor<1x12x128x128xi8>
    %63 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%61 : tensor<1x12x128x128xf32>) outs(%62 : tensor<1x12x128x128xi8>) {
    ^bb0(%in: f32, %out: i8):
      %174 = arith.divf %in, %cst_27 : f32
      %175 = math.roundeven %174 : f32
      %176 = arith.addf %175, %cst_28 : f32
      %177 = arith.maximumf %176, %cst : f32
      %178 = arith.minimumf %177, %cst_0 : f32
      %179 = arith.fptoui %178 : f32 to i8
      linalg.yield %179 : i8
    } -> tensor<1x12x128x128xi8>
    %64 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%63 : tensor<1x12x128x128xi8>) outs(%60 : tensor<1x12x128x128xf32>) {
    ^bb0(%in: i8, %out: f32):
      %174 = arith.extui %in : i8 to i64
      %175 = arith.subi %174, %c130_i64 : i64
      %176 = arith.sitofp %175 : i64 to f32
      %177 = arith.mulf %176, %cst_27 : f32
      linalg.yield %177 : f32
    } -> tensor<1x12x128x128xf32>
    %65 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%64, %1 : tensor<1x12x128x128xf32>, tensor<f32>) outs(%60 : tensor<1x12x128x128xf32>) {
    ^bb0(%in: f32, %in_91: f32, %out: f32):
      %174 = arith.mulf %in, %in_91 : f32
      linalg.yield %174 : f32
    } -> tensor<1x12x128x128xf32>
    %66 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%65 : tensor<1x12x128x128xf32>) outs(%62 : tensor<1x12x128x128xi8>) {
    ^bb0(%in: f32, %out: i8):
      %174 = arith.divf %in, %cst_29 : f32
      %175 = math.roundeven %174 : f32
      %176 = arith.addf %175, %cst_28 : f32
      %177 = arith.maximumf %176, %cst : f32
      %178 = arith.minimumf %177, %cst_0 : f32
      %179 = arith.fptoui %178 : f32 to i8
      linalg.yield %179 : i8
    } -> tensor<1x12x128x128xi8>
    %67 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%66 : tensor<1x12x128x128xi8>) outs(%60 : tensor<1x12x128x128xf32>) {
    ^bb0(%in: i8, %out: f32):
      %174 = arith.extui %in : i8 to i64
      %175 = arith.subi %174, %c130_i64 : i64
      %176 = arith.sitofp %175 : i64 to f32
      %177 = arith.mulf %176, %cst_29 : f32
      linalg.yield %177 : f32
    } -> tensor<1x12x128x128xf32>
    %68 = tensor.empty() : tensor<1x12x128xi64>
    %69 = linalg.fill ins(%c0_i64 : i64) outs(%68 : tensor<1x12x128xi64>) -> tensor<1x12x128xi64>
    %70 = tensor.empty() : tensor<1x12x128xf32>
    %71 = linalg.fill ins(%cst_1 : f32) outs(%70 : tensor<1x12x128xf32>) -> tensor<1x12x128xf32>
    %72:2 = linalg.generic {indexing_maps = [#map5, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%67 : tensor<1x12x128x128xf32>) outs(%71, %69 : tensor<1x12x128xf32>, tensor<1x12x128xi64>) {
    ^bb0(%in: f32, %out: f32, %out_91: i64):
      %174 = linalg.index 3 : index
      %175 = arith.index_cast %174 : index to i64
      %176 = arith.maximumf %in, %out : f32
      %177 = arith.cmpf ogt, %in, %out : f32
      %178 = arith.select %177, %175, %out_91 : i64
      linalg.yield %176, %178 : f32, i64
    } -> (tensor<1x12x128xf32>, tensor<1x12x128xi64>)
    %expanded_76 = tensor.expand_shape %72#0 [[0], [1], [2, 3]] output_shape [1, 12, 128, 1] : tensor<1x12x128xf32> into tensor<1x12x128x1xf32>
    %73 = linalg.generic {indexing_maps = [#map5, #map8, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%67, %expanded_76 : tensor<1x12x128x128xf32>, tensor<1x12x128x1xf32>) outs(%60 : tensor<1x12x128x128xf32>) {
    ^bb0(%in: f32, %in_91: f32, %out: f32):
      %174 = arith.subf %in, %in_91 : f32
      linalg.yield %174 : f32
    } -> tensor<1x12x128x128xf32>
    %74 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%73 : tensor<1x12x128x128xf32>) outs(%60 : tensor<1x12x128x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %174 = math.exp %in : f32
      linalg.yield %174 : f32
    } -> tensor<1x12x128x128xf32>
    %75 = tensor.empty() : tensor<1x12x128x1xf32>
    %76 = linalg.fill ins(%cst : f32) outs(%75 : tensor<1x12x128x1xf32>) -> tensor<1x12x128x1xf32>
    %77 = linalg.generic {indexing_maps = [#map5, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%74 : tensor<1x12x128x128xf32>) outs(%76 : tensor<1x12x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %174 = arith.addf %in, %out : f32
      linalg.yield %174 : f32
    } -> tensor<1x12x128x1xf32>
    %78 = linalg.generic {indexing_maps = [#map5, #map8, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%74, %77 : tensor<1x12x128x128xf32>, tensor<1x12x128x1xf32>) outs(%60 : tensor<1x12x128x128xf32>) {
    ^bb0(%in: f32, %in_91: f32, %out: f32):
      %174 = arith.divf %in, %in_91 : f32
      linalg.yield %174 : f32
    } -> tensor<1x12x128x128xf32>
    %79 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%78 : tensor<1x12x128x128xf32>) outs(%62 : tensor<1x12x128x128xi8>) {
    ^bb0(%in: f32, %out: i8):
      %174 = arith.divf %in, %cst_4 : f32
      %175 = math.roundeven %174 : f32
      %176 = arith.addf %175, %cst : f32
      %177 = arith.maximumf %176, %cst : f32
      %178 = arith.minimumf %177, %cst_0 : f32
      %179 = arith.fptoui %178 : f32 to i8
      linalg.yield %179 : i8
    } -> tensor<1x12x128x128xi8>
    %80 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%79 : tensor<1x12x128x128xi8>) outs(%62 : tensor<1x12x128x128xi8>) {
    ^bb0(%in: i8, %out: i8):
      %174 = arith.addi %in, %c-128_i8 : i8
      linalg.yield %174 : i8
    } -> tensor<1x12x128x128xi8>
    %81 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%54 : tensor<1x12x128x64xi8>) outs(%52 : tensor<1x12x128x64xi8>) {
    ^bb0(%in: i8, %out: i8):
      %174 = arith.addi %in, %c-128_i8 : i8
      linalg.yield %174 : i8
    } -> tensor<1x12x128x64xi8>
    %collapsed_77 = tensor.collapse_shape %80 [[0, 1], [2], [3]] : tensor<1x12x128x128xi8> into tensor<12x128x128xi8>
    %collapsed_78 = tensor.collapse_shape %81 [[0, 1], [2], [3]] : tensor<1x12x128x64xi8> into tensor<12x128x64xi8>
    %82 = tensor.empty() : tensor<12x128x64xi32>
    %83 = linalg.fill ins(%c0_i32 : i32) outs(%82 : tensor<12x128x64xi32>) -> tensor<12x128x64xi32>
    %84 = linalg.quantized_batch_matmul ins(%collapsed_77, %collapsed_78, %c-128_i32, %c-1_i32 : tensor<12x128x128xi8>, tensor<12x128x64xi8>, i32, i32) outs(%83 : tensor<12x128x64xi32>) -> tensor<12x128x64xi32>
    %expanded_79 = tensor.expand_shape %84 [[0, 1], [2], [3]] output_shape [1, 12, 128, 64] : tensor<12x128x64xi32> into tensor<1x12x128x64xi32>
    %85 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_79 : tensor<1x12x128x64xi32>) outs(%49 : tensor<1x12x128x64xf32>) {
    ^bb0(%in: i32, %out: f32):
      %174 = arith.truncf %cst_30 : f64 to f32
      %175 = arith.sitofp %in : i32 to f32
      %176 = arith.mulf %175, %174 : f32
      linalg.yield %176 : f32
    } -> tensor<1x12x128x64xf32>
    %86 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%85 : tensor<1x12x128x64xf32>) outs(%52 : tensor<1x12x128x64xi8>) {
    ^bb0(%in: f32, %out: i8):
      %174 = arith.divf %in, %cst_31 : f32
      %175 = math.roundeven %174 : f32
      %176 = arith.addf %175, %cst_16 : f32
      %177 = arith.maximumf %176, %cst : f32
      %178 = arith.minimumf %177, %cst_0 : f32
      %179 = arith.fptoui %178 : f32 to i8
      linalg.yield %179 : i8
    } -> tensor<1x12x128x64xi8>
    %87 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%86 : tensor<1x12x128x64xi8>) outs(%49 : tensor<1x12x128x64xf32>) {
    ^bb0(%in: i8, %out: f32):
      %174 = arith.extui %in : i8 to i64
      %175 = arith.subi %174, %c128_i64 : i64
      %176 = arith.sitofp %175 : i64 to f32
      %177 = arith.mulf %176, %cst_31 : f32
      linalg.yield %177 : f32
    } -> tensor<1x12x128x64xf32>
    %transposed_80 = linalg.transpose ins(%87 : tensor<1x12x128x64xf32>) outs(%44 : tensor<1x128x12x64xf32>) permutation = [0, 2, 1, 3] 
    %88 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_80 : tensor<1x128x12x64xf32>) outs(%40 : tensor<1x128x12x64xi8>) {
    ^bb0(%in: f32, %out: i8):
      %174 = arith.divf %in, %cst_31 : f32
      %175 = math.roundeven %174 : f32
      %176 = arith.addf %175, %cst_16 : f32
      %177 = arith.maximumf %176, %cst : f32
      %178 = arith.minimumf %177, %cst_0 : f32
      %179 = arith.fptoui %178 : f32 to i8
      linalg.yield %179 : i8
    } -> tensor<1x128x12x64xi8>
    %89 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%88 : tensor<1x128x12x64xi8>) outs(%44 : tensor<1x128x12x64xf32>) {
    ^bb0(%in: i8, %out: f32):
      %174 = arith.extui %in : i8 to i64
      %175 = arith.subi %174, %c128_i64 : i64
      %176 = arith.sitofp %175 : i64 to f32
      %177 = arith.mulf %176, %cst_31 : f32
      linalg.yield %177 : f32
    } -> tensor<1x128x12x64xf32>
    %collapsed_81 = tensor.collapse_shape %89 [[0, 1], [2, 3]] : tensor<1x128x12x64xf32> into tensor<128x768xf32>
    %90 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%collapsed_81 : tensor<128x768xf32>) outs(%19 : tensor<128x768xi8>) {
    ^bb0(%in: f32, %out: i8):
      %174 = arith.divf %in, %cst_31 : f32
      %175 = math.roundeven %174 : f32
      %176 = arith.addf %175, %cst_16 : f32
      %177 = arith.maximumf %176, %cst : f32
      %178 = arith.minimumf %177, %cst_0 : f32
      %179 = arith.fptoui %178 : f32 to i8
      linalg.yield %179 : i8
    } -> tensor<128x768xi8>
    %91 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%90 : tensor<128x768xi8>) outs(%19 : tensor<128x768xi8>) {
    ^bb0(%in: i8, %out: i8):
      %174 = arith.addi %in, %c-128_i8 : i8
      linalg.yield %174 : i8
    } -> tensor<128x768xi8>
    %92 = linalg.quantized_matmul ins(%91, %cst_57, %c0_i32, %c0_i32 : tensor<128x768xi8>, tensor<768x768xi8>, i32, i32) outs(%22 : tensor<128x768xi32>) -> tensor<128x768xi32>
    %93 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%92 : tensor<128x768xi32>) outs(%25 : tensor<128x768xf32>) {
    ^bb0(%in: i32, %out: f32):
      %174 = arith.truncf %cst_32 : f64 to f32
      %175 = arith.sitofp %in : i32 to f32
      %176 = arith.mulf %175, %174 : f32
      linalg.yield %176 : f32
    } -> tensor<128x768xf32>
    %94 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%93, %7 : tensor<128x768xf32>, tensor<768xf32>) outs(%25 : tensor<128x768xf32>) {
    ^bb0(%in: f32, %in_91: f32, %out: f32):
      %174 = arith.addf %in, %in_91 : f32
      linalg.yield %174 : f32
    } -> tensor<128x768xf32>
    %95 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%94 : tensor<128x768xf32>) outs(%19 : tensor<128x768xi8>) {
    ^bb0(%in: f32, %out: i8):
      %174 = arith.divf %in, %cst_33 : f32
      %175 = math.roundeven %174 : f32
      %176 = arith.addf %175, %cst_34 : f32
      %177 = arith.maximumf %176, %cst : f32
      %178 = arith.minimumf %177, %cst_0 : f32
      %179 = arith.fptoui %178 : f32 to i8
      linalg.yield %179 : i8
    } -> tensor<128x768xi8>
    %96 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%95 : tensor<128x768xi8>) outs(%25 : tensor<128x768xf32>) {
    ^bb0(%in: i8, %out: f32):
      %174 = arith.extui %in : i8 to i64
      %175 = arith.subi %174, %c122_i64 : i64
      %176 = arith.sitofp %175 : i64 to f32
      %177 = arith.mulf %176, %cst_33 : f32
      linalg.yield %177 : f32
    } -> tensor<128x768xf32>
    %expanded_82 = tensor.expand_shape %96 [[0, 1], [2]] output_shape [1, 128, 768] : tensor<128x768xf32> into tensor<1x128x768xf32>
    %97 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_82 : tensor<1x128x768xf32>) outs(%15 : tensor<1x128x768xi8>) {
    ^bb0(%in: f32, %out: i8):
      %174 = arith.divf %in, %cst_33 : f32
      %175 = math.roundeven %174 : f32
      %176 = arith.addf %175, %cst_34 : f32
      %177 = arith.maximumf %176, %cst : f32
      %178 = arith.minimumf %177, %cst_0 : f32
      %179 = arith.fptoui %178 : f32 to i8
      linalg.yield %179 : i8
    } -> tensor<1x128x768xi8>
    %98 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%97 : tensor<1x128x768xi8>) outs(%17 : tensor<1x128x768xf32>) {
    ^bb0(%in: i8, %out: f32):
      %174 = arith.extui %in : i8 to i64
      %175 = arith.subi %174, %c122_i64 : i64
      %176 = arith.sitofp %175 : i64 to f32
      %177 = arith.mulf %176, %cst_33 : f32
      linalg.yield %177 : f32
    } -> tensor<1x128x768xf32>
    %99 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%98, %18 : tensor<1x128x768xf32>, tensor<1x128x768xf32>) outs(%17 : tensor<1x128x768xf32>) {
    ^bb0(%in: f32, %in_91: f32, %out: f32):
      %174 = arith.addf %in, %in_91 : f32
      linalg.yield %174 : f32
    } -> tensor<1x128x768xf32>
    %100 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%99 : tensor<1x128x768xf32>) outs(%15 : tensor<1x128x768xi8>) {
    ^bb0(%in: f32, %out: i8):
      %174 = arith.divf %in, %cst_35 : f32
      %175 = math.roundeven %174 : f32
      %176 = arith.addf %175, %cst_21 : f32
      %177 = arith.maximumf %176, %cst : f32
      %178 = arith.minimumf %177, %cst_0 : f32
      %179 = arith.fptoui %178 : f32 to i8
      linalg.yield %179 : i8
    } -> tensor<1x128x768xi8>
    %101 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%100 : tensor<1x128x768xi8>) outs(%17 : tensor<1x128x768xf32>) {
    ^bb0(%in: i8, %out: f32):
      %174 = arith.extui %in : i8 to i64
      %175 = arith.subi %174, %c131_i64 : i64
      %176 = arith.sitofp %175 : i64 to f32
      %177 = arith.mulf %176, %cst_35 : f32
      linalg.yield %177 : f32
    } -> tensor<1x128x768xf32>
    %102 = tensor.empty() : tensor<1x128x1xf32>
    %103 = linalg.fill ins(%cst : f32) outs(%102 : tensor<1x128x1xf32>) -> tensor<1x128x1xf32>
    %104 = linalg.generic {indexing_maps = [#map2, #map9], iterator_types = ["parallel", "parallel", "reduction"]} ins(%101 : tensor<1x128x768xf32>) outs(%103 : tensor<1x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %174 = arith.addf %in, %out : f32
      linalg.yield %174 : f32
    } -> tensor<1x128x1xf32>
    %105 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%104 : tensor<1x128x1xf32>) outs(%102 : tensor<1x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %174 = arith.divf %in, %cst_36 : f32
      linalg.yield %174 : f32
    } -> tensor<1x128x1xf32>
    %collapsed_83 = tensor.collapse_shape %105 [[0], [1, 2]] : tensor<1x128x1xf32> into tensor<1x128xf32>
    %106 = linalg.generic {indexing_maps = [#map10, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_83 : tensor<1x128xf32>) outs(%17 : tensor<1x128x768xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x128x768xf32>
    %107 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%101, %106 : tensor<1x128x768xf32>, tensor<1x128x768xf32>) outs(%17 : tensor<1x128x768xf32>) {
    ^bb0(%in: f32, %in_91: f32, %out: f32):
      %174 = arith.subf %in, %in_91 : f32
      linalg.yield %174 : f32
    } -> tensor<1x128x768xf32>
    %108 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%107, %107 : tensor<1x128x768xf32>, tensor<1x128x768xf32>) outs(%17 : tensor<1x128x768xf32>) {
    ^bb0(%in: f32, %in_91: f32, %out: f32):
      %174 = arith.mulf %in, %in_91 : f32
      linalg.yield %174 : f32
    } -> tensor<1x128x768xf32>
    %109 = linalg.generic {indexing_maps = [#map2, #map9], iterator_types = ["parallel", "parallel", "reduction"]} ins(%108 : tensor<1x128x768xf32>) outs(%103 : tensor<1x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %174 = arith.addf %in, %out : f32
      linalg.yield %174 : f32
    } -> tensor<1x128x1xf32>
    %110 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%109 : tensor<1x128x1xf32>) outs(%102 : tensor<1x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %174 = arith.divf %in, %cst_36 : f32
      linalg.yield %174 : f32
    } -> tensor<1x128x1xf32>
    %111 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%110 : tensor<1x128x1xf32>) outs(%102 : tensor<1x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %174 = arith.addf %in, %cst_37 : f32
      linalg.yield %174 : f32
    } -> tensor<1x128x1xf32>
    %112 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%111 : tensor<1x128x1xf32>) outs(%102 : tensor<1x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %174 = math.rsqrt %in : f32
      linalg.yield %174 : f32
    } -> tensor<1x128x1xf32>
    %collapsed_84 = tensor.collapse_shape %112 [[0], [1, 2]] : tensor<1x128x1xf32> into tensor<1x128xf32>
    %113 = linalg.generic {indexing_maps = [#map10, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_84 : tensor<1x128xf32>) outs(%17 : tensor<1x128x768xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x128x768xf32>
    %114 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%107, %113 : tensor<1x128x768xf32>, tensor<1x128x768xf32>) outs(%17 : tensor<1x128x768xf32>) {
    ^bb0(%in: f32, %in_91: f32, %out: f32):
      %174 = arith.mulf %in, %in_91 : f32
      linalg.yield %174 : f32
    } -> tensor<1x128x768xf32>
    %115 = linalg.generic {indexing_maps = [#map2, #map11, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%114, %6 : tensor<1x128x768xf32>, tensor<768xf32>) outs(%17 : tensor<1x128x768xf32>) {
    ^bb0(%in: f32, %in_91: f32, %out: f32):
      %174 = arith.mulf %in, %in_91 : f32
      linalg.yield %174 : f32
    } -> tensor<1x128x768xf32>
    %116 = linalg.generic {indexing_maps = [#map2, #map11, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%115, %5 : tensor<1x128x768xf32>, tensor<768xf32>) outs(%17 : tensor<1x128x768xf32>) {
    ^bb0(%in: f32, %in_91: f32, %out: f32):
      %174 = arith.addf %in, %in_91 : f32
      linalg.yield %174 : f32
    } -> tensor<1x128x768xf32>
    %117 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%116 : tensor<1x128x768xf32>) outs(%15 : tensor<1x128x768xi8>) {
    ^bb0(%in: f32, %out: i8):
      %174 = arith.divf %in, %cst_38 : f32
      %175 = math.roundeven %174 : f32
      %176 = arith.addf %175, %cst_39 : f32
      %177 = arith.maximumf %176, %cst : f32
      %178 = arith.minimumf %177, %cst_0 : f32
      %179 = arith.fptoui %178 : f32 to i8
      linalg.yield %179 : i8
    } -> tensor<1x128x768xi8>
    %118 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%117 : tensor<1x128x768xi8>) outs(%17 : tensor<1x128x768xf32>) {
    ^bb0(%in: i8, %out: f32):
      %174 = arith.extui %in : i8 to i64
      %175 = arith.subi %174, %c135_i64 : i64
      %176 = arith.sitofp %175 : i64 to f32
      %177 = arith.mulf %176, %cst_38 : f32
      linalg.yield %177 : f32
    } -> tensor<1x128x768xf32>
    %collapsed_85 = tensor.collapse_shape %118 [[0, 1], [2]] : tensor<1x128x768xf32> into tensor<128x768xf32>
    %119 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%collapsed_85 : tensor<128x768xf32>) outs(%19 : tensor<128x768xi8>) {
    ^bb0(%in: f32, %out: i8):
      %174 = arith.divf %in, %cst_38 : f32
      %175 = math.roundeven %174 : f32
      %176 = arith.addf %175, %cst_39 : f32
      %177 = arith.maximumf %176, %cst : f32
      %178 = arith.minimumf %177, %cst_0 : f32
      %179 = arith.fptoui %178 : f32 to i8
      linalg.yield %179 : i8
    } -> tensor<128x768xi8>
    %120 = tensor.empty() : tensor<128x3072xi32>
    %121 = linalg.fill ins(%c0_i32 : i32) outs(%120 : tensor<128x3072xi32>) -> tensor<128x3072xi32>
    %122 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%119 : tensor<128x768xi8>) outs(%19 : tensor<128x768xi8>) {
    ^bb0(%in: i8, %out: i8):
      %174 = arith.addi %in, %c-128_i8 : i8
      linalg.yield %174 : i8
    } -> tensor<128x768xi8>
    %123 = linalg.quantized_matmul ins(%122, %cst_59, %c7_i32, %c0_i32 : tensor<128x768xi8>, tensor<768x3072xi8>, i32, i32) outs(%121 : tensor<128x3072xi32>) -> tensor<128x3072xi32>
    %124 = tensor.empty() : tensor<128x3072xf32>
    %125 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%123 : tensor<128x3072xi32>) outs(%124 : tensor<128x3072xf32>) {
    ^bb0(%in: i32, %out: f32):
      %174 = arith.truncf %cst_40 : f64 to f32
      %175 = arith.sitofp %in : i32 to f32
      %176 = arith.mulf %175, %174 : f32
      linalg.yield %176 : f32
    } -> tensor<128x3072xf32>
    %126 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%125, %12 : tensor<128x3072xf32>, tensor<3072xf32>) outs(%124 : tensor<128x3072xf32>) {
    ^bb0(%in: f32, %in_91: f32, %out: f32):
      %174 = arith.addf %in, %in_91 : f32
      linalg.yield %174 : f32
    } -> tensor<128x3072xf32>
    %127 = tensor.empty() : tensor<128x3072xi8>
    %128 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%126 : tensor<128x3072xf32>) outs(%127 : tensor<128x3072xi8>) {
    ^bb0(%in: f32, %out: i8):
      %174 = arith.divf %in, %cst_41 : f32
      %175 = math.roundeven %174 : f32
      %176 = arith.addf %175, %cst_21 : f32
      %177 = arith.maximumf %176, %cst : f32
      %178 = arith.minimumf %177, %cst_0 : f32
      %179 = arith.fptoui %178 : f32 to i8
      linalg.yield %179 : i8
    } -> tensor<128x3072xi8>
    %129 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%128 : tensor<128x3072xi8>) outs(%124 : tensor<128x3072xf32>) {
    ^bb0(%in: i8, %out: f32):
      %174 = arith.extui %in : i8 to i64
      %175 = arith.subi %174, %c131_i64 : i64
      %176 = arith.sitofp %175 : i64 to f32
      %177 = arith.mulf %176, %cst_41 : f32
      linalg.yield %177 : f32
    } -> tensor<128x3072xf32>
    %expanded_86 = tensor.expand_shape %129 [[0, 1], [2]] output_shape [1, 128, 3072] : tensor<128x3072xf32> into tensor<1x128x3072xf32>
    %130 = tensor.empty() : tensor<1x128x3072xi8>
    %131 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_86 : tensor<1x128x3072xf32>) outs(%130 : tensor<1x128x3072xi8>) {
    ^bb0(%in: f32, %out: i8):
      %174 = arith.divf %in, %cst_41 : f32
      %175 = math.roundeven %174 : f32
      %176 = arith.addf %175, %cst_21 : f32
      %177 = arith.maximumf %176, %cst : f32
      %178 = arith.minimumf %177, %cst_0 : f32
      %179 = arith.fptoui %178 : f32 to i8
      linalg.yield %179 : i8
    } -> tensor<1x128x3072xi8>
    %132 = tensor.empty() : tensor<1x128x3072xf32>
    %133 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%131 : tensor<1x128x3072xi8>) outs(%132 : tensor<1x128x3072xf32>) {
    ^bb0(%in: i8, %out: f32):
      %174 = arith.extui %in : i8 to i64
      %175 = arith.subi %174, %c131_i64 : i64
      %176 = arith.sitofp %175 : i64 to f32
      %177 = arith.mulf %176, %cst_41 : f32
      linalg.yield %177 : f32
    } -> tensor<1x128x3072xf32>
    %134 = linalg.generic {indexing_maps = [#map2, #map12, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%133, %cst_2 : tensor<1x128x3072xf32>, tensor<f32>) outs(%132 : tensor<1x128x3072xf32>) {
    ^bb0(%in: f32, %in_91: f32, %out: f32):
      %174 = arith.divf %in, %in_91 : f32
      linalg.yield %174 : f32
    } -> tensor<1x128x3072xf32>
    %135 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%134 : tensor<1x128x3072xf32>) outs(%132 : tensor<1x128x3072xf32>) {
    ^bb0(%in: f32, %out: f32):
      %174 = math.erf %in : f32
      linalg.yield %174 : f32
    } -> tensor<1x128x3072xf32>
    %136 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%135 : tensor<1x128x3072xf32>) outs(%130 : tensor<1x128x3072xi8>) {
    ^bb0(%in: f32, %out: i8):
      %174 = arith.divf %in, %cst_42 : f32
      %175 = math.roundeven %174 : f32
      %176 = arith.addf %175, %cst_16 : f32
      %177 = arith.maximumf %176, %cst : f32
      %178 = arith.minimumf %177, %cst_0 : f32
      %179 = arith.fptoui %178 : f32 to i8
      linalg.yield %179 : i8
    } -> tensor<1x128x3072xi8>
    %137 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%136 : tensor<1x128x3072xi8>) outs(%132 : tensor<1x128x3072xf32>) {
    ^bb0(%in: i8, %out: f32):
      %174 = arith.extui %in : i8 to i64
      %175 = arith.subi %174, %c128_i64 : i64
      %176 = arith.sitofp %175 : i64 to f32
      %177 = arith.mulf %176, %cst_42 : f32
      linalg.yield %177 : f32
    } -> tensor<1x128x3072xf32>
    %138 = linalg.generic {indexing_maps = [#map2, #map12, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%137, %2 : tensor<1x128x3072xf32>, tensor<f32>) outs(%132 : tensor<1x128x3072xf32>) {
    ^bb0(%in: f32, %in_91: f32, %out: f32):
      %174 = arith.addf %in, %in_91 : f32
      linalg.yield %174 : f32
    } -> tensor<1x128x3072xf32>
    %139 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%138 : tensor<1x128x3072xf32>) outs(%130 : tensor<1x128x3072xi8>) {
    ^bb0(%in: f32, %out: i8):
      %174 = arith.divf %in, %cst_43 : f32
      %175 = math.roundeven %174 : f32
      %176 = arith.addf %175, %cst : f32
      %177 = arith.maximumf %176, %cst : f32
      %178 = arith.minimumf %177, %cst_0 : f32
      %179 = arith.fptoui %178 : f32 to i8
      linalg.yield %179 : i8
    } -> tensor<1x128x3072xi8>
    %140 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%139 : tensor<1x128x3072xi8>) outs(%132 : tensor<1x128x3072xf32>) {
    ^bb0(%in: i8, %out: f32):
      %174 = arith.uitofp %in : i8 to f32
      %175 = arith.mulf %174, %cst_43 : f32
      linalg.yield %175 : f32
    } -> tensor<1x128x3072xf32>
    %141 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%133, %140 : tensor<1x128x3072xf32>, tensor<1x128x3072xf32>) outs(%132 : tensor<1x128x3072xf32>) {
    ^bb0(%in: f32, %in_91: f32, %out: f32):
      %174 = arith.mulf %in, %in_91 : f32
      linalg.yield %174 : f32
    } -> tensor<1x128x3072xf32>
    %142 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%141 : tensor<1x128x3072xf32>) outs(%130 : tensor<1x128x3072xi8>) {
    ^bb0(%in: f32, %out: i8):
      %174 = arith.divf %in, %cst_44 : f32
      %175 = math.roundeven %174 : f32
      %176 = arith.addf %175, %cst_45 : f32
      %177 = arith.maximumf %176, %cst : f32
      %178 = arith.minimumf %177, %cst_0 : f32
      %179 = arith.fptoui %178 : f32 to i8
      linalg.yield %179 : i8
    } -> tensor<1x128x3072xi8>
    %143 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%142 : tensor<1x128x3072xi8>) outs(%132 : tensor<1x128x3072xf32>) {
    ^bb0(%in: i8, %out: f32):
      %174 = arith.extui %in : i8 to i64
      %175 = arith.subi %174, %c13_i64 : i64
      %176 = arith.sitofp %175 : i64 to f32
      %177 = arith.mulf %176, %cst_44 : f32
      linalg.yield %177 : f32
    } -> tensor<1x128x3072xf32>
    %144 = linalg.generic {indexing_maps = [#map2, #map12, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%143, %3 : tensor<1x128x3072xf32>, tensor<f32>) outs(%132 : tensor<1x128x3072xf32>) {
    ^bb0(%in: f32, %in_91: f32, %out: f32):
      %174 = arith.mulf %in, %in_91 : f32
      linalg.yield %174 : f32
    } -> tensor<1x128x3072xf32>
    %145 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%144 : tensor<1x128x3072xf32>) outs(%130 : tensor<1x128x3072xi8>) {
    ^bb0(%in: f32, %out: i8):
      %174 = arith.divf %in, %cst_46 : f32
      %175 = math.roundeven %174 : f32
      %176 = arith.addf %175, %cst_45 : f32
      %177 = arith.maximumf %176, %cst : f32
      %178 = arith.minimumf %177, %cst_0 : f32
      %179 = arith.fptoui %178 : f32 to i8
      linalg.yield %179 : i8
    } -> tensor<1x128x3072xi8>
    %146 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%145 : tensor<1x128x3072xi8>) outs(%132 : tensor<1x128x3072xf32>) {
    ^bb0(%in: i8, %out: f32):
      %174 = arith.extui %in : i8 to i64
      %175 = arith.subi %174, %c13_i64 : i64
      %176 = arith.sitofp %175 : i64 to f32
      %177 = arith.mulf %176, %cst_46 : f32
      linalg.yield %177 : f32
    } -> tensor<1x128x3072xf32>
    %collapsed_87 = tensor.collapse_shape %146 [[0, 1], [2]] : tensor<1x128x3072xf32> into tensor<128x3072xf32>
    %147 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%collapsed_87 : tensor<128x3072xf32>) outs(%127 : tensor<128x3072xi8>) {
    ^bb0(%in: f32, %out: i8):
      %174 = arith.divf %in, %cst_46 : f32
      %175 = math.roundeven %174 : f32
      %176 = arith.addf %175, %cst_45 : f32
      %177 = arith.maximumf %176, %cst : f32
      %178 = arith.minimumf %177, %cst_0 : f32
      %179 = arith.fptoui %178 : f32 to i8
      linalg.yield %179 : i8
    } -> tensor<128x3072xi8>
    %148 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%147 : tensor<128x3072xi8>) outs(%127 : tensor<128x3072xi8>) {
    ^bb0(%in: i8, %out: i8):
      %174 = arith.addi %in, %c-128_i8 : i8
      linalg.yield %174 : i8
    } -> tensor<128x3072xi8>
    %149 = linalg.quantized_matmul ins(%148, %cst_60, %c-115_i32, %c0_i32 : tensor<128x3072xi8>, tensor<3072x768xi8>, i32, i32) outs(%22 : tensor<128x768xi32>) -> tensor<128x768xi32>
    %150 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%149 : tensor<128x768xi32>) outs(%25 : tensor<128x768xf32>) {
    ^bb0(%in: i32, %out: f32):
      %174 = arith.truncf %cst_47 : f64 to f32
      %175 = arith.sitofp %in : i32 to f32
      %176 = arith.mulf %175, %174 : f32
      linalg.yield %176 : f32
    } -> tensor<128x768xf32>
    %151 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%150, %14 : tensor<128x768xf32>, tensor<768xf32>) outs(%25 : tensor<128x768xf32>) {
    ^bb0(%in: f32, %in_91: f32, %out: f32):
      %174 = arith.addf %in, %in_91 : f32
      linalg.yield %174 : f32
    } -> tensor<128x768xf32>
    %152 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%151 : tensor<128x768xf32>) outs(%19 : tensor<128x768xi8>) {
    ^bb0(%in: f32, %out: i8):
      %174 = arith.divf %in, %cst_48 : f32
      %175 = math.roundeven %174 : f32
      %176 = arith.addf %175, %cst_49 : f32
      %177 = arith.maximumf %176, %cst : f32
      %178 = arith.minimumf %177, %cst_0 : f32
      %179 = arith.fptoui %178 : f32 to i8
      linalg.yield %179 : i8
    } -> tensor<128x768xi8>
    %153 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%152 : tensor<128x768xi8>) outs(%25 : tensor<128x768xf32>) {
    ^bb0(%in: i8, %out: f32):
      %174 = arith.extui %in : i8 to i64
      %175 = arith.subi %174, %c126_i64 : i64
      %176 = arith.sitofp %175 : i64 to f32
      %177 = arith.mulf %176, %cst_48 : f32
      linalg.yield %177 : f32
    } -> tensor<128x768xf32>
    %expanded_88 = tensor.expand_shape %153 [[0, 1], [2]] output_shape [1, 128, 768] : tensor<128x768xf32> into tensor<1x128x768xf32>
    %154 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_88 : tensor<1x128x768xf32>) outs(%15 : tensor<1x128x768xi8>) {
    ^bb0(%in: f32, %out: i8):
      %174 = arith.divf %in, %cst_48 : f32
      %175 = math.roundeven %174 : f32
      %176 = arith.addf %175, %cst_49 : f32
      %177 = arith.maximumf %176, %cst : f32
      %178 = arith.minimumf %177, %cst_0 : f32
      %179 = arith.fptoui %178 : f32 to i8
      linalg.yield %179 : i8
    } -> tensor<1x128x768xi8>
    %155 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%154 : tensor<1x128x768xi8>) outs(%17 : tensor<1x128x768xf32>) {
    ^bb0(%in: i8, %out: f32):
      %174 = arith.extui %in : i8 to i64
      %175 = arith.subi %174, %c126_i64 : i64
      %176 = arith.sitofp %175 : i64 to f32
      %177 = arith.mulf %176, %cst_48 : f32
      linalg.yield %177 : f32
    } -> tensor<1x128x768xf32>
    %156 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%155, %118 : tensor<1x128x768xf32>, tensor<1x128x768xf32>) outs(%17 : tensor<1x128x768xf32>) {
    ^bb0(%in: f32, %in_91: f32, %out: f32):
      %174 = arith.addf %in, %in_91 : f32
      linalg.yield %174 : f32
    } -> tensor<1x128x768xf32>
    %157 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%156 : tensor<1x128x768xf32>) outs(%15 : tensor<1x128x768xi8>) {
    ^bb0(%in: f32, %out: i8):
      %174 = arith.divf %in, %cst_50 : f32
      %175 = math.roundeven %174 : f32
      %176 = arith.addf %175, %cst_51 : f32
      %177 = arith.maximumf %176, %cst : f32
      %178 = arith.minimumf %177, %cst_0 : f32
      %179 = arith.fptoui %178 : f32 to i8
      linalg.yield %179 : i8
    } -> tensor<1x128x768xi8>
    %158 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%157 : tensor<1x128x768xi8>) outs(%17 : tensor<1x128x768xf32>) {
    ^bb0(%in: i8, %out: f32):
      %174 = arith.extui %in : i8 to i64
      %175 = arith.subi %174, %c137_i64 : i64
      %176 = arith.sitofp %175 : i64 to f32
      %177 = arith.mulf %176, %cst_50 : f32
      linalg.yield %177 : f32
    } -> tensor<1x128x768xf32>
    %159 = linalg.generic {indexing_maps = [#map2, #map9], iterator_types = ["parallel", "parallel", "reduction"]} ins(%158 : tensor<1x128x768xf32>) outs(%103 : tensor<1x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %174 = arith.addf %in, %out : f32
      linalg.yield %174 : f32
    } -> tensor<1x128x1xf32>
    %160 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%159 : tensor<1x128x1xf32>) outs(%102 : tensor<1x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %174 = arith.divf %in, %cst_36 : f32
      linalg.yield %174 : f32
    } -> tensor<1x128x1xf32>
    %collapsed_89 = tensor.collapse_shape %160 [[0], [1, 2]] : tensor<1x128x1xf32> into tensor<1x128xf32>
    %161 = linalg.generic {indexing_maps = [#map10, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_89 : tensor<1x128xf32>) outs(%17 : tensor<1x128x768xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x128x768xf32>
    %162 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%158, %161 : tensor<1x128x768xf32>, tensor<1x128x768xf32>) outs(%17 : tensor<1x128x768xf32>) {
    ^bb0(%in: f32, %in_91: f32, %out: f32):
      %174 = arith.subf %in, %in_91 : f32
      linalg.yield %174 : f32
    } -> tensor<1x128x768xf32>
    %163 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%162, %162 : tensor<1x128x768xf32>, tensor<1x128x768xf32>) outs(%17 : tensor<1x128x768xf32>) {
    ^bb0(%in: f32, %in_91: f32, %out: f32):
      %174 = arith.mulf %in, %in_91 : f32
      linalg.yield %174 : f32
    } -> tensor<1x128x768xf32>
    %164 = linalg.generic {indexing_maps = [#map2, #map9], iterator_types = ["parallel", "parallel", "reduction"]} ins(%163 : tensor<1x128x768xf32>) outs(%103 : tensor<1x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %174 = arith.addf %in, %out : f32
      linalg.yield %174 : f32
    } -> tensor<1x128x1xf32>
    %165 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%164 : tensor<1x128x1xf32>) outs(%102 : tensor<1x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %174 = arith.divf %in, %cst_36 : f32
      linalg.yield %174 : f32
    } -> tensor<1x128x1xf32>
    %166 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%165 : tensor<1x128x1xf32>) outs(%102 : tensor<1x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %174 = arith.addf %in, %cst_37 : f32
      linalg.yield %174 : f32
    } -> tensor<1x128x1xf32>
    %167 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%166 : tensor<1x128x1xf32>) outs(%102 : tensor<1x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %174 = math.rsqrt %in : f32
      linalg.yield %174 : f32
    } -> tensor<1x128x1xf32>
    %collapsed_90 = tensor.collapse_shape %167 [[0], [1, 2]] : tensor<1x128x1xf32> into tensor<1x128xf32>
    %168 = linalg.generic {indexing_maps = [#map10, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_90 : tensor<1x128xf32>) outs(%17 : tensor<1x128x768xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x128x768xf32>
    %169 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%162, %168 : tensor<1x128x768xf32>, tensor<1x128x768xf32>) outs(%17 : tensor<1x128x768xf32>) {
    ^bb0(%in: f32, %in_91: f32, %out: f32):
      %174 = arith.mulf %in, %in_91 : f32
      linalg.yield %174 : f32
    } -> tensor<1x128x768xf32>
    %170 = linalg.generic {indexing_maps = [#map2, #map11, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%169, %6 : tensor<1x128x768xf32>, tensor<768xf32>) outs(%17 : tensor<1x128x768xf32>) {
    ^bb0(%in: f32, %in_91: f32, %out: f32):
      %174 = arith.mulf %in, %in_91 : f32
      linalg.yield %174 : f32
    } -> tensor<1x128x768xf32>
    %171 = linalg.generic {indexing_maps = [#map2, #map11, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%170, %13 : tensor<1x128x768xf32>, tensor<768xf32>) outs(%17 : tensor<1x128x768xf32>) {
    ^bb0(%in: f32, %in_91: f32, %out: f32):
      %174 = arith.addf %in, %in_91 : f32
      linalg.yield %174 : f32
    } -> tensor<1x128x768xf32>
    %172 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%171 : tensor<1x128x768xf32>) outs(%15 : tensor<1x128x768xi8>) {
    ^bb0(%in: f32, %out: i8):
      %174 = arith.divf %in, %cst_52 : f32
      %175 = math.roundeven %174 : f32
      %176 = arith.addf %175, %cst_51 : f32
      %177 = arith.maximumf %176, %cst : f32
      %178 = arith.minimumf %177, %cst_0 : f32
      %179 = arith.fptoui %178 : f32 to i8
      linalg.yield %179 : i8
    } -> tensor<1x128x768xi8>
    %173 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%172 : tensor<1x128x768xi8>) outs(%17 : tensor<1x128x768xf32>) {
    ^bb0(%in: i8, %out: f32):
      %174 = arith.extui %in : i8 to i64
      %175 = arith.subi %174, %c137_i64 : i64
      %176 = arith.sitofp %175 : i64 to f32
      %177 = arith.mulf %176, %cst_52 : f32
      linalg.yield %177 : f32
    } -> tensor<1x128x768xf32>
    return %173 : tensor<1x128x768xf32>
  }
}
