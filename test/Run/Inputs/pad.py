"""Writes the argument of pad.mlir as .npy file, and compares the result with its own arithmetic."""

import itertools
import sys

import npy

SHAPE, LOW, PADDED, BORDER = (2, 3, 4), (1, 0, 2), (5, 4, 7), -7.5


def expected():
    for position in itertools.product(*map(range, PADDED)):
        i, j, k = (at - low for at, low in zip(position, LOW))
        inside = all(0 <= at < extent for at, extent in zip((i, j, k), SHAPE))
        yield float((i * SHAPE[1] + j) * SHAPE[2] + k) if inside else BORDER


def main(command, folder):
    if command == "write":
        npy.write(f"{folder}/x.npy", "<f4", SHAPE, [float(i) for i in range(24)])
        return
    assert npy.read(f"{folder}/pad.0.npy") == ("<f4", PADDED, list(expected()))
    print("as expected")


main(*sys.argv[1:])
