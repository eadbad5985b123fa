"""How far a long work is."""
import sys
import time


class Progress:
    """Says on standard error how far it is."""

    def __init__(self, total, done):
        self.total, self.done, self.before = total, done, done
        self.retried, self.start = 0, time.monotonic()

    def print(self, running):
        elapsed, here = time.monotonic() - self.start, self.done - self.before
        left = self.clock(elapsed / here * (self.total - self.done)) if here else "?"
        print(f"{self.done}/{self.total} shards, {running} running, {self.retried} retried, "
              f"{self.clock(elapsed)} so far, {left} left", file=sys.stderr, flush=True)

    @staticmethod
    def clock(seconds):
        return f"{int(seconds) // 3600}:{int(seconds) // 60 % 60:02}:{int(seconds) % 60:02}"
