"""The tasks of the race: products of BERT, and convolutions of ResNet-50 and MobileNet-V2, all held out.

Their filters are multiples of 16, as TVM's instruction needs.
"""
from ucmoh import networks

NAMES = [
    "matmul_128x768x768", "conv2d_1x14x14x1024_256x1x1_s1_p0", "conv2d_1x14x14x256_256x3x3_s1_p1",
    "conv2d_1x14x14x96_576x1x1_s1_p0", "matmul_128x128x512", "conv2d_1x56x56x64_256x1x1_s1_p0",
    "conv2d_1x28x28x128_128x3x3_s1_p1", "matmul_128x3072x768", "conv2d_1x7x7x320_1280x1x1_s1_p0",
    "conv2d_1x28x28x512_128x1x1_s1_p0", "conv2d_1x56x56x64_64x3x3_s1_p1", "matmul_128x768x3072",
    "conv2d_1x7x7x512_2048x1x1_s1_p0", "conv2d_1x28x28x32_192x1x1_s1_p0", "matmul_128x128x128",
    "conv2d_1x7x7x512_512x3x3_s1_p1",
]


def tasks():
    """The tasks by name, in the order of NAMES."""
    every = {task["name"]: task for task in networks.all_tasks()}
    return {name: every[name] for name in NAMES}
