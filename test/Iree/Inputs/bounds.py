"""bounds.py CODE.so SYMBOL BYTES...: calls the function with a buffer of so many bytes for each parameter.

The buffers lie inside of larger ones, at offsets. Says of each whether bytes were written, and only its own.
"""
import ctypes
import sys

import numpy as np

MARGIN = 1 << 16


def make(size, generator):
    """Random bytes around and in the buffer, and where it begins: at a multiple of 64."""
    memory = generator.integers(0, 255, size + 2 * MARGIN + 64).astype(np.uint8)
    return memory, MARGIN + -memory.ctypes.data % 64


def main():
    code, symbol, *sizes = sys.argv[1:]
    generator = np.random.default_rng(1)
    buffers = [make(int(size), generator) for size in sizes]
    before = [memory.copy() for memory, _ in buffers]
    arguments = []
    for memory, offset in buffers:
        arguments += [ctypes.c_void_p(memory.ctypes.data), ctypes.c_int64(offset)]
    getattr(ctypes.CDLL(code), symbol)(*arguments)
    for i, ((memory, offset), old, size) in enumerate(zip(buffers, before, sizes)):
        written = np.nonzero(memory != old)[0] - offset
        is_inside = ((0 <= written) & (written < int(size))).all()
        print(f"buffer {i}:", "unchanged" if not written.size else "inside" if is_inside else "outside")


if __name__ == "__main__":
    main()
