"""Bags of embeddings: rows of a table by their numbers, and one sum, mean or maximum of each bag of rows.

torch-mlir sums bags that have neither weights nor padding, and takes no others, or leaves their weights out.
"""
from .arrays import package

SUM, MEAN, MAX = range(3)  # PyTorch's modes


def table():
    """Functions by operators of PyTorch."""
    aten = package("torch").ops.aten
    return dict.fromkeys((aten._embedding_bag.default, aten._embedding_bag_forward_only.default), embedding_bag)


def embedding_bag(rows, numbers, begins, _scale=False, mode=SUM, _sparse=False, weights=None, include_last_offset=False, padding_idx=-1):
    """The bags, and for the gradient, which nobody wants, the bag of each row, the rows of each bag, and the largest ones."""
    torch = package("torch")
    if include_last_offset:
        begins = begins[:-1]
    bags = bags_of(begins, numbers.shape[0])
    counts = (numbers != padding_idx).to(rows.dtype)  # a number is never below 0
    sizes = torch.zeros(begins.shape[0], dtype=rows.dtype).index_add(0, bags, counts)
    values = rows.index_select(0, numbers)
    if mode == MAX:
        made = largest(values, bags, counts, sizes)
    else:
        factors = counts if weights is None else counts * weights
        made = values.new_zeros(begins.shape[0], rows.shape[1]).index_add(0, bags, values * factors.unsqueeze(1))
    if mode == MEAN:
        made = made / sizes.clamp(min=1).unsqueeze(1)
    return made, bags, sizes.to(numbers.dtype), torch.zeros_like(begins)


def bags_of(begins, count):
    """The bag of each row: as many as have begun, less one. Bags at the end may begin behind the last row."""
    torch = package("torch")
    begun = torch.zeros(count + 1, dtype=begins.dtype).index_add(0, begins, torch.ones_like(begins))
    return begun[:count].cumsum(0) - 1


def largest(values, bags, counts, sizes):
    """The largest element of the rows of each bag in each column, 0 of a bag without rows."""
    torch = package("torch")
    values = torch.where(counts.unsqueeze(1) != 0, values, float("-inf"))
    none = values.new_full((sizes.shape[0], values.shape[1]), float("-inf"))
    found = none.scatter_reduce(0, bags.unsqueeze(1).expand(-1, values.shape[1]), values, "amax")
    return torch.where(sizes.unsqueeze(1) != 0, found, 0)
