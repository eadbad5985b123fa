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


def body(extension):
    """The products of `extension` of the bytes with the weights, summed."""
    return f""" {{
  ^bb0(%x: i8, %y: i8, %s: i32):
    %xe = arith.{extension} %x : i8 to i32
    %ye = arith.extsi %y : i8 to i32
    %p = arith.muli %xe, %ye : i32
    %t = arith.addi %s, %p : i32
    linalg.yield %t : i32
  }}"""


BODIES = {"unsigned": body("extui"), "swapped": body("extsi")}


def product(bytes_dims, weights_dims):
    """A product of bytes and weights with these dims, for each element of the result."""
    return (
        f"linalg.generic {{indexing_maps = [affine_map<(m, n, k) -> ({bytes_dims})>, affine_map<(m, n, k) -> "
        f"({weights_dims})>, affine_map<(m, n, k) -> (m, n)>], "
        'iterator_types = ["parallel", "parallel", "reduction"]}'
    )


def main():
    low, high = map(int, sys.argv[1:])
    random.seed(0)
    shapes = ("61x129", (129, 83), "61x83")
    print(function("unsigned", *shapes, product("m, k", "k, n"), low, high))
    print(function("signed", *shapes, "linalg.matmul", low, high))
    rows = ("1x9x11x5", (3, 3, 5, 20), "1x7x9x20")
    print(function("convolution", *rows, "linalg.conv_2d_nhwc_hwcf", low, high))
    columns = ("129x83", (61, 129), "61x83")  # the weights are the left operand
    print(function("swapped", *columns, product("k, n", "m, k"), low, high))


if __name__ == "__main__":
    main()
