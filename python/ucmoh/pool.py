"""Memory of results that nobody holds any more, for later results of about the same size.

The system clears pages before it gives them, which takes as long as reading them: for a cache of keys and values that is
returned by each call, longer than the call itself.
"""
import math
import sys
import threading

LEAST_BYTES = 1 << 20  # less than this the C library keeps by itself
FREE = 3  # references to a block that is only in the pool: its list, a variable here, and sys.getrefcount's argument


class Pool:
    """Blocks by their size. Arrays are views of blocks, so that a block has more references while someone holds one."""

    def __init__(self, numpy):
        self.numpy, self.lock, self.blocks = numpy, threading.Lock(), {}

    def empty(self, shape, dtype):
        """An array whose elements are anything."""
        size = math.prod(shape) * dtype.itemsize
        if size < LEAST_BYTES:
            return self.numpy.empty(shape, dtype)
        with self.lock:
            return self.block(rounded(size))[:size].view(dtype).reshape(shape)

    def block(self, size):
        """A block of that size that nobody holds."""
        same = self.blocks.setdefault(size, [])
        for block in same:
            if sys.getrefcount(block) == FREE:
                return block
        self.release()
        made = self.numpy.empty(size, "uint8")
        same.append(made)
        return made

    def release(self):
        """Gives back what nobody holds: what is wanted has another size by now."""
        for blocks in self.blocks.values():
            kept = []
            for block in blocks:
                if sys.getrefcount(block) > FREE:
                    kept.append(block)
            blocks[:] = kept


def rounded(size):
    """The least of the sizes that are multiples of an eighth of a power of two."""
    step = 1 << max(size.bit_length() - 4, 0)
    return -(-size // step) * step
