"""Prints three convolutions of ResNet-50 in NHWC order, as TFLite and TOSA importers give them.

Usage: nhwc.py OUTPUT_FOLDER
"""

import pathlib
import sys

# name, height and width of the image, channels in and out, kernel, stride, padding
CONVOLUTIONS = [
    ("conv7x7", 224, 3, 64, 7, 2, 3),
    ("conv3x3", 56, 64, 64, 3, 1, 1),
    ("conv1x1", 56, 64, 256, 1, 1, 0),
]

PAD = """
    %padded = tensor.pad %image low[0, {pad}, {pad}, 0] high[0, {pad}, {pad}, 0] {{
    ^bb0(%n: index, %h: index, %w: index, %c: index):
      tensor.yield %zero : {type}
    }} : tensor<1x{size}x{size}x{cin}x{type}> to tensor<1x{padded}x{padded}x{cin}x{type}>"""

# In the u8 form the extensions in the body say the sign of each operand; the s8 form has a zero point.
MULTIPLY = {
    "f32": """
    %sum = linalg.conv_2d_nhwc_hwcf {{dilations = dense<1> : tensor<2xi64>, strides = dense<{stride}> : tensor<2xi64>}}
      ins({input}, %weight : tensor<1x{padded}x{padded}x{cin}xf32>, tensor<{kernel}x{kernel}x{cin}x{cout}xf32>)
      outs(%init : {result}) -> {result}""",
    "s8": """
    %lhs_zero = arith.constant -7 : i32
    %rhs_zero = arith.constant 0 : i32
    %sum = linalg.conv_2d_nhwc_hwcf_q {{dilations = dense<1> : tensor<2xi64>, strides = dense<{stride}> : tensor<2xi64>}}
      ins({input}, %weight, %lhs_zero, %rhs_zero : tensor<1x{padded}x{padded}x{cin}xi8>, tensor<{kernel}x{kernel}x{cin}x{cout}xi8>, i32, i32)
      outs(%init : {result}) -> {result}""",
    "u8": """
    %sum = linalg.generic {{
      indexing_maps = [affine_map<(n, h, w, f, kh, kw, c) -> (n, h * {stride} + kh, w * {stride} + kw, c)>,
                       affine_map<(n, h, w, f, kh, kw, c) -> (kh, kw, c, f)>,
                       affine_map<(n, h, w, f, kh, kw, c) -> (n, h, w, f)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}}
      ins({input}, %weight : tensor<1x{padded}x{padded}x{cin}xi8>, tensor<{kernel}x{kernel}x{cin}x{cout}xi8>)
      outs(%init : {result}) {{
    ^bb0(%x: i8, %y: i8, %s: i32):
      %a = arith.extui %x : i8 to i32
      %b = arith.extsi %y : i8 to i32
      %p = arith.muli %a, %b : i32
      %t = arith.addi %s, %p : i32
      linalg.yield %t : i32
    }} -> {result}""",
}

RELU = """
    ^bb0(%x: f32, %o: f32):
      %y = arith.maximumf %x, %low : f32
      linalg.yield %y : f32"""

SCALING = """
    %scale = arith.constant 2.5e-4 : f32
    %high = arith.constant {high} : f32"""

REQUANTIZE = """
    ^bb0(%x: i32, %o: i8):
      %f = arith.sitofp %x : i32 to f32
      %m = arith.mulf %f, %scale : f32
      %r = math.roundeven %m : f32
      %l = arith.maximumf %r, %low : f32
      %u = arith.minimumf %l, %high : f32
      %y = arith.{convert} %u : f32 to i8
      linalg.yield %y : i8"""

FUNCTION = """  func.func @{name}(%image: tensor<1x{size}x{size}x{cin}x{type}>, %weight: tensor<{kernel}x{kernel}x{cin}x{cout}x{type}> {{ucmoh.weight}},
      %bias: tensor<{cout}x{acc}> {{ucmoh.weight}}) -> tensor<1x{out}x{out}x{cout}x{type}> {{
    %zero = arith.constant {zero} : {type}
    %low = arith.constant {low} : f32{scaling}{pad_op}
    %empty = tensor.empty() : {result}
    %init = linalg.broadcast ins(%bias : tensor<{cout}x{acc}>) outs(%empty : {result}) dimensions = [0, 1, 2]{multiply}
    %to = tensor.empty() : tensor<1x{out}x{out}x{cout}x{type}>
    %result = linalg.generic {{indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}}
      ins(%sum : {result}) outs(%to : tensor<1x{out}x{out}x{cout}x{type}>) {{{body}
    }} -> tensor<1x{out}x{out}x{cout}x{type}>
    return %result : tensor<1x{out}x{out}x{cout}x{type}>
  }}
"""

FORMS = {
    "f32": dict(type="f32", acc="f32", zero="0.0", low="0.0"),
    "s8": dict(type="i8", acc="i32", zero="-7", low="-128.0", high="127.0", convert="fptosi"),
    "u8": dict(type="i8", acc="i32", zero="0", low="0.0", high="255.0", convert="fptoui"),
}


def function(form, name, size, cin, cout, kernel, stride, pad):
    padded = size + 2 * pad
    out = (padded - kernel) // stride + 1
    values = dict(FORMS[form], name=name, size=size, cin=cin, cout=cout, kernel=kernel,
                  stride=stride, pad=pad, padded=padded, out=out,
                  input="%padded" if pad else "%image")
    values["result"] = f"tensor<1x{out}x{out}x{cout}x{values['acc']}>"
    values["pad_op"] = PAD.format(**values) if pad else ""
    values["multiply"] = MULTIPLY[form].format(**values)
    values["scaling"] = "" if form == "f32" else SCALING.format(**values)
    values["body"] = RELU if form == "f32" else REQUANTIZE.format(**values)
    return FUNCTION.format(**values)


def main():
    identity = "#id = affine_map<(n, h, w, c) -> (n, h, w, c)>\n"
    for form in FORMS:
        functions = "\n".join(function(form, *row) for row in CONVOLUTIONS)
        file = pathlib.Path(sys.argv[1]) / f"resnet50-convolutions-nhwc.{form}.mlir"
        file.write_text(f"{identity}module {{\n{functions}}}\n")
        print(file)


if __name__ == "__main__":
    main()
