"""Calls each function of a library on what ucmoh-run saved, and compares the results bit by bit.

compare.py LIBRARY FOLDER   prints "NAME: same", or what differs
"""

import concurrent.futures
import ctypes
import json
import math
import pathlib
import re
import subprocess
import sys

BYTES = {"index": 8, "i1": 1, "f8E4M3FN": 1, "f8E5M2": 1, "bf16": 2}
GUARD = 8  # elements of the largest type are aligned to it, and vectors are not
FILL = b"\xaa"
CALLS, THREADS = 12, 3  # each function is called so often, some of the calls at once


def size_of(row):
    return math.prod(row["shape"]) * (BYTES.get(row["type"]) or int(row["type"][1:]) // 8)


class Memory:
    """Bytes at an address that is aligned to elements, but not to vectors, between guards."""

    def __init__(self, content, alignment=GUARD):
        self.size, self.buffer = len(content), ctypes.create_string_buffer(len(content) + 192)
        self.start = -ctypes.addressof(self.buffer) % 64 + (64 if alignment == 64 else 64 + GUARD)
        self.set(content)

    def set(self, content):
        self.buffer.raw = FILL * self.start + content + FILL * (len(self.buffer) - self.start - len(content))

    def get(self):
        return self.buffer.raw[self.start:self.start + self.size]

    def guards(self):
        return self.buffer.raw[:self.start] + self.buffer.raw[self.start + self.size:]

    def address(self):
        return ctypes.addressof(self.buffer) + self.start


def pointers(memories):
    return (ctypes.c_void_p * max(1, len(memories)))(*[memory.address() for memory in memories])


class Function:
    """One function of the library."""

    def __init__(self, library, folder, name):
        self.library, self.folder, self.name = library, folder, name
        describe = library[name + "_describe"]
        describe.restype = ctypes.c_char_p
        self.about = json.loads(describe())

    def load(self, row, infix, index):
        size = size_of(row)
        return (self.folder / f"{self.about['function']}.{infix}{index}.npy").read_bytes()[-size:] if size else b""

    def arguments(self, kind):
        return [Memory(self.load(row, "argument.", row["argument"])) for row in self.about[kind]]

    def compare(self):
        """Returns what is wrong, perhaps nothing."""
        weights, inputs = self.arguments("weights"), self.arguments("inputs")
        packed_bytes = self.library[self.name + "_packed_bytes"]
        packed_bytes.restype = ctypes.c_size_t
        packed = Memory(FILL * packed_bytes(), alignment=64)
        before = [memory.get() for memory in inputs]
        status = self.library[self.name + "_pack"](pointers(weights), ctypes.c_void_p(packed.address()))
        for weight in weights:
            weight.set(FILL * weight.size)

        def run(outputs):
            return self.library[self.name + "_run"](pointers(inputs), pointers(outputs),
                                                    ctypes.c_void_p(packed.address()))

        calls = [[Memory(FILL * size_of(row)) for row in self.about["outputs"]] for _ in range(CALLS)]
        with concurrent.futures.ThreadPoolExecutor(THREADS) as threads:
            status |= max(threads.map(run, calls))
        outputs = [memory for call in calls for memory in call]
        if status:
            yield f"status {status}"
        if packed.size != self.about["packed_bytes"] or before != [memory.get() for memory in inputs]:
            yield "sizes or inputs"
        if set(b"".join(memory.guards() for memory in [*inputs, *outputs, packed])) != set(FILL):
            yield "writes elsewhere"
        for index, row in enumerate(self.about["outputs"]):
            expected = self.load(row, "", index)
            if any(call[index].get() != expected for call in calls):
                yield f"result {index}"


def main():
    path, folder = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    symbols = subprocess.run(["llvm-nm", "-D", path], check=True, text=True, stdout=subprocess.PIPE).stdout
    library = ctypes.CDLL(path)
    for name in re.findall(r" T (.+)_describe\n", symbols):
        function = Function(library, folder, name)
        print(function.about["function"] + ":", ", ".join(function.compare()) or "same")


if __name__ == "__main__":
    main()
