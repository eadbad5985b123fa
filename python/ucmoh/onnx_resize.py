"""Resizes in the modes that torch-mlir lacks: along each dim a matrix says what each new place takes of the old ones.

Where each takes few elements, the matrix is lists of places and of what is taken there.
"""
import functools

from .arrays import package

CUBIC_TAPS = 4
MODES = {  # torch-mlir lowers these modes of coordinates, by modes of values, for images
    "nearest": ("asymmetric", "half_pixel"),
    "linear": ("half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric", "half_pixel_symmetric"),
    "cubic": ("half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric"),
}


def resize(nodes, x, region="", scales="", sizes=""):
    """Resizes one dim after the other; None where torch-mlir knows the form."""
    if keeps_all(nodes, x, scales):
        return x
    mode, places = nodes.field("mode", "nearest"), nodes.field("coordinate_transformation_mode", "half_pixel")
    plain = not any(nodes.field(name) for name in ("axes", "antialias", "exclude_outside"))
    plain = plain and nodes.field("cubic_coeff_a", -0.75) == -0.75 and len(nodes.shape(x)) == 4
    if plain and places in MODES[mode]:
        return None
    extents = nodes.static_shape(x)
    dims = [dim % len(extents) for dim in nodes.field("axes", range(len(extents)))]
    for dim, axis in zip(dims, axes_of(nodes, [extents[dim] for dim in dims], region, scales, sizes)):
        x = resize_dim(nodes, x, dim, len(extents), axis)
    return x


def keeps_all(nodes, x, scales):
    """Whether each element stays where it is: sizes are those that the tensor has."""
    factors, before, after = nodes.value(scales), nodes.shape(x), nodes.facts.shapes.get(nodes.node.output[0])
    is_plain = nodes.field("coordinate_transformation_mode", "half_pixel") != "tf_crop_and_resize"
    has_factors = bool(scales) and (factors is None or any(factors != 1))
    return is_plain and not has_factors and before == after and None not in before


def axes_of(nodes, extents, region, scales, sizes):
    """An Axis for each dim."""
    known = {name: nodes.value(name) for name in (region, scales, sizes) if name}
    if None in [each if each is None else True for each in known.values()]:
        nodes.refuse("its sizes are computed; export the model with constant ones")
    if nodes.field("keep_aspect_ratio_policy", "stretch") != "stretch":
        nodes.refuse("keep_aspect_ratio_policy is not supported; give the sizes that it has")
    count = len(extents)
    has_scales = scales and known[scales].size > 0
    factors = known[scales] if has_scales else [size / extent for size, extent in zip(known[sizes], extents)]
    results = [int(extent * factor) for extent, factor in zip(extents, factors)] if has_scales else known[sizes]
    crop = known[region].reshape(2, count).T if region and known[region].size else [(0, 1)] * count
    return [Axis(nodes, *each) for each in zip(extents, map(int, results), map(float, factors), crop)]


def resize_dim(nodes, x, dim, rank, axis):
    """The tensor with one dim resized."""
    if axis.is_same():
        return x
    if nodes.field("mode", "nearest") == "nearest":
        return nodes.Gather(x, axis.nearest(), axis=dim)
    matrix = axis.matrix().astype(nodes.dtype())
    if (matrix != 0).sum(1).max() <= CUBIC_TAPS < axis.before:
        return blend(nodes, x, dim, rank, matrix)
    matrix, order = matrix.T, [*(each for each in range(rank) if each != dim), dim]
    if dim == rank - 1:
        return nodes.MatMul(x, matrix)
    if dim == rank - 2:
        return nodes.MatMul(nodes.numpy.ascontiguousarray(matrix.T), x)
    back = [order.index(each) for each in range(rank)]
    return nodes.Transpose(nodes.MatMul(nodes.Transpose(x, perm=order), matrix), perm=back)


def blend(nodes, x, dim, rank, matrix):
    """Looks up what is taken, and adds it: most of the matrix is zeros."""
    numpy = nodes.numpy
    count = (matrix != 0).sum(1).max()
    places = numpy.sort(numpy.argsort(matrix == 0, 1, kind="stable")[:, :count], 1)
    shares = numpy.take_along_axis(matrix, places, 1)
    shape = [-1, *[1] * (rank - 1 - dim)]
    parts = [nodes.Mul(nodes.Gather(x, places[:, tap], axis=dim), shares[:, tap].reshape(shape)) for tap in range(count)]
    return functools.reduce(nodes.Add, parts)


class Axis:
    """One dim: its old and its new extent."""

    def __init__(self, nodes, before, after, factor, crop):
        self.nodes, self.before, self.after, self.factor = nodes, before, after, factor
        self.begin, self.end = map(float, crop)
        self.numpy = package("numpy")
        self.mode = nodes.field("coordinate_transformation_mode", "half_pixel")

    def is_same(self):
        """Whether nothing changes."""
        return self.before == self.after and self.factor == 1 and self.mode != "tf_crop_and_resize"

    def places(self):
        """Where each new element lies among the old ones."""
        new = self.numpy.arange(self.after, dtype="float64")
        half = (new + 0.5) / self.factor - 0.5
        if self.mode == "asymmetric":
            return new / self.factor
        if self.mode == "align_corners":
            return new * (self.before - 1) / max(self.after - 1, 1)
        if self.mode == "pytorch_half_pixel":
            return half if self.after > 1 else 0 * new
        if self.mode == "half_pixel_symmetric":
            exact = self.before * self.factor
            return self.before / 2 * (1 - self.after / exact) + half
        if self.mode == "tf_crop_and_resize":
            return self.cropped(new)
        return half

    def cropped(self, new):
        """Places in a region, whose ends are fractions."""
        length = self.before - 1
        if self.after == 1:
            places = 0 * new + 0.5 * (self.begin + self.end) * length
        else:
            places = self.begin * length + new * (self.end - self.begin) * length / (self.after - 1)
        if ((places < 0) | (places > length)).any():
            self.nodes.refuse("a region outside of the image is not supported; pad the image")
        return places

    def nearest(self):
        """The number of the one that each takes."""
        numpy, places = self.numpy, self.places()
        rounded = {"floor": numpy.floor, "ceil": numpy.ceil,
                   "round_prefer_floor": lambda each: numpy.ceil(each - 0.5),
                   "round_prefer_ceil": lambda each: numpy.floor(each + 0.5)}
        found = rounded[self.nodes.field("nearest_mode", "round_prefer_floor")](places)
        return numpy.clip(found, 0, self.before - 1).astype("int64")

    def matrix(self):
        """Returns what each new element, a row, takes of each old one."""
        numpy, is_cubic = self.numpy, self.nodes.field("mode", "nearest") == "cubic"
        places = self.places()
        shrinks = self.nodes.field("antialias", 0) and self.factor < 1
        width = (1 / self.factor if shrinks else 1) * (CUBIC_TAPS // 2 if is_cubic else 1)
        reach = int(numpy.ceil(width)) + 1
        found = numpy.zeros((self.after, self.before))
        for row, place in enumerate(places):
            taps = numpy.arange(int(numpy.floor(place)) - reach, int(numpy.floor(place)) + reach + 1)
            shares = self.share((taps - place) * (self.factor if shrinks else 1), is_cubic)
            if self.nodes.field("exclude_outside", 0):
                shares = shares * ((taps >= 0) & (taps < self.before))
            shares = shares / shares.sum()
            numpy.add.at(found[row], numpy.clip(taps, 0, self.before - 1), shares)
        return found

    def share(self, distance, is_cubic):
        """The weight of an element at that distance."""
        numpy, distance = self.numpy, abs(distance)
        if not is_cubic:
            return numpy.maximum(1 - distance, 0)
        bend = self.nodes.field("cubic_coeff_a", -0.75)
        near = (bend + 2) * distance ** 3 - (bend + 3) * distance ** 2 + 1
        far = bend * distance ** 3 - 5 * bend * distance ** 2 + 8 * bend * distance - 4 * bend
        return numpy.where(distance <= 1, near, numpy.where(distance < 2, far, 0))


MEANINGS = {"Resize": resize}
