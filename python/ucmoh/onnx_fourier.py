"""DFT as a product with a constant matrix: what each place of the spectrum takes of each element, as two floats each."""
MOST = 2 ** 24  # elements of the matrix, beyond which a fast transform would be another thing


def transform(nodes, x, length="", axis=""):
    """Elements are real (1) or complex (2) in the last dim. Since opset 20 the axis is an operand."""
    numpy, shape = nodes.numpy, nodes.static_shape(x)
    dim = int(nodes.value(axis)) if axis else nodes.field("axis", -2 if nodes.facts.opset >= 20 else 1)
    dim %= len(shape)
    if (length and nodes.value(length) is None) or (nodes.field("onesided", 0) and nodes.field("inverse", 0)):
        nodes.refuse("lengths that are computed, and halves of a spectrum that are transformed back, are not supported")
    count = int(nodes.value(length)) if length else shape[dim]
    kept = count // 2 + 1 if nodes.field("onesided", 0) else count
    if shape[dim] * shape[-1] * kept * 2 > MOST:
        nodes.refuse("it is too long; transform shorter pieces")
    others = [each for each in range(len(shape) - 1) if each != dim]
    order = [*others, dim, len(shape) - 1]
    rows = nodes.Reshape(nodes.Transpose(x, perm=order), [*(shape[each] for each in others), shape[dim] * shape[-1]])
    spectrum = nodes.MatMul(rows, matrix(nodes, min(shape[dim], count), shape[dim], shape[-1], count, kept))
    spectrum = nodes.Reshape(spectrum, [*(shape[each] for each in others), kept, 2])
    return nodes.Transpose(spectrum, perm=numpy.argsort(order).tolist())


def matrix(nodes, taken, present, parts, count, kept):
    """Rows are the parts of each element, of which those from `taken` on do not count; columns those of the spectrum."""
    numpy, sign = nodes.numpy, 1 if nodes.field("inverse", 0) else -1
    turns = numpy.outer(numpy.arange(taken), numpy.arange(kept)) % count / count
    cosine, sine = numpy.cos(2 * numpy.pi * turns), sign * numpy.sin(2 * numpy.pi * turns)
    found = numpy.zeros((present, parts, kept, 2))
    found[:taken, 0] = numpy.stack([cosine, sine], -1)
    if parts == 2:
        found[:taken, 1] = numpy.stack([-sine, cosine], -1)
    found = found.reshape(present * parts, kept * 2) / (count if sign > 0 else 1)
    return found.astype(nodes.dtype())


MEANINGS = {"DFT": transform}
