"""Sums of products that torch-mlir lacks: distances, norms, batches."""
from .arrays import package

FEW = 25  # rows up to which PyTorch takes differences for distances, and not a product


def table():
    """Functions by operators of PyTorch."""
    aten = package("torch").ops.aten
    return {
        aten._grouped_mm.default: grouped_product, aten._cdist_forward.default: distances,
        aten._pdist_forward.default: distances_once, aten.linalg_norm.ord_str: frobenius_norm,
    }


def grouped_product(left, right, offs=None, bias=None, out_dtype=None):
    """Groups of equally many rows are batches. Others stay (torch_experts.py)."""
    if offs is not None or bias is not None:
        return NotImplemented
    result = package("torch").bmm(left, right)
    return result if out_dtype is None else result.to(out_dtype)


def distances(left, right, p, mode):
    """From each row to each other row; by a product where PyTorch does it so."""
    many = left.shape[-2] > FEW or right.shape[-2] > FEW
    if p != 2 or mode == 2 or (mode in (None, 0) and not many):
        apart = (left.unsqueeze(-2) - right.unsqueeze(-3)).abs()
        return apart.amax(-1) if p == float("inf") else apart.sum(-1) if p == 1 else (apart ** p).sum(-1) ** (1 / p)
    squares = (left * left).sum(-1, keepdim=True) + (right * right).sum(-1).unsqueeze(-2)
    return (squares - 2 * (left @ right.transpose(-1, -2))).clamp(min=0).sqrt()


def distances_once(values, p=2):
    """From each row to each row behind it."""
    count = values.shape[0]
    first, second = package("torch").triu_indices(count, count, 1)
    apart = (values.index_select(0, first) - values.index_select(0, second)).abs()
    return apart.amax(-1) if p == float("inf") else (apart ** p).sum(-1) ** (1 / p)


def frobenius_norm(values, order, dim=None, keepdim=False, *, dtype=None):
    """The root of the sum of squares; other norms with names need singular values."""
    if order != "fro":
        return NotImplemented
    return package("torch").linalg.vector_norm(values, 2, dim or [-2, -1], keepdim, dtype=dtype)
