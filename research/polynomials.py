"""What fits of polynomials have in common: arithmetic as kernels do it, weights, lists in sources. See fit_erf.py."""
import re
import sys

import numpy as np


def horner(coefficients, u):
    """In f32 with fused multiplications and additions; the coefficient of u^0 comes first."""
    total = np.full_like(u, coefficients[-1])
    for coefficient in coefficients[-2::-1]:  # the product of two f32 is exact in f64
        total = (total.astype(np.float64) * u + np.float32(coefficient)).astype(np.float32)
    return total


def smallest_largest_error(solve, nodes, rounds=60):
    """The solution of weighted least squares whose largest error is the least found: where errors are large, weights
    grow from round to round. `solve` takes weights and returns a solution and its errors at the nodes."""
    weights, best = np.ones(nodes), None
    for _ in range(rounds):
        solution, errors = solve(weights)
        errors = np.abs(errors)
        if best is None or errors.max() < best[0]:
            best = errors.max(), solution
        weights *= (errors / errors.max()) ** 0.7 + 1e-6
        weights /= weights.max()
    return best[1]


def read_lists(path, variable, count):
    """Coefficients as a pass has them: the lists behind calls polynomial(b, variable, {...}) in a source."""
    text = open(path, encoding="utf-8").read()
    lists = re.findall(rf"polynomial\(\s*b,\s*{variable},\s*\{{([^}}]*)\}}", text)
    if len(lists) != count:
        sys.exit(f"{path}: expected polynomials of '{variable}': {count}, found {len(lists)}")
    return [np.array([float(number.rstrip("f")) for number in text.replace(" ", "").split(",")]) for text in lists]
