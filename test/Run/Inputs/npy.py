"""Writes the arguments of npy.mlir as .npy files, and compares results with its own arithmetic.

Uses Python's standard library alone: `struct` and the format's documented header.
"""

import ast
import struct
import sys

FORMATS = {"|i1": "b", "|u1": "B", "<i4": "i", "<f4": "f"}


def write(path, descr, shape, values):
    text = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape!r}, }}"
    text += " " * (-(len(text) + 11) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode())
        file.write(struct.pack(f"<{len(values)}{FORMATS[descr]}", *values))


def read(path):
    data = open(path, "rb").read()
    assert data[:8] == b"\x93NUMPY\x01\x00", data[:8]
    (length,) = struct.unpack_from("<H", data, 8)
    assert (10 + length) % 64 == 0, "elements start at a multiple of 64 bytes"
    header = ast.literal_eval(data[10 : 10 + length].decode())
    assert header["fortran_order"] is False
    elements = data[10 + length :]
    values = struct.unpack(f"<{len(elements) // int(header['descr'][2:])}{FORMATS[header['descr']]}", elements)
    return header["descr"], header["shape"], list(values)


M, N, K = 5, 19, 13
# The extremes of signed bytes are among them.
A = [(37 * i + 128) % 256 - 128 for i in range(M * K)]
B = [(91 * i + 255) % 256 - 128 for i in range(K * N)]
X = [i / 8 - 3 for i in range(M * N)]


def main(command, folder):
    if command == "write":
        write(f"{folder}/a.npy", "|i1", (M, K), A)
        write(f"{folder}/b.npy", "|i1", (K, N), B)
        write(f"{folder}/unsigned.npy", "|u1", (M, K), [a % 256 for a in A])
        write(f"{folder}/x.npy", "<f4", (M, N), X)
        write(f"{folder}/shape.npy", "|i1", (K, M), A)
        write(f"{folder}/type.npy", "<i4", (M, K), A)
        return
    product = [sum(A[m * K + k] * B[k * N + n] for k in range(K)) for m in range(M) for n in range(N)]
    assert read(f"{folder}/product.0.npy") == ("<i4", (M, N), product)
    # Eighths of small numbers: exact in f32.
    assert read(f"{folder}/product.1.npy") == ("<f4", (M, N), [2 * x for x in X])
    print("as expected")


if __name__ == "__main__":
    main(*sys.argv[1:])
