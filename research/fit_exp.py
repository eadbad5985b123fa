"""Fits the polynomial that computes exp (lib/Transforms/Math.cpp), or judges the one that is there.

    python3 research/fit_exp.py
    python3 research/fit_exp.py --judge lib/Transforms/Math.cpp

exp(x) = 2^n P(x - n log 2) with the nearest integer n to x / log 2, and P of degree 5 with P(0) = 1. The fit minimizes
the largest error in units of the last place (ulp) by least squares whose weights grow where the error is large, then
moves the last bits of the coefficients. Both ways print the coefficients of 2 P, which the pass has, and the largest
error of all that is computed as in f32. The second one fails if the error is 2 ulp or more.
"""
import argparse
import sys

import numpy as np

from polynomials import horner, read_lists, smallest_largest_error

DEGREE, MOST, LOG2 = 5, 2.0, np.log(2)


def errors_in_ulp(found, wanted):
    return (found - wanted) / np.exp2(np.floor(np.log2(wanted)) - 23)


def fit(nodes=3000):
    """P as real numbers. Below 0 a unit of the last place is half of what it is above."""
    rest = -LOG2 / 2 * 1.0001 * np.cos(np.pi * (np.arange(nodes) + 0.5) / nodes)
    powers, wanted = np.vander(rest, DEGREE + 1, increasing=True), np.exp(rest)
    scale = errors_in_ulp(wanted + 1, wanted)

    def solve(weights):
        by = np.sqrt(weights) * scale
        solution = np.linalg.lstsq(powers[:, 1:] * by[:, None], (wanted - 1) * by, rcond=None)[0]
        p = np.concatenate([[1], solution])
        return p, errors_in_ulp(powers @ p, wanted)

    return smallest_largest_error(solve, nodes, rounds=400)


def polish(p, nodes=20_000, rounds=3):
    """Moves each coefficient by up to 16 units of its last place, as long as the largest error falls."""
    rest = np.linspace(-LOG2 / 2, LOG2 / 2, nodes).astype(np.float32)
    wanted = np.exp(rest.astype(np.float64))

    def error(candidate):
        return np.abs(errors_in_ulp(horner(candidate, rest), wanted)).max()

    p = p.astype(np.float32)
    for _ in range(rounds):
        for degree in range(1, DEGREE + 1):
            candidates = np.repeat(p[None], 33, axis=0)
            candidates[:, degree] += np.arange(-16, 17) * np.spacing(p[degree])
            p = min(candidates, key=error)
    return p


def largest_error(p, points=2_000_000):
    """In ulp, over all x whose exponential is a normal number but for the last half of a power of 2."""
    x = np.linspace(-125.4 * LOG2, 127.9 * LOG2, points).astype(np.float32)
    n = np.rint(x.astype(np.float64) / LOG2)
    rest = x
    for part in (0.693147182, -1.90465421e-9):
        rest = (rest - n * np.float32(part)).astype(np.float32)
    found = horner(p, rest).astype(np.float64) * np.exp2(n)
    return np.abs(errors_in_ulp(found, np.exp(x.astype(np.float64)))).max()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--judge", metavar="FILE", help="judge the coefficients of this file instead")
    options = parser.parse_args()
    p = read_lists(options.judge, "rest", 1)[0] / 2 if options.judge else polish(fit())
    error = largest_error(p)
    print("2 P", ", ".join(f"{2 * value:.9g}" for value in p))
    print(f"largest error {error:.2f} ulp")
    if options.judge and error >= MOST:
        sys.exit(f"the error is {MOST:.0f} ulp or more")


if __name__ == "__main__":
    main()
