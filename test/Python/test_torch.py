"""Modules of PyTorch: compiled as a whole, and by torch.compile."""
import collections
import unittest
import warnings
from unittest import mock

import needs
import pages
import ucmoh
from ucmoh import lowering, torch_import

try:
    import torch
    import torch_mlir  # noqa: F401
    from torch import nn
except ImportError as error:
    raise unittest.SkipTest("this needs torch and torch-mlir: scripts/setup.sh --python installs them") from error

needs.need_tool("ucmoh-compile")

torch.manual_seed(0)
Pair = collections.namedtuple("Pair", "first second")


class Nested(nn.Module):
    """Arguments by keyword, nested results, a constant among them."""

    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(8, 4)

    def forward(self, x, scale=None, flag=True):
        y = self.linear(x)
        return {"y": y if scale is None else y * scale, "pair": Pair(y.relu(), None), "flag": flag}


class Attention(nn.Module):
    """Attention as PyTorch has it, with masks of all kinds."""

    def __init__(self, causal=False, grouped=False):
        super().__init__()
        self.causal, self.grouped = causal, grouped

    def forward(self, query, key, value, mask=None):
        return nn.functional.scaled_dot_product_attention(query, key, value, attn_mask=mask, is_causal=self.causal,
                                                          enable_gqa=self.grouped)


class Unsupported(nn.Module):
    """An op that torch-mlir does not take, between others."""

    def __init__(self):
        super().__init__()
        self.before, self.odd = nn.Linear(4, 4), Odd()

    def forward(self, x):
        return self.odd(self.before(x))


LENGTH = {0: torch.export.Dim("length", min=2, max=150)}


class Block(nn.Module):
    """Attention and a layer, on rows of any number."""

    def __init__(self):
        super().__init__()
        self.project, self.out = nn.Linear(32, 96), nn.Linear(32, 32)

    def forward(self, x, y):
        query, key, value = (part.view(-1, 4, 8).transpose(0, 1) for part in self.project(x).chunk(3, -1))
        weights = torch.softmax(query @ key.transpose(1, 2), -1)
        return nn.functional.gelu(self.out((weights @ value).transpose(0, 1).reshape(-1, 32)) + y)


class Function(nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, x):
        return self.function(x)


class Odd(nn.Module):
    def forward(self, x):
        return torch.special.bessel_j0(x)


class Branch(nn.Module):
    """A module whose computation depends on a value."""

    def forward(self, x):
        return x if x.sum() > 0 else -x


class Quantized(nn.Module):
    """A type that torch-mlir does not know."""

    def __init__(self):
        super().__init__()
        self.step = Step()

    def forward(self, x):
        return self.step(x)


class Step(nn.Module):
    def forward(self, x):
        return torch.quantize_per_tensor(x, 0.1, 0, torch.qint8).dequantize()


class Nothing(nn.Module):
    def forward(self, x):
        return None


class Counter(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("calls", torch.zeros(()))

    def forward(self, x):
        self.calls += 1
        return x + self.calls


class Unmixed(nn.Module):
    """Multiplies by the inverse of its weights."""

    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(4, 4) + 4 * torch.eye(4))

    def forward(self, x):
        return x @ torch.inverse(self.weight)


class Rescaled(nn.Module):
    """Changes a weight in its first call, as RWKV does."""

    def __init__(self):
        super().__init__()
        self.weight, self.is_rescaled = nn.Parameter(torch.ones(4)), False

    def forward(self, x):
        if not self.is_rescaled:
            with torch.no_grad():
                self.weight.div_(2)
            self.is_rescaled = True
        return x * self.weight


def small_network():
    network = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2),
                            nn.Conv2d(8, 8, 3, groups=8), nn.BatchNorm2d(8), nn.Flatten(), nn.Linear(72, 10)).eval()
    for norm in (network[1], network[5]):
        norm.running_mean.uniform_(-1, 1)
        norm.running_var.uniform_(0.5, 2)
    return network


class Case(needs.FolderCase):
    def setUp(self):
        super().setUp()
        grad = torch.no_grad()
        grad.__enter__()
        self.addCleanup(grad.__exit__, None, None, None)

    def check(self, module, *args, **kwargs):
        fast = ucmoh.compile(module.eval(), args, kwargs)
        torch.testing.assert_close(fast(*args, **kwargs), module(*args, **kwargs), rtol=1e-4, atol=1e-5)
        return fast


class CompileTest(Case):
    def test_a_small_network(self):
        fast = self.check(small_network(), torch.randn(2, 3, 10, 10))
        self.assertEqual(len([row for row in fast.explain() if row["workload"].startswith("conv")]), 2)

    def test_nested_arguments_and_results(self):
        x, scale = torch.randn(2, 8), torch.randn(4)
        fast = self.check(Nested(), x, scale=scale)
        found = fast(x, scale=scale)
        self.assertEqual((type(found["pair"]), found["pair"].second, found["flag"]), (Pair, None, True))
        fast = ucmoh.compile(Nested().eval(), {"x": x, "scale": scale})
        self.assertEqual(fast(scale=scale, x=x)["y"].shape, (2, 4))
        with self.assertRaisesRegex(ucmoh.ArgumentError, "compiled for 0 arguments by position and scale, x by keyword, and "
                                    "was called with 1 argument by position$"):
            fast(x)

    def test_a_constant_argument_cannot_change(self):
        fast = self.check(Nested(), torch.randn(2, 8), flag=False)
        with self.assertRaisesRegex(ucmoh.ArgumentError, "was False when the model was compiled"):
            fast(torch.randn(2, 8), flag=True)

    def test_attention(self):
        query, key, value = (torch.randn(1, 4, 6, 8) for _ in range(3))
        self.check(Attention(), query, key, value)
        self.check(Attention(causal=True), query, key, value)
        self.check(Attention(), query, key, value, torch.randn(6, 6))
        mask = torch.ones(6, 6, dtype=torch.bool).tril()
        self.check(Attention(), query, key, value, mask)
        self.check(Attention(grouped=True), query, key[:, :2].contiguous(), value[:, :2].contiguous())

    def test_integers_and_booleans(self):
        class Choose(nn.Module):
            def __init__(self):
                super().__init__()
                self.table = nn.Embedding(10, 4)

            def forward(self, index, mask):
                return torch.where(mask[:, None], self.table(index), 0.0), mask.logical_not(), index + 1

        self.check(Choose(), torch.tensor([1, 5, 9]), torch.tensor([True, False, True]))

    def test_what_is_taken_apart(self):
        class Statistics(nn.Module):
            def __init__(self):
                super().__init__()
                self.layer, self.group, self.each = nn.LayerNorm(6), nn.GroupNorm(2, 4), nn.GroupNorm(4, 4)

            def forward(self, x):
                return (self.layer(x), self.group(x), self.each(x), x.histc(5, -1, 1), x.var(-1), x.var((0, 2), unbiased=False, keepdim=True),
                        x.softmax(1), x.cumsum(1), (x > 0).cumsum(-1), nn.functional.pad(x, (-1, 2, 0, -1)))

        self.check(Statistics(), torch.randn(3, 4, 6))

    def test_precision_of_functions(self):
        """All are as near to the truth as f32 allows, and not only near to each other."""
        class Functions(nn.Module):
            def forward(self, x):
                return (nn.functional.gelu(x, approximate="tanh"), nn.functional.gelu(x), torch.tanh(x), torch.sigmoid(x),
                        torch.erf(x), torch.sin(x), torch.cos(x), torch.exp(-x.abs()), torch.log1p(x.abs()),
                        torch.rsqrt(x.abs() + 0.01))

        x = torch.linspace(-12, 12, 4001)
        for found, precise in zip(ucmoh.compile(Functions().eval(), x)(x), Functions()(x.double())):
            torch.testing.assert_close(found.double(), precise, rtol=0, atol=3e-7 * precise.abs().max().item())

    def test_extremes_of_scalars(self):
        self.check(Function(lambda x: (x.sum().amax(0), x.mean().amin(), x.mean().logsumexp(0))), torch.randn(3, 17))

    def test_inverse_of_weights(self):
        self.check(Unmixed(), torch.randn(2, 4))

    def test_borders_of_transposed_convolutions(self):
        class Upsample(nn.Module):
            def __init__(self):
                super().__init__()
                self.filters = nn.Parameter(torch.randn(8, 2, 4))

            def forward(self, x):
                return nn.functional.conv_transpose1d(nn.functional.pad(x, (2, 1)), self.filters, stride=2, padding=1)

        self.check(Upsample(), torch.randn(1, 8, 5))

    def test_complex_numbers(self):
        class Rotary(nn.Module):
            def __init__(self):
                super().__init__()
                self.register_buffer("turns", torch.polar(torch.ones(8, 4), torch.randn(8, 4)))

            def forward(self, x, y):
                pairs = torch.view_as_complex(x.reshape(2, 8, 4, 2)) * self.turns
                z = torch.complex(x, y)
                scores = z @ z.conj().transpose(1, 2)
                return (torch.view_as_real(pairs).flatten(-2), scores.real, scores.imag, (z / (z + 4)).abs(),
                        (z - 2 * x).angle(), torch.cat([z, z], 1).sum(1).real,
                        torch.view_as_real(nn.functional.pad(z, (1, 0), value=2)))

        self.check(Rotary(), torch.randn(2, 8, 8), torch.rand(2, 8, 8))

    def test_fourier_transforms(self):
        class Spectra(nn.Module):
            def forward(self, x):
                fft = torch.fft
                window = torch.hann_window(8)
                frames = torch.stft(x[0], 8, 2, window=window, return_complex=True)
                return (fft.fftn(x, dim=(1, 2)).real, fft.irfft2(fft.rfft2(x, norm="ortho") * 2, s=x.shape[-2:], norm="ortho"),
                        fft.irfft(fft.rfft(x, n=20), n=15), torch.view_as_real(fft.ifft(fft.fft(x, dim=0, norm="forward"))),
                        frames.abs(), frames.sqrt().abs(), fft.fftshift(fft.fft(x)).imag, fft.ifftshift(fft.fft(x), dim=-1).real,
                        fft.irfft(torch.where(x[..., :9] > 0, fft.rfft(x, n=16), 0).masked_fill(x[..., 1:10] > 1, 2)),
                        torch.istft(frames * 2, 8, 2, window=window, length=20),
                        torch.istft(frames[0], 8, 2, center=False))

        self.check(Spectra(), torch.randn(3, 10, 17))
        for function, refusal in ((torch.fft.fft, "returns complex numbers"), (lambda x: torch.fft.fft(x).tan().real, "aten.tan")):
            with self.assertRaisesRegex(ucmoh.CompileError, refusal):
                ucmoh.compile(Function(function).eval(), torch.randn(3, 4), keep=False)

    def test_operators_on_spectra(self):
        """A spectrum of which only the lowest frequencies are kept, each times a matrix of its own."""
        class Operator(nn.Module):
            def __init__(self, kept=5):
                super().__init__()
                self.kept = kept
                self.weights = nn.Parameter(torch.randn(4, 6, kept, kept, dtype=torch.cfloat))

            def forward(self, x):
                spectrum = torch.fft.rfft2(x)
                made = torch.zeros(x.shape[0], 6, *spectrum.shape[2:], dtype=torch.cfloat)
                made[:, :, -self.kept:, :self.kept] = torch.einsum("bixy,ioxy->boxy", spectrum[:, :, :self.kept, :self.kept],
                                                                   self.weights)
                made[:, 0] = torch.full_like(made[:, 0], 2 + 3j)
                return torch.fft.irfft2(made, s=x.shape[-2:])

        self.check(Operator(), torch.randn(2, 4, 16, 18))

    def test_recurrent_layers(self):
        """Loops, however many steps they have."""
        for make, options in ((nn.LSTM, {"num_layers": 2, "bidirectional": True}), (nn.LSTM, {"batch_first": True, "bias": False}),
                              (nn.GRU, {"bidirectional": True}), (nn.GRU, {"batch_first": True}), (nn.RNN, {}),
                              (nn.RNN, {"nonlinearity": "relu", "bias": False}), (nn.LSTM, {"proj_size": 3})):
            with self.subTest(make.__name__, **options):
                steps = 2 if "proj_size" in options else 40  # these are written out
                self.check(make(6, 8, **options), torch.randn(*((3, steps) if options.get("batch_first") else (steps, 3)), 6))
        lstm, state = nn.LSTM(6, 8), (torch.randn(1, 2, 8), torch.randn(1, 2, 8))
        self.check(lstm, torch.randn(50, 2, 6), state)
        self.check(Function(lambda x: x + lstm(torch.ones(5, 1, 6))[0]), torch.randn(5, 1, 8))  # steps depend on constants alone

    def test_what_torch_mlir_lacks(self):
        class Others(nn.Module):
            def forward(self, x, i):
                order = x.sort(-1)[0]
                small = nn.functional.interpolate(x[None, None], size=(3, 2), mode="bilinear", antialias=True)
                return (torch.searchsorted(order, x), torch.searchsorted(order[0], x, right=True), x.kthvalue(2, 0), x.median(1),
                        torch.cdist(x, x + 1), torch.cdist(x.repeat(7, 1), x, p=1), torch.hypot(x, x + 1), torch.fmod(x, 0.7),
                        torch.fmod(i, 3), (i & 3) | (i ^ 5), small)

        self.check(Others(), torch.randn(5, 4), torch.arange(-6, 6))
        self.check(Function(lambda x: torch.cdist(x, 2 * x)), torch.randn(2, 40, 6))
        for groups, options in ((8, {"padding": 1}), (2, {"stride": (2, 1, 2), "dilation": (1, 2, 1), "bias": False})):
            self.check(nn.Conv3d(8, 8, 3, groups=groups, **options), torch.randn(2, 8, 6, 7, 5))

    def test_weights_in_parts(self):
        class Parts(nn.Module):
            def __init__(self):
                super().__init__()
                self.table = nn.Parameter(torch.randn(4, 6))

            def forward(self, x):
                first, second = self.table.split([2, 4], dim=1)
                return x @ first, x @ second.abs()

        self.check(Parts(), torch.randn(3, 4))

    def test_experts(self):
        """Groups of rows have a matrix each, and some groups have no row. What is behind the last group is zero."""
        class Experts(nn.Module):
            def __init__(self, dtype):
                super().__init__()
                self.weights = nn.Parameter(torch.randn(4, 32, 16).to(dtype))

            def forward(self, x, ends):
                return nn.functional.grouped_mm(x, self.weights.transpose(1, 2), offs=ends)

        for dtype in (torch.float32, torch.bfloat16):
            experts, x, ends = Experts(dtype).eval(), torch.randn(40, 16).to(dtype), torch.tensor([7, 7, 39, 40], dtype=torch.int32)
            fast = ucmoh.compile(experts, (x, ends))
            torch.testing.assert_close(fast(x, ends), experts(x, ends), rtol=1e-2, atol=1e-4)
            ends = torch.tensor([0, 40, -5, 1000], dtype=torch.int32)  # the last two are no ends
            expected = x.float() @ experts.weights[1].float().t()
            torch.testing.assert_close(fast(x, ends).float(), expected, rtol=1e-2, atol=1e-2)

    def test_what_takes_elements_in_turn(self):
        """These are loops, since linalg lacks them."""
        class InTurn(nn.Module):
            def forward(self, x, places):
                sums = torch.zeros(5, 6).index_add(0, places, x[0])
                most, which = x.topk(3, dim=1)
                return (sums, most, which, x.sort(-1)[0], x.cumsum(1), x.scatter_add(1, which, most), x.scatter(-2, which, 1.0),
                        x.scatter(-2, which, most), x.scatter_reduce(-2, which, most, "amax"))

        self.check(InTurn(), torch.randn(3, 4, 6), torch.tensor([1, 4, 1, 0]))

    def test_places_of_extremes(self):
        class Extremes(nn.Module):
            def forward(self, x):
                return *x.max(1), *x.min(-1, keepdim=True), x.argmax(), x.argmin(0), x.argmax(-1, keepdim=True)

        self.check(Extremes(), torch.randn(3, 7, 20).mul(3).round())

    def test_places_outside_of_a_tensor(self):
        """PyTorch refuses them. Compiled code writes nothing there."""
        class Added(nn.Module):
            def forward(self, sums, places, x):
                return sums.index_add(0, places, x)

        arguments = torch.zeros(4, 5), torch.tensor([0, 2, 2]), torch.ones(3, 5)
        fast = ucmoh.compile(Added().eval(), arguments)
        result = fast(arguments[0], torch.tensor([1, 400000, -3]), arguments[2])
        self.assertEqual(result.sum(1).tolist(), [0, 5, 0, 0])

    def test_results_that_are_arguments_or_weights(self):
        class Same(nn.Module):
            def __init__(self):
                super().__init__()
                self.table = nn.Embedding(10, 4)
                self.out = nn.Linear(4, 10)
                self.out.weight = self.table.weight

            def forward(self, index, scale):
                y = self.out(self.table(index)) * scale
                return y, y, index, self.table.weight, self.table.weight * 2

        fast = self.check(Same(), torch.tensor([1, 5, 9]), torch.tensor(3.0))
        self.assertEqual(fast(torch.tensor([0, 0, 0]), torch.tensor(1.0))[2].tolist(), [0, 0, 0])

    def test_narrow_floats(self):
        for dtype in (torch.bfloat16, torch.float16):
            module, x = nn.Sequential(nn.Linear(32, 32), nn.GELU()).eval().to(dtype), torch.randn(4, 32, dtype=dtype)
            found = ucmoh.compile(module, x)(x)
            self.assertEqual(found.dtype, dtype)
            torch.testing.assert_close(found, module(x), rtol=2e-2, atol=2e-2)

    def test_weights_of_four_bits(self):
        class Groups(nn.Module):
            def __init__(self):
                super().__init__()
                self.register_buffer("integers", torch.randint(0, 256, (48, 32), dtype=torch.uint8))
                self.register_buffer("scales", torch.rand(48, 2) + 0.1)

            def forward(self, x):
                integers = torch.stack([self.integers & 15, self.integers >> 4], -1).view(48, 2, 32).to(torch.int8) - 8
                weight = (integers.to(x.dtype) * self.scales[..., None]).view(48, 64)
                return nn.functional.linear(x, weight)

        module, x = Groups().eval(), torch.rand(3, 64)
        compiled = ucmoh.compile(module, (x,))
        torch.testing.assert_close(compiled(x), module(x), rtol=1e-4, atol=1e-4)
        text = torch_import.import_module(module, (x,)).text
        self.assertIn("xi8> {ucmoh.weight, ucmoh.range = array<i64: -8, 7>}", text)

    def test_quantized_by_pytorch(self):
        import torch.ao.quantization.fx._decomposed  # registers the ops
        ops = torch.ops.quantized_decomposed

        class Linear(nn.Module):
            """What PT2E makes of a linear layer: on each call a scale and a zero point of the rows, or known ones."""

            def __init__(self, is_dynamic):
                super().__init__()
                self.register_buffer("weight", torch.randint(-128, 128, (48, 64), dtype=torch.int8))
                self.register_buffer("scales", torch.rand(48, dtype=torch.float64) + 0.1)
                self.register_buffer("zeros", torch.zeros(48, dtype=torch.int64))
                self.is_dynamic = is_dynamic

            def rows(self, x):
                if not self.is_dynamic:
                    known = (0.02, 100, 0, 255, torch.uint8)
                    return ops.dequantize_per_tensor(ops.quantize_per_tensor(x, *known), *known)
                scale, zero = ops.choose_qparams.tensor(x, 0, 255, 2e-4, torch.uint8)
                found = (scale, zero, 0, 255, torch.uint8)
                return ops.dequantize_per_tensor.tensor(ops.quantize_per_tensor.tensor(x, *found), *found)

            def forward(self, x):
                weight = ops.dequantize_per_channel(self.weight, self.scales, self.zeros, 0, -128, 127, torch.int8)
                return nn.functional.linear(self.rows(x), weight)

        for is_dynamic in (False, True):
            module, x = Linear(is_dynamic).eval(), torch.rand(16, 64) * 5 - 2
            compiled = ucmoh.compile(module, (x,))
            self.assertIn("u8s8s32", compiled.explain()[0]["workload"])
            torch.testing.assert_close(compiled(x), module(x), rtol=1e-4, atol=1e-2)

    def test_quantized_tokens(self):
        import torch.ao.quantization.fx._decomposed  # registers the ops
        ops = torch.ops.quantized_decomposed

        class Tokens(nn.Module):
            def forward(self, x):
                results = []
                for choose in (ops.choose_qparams_per_token, ops.choose_qparams_per_token_asymmetric):
                    found = (*choose(x, torch.int8), -128, 127, torch.int8)
                    results.append(ops.dequantize_per_token(ops.quantize_per_token(x, *found), *found, torch.float32))
                scale, zero = ops.choose_qparams_symmetric.tensor(x, -128, 127, 2e-4, torch.int8)
                results.append(ops.quantize_per_tensor.tensor(x, scale, zero, -128, 127, torch.int8))
                return results

        x = torch.rand(2, 3, 64) * 5 - 2
        for found, expected in zip(ucmoh.compile(Tokens().eval(), (x,))(x), Tokens()(x)):
            torch.testing.assert_close(found, expected, rtol=1e-5, atol=1e-5)

    def test_several_threads(self):
        module, x = nn.Linear(64, 64).eval(), torch.randn(64, 64)
        with ucmoh.threads(2):
            fast = ucmoh.compile(module, x)
        torch.testing.assert_close(fast(x), module(x), rtol=1e-4, atol=1e-5)

    def test_threads_share_heads_of_any_length(self):
        class Heads(nn.Module):
            def forward(self, q, k, v):
                return torch.softmax(q @ k.transpose(1, 2), -1) @ v

        def inputs(length):
            return tuple(torch.randn(3, length, 32) for _ in range(3))

        length = {1: torch.export.Dim("length", min=2, max=300)}
        program = torch.export.export(Heads(), inputs(7), dynamic_shapes=(length, length, length))
        with ucmoh.threads(2):
            fast = ucmoh.compile(program)
        for extent in (2, 33, 128, 300):
            x = inputs(extent)
            torch.testing.assert_close(fast(*x), Heads()(*x), rtol=1e-4, atol=1e-4)

    def test_arrays_beside_tensors(self):
        class Sum(nn.Module):
            def forward(self, x, y):
                return x + y

        x, y = torch.randn(2, 4), torch.randn(2, 4)
        fast = ucmoh.compile(Sum().eval(), (x, y))
        torch.testing.assert_close(fast(x, y.numpy()), x + y)
        self.assertEqual(fast(x.numpy(), y).tolist(), (x + y).tolist())

    def test_what_is_not_contiguous_is_copied(self):
        network, x = small_network(), torch.randn(1, 3, 10, 10).to(memory_format=torch.channels_last)
        torch.testing.assert_close(ucmoh.compile(network, x)(x), network(x), rtol=1e-4, atol=1e-5)

    def test_an_exported_program(self):
        module, x = nn.Linear(8, 4).eval(), torch.randn(2, 8)
        torch.testing.assert_close(ucmoh.compile(torch.export.export(module, (x,)))(x), module(x))

    def test_any_length(self):
        module = Block().eval()
        program = torch.export.export(module, (torch.randn(7, 32), torch.randn(7, 32)), dynamic_shapes=(LENGTH, LENGTH))
        fast = ucmoh.compile(program)
        self.assertTrue(all(row["choice"] for row in fast.explain()))
        fast.save(self.folder / "block")
        for length in (2, 3, 29, 128, 150):
            x, y = torch.randn(length, 32), torch.randn(length, 32)
            for each in (fast, ucmoh.load(self.folder / "block")):
                torch.testing.assert_close(each(x, y), module(x, y), rtol=1e-4, atol=1e-5)
        for x, y, pattern in ((151, 151, "the model was compiled for 2 to 150"), (0, 0, "is 0, and"),
                              (5, 6, r"must be float32\[5, 32\], not float32\[6, 32\]")):
            with self.assertRaisesRegex(ucmoh.ArgumentError, pattern):
                fast(torch.randn(x, 32), torch.randn(y, 32))

    def test_unsigned_bytes(self):
        class Bytes(nn.Module):
            def forward(self, x):
                return x.to(torch.uint8), (x + 1).to(torch.int32), (x / 2 - 60).to(torch.int8)

        self.check(Bytes(), torch.arange(0, 255, dtype=torch.float32).reshape(5, 51))

    def test_causal_attention_of_any_length(self):
        words = {2: torch.export.Dim("words", min=2, max=150)}
        query, key, value = (torch.randn(1, 4, 7, 16) for _ in range(3))
        fast = ucmoh.compile(torch.export.export(Attention(causal=True), (query, key, value), dynamic_shapes=[words] * 3))
        for length in (2, 7, 33, 150):
            arguments = [torch.randn(1, 4, length, 16) for _ in range(3)]
            torch.testing.assert_close(fast(*arguments), Attention(causal=True)(*arguments), rtol=1e-4, atol=1e-5)

    def test_products_of_any_batch(self):
        class Products(nn.Module):
            def forward(self, x, y):
                return x @ y, y.transpose(2, 3) @ x.transpose(1, 2)

        open_batch, x, y = {0: torch.export.Dim("batch", min=2, max=9)}, torch.randn(3, 4, 5), torch.randn(3, 1, 5, 5)
        fast = ucmoh.compile(torch.export.export(Products(), (x, y), dynamic_shapes=(open_batch, open_batch)))
        for batch in (2, 3, 9):
            x, y = torch.randn(batch, 5, 5), torch.randn(batch, 1, 5, 5)
            with self.assertRaises(ucmoh.ArgumentError):
                fast(x, y)
            torch.testing.assert_close(fast(x[:, :4], y), Products()(x[:, :4], y), rtol=1e-4, atol=1e-5)

    def test_saved_and_loaded(self):
        class Keyed(nn.Module):
            def forward(self, x, y):
                return {"sum": x + y, "list": [x - y, None]}

        x, y = torch.randn(2, 8), torch.randn(2, 8)
        fast = self.check(Keyed(), x, y=y)
        fast.save(self.folder / "keyed")
        torch.testing.assert_close(ucmoh.load(self.folder / "keyed")(x, y=y), fast(x, y=y))
        with self.assertRaisesRegex(ucmoh.Error, "the structure of arguments and results cannot be saved: .*Pair"):
            self.check(Nested(), x).save(self.folder / "nested")
        self.assertEqual(sorted(file.name for file in self.folder.iterdir()), ["cache", "keyed"])


class ErrorTest(Case):
    def test_modules(self):
        x = torch.randn(2, 4)
        for module, pattern in ((nn.Linear(4, 4), "is in training mode"),
                                (Unsupported().eval(), r"module 'odd' \(Odd\), op .*bessel_j0.*torch-mlir cannot"),
                                (Branch().eval(), r"torch.export cannot take Branch: .*test_torch.py:\d+"),
                                (Quantized().eval(), r"module 'step' \(Step\), op .*quantize_per_tensor.*KeyError"),
                                (Function(lambda x: x[x > 0]).eval(), "aten.index.Tensor: the size of its result depends on the data"),
                                (Function(lambda x: torch.cond(x.sum() > 0, torch.abs, torch.neg, (x,))).eval(), "calls torch.cond"),
                                (Nothing().eval(), "Nothing returns no tensor"),
                                (Counter().eval(), "the model changes calls when it is called"),
                                (Rescaled().eval(), "changes weight when it is called.* call the model once")):
            with self.assertRaisesRegex(ucmoh.CompileError, pattern):
                ucmoh.compile(module, (x,))
        with self.assertRaisesRegex(ucmoh.CompileError, "weight is on meta, .* model.cpu"):
            ucmoh.compile(nn.Linear(4, 4, device="meta").eval(), x.to("meta"))
        with self.assertRaisesRegex(ucmoh.Error, "example inputs are needed"):
            ucmoh.compile(nn.Linear(4, 4).eval())
        with self.assertRaisesRegex(ucmoh.Error, "int cannot be compiled"):
            ucmoh.compile(1)

    def test_matrices(self):
        with self.assertRaisesRegex(ucmoh.CompileError, "op aten.linalg_inv_ex.default: torch-mlir cannot lower it"):
            ucmoh.compile(Function(torch.linalg.inv).eval(), torch.eye(4))

    def test_calls(self):
        fast = self.check(nn.Linear(4, 4), torch.randn(2, 4))
        with self.assertRaisesRegex(ucmoh.ArgumentError, "it is on meta, and compiled models run on the CPU"):
            fast(torch.empty(2, 4, device="meta"))
        with self.assertRaisesRegex(ucmoh.ArgumentError, r"must be float32\[2, 4\], not float16\[2, 4\]"):
            fast(torch.randn(2, 4).half())
        with self.assertRaisesRegex(ucmoh.ArgumentError, "it is sparse: pass value.to_dense"):
            fast(torch.randn(2, 4).to_sparse())
        with self.assertRaisesRegex(ucmoh.ArgumentError, "and is builtins.list: pass a NumPy array, a tensor"):
            fast([[1.0]])
        with self.assertRaisesRegex(ucmoh.ArgumentError, "1 argument by position, and was called with 0 .* y by keyword"):
            fast(y=torch.randn(2, 4))
        with torch.enable_grad(), self.assertRaisesRegex(ucmoh.ArgumentError, "call in torch.no_grad"):
            fast(torch.randn(2, 4, requires_grad=True))

    def test_a_missing_package(self):
        with mock.patch.dict("sys.modules", {"torch_mlir": None}):
            with self.assertRaisesRegex(ucmoh.MissingPackage, "pip install torch-mlir"):
                ucmoh.compile(nn.Linear(4, 4).eval(), torch.randn(2, 4))

    def test_memory_that_lowering_lacks(self):
        with mock.patch.object(lowering, "most_bytes", lambda: 100 << 20):
            with self.assertRaisesRegex(ucmoh.CompileError, "torch-mlir needs more than 0.1 GiB of memory"):
                lowering.run_pipeline("//" + "x" * (128 << 20), "canonicalize")
        with mock.patch.object(lowering.resource, "getrlimit", lambda what: (1 << 30, -1)):
            self.assertEqual(lowering.most_bytes(), 1 << 30)  # a limit of its own is not raised, which would be refused


class PageTest(Case):
    def test_what_the_page_says(self):
        try:
            import torchvision  # noqa: F401
        except ImportError:
            self.skipTest("this needs torchvision: scripts/setup.sh --python installs it")
        torch._dynamo.reset()
        if "ucmoh" not in torch._dynamo.list_backends():  # where the package is not installed
            torch._dynamo.register_backend(ucmoh.backend, "ucmoh")
        names = pages.run_python("pytorch.md", self.folder)
        torch.testing.assert_close(names["fast"](names["x"]), names["model"](names["x"]), rtol=1e-3, atol=1e-4)


class BackendTest(Case):
    def setUp(self):
        super().setUp()
        torch._dynamo.reset()

    def test_the_result_is_that_of_the_module(self):
        network, x = small_network(), torch.randn(1, 3, 10, 10)
        with warnings.catch_warnings():
            warnings.simplefilter("error", ucmoh.Fallback)
            fast = torch.compile(network, backend=ucmoh.backend)
            torch.testing.assert_close(fast(x), network(x), rtol=1e-4, atol=1e-5)

    def test_a_graph_that_cannot_be_taken_stays_in_pytorch(self):
        module, x = Unsupported().eval(), torch.randn(2, 4)
        with self.assertWarnsRegex(ucmoh.Fallback, r"stays in PyTorch: module 'odd' \(Odd\), op .*bessel_j0"):
            torch.testing.assert_close(torch.compile(module, backend=ucmoh.backend)(x), module(x))

    def test_other_shapes(self):
        module = nn.Linear(4, 4).eval()
        fast = torch.compile(module, backend=ucmoh.backend)
        for count in (2, 3, 5, 3):
            x = torch.randn(count, 4)
            torch.testing.assert_close(fast(x), module(x))

    def test_weights_that_change(self):
        module, x = nn.Linear(4, 4).eval(), torch.randn(2, 4)
        fast = torch.compile(module, backend=ucmoh.backend)
        fast(x)
        module.weight.mul_(2)
        torch.testing.assert_close(fast(x), module(x))

    def test_gradients_stay_in_pytorch(self):
        module, x = nn.Linear(4, 4), torch.randn(2, 4)
        with torch.enable_grad(), self.assertWarnsRegex(ucmoh.Fallback, "gradients are wanted"):
            torch.compile(module, backend=ucmoh.backend)(x).sum().backward()
        self.assertIsNotNone(module.weight.grad)


if __name__ == "__main__":
    unittest.main()
