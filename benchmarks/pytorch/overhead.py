"""Times calls of a network that computes almost nothing, and prints a table in Markdown: microseconds of one call.

Usage: overhead.py [--rounds=N] [--calls=N] [--wait=FILE]

The least of the means of all rounds counts. With --wait everything is compiled first, and calls begin when the file
exists.
"""
import argparse
import time
import warnings

import torch

import timing
import ucmoh


class Nested(torch.nn.Module):
    """An argument by keyword, and three tensors in a nested result."""

    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)

    def forward(self, x, scale):
        y = self.linear(x)
        return {"y": y, "pair": (y * scale, y.relu())}


def calls():
    """A call of each kind, by name."""
    linear, nested, x, scale = torch.nn.Linear(4, 4).eval(), Nested().eval(), torch.randn(4, 4), torch.ones(4)
    fast, deep = ucmoh.compile(linear, (x,)), ucmoh.compile(nested, (x,), {"scale": scale})
    compiled, array = torch.compile(linear, backend=ucmoh.backend), x.numpy()
    name = fast.inputs[0].name
    return {"eager PyTorch": lambda: linear(x), "a tensor": lambda: fast(x), "a NumPy array": lambda: fast(array),
            "a session's run": lambda: fast.run(None, {name: array}),
            "by keyword, nested result": lambda: deep(x, scale=scale), "through torch.compile": lambda: compiled(x)}


def least(call, rounds, count):
    """Microseconds of one call."""
    means = []
    for _ in range(rounds):
        start = time.perf_counter()
        for _ in range(count):
            call()
        means.append((time.perf_counter() - start) / count * 1e6)
    return min(means)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--calls", type=int, default=2000)
    parser.add_argument("--wait", metavar="FILE")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    with torch.no_grad():
        made = calls()
        for call in made.values():
            call()
        if given.wait:
            timing.wait_for(given.wait)
        print("| call | microseconds |\n|---|---|")
        for name, call in made.items():
            print(f"| {name} | {least(call, given.rounds, given.calls):.1f} |", flush=True)


if __name__ == "__main__":
    main()
