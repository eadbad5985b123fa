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
  func.func @main(%arg0: tensor<1x128x128xf32>, %cst_52: tensor<128x128xi8> {ucmoh.weight}, %cst_53: tensor<128x128xi8> {ucmoh.weight}, %cst_55: tensor<128x128xi8> {ucmoh.weight}, %cst_56: tensor<128x128xi8> {ucmoh.weight}, %cst_58: tensor<128x512xi8> {ucmoh.weight}, %cst_59: tensor<512x128xi8> {ucmoh.weight}, %cst_60: tensor<128xi32> {ucmoh.weight}, %cst_61: tensor<128xi32> {ucmoh.weight}, %cst_62: tensor<128xi32> {ucmoh.weight}, %cst_63: tensor<128xi32> {ucmoh.weight}, %cst_64: tensor<128xi32> {ucmoh.weight}, %cst_65: tensor<512xi32> {ucmoh.weight}, %cst_66: tensor<128xi32> {ucmoh.weight}, %cst_67: tensor<128xi32> {ucmoh.weight}) -> tensor<1x128x128xf32> {
    %c-128_i64 = arith.constant -128 : i64
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant -1.280000e+02 : f32
    %cst_0 = arith.constant 1.270000e+02 : f32
    %c7_i64 = arith.constant 7 : i64
    %c0_i32 = arith.constant 0 : i32
    %c3_i64 = arith.constant 3 : i64
    %c17_i64 = arith.constant 17 : i64
    %c2_i64 = arith.constant 2 : i64
    %cst_1 = arith.constant 0xFF800000 : f32
    %cst_2 = arith.constant 0.000000e+00 : f32
    %c4_i64 = arith.constant 4 : i64
    %c-1_i64 = arith.constant -1 : i64
    %c6_i64 = arith.constant 6 : i64
    %c-114_i64 = arith.constant -114 : i64
    %cst_3 = arith.constant dense<1.41421354> : tensor<f32>
    %cst_4 = arith.constant 4.90196107E-4 : f32
    %cst_5 = arith.constant 0.00392156886 : f32
    %cst_6 = arith.constant 0.00196078443 : f32
    %cst_7 = arith.constant 2.88022275E-4 : f32
    %cst_8 = arith.constant 0.00787401571 : f32
    %cst_9 = arith.constant 3.53934752E-6 : f32
    %cst_10 = arith.constant 2.29581347E-5 : f32
    %cst_11 = arith.constant 2.29562029E-5 : f32
    %cst_12 = arith.constant 2.29584966E-5 : f32
    %cst_13 = arith.constant 2.56106123E-5 : f32
    %cst_14 = arith.constant 2.70049728E-4 : f32
    %cst_15 = arith.constant 4.27477653E-6 : f32
    %cst_16 = arith.constant 0.0329881571 : f32
    %cst_17 = arith.constant 7.000000e+00 : f32
    %c7_i32 = arith.constant 7 : i32
    %cst_18 = arith.constant 2.295813491175365E-5 : f64
    %cst_19 = arith.constant 2.2956203227308871E-5 : f64
    %cst_20 = arith.constant 2.2958495902484881E-5 : f64
    %cst_21 = arith.constant 0.0218528192 : f32
    %cst_22 = arith.constant 3.000000e+00 : f32
    %cst_23 = arith.constant 0.0218755137 : f32
    %cst_24 = arith.constant 1.700000e+01 : f32
    %cst_25 = arith.constant 0.0219200663 : f32
    %c17_i32 = arith.constant 17 : i32
    %c3_i32 = arith.constant 3 : i32
    %cst_26 = arith.constant 4.7804164724899248E-4 : f64
    %cst_27 = arith.constant 0.116108671 : f32
    %cst_28 = arith.constant 0.0145135839 : f32
    %c-128_i32 = arith.constant -128 : i32
    %cst_29 = arith.constant 8.5961049502694328E-5 : f64
    %cst_30 = arith.constant 0.00508577935 : f32
    %cst_31 = arith.constant 4.000000e+00 : f32
    %c4_i32 = arith.constant 4 : i32
    %cst_32 = arith.constant 3.5393475030052069E-6 : f64
    %cst_33 = arith.constant 0.0063512479 : f32
    %cst_34 = arith.constant -1.000000e+00 : f32
    %cst_35 = arith.constant 0.0365788303 : f32
    %cst_36 = arith.constant 6.000000e+00 : f32
    %cst_37 = arith.constant 1.280000e+02 : f32
    %cst_38 = arith.constant 9.99999996E-13 : f32
    %cst_39 = arith.constant 0.0367988907 : f32
    %c-1_i32 = arith.constant -1 : i32
    %cst_40 = arith.constant 2.5610612168981001E-5 : f64
    %cst_41 = arith.constant 0.0237626228 : f32
    %cst_42 = arith.constant 2.000000e+00 : f32
    %cst_43 = arith.constant 7.823560e-03 : f32
    %cst_44 = arith.constant 0.00783134624 : f32
    %cst_45 = arith.constant 0.0245690718 : f32
    %cst_46 = arith.constant -1.140000e+02 : f32
    %cst_47 = arith.constant 0.0122845359 : f32
    %c-114_i32 = arith.constant -114 : i32
    %cst_48 = arith.constant 4.2747764696267343E-6 : f64
    %cst_49 = arith.constant 0.0106323343 : f32
    %cst_50 = arith.constant 0.0342963152 : f32
    %cst_51 = arith.constant 0.0324169397 : f32
    %cst_54 = arith.constant dense<127> : tensor<i8>
    %cst_57 = arith.constant dense<127> : tensor<128xi8>
    %0 = tensor.empty() : tensor<f32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%cst_54 : tensor<i8>) outs(%0 : tensor<f32>) {
    ^bb0(%in: i8, %out: f32):
      %166 = arith.extsi %in : i8 to i64
      %167 = arith.subi %166, %c-128_i64 : i64
      %168 = arith.sitofp %167 : i64 to f32
      %169 = arith.mulf %168, %cst_4 : f32
      linalg.yield %169 : f32
    } -> tensor<f32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%cst_54 : tensor<i8>) outs(%0 : tensor<f32>) {
    ^bb0(%in: i8, %out: f32):
      %166 = arith.extsi %in : i8 to i64
      %167 = arith.subi %166, %c-128_i64 : i64
      %168 = arith.sitofp %167 : i64 to f32
      %169 = arith.mulf %168, %cst_5 : f32
      linalg.yield %169 : f32
    } -> tensor<f32>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%cst_54 : tensor<i8>) outs(%0 : tensor<f32>) {
    ^bb0(%in: i8, %out: f32):
      %166 = arith.extsi %in : i8 to i64
      %167 = arith.subi %166, %c-128_i64 : i64
      %168 = arith.sitofp %167 : i64 to f32
      %169 = arith.mulf %168, %cst_6 : f32
      linalg.yield %169 : f32
    } -> tensor<f32>
    %4 = tensor.empty() : tensor<128xf32>
    %5 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%cst_64 : tensor<128xi32>) outs(%4 : tensor<128xf32>) {
    ^bb0(%in: i32, %out: f32):
      %166 = arith.sitofp %in : i32 to f32
      %167 = arith.mulf %166, %cst_7 : f32
      linalg.yield %167 : f32
    } -> tensor<128xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%cst_57 : tensor<128xi8>) outs(%4 : tensor<128xf32>) {
    ^bb0(%in: i8, %out: f32):
      %166 = arith.sitofp %in : i8 to f32
      %167 = arith.mulf %166, %cst_8 : f32
      linalg.yield %167 : f32
    } -> tensor<128xf32>
    %7 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%cst_63 : tensor<128xi32>) outs(%4 : tensor<128xf32>) {
    ^bb0(%in: i32, %out: f32):
      %166 = arith.sitofp %in : i32 to f32
      %167 = arith.mulf %166, %cst_9 : f32
      linalg.yield %167 : f32
    } -> tensor<128xf32>
    %8 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%cst_60 : tensor<128xi32>) outs(%4 : tensor<128xf32>) {
    ^bb0(%in: i32, %out: f32):
      %166 = arith.sitofp %in : i32 to f32
      %167 = arith.mulf %166, %cst_10 : f32
      linalg.yield %167 : f32
    } -> tensor<128xf32>
    %9 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%cst_61 : tensor<128xi32>) outs(%4 : tensor<128xf32>) {
    ^bb0(%in: i32, %out: f32):
      %166 = arith.sitofp %in : i32 to f32
      %167 = arith.mulf %166, %cst_11 : f32
      linalg.yield %167 : f32
    } -> tensor<128xf32>
    %10 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%cst_62 : tensor<128xi32>) outs(%4 : tensor<128xf32>) {
    ^bb0(%in: i32, %out: f32):
      %166 = arith.sitofp %in : i32 to f32
      %167 = arith.mulf %166, %cst_12 : f32
      linalg.yield %167 : f32
    } -> tensor<128xf32>
    %11 = tensor.empty() : tensor<512xf32>
    %12 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%cst_65 : tensor<512xi32>) outs(%11 : tensor<512xf32>) {
    ^bb0(%in: i32, %out: f32):
      %166 = arith.sitofp %in : i32 to f32
      %167 = arith.mulf %166, %cst_13 : f32
      linalg.yield %167 : f32
    } -> tensor<512xf32>
    %13 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%cst_67 : tensor<128xi32>) outs(%4 : tensor<128xf32>) {
    ^bb0(%in: i32, %out: f32):
      %166 = arith.sitofp %in : i32 to f32
      %167 = arith.mulf %166, %cst_14 : f32
      linalg.yield %167 : f32
    } -> tensor<128xf32>
    %14 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%cst_66 : tensor<128xi32>) outs(%4 : tensor<128xf32>) {
    ^bb0(%in: i32, %out: f32):
      %166 = arith.sitofp %in : i32 to f32
      %167 = arith.mulf %166, %cst_15 : f32
      linalg.yield %167 : f32
    } -> tensor<128xf32>
    %15 = tensor.empty() : tensor<1x128x128xi8>
    %16 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x128x128xf32>) outs(%15 : tensor<1x128x128xi8>) {
    ^bb0(%in: f32, %out: i8):
      %166 = arith.divf %in, %cst_16 : f32
      %167 = math.roundeven %166 : f32
      %168 = arith.addf %167, %cst_17 : f32
      %169 = arith.maximumf %168, %cst : f32
      %170 = arith.minimumf %169, %cst_0 : f32
      %171 = arith.fptosi %170 : f32 to i8
      linalg.yield %171 : i8
    } -> tensor<1x128x128xi8>
    %17 = tensor.empty() : tensor<1x128x128xf32>
    %18 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%16 : tensor<1x128x128xi8>) outs(%17 : tensor<1x128x128xf32>) {
    ^bb0(%in: i8, %out: f32):
      %166 = arith.extsi %in : i8 to i64
      %167 = arith.subi %166, %c7_i64 : i64
      %168 = arith.sitofp %167 : i64 to f32
      %169 = arith.mulf %168, %cst_16 : f32
      linalg.yield %169 : f32
    } -> tensor<1x128x128xf32>
    %collapsed = tensor.collapse_shape %18 [[0, 1], [2]] : tensor<1x128x128xf32> into tensor<128x128xf32>
    %19 = tensor.empty() : tensor<128x128xi8>
    %20 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%collapsed : tensor<128x128xf32>) outs(%19 : tensor<128x128xi8>) {
    ^bb0(%in: f32, %out: i8):
      %166 = arith.divf %in, %cst_16 : f32
      %167 = math.roundeven %166 : f32
      %168 = arith.addf %167, %cst_17 : f32
      %169 = arith.maximumf %168, %cst : f32
      %170 = arith.minimumf %169, %cst_0 : f32
      %171 = arith.fptosi %170 : f32 to i8
      linalg.yield %171 : i8
    } -> tensor<128x128xi8>
    %21 = tensor.empty() : tensor<128x128xi32>
    %22 = linalg.fill ins(%c0_i32 : i32) outs(%21 : tensor<128x128xi32>) -> tensor<128x128xi32>
    %23 = linalg.quantized_matmul ins(%20, %cst_52, %c7_i32, %c0_i32 : tensor<128x128xi8>, tensor<128x128xi8>, i32, i32) outs(%22 : tensor<128x128xi32>) -> tensor<128x128xi32>
    %24 = tensor.empty() : tensor<128x128xf32>
    %25 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%23 : tensor<128x128xi32>) outs(%24 : tensor<128x128xf32>) {
    ^bb0(%in: i32, %out: f32):
      %166 = arith.truncf %cst_18 : f64 to f32
      %167 = arith.sitofp %in : i32 to f32
      %168 = arith.mulf %167, %166 : f32
      linalg.yield %168 : f32
    } -> tensor<128x128xf32>
    %26 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%25, %8 : tensor<128x128xf32>, tensor<128xf32>) outs(%24 : tensor<128x128xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %166 = arith.addf %in, %in_90 : f32
      linalg.yield %166 : f32
    } -> tensor<128x128xf32>
    %27 = linalg.quantized_matmul ins(%20, %cst_53, %c7_i32, %c0_i32 : tensor<128x128xi8>, tensor<128x128xi8>, i32, i32) outs(%22 : tensor<128x128xi32>) -> tensor<128x128xi32>
    %28 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%27 : tensor<128x128xi32>) outs(%24 : tensor<128x128xf32>) {
    ^bb0(%in: i32, %out: f32):
      %166 = arith.truncf %cst_19 : f64 to f32
      %167 = arith.sitofp %in : i32 to f32
      %168 = arith.mulf %167, %166 : f32
      linalg.yield %168 : f32
    } -> tensor<128x128xf32>
    %29 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%28, %9 : tensor<128x128xf32>, tensor<128xf32>) outs(%24 : tensor<128x128xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %166 = arith.addf %in, %in_90 : f32
      linalg.yield %166 : f32
    } -> tensor<128x128xf32>
    %30 = linalg.quantized_matmul ins(%20, %cst_55, %c7_i32, %c0_i32 : tensor<128x128xi8>, tensor<128x128xi8>, i32, i32) outs(%22 : tensor<128x128xi32>) -> tensor<128x128xi32>
    %31 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%30 : tensor<128x128xi32>) outs(%24 : tensor<128x128xf32>) {
    ^bb0(%in: i32, %out: f32):
      %166 = arith.truncf %cst_20 : f64 to f32
      %167 = arith.sitofp %in : i32 to f32
      %168 = arith.mulf %167, %166 : f32
      linalg.yield %168 : f32
    } -> tensor<128x128xf32>
    %32 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%31, %10 : tensor<128x128xf32>, tensor<128xf32>) outs(%24 : tensor<128x128xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %166 = arith.addf %in, %in_90 : f32
      linalg.yield %166 : f32
    } -> tensor<128x128xf32>
    %33 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%26 : tensor<128x128xf32>) outs(%19 : tensor<128x128xi8>) {
    ^bb0(%in: f32, %out: i8):
      %166 = arith.divf %in, %cst_21 : f32
      %167 = math.roundeven %166 : f32
      %168 = arith.addf %167, %cst_22 : f32
      %169 = arith.maximumf %168, %cst : f32
      %170 = arith.minimumf %169, %cst_0 : f32
      %171 = arith.fptosi %170 : f32 to i8
      linalg.yield %171 : i8
    } -> tensor<128x128xi8>
    %34 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%29 : tensor<128x128xf32>) outs(%19 : tensor<128x128xi8>) {
    ^bb0(%in: f32, %out: i8):
      %166 = arith.divf %in, %cst_23 : f32
      %167 = math.roundeven %166 : f32
      %168 = arith.addf %167, %cst_24 : f32
      %169 = arith.maximumf %168, %cst : f32
      %170 = arith.minimumf %169, %cst_0 : f32
      %171 = arith.fptosi %170 : f32 to i8
      linalg.yield %171 : i8
    } -> tensor<128x128xi8>
    %35 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%32 : tensor<128x128xf32>) outs(%19 : tensor<128x128xi8>) {
    ^bb0(%in: f32, %out: i8):
      %166 = arith.divf %in, %cst_25 : f32
      %167 = math.roundeven %166 : f32
      %168 = arith.addf %167, %cst_17 : f32
      %169 = arith.maximumf %168, %cst : f32
      %170 = arith.minimumf %169, %cst_0 : f32
      %171 = arith.fptosi %170 : f32 to i8
      linalg.yield %171 : i8
    } -> tensor<128x128xi8>
    %36 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%33 : tensor<128x128xi8>) outs(%24 : tensor<128x128xf32>) {
    ^bb0(%in: i8, %out: f32):
      %166 = arith.extsi %in : i8 to i64
      %167 = arith.subi %166, %c3_i64 : i64
      %168 = arith.sitofp %167 : i64 to f32
      %169 = arith.mulf %168, %cst_21 : f32
      linalg.yield %169 : f32
    } -> tensor<128x128xf32>
    %37 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%34 : tensor<128x128xi8>) outs(%24 : tensor<128x128xf32>) {
    ^bb0(%in: i8, %out: f32):
      %166 = arith.extsi %in : i8 to i64
      %167 = arith.subi %166, %c17_i64 : i64
      %168 = arith.sitofp %167 : i64 to f32
      %169 = arith.mulf %168, %cst_23 : f32
      linalg.yield %169 : f32
    } -> tensor<128x128xf32>
    %38 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%35 : tensor<128x128xi8>) outs(%24 : tensor<128x128xf32>) {
    ^bb0(%in: i8, %out: f32):
      %166 = arith.extsi %in : i8 to i64
      %167 = arith.subi %166, %c7_i64 : i64
      %168 = arith.sitofp %167 : i64 to f32
      %169 = arith.mulf %168, %cst_25 : f32
      linalg.yield %169 : f32
    } -> tensor<128x128xf32>
    %expanded = tensor.expand_shape %36 [[0, 1], [2, 3]] output_shape [1, 128, 2, 64] : tensor<128x128xf32> into tensor<1x128x2x64xf32>
    %expanded_68 = tensor.expand_shape %37 [[0, 1], [2, 3]] output_shape [1, 128, 2, 64] : tensor<128x128xf32> into tensor<1x128x2x64xf32>
    %expanded_69 = tensor.expand_shape %38 [[0, 1], [2, 3]] output_shape [1, 128, 2, 64] : tensor<128x128xf32> into tensor<1x128x2x64xf32>
    %39 = tensor.empty() : tensor<1x128x2x64xi8>
    %40 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<1x128x2x64xf32>) outs(%39 : tensor<1x128x2x64xi8>) {
    ^bb0(%in: f32, %out: i8):
      %166 = arith.divf %in, %cst_21 : f32
      %167 = math.roundeven %166 : f32
      %168 = arith.addf %167, %cst_22 : f32
      %169 = arith.maximumf %168, %cst : f32
      %170 = arith.minimumf %169, %cst_0 : f32
      %171 = arith.fptosi %170 : f32 to i8
      linalg.yield %171 : i8
    } -> tensor<1x128x2x64xi8>
    %41 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_68 : tensor<1x128x2x64xf32>) outs(%39 : tensor<1x128x2x64xi8>) {
    ^bb0(%in: f32, %out: i8):
      %166 = arith.divf %in, %cst_23 : f32
      %167 = math.roundeven %166 : f32
      %168 = arith.addf %167, %cst_24 : f32
      %169 = arith.maximumf %168, %cst : f32
      %170 = arith.minimumf %169, %cst_0 : f32
      %171 = arith.fptosi %170 : f32 to i8
      linalg.yield %171 : i8
    } -> tensor<1x128x2x64xi8>
    %42 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_69 : tensor<1x128x2x64xf32>) outs(%39 : tensor<1x128x2x64xi8>) {
    ^bb0(%in: f32, %out: i8):
      %166 = arith.divf %in, %cst_25 : f32
      %167 = math.roundeven %166 : f32
      %168 = arith.addf %167, %cst_17 : f32
      %169 = arith.maximumf %168, %cst : f32
      %170 = arith.minimumf %169, %cst_0 : f32
      %171 = arith.fptosi %170 : f32 to i8
      linalg.yield %171 : i8
    } -> tensor<1x128x2x64xi8>
    %43 = tensor.empty() : tensor<1x128x2x64xf32>
    %44 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%40 : tensor<1x128x2x64xi8>) outs(%43 : tensor<1x128x2x64xf32>) {
    ^bb0(%in: i8, %out: f32):
      %166 = arith.extsi %in : i8 to i64
      %167 = arith.subi %166, %c3_i64 : i64
      %168 = arith.sitofp %167 : i64 to f32
      %169 = arith.mulf %168, %cst_21 : f32
      linalg.yield %169 : f32
    } -> tensor<1x128x2x64xf32>
    %45 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%41 : tensor<1x128x2x64xi8>) outs(%43 : tensor<1x128x2x64xf32>) {
    ^bb0(%in: i8, %out: f32):
      %166 = arith.extsi %in : i8 to i64
      %167 = arith.subi %166, %c17_i64 : i64
      %168 = arith.sitofp %167 : i64 to f32
      %169 = arith.mulf %168, %cst_23 : f32
      linalg.yield %169 : f32
    } -> tensor<1x128x2x64xf32>
    %46 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%42 : tensor<1x128x2x64xi8>) outs(%43 : tensor<1x128x2x64xf32>) {
    ^bb0(%in: i8, %out: f32):
      %166 = arith.extsi %in : i8 to i64
      %167 = arith.subi %166, %c7_i64 : i64
      %168 = arith.sitofp %167 : i64 to f32
      %169 = arith.mulf %168, %cst_25 : f32
      linalg.yield %169 : f32
    } -> tensor<1x128x2x64xf32>
    %47 = tensor.empty() : tensor<1x2x64x128xf32>
    %transposed = linalg.transpose ins(%44 : tensor<1x128x2x64xf32>) outs(%47 : tensor<1x2x64x128xf32>) permutation = [0, 2, 3, 1] 
    %48 = tensor.empty() : tensor<1x2x128x64xf32>
    %transposed_70 = linalg.transpose ins(%45 : tensor<1x128x2x64xf32>) outs(%48 : tensor<1x2x128x64xf32>) permutation = [0, 2, 1, 3] 
    %transposed_71 = linalg.transpose ins(%46 : tensor<1x128x2x64xf32>) outs(%48 : tensor<1x2x128x64xf32>) permutation = [0, 2, 1, 3] 
    %49 = tensor.empty() : tensor<1x2x64x128xi8>
    %50 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed : tensor<1x2x64x128xf32>) outs(%49 : tensor<1x2x64x128xi8>) {
    ^bb0(%in: f32, %out: i8):
      %166 = arith.divf %in, %cst_21 : f32
      %167 = math.roundeven %166 : f32
      %168 = arith.addf %167, %cst_22 : f32
      %169 = arith.maximumf %168, %cst : f32
      %170 = arith.minimumf %169, %cst_0 : f32
      %171 = arith.fptosi %170 : f32 to i8
      linalg.yield %171 : i8
    } -> tensor<1x2x64x128xi8>
    %51 = tensor.empty() : tensor<1x2x128x64xi8>
    %52 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_70 : tensor<1x2x128x64xf32>) outs(%51 : tensor<1x2x128x64xi8>) {
    ^bb0(%in: f32, %out: i8):
      %166 = arith.divf %in, %cst_23 : f32
      %167 = math.roundeven %166 : f32
      %168 = arith.addf %167, %cst_24 : f32
      %169 = arith.maximumf %168, %cst : f32
      %170 = arith.minimumf %169, %cst_0 : f32
      %171 = arith.fptosi %170 : f32 to i8
      linalg.yield %171 : i8
    } -> tensor<1x2x128x64xi8>
    %53 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_71 : tensor<1x2x128x64xf32>) outs(%51 : tensor<1x2x128x64xi8>) {
    ^bb0(%in: f32, %out: i8):
      %166 = arith.divf %in, %cst_25 : f32
      %167 = math.roundeven %166 : f32
      %168 = arith.addf %167, %cst_17 : f32
      %169 = arith.maximumf %168, %cst : f32
      %170 = arith.minimumf %169, %cst_0 : f32
      %171 = arith.fptosi %170 : f32 to i8
      linalg.yield %171 : i8
    } -> tensor<1x2x128x64xi8>
    %collapsed_72 = tensor.collapse_shape %52 [[0, 1], [2], [3]] : tensor<1x2x128x64xi8> into tensor<2x128x64xi8>
    %collapsed_73 = tensor.collapse_shape %50 [[0, 1], [2], [3]] : tensor<1x2x64x128xi8> into tensor<2x64x128xi8>
    %54 = tensor.empty() : tensor<2x128x128xi32>
    %55 = linalg.fill ins(%c0_i32 : i32) outs(%54 : tensor<2x128x128xi32>) -> tensor<2x128x128xi32>
    %56 = linalg.quantized_batch_matmul ins(%collapsed_72, %collapsed_73, %c17_i32, %c3_i32 : tensor<2x128x64xi8>, tensor<2x64x128xi8>, i32, i32) outs(%55 : tensor<2x128x128xi32>) -> tensor<2x128x128xi32>
    %expanded_74 = tensor.expand_shape %56 [[0, 1], [2], [3]] output_shape [1, 2, 128, 128] : tensor<2x128x128xi32> into tensor<1x2x128x128xi32>
    %57 = tensor.empty() : tensor<1x2x128x128xf32>
    %58 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_74 : tensor<1x2x128x128xi32>) outs(%57 : tensor<1x2x128x128xf32>) {
    ^bb0(%in: i32, %out: f32):
      %166 = arith.truncf %cst_26 : f64 to f32
      %167 = arith.sitofp %in : i32 to f32
      %168 = arith.mulf %167, %166 : f32
      linalg.yield %168 : f32
    } -> tensor<1x2x128x128xf32>
    %59 = tensor.empty() : tensor<1x2x128x128xi8>
    %60 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%58 : tensor<1x2x128x128xf32>) outs(%59 : tensor<1x2x128x128xi8>) {
    ^bb0(%in: f32, %out: i8):
      %166 = arith.divf %in, %cst_27 : f32
      %167 = math.roundeven %166 : f32
      %168 = arith.addf %167, %cst_22 : f32
      %169 = arith.maximumf %168, %cst : f32
      %170 = arith.minimumf %169, %cst_0 : f32
      %171 = arith.fptosi %170 : f32 to i8
      linalg.yield %171 : i8
    } -> tensor<1x2x128x128xi8>
    %61 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%60 : tensor<1x2x128x128xi8>) outs(%57 : tensor<1x2x128x128xf32>) {
    ^bb0(%in: i8, %out: f32):
      %166 = arith.extsi %in : i8 to i64
      %167 = arith.subi %166, %c3_i64 : i64
      %168 = arith.sitofp %167 : i64 to f32
      %169 = arith.mulf %168, %cst_27 : f32
      linalg.yield %169 : f32
    } -> tensor<1x2x128x128xf32>
    %62 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%61, %1 : tensor<1x2x128x128xf32>, tensor<f32>) outs(%57 : tensor<1x2x128x128xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %166 = arith.mulf %in, %in_90 : f32
      linalg.yield %166 : f32
    } -> tensor<1x2x128x128xf32>
    %63 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%62 : tensor<1x2x128x128xf32>) outs(%59 : tensor<1x2x128x128xi8>) {
    ^bb0(%in: f32, %out: i8):
      %166 = arith.divf %in, %cst_28 : f32
      %167 = math.roundeven %166 : f32
      %168 = arith.addf %167, %cst_22 : f32
      %169 = arith.maximumf %168, %cst : f32
      %170 = arith.minimumf %169, %cst_0 : f32
      %171 = arith.fptosi %170 : f32 to i8
      linalg.yield %171 : i8
    } -> tensor<1x2x128x128xi8>
    %64 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%63 : tensor<1x2x128x128xi8>) outs(%57 : tensor<1x2x128x128xf32>) {
    ^bb0(%in: i8, %out: f32):
      %166 = arith.extsi %in : i8 to i64
      %167 = arith.subi %166, %c3_i64 : i64
      %168 = arith.sitofp %167 : i64 to f32
      %169 = arith.mulf %168, %cst_28 : f32
      linalg.yield %169 : f32
    } -> tensor<1x2x128x128xf32>
    %65 = tensor.empty() : tensor<1x2x128xi64>
    %66 = linalg.fill ins(%c0_i64 : i64) outs(%65 : tensor<1x2x128xi64>) -> tensor<1x2x128xi64>
    %67 = tensor.empty() : tensor<1x2x128xf32>
    %68 = linalg.fill ins(%cst_1 : f32) outs(%67 : tensor<1x2x128xf32>) -> tensor<1x2x128xf32>
    %69:2 = linalg.generic {indexing_maps = [#map5, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%64 : tensor<1x2x128x128xf32>) outs(%68, %66 : tensor<1x2x128xf32>, tensor<1x2x128xi64>) {
    ^bb0(%in: f32, %out: f32, %out_90: i64):
      %166 = linalg.index 3 : index
      %167 = arith.index_cast %166 : index to i64
      %168 = arith.maximumf %in, %out : f32
      %169 = arith.cmpf ogt, %in, %out : f32
      %170 = arith.select %169, %167, %out_90 : i64
      linalg.yield %168, %170 : f32, i64
    } -> (tensor<1x2x128xf32>, tensor<1x2x128xi64>)
    %expanded_75 = tensor.expand_shape %69#0 [[0], [1], [2, 3]] output_shape [1, 2, 128, 1] : tensor<1x2x128xf32> into tensor<1x2x128x1xf32>
    %70 = linalg.generic {indexing_maps = [#map5, #map8, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%64, %expanded_75 : tensor<1x2x128x128xf32>, tensor<1x2x128x1xf32>) outs(%57 : tensor<1x2x128x128xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %166 = arith.subf %in, %in_90 : f32
      linalg.yield %166 : f32
    } -> tensor<1x2x128x128xf32>
    %71 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%70 : tensor<1x2x128x128xf32>) outs(%57 : tensor<1x2x128x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %166 = math.exp %in : f32
      linalg.yield %166 : f32
    } -> tensor<1x2x128x128xf32>
    %72 = tensor.empty() : tensor<1x2x128x1xf32>
    %73 = linalg.fill ins(%cst_2 : f32) outs(%72 : tensor<1x2x128x1xf32>) -> tensor<1x2x128x1xf32>
    %74 = linalg.generic {indexing_maps = [#map5, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%71 : tensor<1x2x128x128xf32>) outs(%73 : tensor<1x2x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %166 = arith.addf %in, %out : f32
      linalg.yield %166 : f32
    } -> tensor<1x2x128x1xf32>
    %75 = linalg.generic {indexing_maps = [#map5, #map8, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%71, %74 : tensor<1x2x128x128xf32>, tensor<1x2x128x1xf32>) outs(%57 : tensor<1x2x128x128xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %166 = arith.divf %in, %in_90 : f32
      linalg.yield %166 : f32
    } -> tensor<1x2x128x128xf32>
    %76 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%75 : tensor<1x2x128x128xf32>) outs(%59 : tensor<1x2x128x128xi8>) {
    ^bb0(%in: f32, %out: i8):
      %166 = arith.divf %in, %cst_5 : f32
      %167 = math.roundeven %166 : f32
      %168 = arith.addf %167, %cst : f32
      %169 = arith.maximumf %168, %cst : f32
      %170 = arith.minimumf %169, %cst_0 : f32
      %171 = arith.fptosi %170 : f32 to i8
      linalg.yield %171 : i8
    } -> tensor<1x2x128x128xi8>
    %collapsed_76 = tensor.collapse_shape %76 [[0, 1], [2], [3]] : tensor<1x2x128x128xi8> into tensor<2x128x128xi8>
    %collapsed_77 = tensor.collapse_shape %53 [[0, 1], [2], [3]] : tensor<1x2x128x64xi8> into tensor<2x128x64xi8>
    %77 = tensor.empty() : tensor<2x128x64xi32>
    %78 = linalg.fill ins(%c0_i32 : i32) outs(%77 : tensor<2x128x64xi32>) -> tensor<2x128x64xi32>
    %79 = linalg.quantized_batch_matmul ins(%collapsed_76, %collapsed_77, %c-128_i32, %c7_i32 : tensor<2x128x128xi8>, tensor<2x128x64xi8>, i32, i32) outs(%78 : tensor<2x128x64xi32>) -> tensor<2x128x64xi32>
    %expanded_78 = tensor.expand_shape %79 [[0, 1], [2], [3]] output_shape [1, 2, 128, 64] : tensor<2x128x64xi32> into tensor<1x2x128x64xi32>
    %80 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_78 : tensor<1x2x128x64xi32>) outs(%48 : tensor<1x2x128x64xf32>) {
    ^bb0(%in: i32, %out: f32):
      %166 = arith.truncf %cst_29 : f64 to f32
      %167 = arith.sitofp %in : i32 to f32
      %168 = arith.mulf %167, %166 : f32
      linalg.yield %168 : f32
    } -> tensor<1x2x128x64xf32>
    %81 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%80 : tensor<1x2x128x64xf32>) outs(%51 : tensor<1x2x128x64xi8>) {
    ^bb0(%in: f32, %out: i8):
      %166 = arith.divf %in, %cst_30 : f32
      %167 = math.roundeven %166 : f32
      %168 = arith.addf %167, %cst_31 : f32
      %169 = arith.maximumf %168, %cst : f32
      %170 = arith.minimumf %169, %cst_0 : f32
      %171 = arith.fptosi %170 : f32 to i8
      linalg.yield %171 : i8
    } -> tensor<1x2x128x64xi8>
    %82 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%81 : tensor<1x2x128x64xi8>) outs(%48 : tensor<1x2x128x64xf32>) {
    ^bb0(%in: i8, %out: f32):
      %166 = arith.extsi %in : i8 to i64
      %167 = arith.subi %166, %c4_i64 : i64
      %168 = arith.sitofp %167 : i64 to f32
      %169 = arith.mulf %168, %cst_30 : f32
      linalg.yield %169 : f32
    } -> tensor<1x2x128x64xf32>
    %transposed_79 = linalg.transpose ins(%82 : tensor<1x2x128x64xf32>) outs(%43 : tensor<1x128x2x64xf32>) permutation = [0, 2, 1, 3] 
    %83 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_79 : tensor<1x128x2x64xf32>) outs(%39 : tensor<1x128x2x64xi8>) {
    ^bb0(%in: f32, %out: i8):
      %166 = arith.divf %in, %cst_30 : f32
      %167 = math.roundeven %166 : f32
      %168 = arith.addf %167, %cst_31 : f32
      %169 = arith.maximumf %168, %cst : f32
      %170 = arith.minimumf %169, %cst_0 : f32
      %171 = arith.fptosi %170 : f32 to i8
      linalg.yield %171 : i8
    } -> tensor<1x128x2x64xi8>
    %84 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%83 : tensor<1x128x2x64xi8>) outs(%43 : tensor<1x128x2x64xf32>) {
    ^bb0(%in: i8, %out: f32):
      %166 = arith.extsi %in : i8 to i64
      %167 = arith.subi %166, %c4_i64 : i64
      %168 = arith.sitofp %167 : i64 to f32
      %169 = arith.mulf %168, %cst_30 : f32
      linalg.yield %169 : f32
    } -> tensor<1x128x2x64xf32>
    %collapsed_80 = tensor.collapse_shape %84 [[0, 1], [2, 3]] : tensor<1x128x2x64xf32> into tensor<128x128xf32>
    %85 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%collapsed_80 : tensor<128x128xf32>) outs(%19 : tensor<128x128xi8>) {
    ^bb0(%in: f32, %out: i8):
      %166 = arith.divf %in, %cst_30 : f32
      %167 = math.roundeven %166 : f32
      %168 = arith.addf %167, %cst_31 : f32
      %169 = arith.maximumf %168, %cst : f32
      %170 = arith.minimumf %169, %cst_0 : f32
      %171 = arith.fptosi %170 : f32 to i8
      linalg.yield %171 : i8
    } -> tensor<128x128xi8>
    %86 = linalg.quantized_matmul ins(%85, %cst_56, %c4_i32, %c0_i32 : tensor<128x128xi8>, tensor<128x128xi8>, i32, i32) outs(%22 : tensor<128x128xi32>) -> tensor<128x128xi32>
    %87 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%86 : tensor<128x128xi32>) outs(%24 : tensor<128x128xf32>) {
    ^bb0(%in: i32, %out: f32):
      %166 = arith.truncf %cst_32 : f64 to f32
      %167 = arith.sitofp %in : i32 to f32
      %168 = arith.mulf %167, %166 : f32
      linalg.yield %168 : f32
    } -> tensor<128x128xf32>
    %88 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%87, %7 : tensor<128x128xf32>, tensor<128xf32>) outs(%24 : tensor<128x128xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %166 = arith.addf %in, %in_90 : f32
      linalg.yield %166 : f32
    } -> tensor<128x128xf32>
    %89 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%88 : tensor<128x128xf32>) outs(%19 : tensor<128x128xi8>) {
    ^bb0(%in: f32, %out: i8):
      %166 = arith.divf %in, %cst_33 : f32
      %167 = math.roundeven %166 : f32
      %168 = arith.addf %167, %cst_34 : f32
      %169 = arith.maximumf %168, %cst : f32
      %170 = arith.minimumf %169, %cst_0 : f32
      %171 = arith.fptosi %170 : f32 to i8
      linalg.yield %171 : i8
    } -> tensor<128x128xi8>
    %90 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%89 : tensor<128x128xi8>) outs(%24 : tensor<128x128xf32>) {
    ^bb0(%in: i8, %out: f32):
      %166 = arith.extsi %in : i8 to i64
      %167 = arith.subi %166, %c-1_i64 : i64
      %168 = arith.sitofp %167 : i64 to f32
      %169 = arith.mulf %168, %cst_33 : f32
      linalg.yield %169 : f32
    } -> tensor<128x128xf32>
    %expanded_81 = tensor.expand_shape %90 [[0, 1], [2]] output_shape [1, 128, 128] : tensor<128x128xf32> into tensor<1x128x128xf32>
    %91 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_81 : tensor<1x128x128xf32>) outs(%15 : tensor<1x128x128xi8>) {
    ^bb0(%in: f32, %out: i8):
      %166 = arith.divf %in, %cst_33 : f32
      %167 = math.roundeven %166 : f32
      %168 = arith.addf %167, %cst_34 : f32
      %169 = arith.maximumf %168, %cst : f32
      %170 = arith.minimumf %169, %cst_0 : f32
      %171 = arith.fptosi %170 : f32 to i8
      linalg.yield %171 : i8
    } -> tensor<1x128x128xi8>
    %92 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%91 : tensor<1x128x128xi8>) outs(%17 : tensor<1x128x128xf32>) {
    ^bb0(%in: i8, %out: f32):
      %166 = arith.extsi %in : i8 to i64
      %167 = arith.subi %166, %c-1_i64 : i64
      %168 = arith.sitofp %167 : i64 to f32
      %169 = arith.mulf %168, %cst_33 : f32
      linalg.yield %169 : f32
    } -> tensor<1x128x128xf32>
    %93 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%92, %18 : tensor<1x128x128xf32>, tensor<1x128x128xf32>) outs(%17 : tensor<1x128x128xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %166 = arith.addf %in, %in_90 : f32
      linalg.yield %166 : f32
    } -> tensor<1x128x128xf32>
    %94 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%93 : tensor<1x128x128xf32>) outs(%15 : tensor<1x128x128xi8>) {
    ^bb0(%in: f32, %out: i8):
      %166 = arith.divf %in, %cst_35 : f32
      %167 = math.roundeven %166 : f32
      %168 = arith.addf %167, %cst_36 : f32
      %169 = arith.maximumf %168, %cst : f32
      %170 = arith.minimumf %169, %cst_0 : f32
      %171 = arith.fptosi %170 : f32 to i8
      linalg.yield %171 : i8
    } -> tensor<1x128x128xi8>
    %95 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%94 : tensor<1x128x128xi8>) outs(%17 : tensor<1x128x128xf32>) {
    ^bb0(%in: i8, %out: f32):
      %166 = arith.extsi %in : i8 to i64
      %167 = arith.subi %166, %c6_i64 : i64
      %168 = arith.sitofp %167 : i64 to f32
      %169 = arith.mulf %168, %cst_35 : f32
      linalg.yield %169 : f32
    } -> tensor<1x128x128xf32>
    %96 = tensor.empty() : tensor<1x128x1xf32>
    %97 = linalg.fill ins(%cst_2 : f32) outs(%96 : tensor<1x128x1xf32>) -> tensor<1x128x1xf32>
    %98 = linalg.generic {indexing_maps = [#map2, #map9], iterator_types = ["parallel", "parallel", "reduction"]} ins(%95 : tensor<1x128x128xf32>) outs(%97 : tensor<1x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %166 = arith.addf %in, %out : f32
      linalg.yield %166 : f32
    } -> tensor<1x128x1xf32>
    %99 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%98 : tensor<1x128x1xf32>) outs(%96 : tensor<1x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %166 = arith.divf %in, %cst_37 : f32
      linalg.yield %166 : f32
    } -> tensor<1x128x1xf32>
    %collapsed_82 = tensor.collapse_shape %99 [[0], [1, 2]] : tensor<1x128x1xf32> into tensor<1x128xf32>
    %100 = linalg.generic {indexing_maps = [#map10, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_82 : tensor<1x128xf32>) outs(%17 : tensor<1x128x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x128x128xf32>
    %101 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%95, %100 : tensor<1x128x128xf32>, tensor<1x128x128xf32>) outs(%17 : tensor<1x128x128xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %166 = arith.subf %in, %in_90 : f32
      linalg.yield %166 : f32
    } -> tensor<1x128x128xf32>
    %102 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%101, %101 : tensor<1x128x128xf32>, tensor<1x128x128xf32>) outs(%17 : tensor<1x128x128xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %166 = arith.mulf %in, %in_90 : f32
      linalg.yield %166 : f32
    } -> tensor<1x128x128xf32>
    %103 = linalg.generic {indexing_maps = [#map2, #map9], iterator_types = ["parallel", "parallel", "reduction"]} ins(%102 : tensor<1x128x128xf32>) outs(%97 : tensor<1x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %166 = arith.addf %in, %out : f32
      linalg.yield %166 : f32
    } -> tensor<1x128x1xf32>
    %104 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%103 : tensor<1x128x1xf32>) outs(%96 : tensor<1x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %166 = arith.divf %in, %cst_37 : f32
      linalg.yield %166 : f32
    } -> tensor<1x128x1xf32>
    %105 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%104 : tensor<1x128x1xf32>) outs(%96 : tensor<1x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %166 = arith.addf %in, %cst_38 : f32
      linalg.yield %166 : f32
    } -> tensor<1x128x1xf32>
    %106 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%105 : tensor<1x128x1xf32>) outs(%96 : tensor<1x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %166 = math.rsqrt %in : f32
      linalg.yield %166 : f32
    } -> tensor<1x128x1xf32>
    %collapsed_83 = tensor.collapse_shape %106 [[0], [1, 2]] : tensor<1x128x1xf32> into tensor<1x128xf32>
    %107 = linalg.generic {indexing_maps = [#map10, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_83 : tensor<1x128xf32>) outs(%17 : tensor<1x128x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x128x128xf32>
    %108 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%101, %107 : tensor<1x128x128xf32>, tensor<1x128x128xf32>) outs(%17 : tensor<1x128x128xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %166 = arith.mulf %in, %in_90 : f32
      linalg.yield %166 : f32
    } -> tensor<1x128x128xf32>
    %109 = linalg.generic {indexing_maps = [#map2, #map11, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%108, %6 : tensor<1x128x128xf32>, tensor<128xf32>) outs(%17 : tensor<1x128x128xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %166 = arith.mulf %in, %in_90 : f32
      linalg.yield %166 : f32
    } -> tensor<1x128x128xf32>
    %110 = linalg.generic {indexing_maps = [#map2, #map11, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%109, %5 : tensor<1x128x128xf32>, tensor<128xf32>) outs(%17 : tensor<1x128x128xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %166 = arith.addf %in, %in_90 : f32
      linalg.yield %166 : f32
    } -> tensor<1x128x128xf32>
    %111 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%110 : tensor<1x128x128xf32>) outs(%15 : tensor<1x128x128xi8>) {
    ^bb0(%in: f32, %out: i8):
      %166 = arith.divf %in, %cst_39 : f32
      %167 = math.roundeven %166 : f32
      %168 = arith.addf %167, %cst_34 : f32
      %169 = arith.maximumf %168, %cst : f32
      %170 = arith.minimumf %169, %cst_0 : f32
      %171 = arith.fptosi %170 : f32 to i8
      linalg.yield %171 : i8
    } -> tensor<1x128x128xi8>
    %112 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%111 : tensor<1x128x128xi8>) outs(%17 : tensor<1x128x128xf32>) {
    ^bb0(%in: i8, %out: f32):
      %166 = arith.extsi %in : i8 to i64
      %167 = arith.subi %166, %c-1_i64 : i64
      %168 = arith.sitofp %167 : i64 to f32
      %169 = arith.mulf %168, %cst_39 : f32
      linalg.yield %169 : f32
    } -> tensor<1x128x128xf32>
    %collapsed_84 = tensor.collapse_shape %112 [[0, 1], [2]] : tensor<1x128x128xf32> into tensor<128x128xf32>
    %113 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%collapsed_84 : tensor<128x128xf32>) outs(%19 : tensor<128x128xi8>) {
    ^bb0(%in: f32, %out: i8):
      %166 = arith.divf %in, %cst_39 : f32
      %167 = math.roundeven %166 : f32
      %168 = arith.addf %167, %cst_34 : f32
      %169 = arith.maximumf %168, %cst : f32
      %170 = arith.minimumf %169, %cst_0 : f32
      %171 = arith.fptosi %170 : f32 to i8
      linalg.yield %171 : i8
    } -> tensor<128x128xi8>
    %114 = tensor.empty() : tensor<128x512xi32>
    %115 = linalg.fill ins(%c0_i32 : i32) outs(%114 : tensor<128x512xi32>) -> tensor<128x512xi32>
    %116 = linalg.quantized_matmul ins(%113, %cst_58, %c-1_i32, %c0_i32 : tensor<128x128xi8>, tensor<128x512xi8>, i32, i32) outs(%115 : tensor<128x512xi32>) -> tensor<128x512xi32>
    %117 = tensor.empty() : tensor<128x512xf32>
    %118 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%116 : tensor<128x512xi32>) outs(%117 : tensor<128x512xf32>) {
    ^bb0(%in: i32, %out: f32):
      %166 = arith.truncf %cst_40 : f64 to f32
      %167 = arith.sitofp %in : i32 to f32
      %168 = arith.mulf %167, %166 : f32
      linalg.yield %168 : f32
    } -> tensor<128x512xf32>
    %119 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%118, %12 : tensor<128x512xf32>, tensor<512xf32>) outs(%117 : tensor<128x512xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %166 = arith.addf %in, %in_90 : f32
      linalg.yield %166 : f32
    } -> tensor<128x512xf32>
    %120 = tensor.empty() : tensor<128x512xi8>
    %121 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%119 : tensor<128x512xf32>) outs(%120 : tensor<128x512xi8>) {
    ^bb0(%in: f32, %out: i8):
      %166 = arith.divf %in, %cst_41 : f32
      %167 = math.roundeven %166 : f32
      %168 = arith.addf %167, %cst_42 : f32
      %169 = arith.maximumf %168, %cst : f32
      %170 = arith.minimumf %169, %cst_0 : f32
      %171 = arith.fptosi %170 : f32 to i8
      linalg.yield %171 : i8
    } -> tensor<128x512xi8>
    %122 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%121 : tensor<128x512xi8>) outs(%117 : tensor<128x512xf32>) {
    ^bb0(%in: i8, %out: f32):
      %166 = arith.extsi %in : i8 to i64
      %167 = arith.subi %166, %c2_i64 : i64
      %168 = arith.sitofp %167 : i64 to f32
      %169 = arith.mulf %168, %cst_41 : f32
      linalg.yield %169 : f32
    } -> tensor<128x512xf32>
    %expanded_85 = tensor.expand_shape %122 [[0, 1], [2]] output_shape [1, 128, 512] : tensor<128x512xf32> into tensor<1x128x512xf32>
    %123 = tensor.empty() : tensor<1x128x512xi8>
    %124 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_85 : tensor<1x128x512xf32>) outs(%123 : tensor<1x128x512xi8>) {
    ^bb0(%in: f32, %out: i8):
      %166 = arith.divf %in, %cst_41 : f32
      %167 = math.roundeven %166 : f32
      %168 = arith.addf %167, %cst_42 : f32
      %169 = arith.maximumf %168, %cst : f32
      %170 = arith.minimumf %169, %cst_0 : f32
      %171 = arith.fptosi %170 : f32 to i8
      linalg.yield %171 : i8
    } -> tensor<1x128x512xi8>
    %125 = tensor.empty() : tensor<1x128x512xf32>
    %126 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%124 : tensor<1x128x512xi8>) outs(%125 : tensor<1x128x512xf32>) {
    ^bb0(%in: i8, %out: f32):
      %166 = arith.extsi %in : i8 to i64
      %167 = arith.subi %166, %c2_i64 : i64
      %168 = arith.sitofp %167 : i64 to f32
      %169 = arith.mulf %168, %cst_41 : f32
      linalg.yield %169 : f32
    } -> tensor<1x128x512xf32>
    %127 = linalg.generic {indexing_maps = [#map2, #map12, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%126, %cst_3 : tensor<1x128x512xf32>, tensor<f32>) outs(%125 : tensor<1x128x512xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %166 = arith.divf %in, %in_90 : f32
      linalg.yield %166 : f32
    } -> tensor<1x128x512xf32>
    %128 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%127 : tensor<1x128x512xf32>) outs(%125 : tensor<1x128x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %166 = math.erf %in : f32
      linalg.yield %166 : f32
    } -> tensor<1x128x512xf32>
    %129 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%128 : tensor<1x128x512xf32>) outs(%123 : tensor<1x128x512xi8>) {
    ^bb0(%in: f32, %out: i8):
      %166 = arith.divf %in, %cst_43 : f32
      %167 = math.roundeven %166 : f32
      %168 = arith.addf %167, %cst_2 : f32
      %169 = arith.maximumf %168, %cst : f32
      %170 = arith.minimumf %169, %cst_0 : f32
      %171 = arith.fptosi %170 : f32 to i8
      linalg.yield %171 : i8
    } -> tensor<1x128x512xi8>
    %130 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%129 : tensor<1x128x512xi8>) outs(%125 : tensor<1x128x512xf32>) {
    ^bb0(%in: i8, %out: f32):
      %166 = arith.sitofp %in : i8 to f32
      %167 = arith.mulf %166, %cst_43 : f32
      linalg.yield %167 : f32
    } -> tensor<1x128x512xf32>
    %131 = linalg.generic {indexing_maps = [#map2, #map12, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%130, %2 : tensor<1x128x512xf32>, tensor<f32>) outs(%125 : tensor<1x128x512xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %166 = arith.addf %in, %in_90 : f32
      linalg.yield %166 : f32
    } -> tensor<1x128x512xf32>
    %132 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%131 : tensor<1x128x512xf32>) outs(%123 : tensor<1x128x512xi8>) {
    ^bb0(%in: f32, %out: i8):
      %166 = arith.divf %in, %cst_44 : f32
      %167 = math.roundeven %166 : f32
      %168 = arith.addf %167, %cst : f32
      %169 = arith.maximumf %168, %cst : f32
      %170 = arith.minimumf %169, %cst_0 : f32
      %171 = arith.fptosi %170 : f32 to i8
      linalg.yield %171 : i8
    } -> tensor<1x128x512xi8>
    %133 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%132 : tensor<1x128x512xi8>) outs(%125 : tensor<1x128x512xf32>) {
    ^bb0(%in: i8, %out: f32):
      %166 = arith.extsi %in : i8 to i64
      %167 = arith.subi %166, %c-128_i64 : i64
      %168 = arith.sitofp %167 : i64 to f32
      %169 = arith.mulf %168, %cst_44 : f32
      linalg.yield %169 : f32
    } -> tensor<1x128x512xf32>
    %134 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%126, %133 : tensor<1x128x512xf32>, tensor<1x128x512xf32>) outs(%125 : tensor<1x128x512xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %166 = arith.mulf %in, %in_90 : f32
      linalg.yield %166 : f32
    } -> tensor<1x128x512xf32>
    %135 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%134 : tensor<1x128x512xf32>) outs(%123 : tensor<1x128x512xi8>) {
    ^bb0(%in: f32, %out: i8):
      %166 = arith.divf %in, %cst_45 : f32
      %167 = math.roundeven %166 : f32
      %168 = arith.addf %167, %cst_46 : f32
      %169 = arith.maximumf %168, %cst : f32
      %170 = arith.minimumf %169, %cst_0 : f32
      %171 = arith.fptosi %170 : f32 to i8
      linalg.yield %171 : i8
    } -> tensor<1x128x512xi8>
    %136 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%135 : tensor<1x128x512xi8>) outs(%125 : tensor<1x128x512xf32>) {
    ^bb0(%in: i8, %out: f32):
      %166 = arith.extsi %in : i8 to i64
      %167 = arith.subi %166, %c-114_i64 : i64
      %168 = arith.sitofp %167 : i64 to f32
      %169 = arith.mulf %168, %cst_45 : f32
      linalg.yield %169 : f32
    } -> tensor<1x128x512xf32>
    %137 = linalg.generic {indexing_maps = [#map2, #map12, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%136, %3 : tensor<1x128x512xf32>, tensor<f32>) outs(%125 : tensor<1x128x512xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %166 = arith.mulf %in, %in_90 : f32
      linalg.yield %166 : f32
    } -> tensor<1x128x512xf32>
    %138 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%137 : tensor<1x128x512xf32>) outs(%123 : tensor<1x128x512xi8>) {
    ^bb0(%in: f32, %out: i8):
      %166 = arith.divf %in, %cst_47 : f32
      %167 = math.roundeven %166 : f32
      %168 = arith.addf %167, %cst_46 : f32
      %169 = arith.maximumf %168, %cst : f32
      %170 = arith.minimumf %169, %cst_0 : f32
      %171 = arith.fptosi %170 : f32 to i8
      linalg.yield %171 : i8
    } -> tensor<1x128x512xi8>
    %139 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%138 : tensor<1x128x512xi8>) outs(%125 : tensor<1x128x512xf32>) {
    ^bb0(%in: i8, %out: f32):
      %166 = arith.extsi %in : i8 to i64
      %167 = arith.subi %166, %c-114_i64 : i64
      %168 = arith.sitofp %167 : i64 to f32
      %169 = arith.mulf %168, %cst_47 : f32
      linalg.yield %169 : f32
    } -> tensor<1x128x512xf32>
    %collapsed_86 = tensor.collapse_shape %139 [[0, 1], [2]] : tensor<1x128x512xf32> into tensor<128x512xf32>
    %140 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%collapsed_86 : tensor<128x512xf32>) outs(%120 : tensor<128x512xi8>) {
    ^bb0(%in: f32, %out: i8):
      %166 = arith.divf %in, %cst_47 : f32
      %167 = math.roundeven %166 : f32
      %168 = arith.addf %167, %cst_46 : f32
      %169 = arith.maximumf %168, %cst : f32
      %170 = arith.minimumf %169, %cst_0 : f32
      %171 = arith.fptosi %170 : f32 to i8
      linalg.yield %171 : i8
    } -> tensor<128x512xi8>
    %141 = linalg.quantized_matmul ins(%140, %cst_59, %c-114_i32, %c0_i32 : tensor<128x512xi8>, tensor<512x128xi8>, i32, i32) outs(%22 : tensor<128x128xi32>) -> tensor<128x128xi32>
    %142 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%141 : tensor<128x128xi32>) outs(%24 : tensor<128x128xf32>) {
    ^bb0(%in: i32, %out: f32):
      %166 = arith.truncf %cst_48 : f64 to f32
      %167 = arith.sitofp %in : i32 to f32
      %168 = arith.mulf %167, %166 : f32
      linalg.yield %168 : f32
    } -> tensor<128x128xf32>
    %143 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%142, %14 : tensor<128x128xf32>, tensor<128xf32>) outs(%24 : tensor<128x128xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %166 = arith.addf %in, %in_90 : f32
      linalg.yield %166 : f32
    } -> tensor<128x128xf32>
    %144 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%143 : tensor<128x128xf32>) outs(%19 : tensor<128x128xi8>) {
    ^bb0(%in: f32, %out: i8):
      %166 = arith.divf %in, %cst_49 : f32
      %167 = math.roundeven %166 : f32
      %168 = arith.addf %167, %cst_22 : f32
      %169 = arith.maximumf %168, %cst : f32
      %170 = arith.minimumf %169, %cst_0 : f32
      %171 = arith.fptosi %170 : f32 to i8
      linalg.yield %171 : i8
    } -> tensor<128x128xi8>
    %145 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%144 : tensor<128x128xi8>) outs(%24 : tensor<128x128xf32>) {
    ^bb0(%in: i8, %out: f32):
      %166 = arith.extsi %in : i8 to i64
      %167 = arith.subi %166, %c3_i64 : i64
      %168 = arith.sitofp %167 : i64 to f32
      %169 = arith.mulf %168, %cst_49 : f32
      linalg.yield %169 : f32
    } -> tensor<128x128xf32>
    %expanded_87 = tensor.expand_shape %145 [[0, 1], [2]] output_shape [1, 128, 128] : tensor<128x128xf32> into tensor<1x128x128xf32>
    %146 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_87 : tensor<1x128x128xf32>) outs(%15 : tensor<1x128x128xi8>) {
    ^bb0(%in: f32, %out: i8):
      %166 = arith.divf %in, %cst_49 : f32
      %167 = math.roundeven %166 : f32
      %168 = arith.addf %167, %cst_22 : f32
      %169 = arith.maximumf %168, %cst : f32
      %170 = arith.minimumf %169, %cst_0 : f32
      %171 = arith.fptosi %170 : f32 to i8
      linalg.yield %171 : i8
    } -> tensor<1x128x128xi8>
    %147 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%146 : tensor<1x128x128xi8>) outs(%17 : tensor<1x128x128xf32>) {
    ^bb0(%in: i8, %out: f32):
      %166 = arith.extsi %in : i8 to i64
      %167 = arith.subi %166, %c3_i64 : i64
      %168 = arith.sitofp %167 : i64 to f32
      %169 = arith.mulf %168, %cst_49 : f32
      linalg.yield %169 : f32
    } -> tensor<1x128x128xf32>
    %148 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%147, %112 : tensor<1x128x128xf32>, tensor<1x128x128xf32>) outs(%17 : tensor<1x128x128xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %166 = arith.addf %in, %in_90 : f32
      linalg.yield %166 : f32
    } -> tensor<1x128x128xf32>
    %149 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%148 : tensor<1x128x128xf32>) outs(%15 : tensor<1x128x128xi8>) {
    ^bb0(%in: f32, %out: i8):
      %166 = arith.divf %in, %cst_50 : f32
      %167 = math.roundeven %166 : f32
      %168 = arith.addf %167, %cst_34 : f32
      %169 = arith.maximumf %168, %cst : f32
      %170 = arith.minimumf %169, %cst_0 : f32
      %171 = arith.fptosi %170 : f32 to i8
      linalg.yield %171 : i8
    } -> tensor<1x128x128xi8>
    %150 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%149 : tensor<1x128x128xi8>) outs(%17 : tensor<1x128x128xf32>) {
    ^bb0(%in: i8, %out: f32):
      %166 = arith.extsi %in : i8 to i64
      %167 = arith.subi %166, %c-1_i64 : i64
      %168 = arith.sitofp %167 : i64 to f32
      %169 = arith.mulf %168, %cst_50 : f32
      linalg.yield %169 : f32
    } -> tensor<1x128x128xf32>
    %151 = linalg.generic {indexing_maps = [#map2, #map9], iterator_types = ["parallel", "parallel", "reduction"]} ins(%150 : tensor<1x128x128xf32>) outs(%97 : tensor<1x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %166 = arith.addf %in, %out : f32
      linalg.yield %166 : f32
    } -> tensor<1x128x1xf32>
    %152 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%151 : tensor<1x128x1xf32>) outs(%96 : tensor<1x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %166 = arith.divf %in, %cst_37 : f32
      linalg.yield %166 : f32
    } -> tensor<1x128x1xf32>
    %collapsed_88 = tensor.collapse_shape %152 [[0], [1, 2]] : tensor<1x128x1xf32> into tensor<1x128xf32>
    %153 = linalg.generic {indexing_maps = [#map10, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_88 : tensor<1x128xf32>) outs(%17 : tensor<1x128x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x128x128xf32>
    %154 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%150, %153 : tensor<1x128x128xf32>, tensor<1x128x128xf32>) outs(%17 : tensor<1x128x128xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %166 = arith.subf %in, %in_90 : f32
      linalg.yield %166 : f32
    } -> tensor<1x128x128xf32>
    %155 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%154, %154 : tensor<1x128x128xf32>, tensor<1x128x128xf32>) outs(%17 : tensor<1x128x128xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %166 = arith.mulf %in, %in_90 : f32
      linalg.yield %166 : f32
    } -> tensor<1x128x128xf32>
    %156 = linalg.generic {indexing_maps = [#map2, #map9], iterator_types = ["parallel", "parallel", "reduction"]} ins(%155 : tensor<1x128x128xf32>) outs(%97 : tensor<1x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %166 = arith.addf %in, %out : f32
      linalg.yield %166 : f32
    } -> tensor<1x128x1xf32>
    %157 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%156 : tensor<1x128x1xf32>) outs(%96 : tensor<1x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %166 = arith.divf %in, %cst_37 : f32
      linalg.yield %166 : f32
    } -> tensor<1x128x1xf32>
    %158 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%157 : tensor<1x128x1xf32>) outs(%96 : tensor<1x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %166 = arith.addf %in, %cst_38 : f32
      linalg.yield %166 : f32
    } -> tensor<1x128x1xf32>
    %159 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%158 : tensor<1x128x1xf32>) outs(%96 : tensor<1x128x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %166 = math.rsqrt %in : f32
      linalg.yield %166 : f32
    } -> tensor<1x128x1xf32>
    %collapsed_89 = tensor.collapse_shape %159 [[0], [1, 2]] : tensor<1x128x1xf32> into tensor<1x128xf32>
    %160 = linalg.generic {indexing_maps = [#map10, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_89 : tensor<1x128xf32>) outs(%17 : tensor<1x128x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x128x128xf32>
    %161 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%154, %160 : tensor<1x128x128xf32>, tensor<1x128x128xf32>) outs(%17 : tensor<1x128x128xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %166 = arith.mulf %in, %in_90 : f32
      linalg.yield %166 : f32
    } -> tensor<1x128x128xf32>
    %162 = linalg.generic {indexing_maps = [#map2, #map11, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%161, %6 : tensor<1x128x128xf32>, tensor<128xf32>) outs(%17 : tensor<1x128x128xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %166 = arith.mulf %in, %in_90 : f32
      linalg.yield %166 : f32
    } -> tensor<1x128x128xf32>
    %163 = linalg.generic {indexing_maps = [#map2, #map11, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%162, %13 : tensor<1x128x128xf32>, tensor<128xf32>) outs(%17 : tensor<1x128x128xf32>) {
    ^bb0(%in: f32, %in_90: f32, %out: f32):
      %166 = arith.addf %in, %in_90 : f32
      linalg.yield %166 : f32
    } -> tensor<1x128x128xf32>
    %164 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%163 : tensor<1x128x128xf32>) outs(%15 : tensor<1x128x128xi8>) {
    ^bb0(%in: f32, %out: i8):
      %166 = arith.divf %in, %cst_51 : f32
      %167 = math.roundeven %166 : f32
      %168 = arith.addf %167, %cst_22 : f32
      %169 = arith.maximumf %168, %cst : f32
      %170 = arith.minimumf %169, %cst_0 : f32
      %171 = arith.fptosi %170 : f32 to i8
      linalg.yield %171 : i8
    } -> tensor<1x128x128xi8>
    %165 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%164 : tensor<1x128x128xi8>) outs(%17 : tensor<1x128x128xf32>) {
    ^bb0(%in: i8, %out: f32):
      %166 = arith.extsi %in : i8 to i64
      %167 = arith.subi %166, %c3_i64 : i64
      %168 = arith.sitofp %167 : i64 to f32
      %169 = arith.mulf %168, %cst_51 : f32
      linalg.yield %169 : f32
    } -> tensor<1x128x128xf32>
    return %165 : tensor<1x128x128xf32>
  }
}
