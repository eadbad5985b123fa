"""Prints products and convolutions with constant weights between LOW and HIGH, both of which occur.

Usage: weights.py LOW HIGH
"""

import random
import sys


def constant(shape, low, high):
    """The weights as MLIR: bytes in hexadecimal, and their type."""
    count = 1
    for extent in shape:
        count *= extent
    values = [random.randint(low, high) for _ in range(count)]
    values[0], values[-1] = low, high
    data = bytes(value % 256 for value in values).hex().upper()
    kind = f"tensor<{'x'.join(map(str, shape))}xi8>"
    return f'arith.constant dense<"0x{data}"> : {kind}', kind


def function(name, lhs, weights, result, op, low, high):
    """A function of one op: bytes times weights."""
    value, kind = constant(weights, low, high)
    types = f"tensor<{lhs}xi8>, {kind}"
    return f"""func.func @{name}(%a: tensor<{lhs}xi8>) -> tensor<{result}xi32> {{
  %b = {value}
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<{result}xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<{result}xi32>) -> tensor<{result}xi32>
  %r = {op} ins(%a, %b : {types}) outs(%init : tensor<{result}xi32>){BODIES.get(name, "")} -> tensor<{result}xi32>
  return %r : tensor<{result}xi32>
}}
"""


#: Unsigned bytes on the left.
BODIES = {
    "unsigned": """ {
  ^bb0(%x: i8, %y: i8, %s: i32):
    %xe = arith.extui %x : i8 to i32
    %ye = arith.extsi %y : i8 to i32
    %p = arith.muli %xe, %ye : i32
    %t = arith.addi %s, %p : i32
    linalg.yield %t : i32
  }"""
}
GENERIC = (
    "linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> "
    '(k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}'
)


def main():
    low, high = map(int, sys.argv[1:])
    random.seed(0)
    product = ("61x129", (129, 83), "61x83")
    print(function("unsigned", *product, GENERIC, low, high))
    print(function("signed", *product, "linalg.matmul", low, high))
    rows = ("1x9x11x5", (3, 3, 5, 20), "1x7x9x20")
    print(function("convolution", *rows, "linalg.conv_2d_nhwc_hwcf", low, high))
    planes = ("1x5x9x11", (20, 5, 3, 3), "1x20x7x9")
    print(function("swapped", *planes, "linalg.conv_2d_nchw_fchw", low, high))


if __name__ == "__main__":
    main()
