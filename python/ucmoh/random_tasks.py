"""Shapes that no network of the table has, so that a model does not only know the habits of a few.

Sizes are drawn evenly by their logarithms, from one pixel row to large images, from a few channels
to a thousand.
"""
import math
import random

from ucmoh import networks

MIN_FLOPS, MAX_FLOPS = 2e5, 4e8
IMAGES = (1, 1, 2, 4, 8, 16)
KERNELS = (1, 1, 1, 1, 3, 3, 3, 5, 7)  # rows and columns of a convolution's window


def logarithmic(source, low, high, multiple=1):
    """A multiple of `multiple` in [low, high], small ones as likely as large ones."""
    value = math.exp(source.uniform(math.log(low), math.log(high)))
    return max(low, round(value / multiple) * multiple)


def channels(source):
    """Mostly multiples of 8; sometimes the few of a picture, or any number."""
    kind = source.random()
    if kind < 0.05:
        return source.choice((1, 3, 4))
    return logarithmic(source, 8, 1024, 8 if kind < 0.9 else 1)


def convolution(source):
    kernel, size = source.choice(KERNELS), logarithmic(source, 4, 160)
    stride = 2 if source.random() < 0.3 else 1
    row = {"op": "conv2d", "input": f"{source.choice(IMAGES)}x{channels(source)}x{size}x{size}",
           "filter": f"{channels(source)}x1x{kernel}x{kernel}", "stride": f"{stride}x{stride}",
           "pad": networks.by_x([source.choice((0, kernel // 2))] * 2), "dilation": "1x1"}
    return networks.convolution_of_row(row) if size >= kernel else None


def depthwise(source, is_aligned=False):
    """A depthwise convolution, as in networks for phones; if aligned, of 64 to 1,024 channels, a power of two: elements
    that are neighbours in the image then compete for few sets of a cache."""
    kernel, size = source.choice((3, 3, 3, 5, 5, 7)), logarithmic(source, 7, 112)
    stride = source.choice((1, 1, 2))
    wide = (2 ** source.randint(6, 10) if is_aligned
            else logarithmic(source, 16, 1152, 16 if source.random() < 0.7 else 8))
    row = {"op": "conv2d", "input": f"{source.choice((1, 1, 1, 2, 4))}x{wide}x{size}x{size}",
           "filter": f"{wide}x1x{kernel}x{kernel}", "stride": f"{stride}x{stride}",
           "pad": networks.by_x([source.choice((0, kernel // 2, kernel // 2))] * 2), "dilation": "1x1"}
    return networks.depthwise(networks.convolution_of_row(row)) if size >= kernel else None


def first_layer(source):
    """A convolution of pictures."""
    kernel, size = source.choice((3, 3, 5, 7)), logarithmic(source, 32, 256)
    stride, filters = source.choice((1, 2, 2)), logarithmic(source, 16, 96, 8)
    row = {"op": "conv2d", "input": f"1x3x{size}x{size}", "filter": f"{filters}x3x{kernel}x{kernel}",
           "stride": f"{stride}x{stride}", "pad": f"{kernel // 2}x{kernel // 2}", "dilation": "1x1"}
    return networks.convolution_of_row(row)


def few_rows(source):
    """A product of 1 to 16 rows with the weights of a language model: as large as a second cache or larger."""
    return networks.matmul(1, source.choice((1, 1, 2, 3, 4, 4, 5, 6, 8, 8, 11, 12, 16, 16)),
                           logarithmic(source, 256, 14336, 64), logarithmic(source, 256, 14336, 64))


def product(source):
    if source.random() < 0.3:
        return networks.matmul(source.choice((2, 4, 8, 12, 16, 32)), logarithmic(source, 1, 512),
                               logarithmic(source, 16, 512), logarithmic(source, 16, 512, 8),
                               "batch_matmul")
    return networks.matmul(1, logarithmic(source, 1, 4096), logarithmic(source, 8, 4096, 8),
                           logarithmic(source, 8, 4096, 8))


def shape(task):
    """Equal for tasks that are the same to a compiler: a 1x1 convolution is a product."""
    pixels = task["images"] * math.prod(task["out"])
    sizes = (task["batch"], pixels, task["filters"], task["channels"])
    is_product = all(size == 1 for size in task["kernel"] + task["stride"])
    return sizes if is_product else (*sizes, task["name"])


def draw_from(make, count, seed, known):
    """`count` tasks to train on that `make` makes of a source of randomness; none has a known shape."""
    source, tasks = random.Random(seed), []
    while len(tasks) < count:
        task = make(source)
        if not task or not MIN_FLOPS <= networks.flops(task) <= MAX_FLOPS or shape(task) in known:
            continue
        known.add(shape(task))
        tasks.append(task | {"flops": networks.flops(task), "networks": {}, "split": "train",
                             "published": "train"})
    return tasks


def draw(count, seed=1):
    """`count` tasks to train on; none has the shape of a network's. Equal arguments, equal tasks."""
    known = {shape(task) for task in networks.all_tasks()}
    return draw_from(lambda source: (product if source.random() < 0.25 else convolution)(source),
                     count, seed, known)


def draw_windows(count, seed=1):
    """The same of depthwise convolutions and, one in five, convolutions of pictures."""
    known = {shape(task) for task in networks.all_tasks() + networks.depthwise_tasks()}
    return draw_from(lambda source: (first_layer if source.random() < 0.2 else depthwise)(source),
                     count, seed, known)


def with_judges(tasks):
    """The same tasks, of which each fourth one is held out."""
    return [task | {"split": "holdout" if number % 4 == 3 else "train"} for number, task in enumerate(tasks)]


def draw_aligned(count, seed=1):
    """Depthwise convolutions whose channels are a power of two. A quarter of them is held out."""
    known = {shape(task) for task in networks.all_tasks() + networks.depthwise_tasks()}
    return with_judges(draw_from(lambda source: depthwise(source, is_aligned=True), count, seed, known))


def draw_few_rows(count, seed=1):
    """Products of 1 to 16 rows with large weights, whose shape no network of the table has. A quarter of them is held
    out."""
    known = {shape(task) for task in networks.all_tasks()}
    weights = {(task["filters"], task["channels"]) for task in networks.all_tasks()}

    def unknown(source):
        task = few_rows(source)
        return None if (task["filters"], task["channels"]) in weights else task
    return with_judges(draw_from(unknown, count, seed, known))
