"""GridSample, which torch-mlir lowers wrongly: elements at computed places, each as a row of all channels."""
import functools
import itertools
import math

INT64 = 7  # TensorProto's number of the type


def grid_sample(nodes, x, grid):
    """The last dim of `grid` has a place along each dim of the image, the innermost one first; from -1 to 1."""
    mode = nodes.field("mode", "linear")
    if mode not in ("linear", "bilinear", "nearest"):
        nodes.refuse(f"mode {mode} is not supported; linear and nearest are")
    batch, channels, *extents = nodes.static_shape(x)
    count, kept = len(extents), nodes.static_shape(grid)[:-1]
    places = [nodes.Gather(grid, nodes.numpy.array(count - 1 - dim), axis=-1) for dim in range(count)]
    places = [scale(nodes, place, extent) for place, extent in zip(places, extents)]
    taps = [taps_of(nodes, place, extent, mode == "nearest") for place, extent in zip(places, extents)]
    rows = nodes.Reshape(nodes.Transpose(x, perm=[0, *range(2, count + 2), 1]), [-1, channels])
    images = nodes.numpy.arange(batch).reshape(-1, *[1] * count) * math.prod(extents)
    parts = [look_up(nodes, rows, corner, extents, images) for corner in itertools.product(*taps)]
    result = nodes.Reshape(functools.reduce(nodes.Add, parts), [*kept, channels])
    return nodes.Transpose(result, perm=[0, count + 1, *range(1, count + 1)])


def scale(nodes, place, extent):
    """From -1 to 1 to elements, brought into the image as the padding wants it."""
    edge = 0 if nodes.field("align_corners", 0) else .5
    half = extent / 2 - .5 + edge  # from the middle of the image to where 1 is
    place = nodes.Sub(nodes.Mul(nodes.Add(place, 1.0), half), edge)
    padding = nodes.field("padding_mode", "zeros")
    if padding == "reflection":
        place = reflect(nodes, place, -edge, 2 * half)
    return place if padding == "zeros" else nodes.Clip(place, 0.0, extent - 1.0)


def reflect(nodes, place, begin, length):
    """What a mirror at `begin` and one at the other end make of a place."""
    if not length:
        return nodes.Mul(place, 0.0)
    distance = nodes.Abs(nodes.Sub(place, begin))
    distance = nodes.Sub(distance, nodes.Mul(nodes.Floor(nodes.Div(distance, 2.0 * length)), 2.0 * length))
    return nodes.Add(nodes.Min(distance, nodes.Sub(2.0 * length, distance)), begin)


def taps_of(nodes, place, extent, is_nearest):
    """Elements along a dim, each with its share; None is all."""
    if is_nearest:
        taps = [(nodes.Round(place), None)]
    else:
        low = nodes.Floor(place)
        share = nodes.Sub(place, low)
        taps = [(low, nodes.Sub(1.0, share)), (nodes.Add(low, 1.0), share)]
    if nodes.field("padding_mode", "zeros") == "zeros":
        taps = [(tap, inside(nodes, tap, share, extent)) for tap, share in taps]
    return [(nodes.Cast(nodes.Clip(tap, 0.0, extent - 1.0), to=INT64), share) for tap, share in taps]


def inside(nodes, tap, share, extent):
    """The share of an element, none outside of the image."""
    is_inside = nodes.And(nodes.GreaterOrEqual(tap, 0.0), nodes.LessOrEqual(tap, extent - 1.0))
    return nodes.Where(is_inside, share or 1.0, 0.0)


def look_up(nodes, rows, corner, extents, images):
    """The rows of one corner, times its share."""
    place = functools.reduce(lambda place, step: nodes.Add(nodes.Mul(place, nodes.numpy.array(step[1])), step[0]),
                             zip([tap for tap, _ in corner[1:]], extents[1:]), corner[0][0])
    found = nodes.Gather(rows, nodes.Reshape(nodes.Add(place, images), [-1]), axis=0)
    shares = [share for _, share in corner if share]
    return nodes.Mul(found, nodes.Reshape(functools.reduce(nodes.Mul, shares), [-1, 1])) if shares else found


MEANINGS = {"GridSample": grid_sample}
