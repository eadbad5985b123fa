"""Operators of PyTorch and torchvision that torch-mlir lacks, refuses or computes wrongly, against PyTorch."""
import functools
import unittest

import needs
import ucmoh

try:
    import torch
    import torch_mlir  # noqa: F401
    import torchvision
    from torch import nn
except ImportError as error:
    raise unittest.SkipTest("this needs torch, torchvision and torch-mlir: scripts/setup.sh --python installs them") from error

needs.need_tool("ucmoh-compile")


class Function(nn.Module):
    """Results of a function, which may have modules of its own."""

    def __init__(self, function, *modules):
        super().__init__()
        self.function, self.modules_ = function, nn.ModuleList(modules)

    def forward(self, *tensors):
        return self.function(*self.modules_, *tensors)


class OperatorsTest(needs.FolderCase):
    def setUp(self):
        super().setUp()
        torch.manual_seed(0)

    def check(self, function, *tensors, modules=(), calls=()):
        """Compares all results, also those of other `calls` of the same compiled function."""
        module = Function(function, *modules).eval()
        args = tensors
        if calls:
            count = torch.export.Dim("count", min=1, max=50)
            module = torch.export.export(module, tensors, dynamic_shapes=((*({0: count} for _ in tensors),),))
        fast = ucmoh.compile(module, args)
        plain = Function(function, *modules).eval()
        for inputs in (tensors, *calls):
            with torch.no_grad():
                wanted = plain(*inputs)
            found = fast(*inputs)
            pairs = [(found, wanted)] if torch.is_tensor(wanted) else zip(found, wanted, strict=True)
            for value, other in pairs:
                torch.testing.assert_close(value, other, rtol=1e-4, atol=1e-5, equal_nan=True)

    def test_elements(self):
        x = torch.tensor([[-1.5, -0.0, 0.0, 2.0], [float("nan"), float("inf"), 0.25, -3.0]])
        y = torch.tensor([-0.0, 2.0, float("nan"), -1.0])
        self.check(lambda x, y: (torch.signbit(x), torch.copysign(x, y), torch.copysign(x, -2.0), torch.fmax(x, y),
                                 torch.fmin(x, y), torch.erfc(x), torch.isfinite(x), torch.angle(y)), x, y)

    def test_along_a_dim(self):
        x = torch.randint(-3, 3, (4, 5)).float()
        places = torch.randint(0, 4, (2, 5))
        self.check(lambda x, places: (*torch.cummax(x, 1), *torch.cummin(x, 0), torch.median(x), *torch.max(x.sum(), 0),
                                      torch.scatter(x, 0, places, x[:2], reduce="multiply"), torch.linalg.norm(x),
                                      torch.linalg.norm(x, "fro", dim=(0, 1)), torch.addmv(x[:, 0], x, x[0])), x, places)
        self.check(lambda x: (torch.logcumsumexp(x * 200, 1), torch.logcumsumexp(-x.sum(), 0)), x)
        self.check(lambda x: (torch.pdist(x), torch.cumprod(x[:, :0], 1), torch.cumsum(x[:0], 0)), torch.randn(4, 5))

    def test_bytes(self):
        u = torch.tensor([[3, 100, 127], [128, 200, 255]], dtype=torch.uint8)
        v = torch.tensor([[200, 3, 255], [128, 7, 1]], dtype=torch.uint8)
        self.check(lambda u, v: (u / 255.0, u + 1.5, u + v, u - v, -u, u // 2, u % 7, u > 150, u == v, u.sum(), u.amax(0),
                                 torch.mean(u, dtype=torch.float32), torch.maximum(u, v), torch.cat([u, v.float()]), *u.sort(1),
                                 torch.where(u > 150, u, 0), u.clamp(10, 200), u.byte() & 15, v.argmax(), u.float() * v), u, v)

    def test_bags_of_embeddings(self):
        numbers, begins = torch.tensor([1, 4, 0, 7, 0, 0, 3, 19, 5, 6, 2]), torch.tensor([0, 3, 5, 5, 9, 11])
        bag, weights = nn.functional.embedding_bag, torch.randn(11)
        self.check(lambda rows, numbers, begins, weights: (
            *(bag(numbers, rows, begins, mode=mode, padding_idx=padding) for mode in ("sum", "mean", "max") for padding in (None, 0)),
            bag(numbers, rows, begins, mode="sum", per_sample_weights=weights, padding_idx=0),
            bag(numbers, rows, begins, mode="mean", include_last_offset=True), bag(numbers.reshape(1, -1), rows, mode="max")),
            torch.randn(20, 8), numbers, begins, weights)

    def test_slices_that_are_joined(self):
        x, places, new = torch.randn(5, 3), torch.tensor([0, 2, 2]), torch.randn(5, 3)
        self.check(lambda x, places, new: [x.index_reduce(1, places, new, how, include_self=own)
                                           for how in ("prod", "mean", "amax", "amin") for own in (True, False)], x, places, new)

    def test_antialiased_images(self):
        resize = nn.functional.interpolate
        self.check(lambda x: [resize(x, size=size, mode=mode, antialias=True, align_corners=aligned)
                              for mode in ("bilinear", "bicubic") for size in ((5, 4), (12, 20)) for aligned in (True, False)],
                   torch.randn(1, 2, 7, 9))

    def test_images_without_a_batch(self):
        ops = nn.functional
        self.check(lambda x, y: (*ops.max_pool2d(x, 3, 2, 1, return_indices=True), ops.avg_pool2d(x, 3, 1, 1), ops.avg_pool1d(x[0], 3),
                                 ops.max_pool1d(x[0], 3), ops.max_pool3d(y, 2), ops.avg_pool3d(y, 2), ops.adaptive_avg_pool2d(x, 4),
                                 ops.adaptive_max_pool2d(x, 4), ops.lp_pool2d(x, 2, 2)), torch.randn(4, 12, 12), torch.randn(2, 8, 8, 8))

    def test_windows_larger_than_the_image(self):
        x = torch.randn(2, 3, 7, 6)
        for pool in (nn.AvgPool2d(2048, ceil_mode=True), nn.AvgPool2d((2048, 2), padding=1, ceil_mode=True, count_include_pad=False),
                     nn.MaxPool2d((2048, 2), ceil_mode=True, return_indices=True)):
            self.check(lambda pool, x: pool(x), x, modules=[pool])
        self.check(lambda pool, x: pool(x), torch.randn(2, 3, 7), modules=[nn.AvgPool1d(2048, ceil_mode=True)])

    def test_sums_of_narrow_floats(self):
        """They are those of 32 bits, rounded: sums of 8 bits stay where they are at 256 times an addend."""
        def sums(rows, pixels, query, norm, groups):
            attention = nn.functional.scaled_dot_product_attention(query * 0.1, query, query.abs())
            return (rows.sum(1), rows.sum(1, dtype=torch.bfloat16), rows.mean(), rows.var(1), rows.cumsum(1)[:, -1], torch.linalg.vector_norm(rows, dim=1), norm(rows),
                    pixels.mean((2, 3)), nn.functional.avg_pool2d(pixels, 28), groups(pixels), attention)

        for kind in (torch.bfloat16, torch.float16):
            tensors = [torch.rand(4, 2048), torch.rand(2, 8, 28, 28), torch.rand(1, 2, 600, 16)]
            modules = (nn.RMSNorm(2048), nn.GroupNorm(4, 8))
            module = Function(lambda norm, groups, *tensors: sums(*tensors, norm, groups), *modules).eval()
            with torch.no_grad():
                wanted = module(*(tensor.to(kind).float() for tensor in tensors))
            narrow = [tensor.to(kind) for tensor in tensors]
            for value, other in zip(ucmoh.compile(module.to(kind), narrow)(*narrow), wanted, strict=True):
                self.assertLess((value.float() - other).abs().max() / other.abs().max(), 0.02)

    def test_as_many_places_as_there_are(self):
        self.check(lambda x: x[torch.nonzero(x[:, 0] > 0)[:, 0]].sum(0), torch.randn(5, 4))

    def test_numbers_of_weights(self):
        places = torch.arange(4)
        self.check(lambda x: x[:, :4] * places.max().item() + torch.arange(places.max().item() + 1), torch.randn(3, 8))

    def test_elements_in_any_order(self):
        self.check(lambda x: x.topk(3, dim=-1, sorted=False)[0].sum(-1), torch.randn(4, 8))

    def test_order_of_equal_elements(self):
        x = torch.randint(0, 3, (2, 50)).float()
        self.check(lambda x: (*torch.sort(x, dim=1, stable=True), *torch.sort(x, dim=1, descending=True, stable=True)), x)

    def test_heads_that_share_keys(self):
        attend = functools.partial(nn.functional.scaled_dot_product_attention, enable_gqa=True)
        for batch in ((), (2,)):
            self.check(attend, torch.randn(*batch, 4, 5, 8), torch.randn(*batch, 2, 6, 8), torch.randn(*batch, 2, 6, 8))

    def test_arithmetic_on_extents(self):
        """Extremes that what is promised decides, and others."""
        self.check(lambda x: (x * torch.sym_max(x.shape[0], 20), x - torch.sym_min(x.shape[0], 9), x + torch.sym_sum([x.shape[0], 3]),
                              x[:, torch.sym_max(1 - x.shape[0], 0):] + 1), torch.randn(7, 3), calls=[(torch.randn(9, 3),), (torch.randn(25, 3),)])

    def test_transposed_convolutions_channel_by_channel(self):
        lines = nn.ConvTranspose1d(4, 4, 3, stride=2, padding=1, output_padding=1, groups=4)
        images = nn.ConvTranspose2d(4, 4, (4, 3), stride=(2, 1), padding=(1, 0), dilation=(1, 2), groups=4, bias=False)
        volumes = nn.ConvTranspose3d(2, 2, (1, 2, 3), stride=(1, 3, 2), output_padding=(0, 2, 1), groups=2)
        self.check(lambda lines, x: lines(x), torch.randn(2, 4, 7), modules=[lines], calls=[(torch.randn(5, 4, 7),)])
        self.check(lambda images, x: images(x), torch.randn(2, 4, 5, 6), modules=[images])
        self.check(lambda volumes, x: volumes(x), torch.randn(1, 2, 3, 2, 4), modules=[volumes])

    def test_places_between_pixels(self):
        volume, grid = torch.randn(2, 3, 4, 5, 6), torch.randn(2, 2, 3, 2, 3)
        sample = nn.functional.grid_sample
        self.check(lambda x, grid: [sample(x, grid, mode, padding, align_corners=aligned)
                                    for mode, padding, aligned in (("bilinear", "zeros", False), ("nearest", "border", True),
                                                                   ("bilinear", "reflection", True))], volume, grid)
        product = torchvision.ops.DeformConv2d(8, 4, 3, padding=1, groups=2)
        self.check(lambda product, x, offset, mask: product(x, offset, mask), torch.randn(2, 8, 5, 6),
                   torch.randn(2, 36, 5, 6), torch.rand(2, 18, 5, 6), modules=[product])
        boxes = torch.tensor([[0, 0, 0, 5, 5], [1, -3, -4, 8, 20], [1, 2.3, 1.1, 2.5, 1.4]])
        self.check(lambda x, boxes: (torchvision.ops.roi_align(x, boxes, (3, 4), sampling_ratio=2),
                                     torchvision.ops.roi_align(x, boxes, 2, 0.5, 2, aligned=True)),
                   torch.randn(2, 8, 9, 11), boxes)

    def test_pooled_images_of_any_count(self):
        self.check(lambda x: nn.functional.adaptive_avg_pool2d(x.to(memory_format=torch.channels_last), 1) * 2,
                   torch.randn(3, 4, 5, 5), calls=[(torch.randn(7, 4, 5, 5),)])

    def test_what_stays_refused(self):
        boxes = torch.tensor([[0, 0, 0, 5, 5.0]])
        for function, tensors, said in (
                (lambda x, boxes: torchvision.ops.roi_align(x, boxes, 2), (torch.randn(1, 2, 9, 9), boxes), "sampling_ratio"),
                (lambda x: x.sum().item(), (torch.randn(3),), "returns the number"),
                (lambda x: torch.linalg.svdvals(x), (torch.randn(3, 3),), "svd")):
            with self.assertRaisesRegex(ucmoh.CompileError, said):
                ucmoh.compile(Function(function).eval(), tensors)


if __name__ == "__main__":
    unittest.main()
