"""Fits the quotient of polynomials that computes erf (lib/Transforms/Math.cpp), or judges the one that is there.

    python3 research/fit_erf.py
    python3 research/fit_erf.py --judge lib/Transforms/Math.cpp

erf(x) = x P(u) / Q(u) with u = x^2, P and Q of degree 5, for |x| <= 3.9, where erf rounds to 1 in f32. The fit
minimizes the largest relative error by least squares whose weights grow where the error is large. Both ways print
the coefficients and the largest relative error of all that is computed as in f32, with fused multiplications and
additions. The second one fails if the error is 4e-7 or more.
"""
import argparse
import math
import sys

import numpy as np

from polynomials import horner, read_lists, smallest_largest_error

LIMIT, DEGREE, MOST = 3.9, 5, 4e-7


def fit(nodes=2000):
    """P and Q, coefficients of u^0 first, Q[0] = 1."""
    t = (1 - np.cos(np.pi * (np.arange(nodes) + 0.5) / nodes)) / 2  # u / LIMIT^2, dense at both ends
    x = LIMIT * np.sqrt(t)
    wanted = np.array([math.erf(value) for value in x]) / x
    powers = np.vander(t, DEGREE + 1, increasing=True)
    system = np.hstack([powers, -wanted[:, None] * powers[:, 1:]])
    denominator = np.ones(nodes)

    def solve(weights):
        nonlocal denominator
        scale = np.sqrt(weights) / wanted / denominator
        solution = np.linalg.lstsq(system * scale[:, None], wanted * scale, rcond=None)[0]
        p, q = solution[:DEGREE + 1], np.concatenate([[1], solution[DEGREE + 1:]])
        denominator = powers @ q
        return (p, q), powers @ p / denominator / wanted - 1

    scales = LIMIT ** (2 * np.arange(DEGREE + 1))
    p, q = smallest_largest_error(solve, nodes)
    return p / scales, q / scales


def largest_error(p, q, points=200_000):
    """Relative, over x from 1e-6 to 5, computed in f32."""
    x = np.linspace(1e-6, 5, points, dtype=np.float32)
    limited = np.minimum(x, np.float32(LIMIT))
    square = limited * limited
    found = np.minimum(limited * horner(p, square) / horner(q, square), np.float32(1))
    wanted = np.array([math.erf(value) for value in x.astype(np.float64)])
    return np.abs(found / wanted - 1).max()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--judge", metavar="FILE", help="judge the coefficients of this file instead")
    options = parser.parse_args()
    p, q = read_lists(options.judge, "square", 2) if options.judge else fit()
    error = largest_error(p, q)
    for name, coefficients in (("P", p), ("Q", q)):
        print(name, ", ".join(f"{value:.9g}" for value in coefficients))
    print(f"largest relative error {error:.2e}")
    if options.judge and error >= MOST:
        sys.exit(f"the error is {MOST:.0e} or more")


if __name__ == "__main__":
    main()
