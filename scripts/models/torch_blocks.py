"""Small networks of many kinds, as they are usually written in PyTorch, with random weights.

NETWORKS has a function for each, which returns the module and its input, or a tuple of inputs. A graph network, whose
messages are added by index_add with repeated indices, and CLIP, whose layers are nn.TransformerEncoderLayer, are not
here: torch.onnx.export without dynamo, which onnx_torch.py calls, refuses both.
"""

import math

import torch
from torch import nn
from torch.nn import functional


class ResidualBlock(nn.Module):
    """Two convolutions behind group norms; the embedded time step is added in between, the input behind them."""

    def __init__(self, inputs, outputs, time):
        super().__init__()
        self.norm1 = nn.GroupNorm(8, inputs)
        self.convolution1 = nn.Conv2d(inputs, outputs, 3, padding=1)
        self.norm2 = nn.GroupNorm(8, outputs)
        self.convolution2 = nn.Conv2d(outputs, outputs, 3, padding=1)
        self.time = nn.Linear(time, outputs)
        self.skip = nn.Conv2d(inputs, outputs, 1) if inputs != outputs else nn.Identity()

    def forward(self, x, time):
        y = self.convolution1(functional.silu(self.norm1(x)))
        y = y + self.time(functional.silu(time))[:, :, None, None]
        return self.convolution2(functional.silu(self.norm2(y))) + self.skip(x)


class ImageAttention(nn.Module):
    """Attention of all pixels of an image to each other, in four heads, added to the image."""

    def __init__(self, channels, heads=4):
        super().__init__()
        self.heads = heads
        self.norm = nn.GroupNorm(8, channels)
        self.inputs = nn.Conv2d(channels, 3 * channels, 1)
        self.last = nn.Conv2d(channels, channels, 1)

    def forward(self, x):
        batch, channels, height, width = x.shape
        heads = self.inputs(self.norm(x)).reshape(batch, 3, self.heads, channels // self.heads, height * width)
        queries, keys, values = heads.transpose(-1, -2).unbind(1)
        found = functional.scaled_dot_product_attention(queries, keys, values)
        return x + self.last(found.transpose(-1, -2).reshape(batch, channels, height, width))


class Diffusion(nn.Module):
    """The U-Net of a diffusion model, which predicts the noise in an image of four channels at a time step.

    Three levels; pixels attend to each other in the lower two.
    """

    def __init__(self, channels=64, time=256):
        super().__init__()
        double = 2 * channels
        self.channels = channels
        self.time = nn.Sequential(nn.Linear(channels, time), nn.SiLU(), nn.Linear(time, time))
        self.first = nn.Conv2d(4, channels, 3, padding=1)
        self.down = nn.ModuleList(ResidualBlock(inputs, outputs, time) for inputs, outputs in
                                  ((channels, channels), (channels, double), (double, double)))
        self.attention = nn.ModuleList(ImageAttention(double) for _ in range(2))
        self.halve = nn.ModuleList(nn.Conv2d(width, width, 3, 2, 1) for width in (channels, double))
        self.up = nn.ModuleList(ResidualBlock(inputs, outputs, time) for inputs, outputs in
                                ((2 * double, double), (2 * double, channels), (double, channels)))
        self.smooth = nn.ModuleList(nn.Conv2d(width, width, 3, padding=1) for width in (double, channels))
        self.norm = nn.GroupNorm(8, channels)
        self.last = nn.Conv2d(channels, 4, 3, padding=1)

    def embedded(self, step):
        half = self.channels // 2
        frequencies = torch.exp(-math.log(10000) * torch.arange(half, dtype=torch.float32) / half)
        angles = step[:, None] * frequencies
        return self.time(torch.cat([angles.cos(), angles.sin()], -1))

    def forward(self, x, step):
        time = self.embedded(step)
        top = self.down[0](self.first(x), time)
        middle = self.attention[0](self.down[1](self.halve[0](top), time))
        bottom = self.attention[1](self.down[2](self.halve[1](middle), time))
        y = self.up[0](torch.cat([bottom, bottom], 1), time)
        for smooth, up, level in zip(self.smooth, self.up[1:], (middle, top)):
            y = smooth(functional.interpolate(y, scale_factor=2., mode="nearest"))
            y = up(torch.cat([y, level], 1), time)
        return self.last(functional.silu(self.norm(y)))


class Tagger(nn.Module):
    """Gives each word of a text one of 20 tags, by two recurrent layers in both directions."""

    def __init__(self, layers):
        super().__init__()
        self.words = nn.Embedding(2000, 128)
        self.layers = layers(128, 128, 2, batch_first=True, bidirectional=True)
        self.last = nn.Linear(256, 20)

    def forward(self, x):
        return self.last(self.layers(self.words(x))[0])


class Video(nn.Module):
    """Classifies a short video by four 3-D convolutions with batch norms, and an average over all that is left."""

    def __init__(self):
        super().__init__()
        layers = []
        for inputs, outputs, stride in ((3, 16, 1), (16, 32, 2), (32, 64, 2), (64, 64, 2)):
            layers += [nn.Conv3d(inputs, outputs, 3, stride, 1), nn.BatchNorm3d(outputs), nn.ReLU()]
        self.layers = nn.Sequential(*layers)
        self.pool = nn.MaxPool3d(2)
        self.last = nn.Linear(64, 10)

    def forward(self, x):
        return self.last(self.pool(self.layers(x)).mean((2, 3, 4)))


class Conformer(nn.Module):
    """A layer of a speech recognizer.

    It attends to all times, then convolves over 31 times channel by channel, between two halves of feed-forward layers.
    """

    def __init__(self, width=144, heads=4, times=31):
        super().__init__()
        self.heads = heads
        self.before, self.behind = (
            nn.Sequential(nn.LayerNorm(width), nn.Linear(width, 4 * width), nn.SiLU(), nn.Linear(4 * width, width))
            for _ in range(2))
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(3))
        self.inputs = nn.Linear(width, 3 * width)
        self.join = nn.Linear(width, width)
        self.gates = nn.Conv1d(width, 2 * width, 1)
        self.depthwise = nn.Conv1d(width, width, times, padding=times // 2, groups=width)
        self.batch_norm = nn.BatchNorm1d(width)
        self.last = nn.Conv1d(width, width, 1)

    def attention(self, x):
        batch, length, width = x.shape
        heads = self.inputs(x).view(batch, length, 3, self.heads, width // self.heads)
        queries, keys, values = heads.permute(2, 0, 3, 1, 4)
        found = functional.scaled_dot_product_attention(queries, keys, values)
        return self.join(found.transpose(1, 2).reshape(batch, length, width))

    def convolution(self, x):
        y = functional.glu(self.gates(x.transpose(1, 2)), 1)
        return self.last(functional.silu(self.batch_norm(self.depthwise(y)))).transpose(1, 2)

    def forward(self, x):
        x = x + .5 * self.before(x)
        x = x + self.attention(self.norms[0](x))
        x = x + self.convolution(self.norms[1](x))
        return self.norms[2](x + .5 * self.behind(x))


class Detector(nn.Module):
    """Detects objects as RetinaNet does: nine anchors at each place of two levels, 20 classes, decoded boxes.

    It returns all boxes, the score of the best class of each, and that class.
    """

    def __init__(self, channels=64, anchors=9, classes=20):
        super().__init__()
        self.classes, self.anchors = classes, anchors
        self.small = nn.Sequential(nn.Conv2d(3, 32, 3, 2, 1), nn.ReLU(), nn.Conv2d(32, channels, 3, 2, 1), nn.ReLU(),
                                   nn.Conv2d(channels, channels, 3, 2, 1), nn.ReLU())
        self.large = nn.Conv2d(channels, channels, 3, 2, 1)
        self.scores, self.distances = (
            nn.Sequential(nn.Conv2d(channels, channels, 3, padding=1), nn.ReLU(),
                          nn.Conv2d(channels, channels, 3, padding=1), nn.ReLU(),
                          nn.Conv2d(channels, results, 3, padding=1)) for results in (anchors * classes, anchors * 4))
        self.register_buffer("sizes", torch.rand(anchors, 2) * 64 + 16)

    def anchors_of(self, level, stride):
        height, width = level.shape[-2:]
        rows, columns = (torch.arange(extent) * stride + stride / 2 for extent in (height, width))
        y, x = torch.meshgrid(rows, columns, indexing="ij")
        centers = torch.stack([x, y], -1)[:, :, None].expand(height, width, self.anchors, 2)
        return torch.cat([centers, self.sizes.expand(height, width, self.anchors, 2)], -1).reshape(-1, 4)

    @staticmethod
    def rows(x, width):
        return x.permute(0, 2, 3, 1).reshape(x.shape[0], -1, width)

    def forward(self, x):
        small = self.small(x)
        levels = (small, self.large(small))
        anchors = torch.cat([self.anchors_of(level, stride) for level, stride in zip(levels, (8, 16))])
        distances = torch.cat([self.rows(self.distances(level), 4) for level in levels], 1)
        scores = torch.cat([self.rows(self.scores(level), self.classes) for level in levels], 1).sigmoid()
        centers = anchors[:, :2] + distances[..., :2] * anchors[:, 2:]
        sizes = anchors[:, 2:] * distances[..., 2:].clamp(max=4).exp()
        boxes = torch.cat([centers - sizes / 2, centers + sizes / 2], -1).clamp(0, 256)
        score, label = scores.max(-1)
        return boxes, score, label


class BestOfDetector(Detector):
    """The same detector, of whose boxes only the 100 with the best scores are left."""

    def forward(self, x):
        boxes, score, label = super().forward(x)
        best, places = score.topk(100, 1)
        return boxes.gather(1, places[..., None].expand(-1, -1, 4)), best, label.gather(1, places)


class Recommender(nn.Module):
    """DLRM: recommends by products of each pair among 8 embedded features and 13 numbers that a network embeds."""

    def __init__(self, features=8, width=32):
        super().__init__()
        vectors = features + 1
        self.features = nn.ModuleList(nn.Embedding(1000, width) for _ in range(features))
        self.numbers = nn.Sequential(nn.Linear(13, 128), nn.ReLU(), nn.Linear(128, width), nn.ReLU())
        self.last = nn.Sequential(nn.Linear(width + vectors * (vectors - 1) // 2, 256), nn.ReLU(), nn.Linear(256, 1))
        self.register_buffer("pairs", torch.tril_indices(vectors, vectors, -1))

    def forward(self, numbers, features):
        dense = self.numbers(numbers)
        embedded = [embed(features[:, index]) for index, embed in enumerate(self.features)]
        vectors = torch.stack([dense, *embedded], 1)
        products = vectors @ vectors.transpose(1, 2)
        pairs = products[:, self.pairs[0], self.pairs[1]]
        return self.last(torch.cat([dense, pairs], 1)).sigmoid()


class Experts(nn.Module):
    """A mixture of eight experts: all are computed, and each token adds up the two that its gate likes best."""

    def __init__(self, width=128, experts=8, best=2):
        super().__init__()
        self.best = best
        self.gate = nn.Linear(width, experts)
        self.up = nn.Parameter(torch.randn(experts, width, 4 * width) / width**.5)
        self.down = nn.Parameter(torch.randn(experts, 4 * width, width) / (4 * width)**.5)

    def forward(self, x):
        weights, places = self.gate(x).softmax(-1).topk(self.best, -1)
        weights = weights / weights.sum(-1, keepdim=True)
        gates = torch.zeros(x.shape[0], self.up.shape[0]).scatter(1, places, weights)
        inner = functional.gelu(torch.einsum("td,ndf->ntf", x, self.up))
        results = torch.einsum("ntf,nfd->ntd", inner, self.down)
        return x + torch.einsum("ntd,tn->td", results, gates)


class Mamba(nn.Module):
    """A layer of Mamba, in plain PyTorch: a state that depends on the input is carried from step to step."""

    def __init__(self, width=128, states=16, rank=8):
        super().__init__()
        inner = 2 * width
        self.inner, self.split = inner, [rank, states, states]
        self.first = nn.Linear(width, 2 * inner, bias=False)
        self.convolution = nn.Conv1d(inner, inner, 4, padding=3, groups=inner)
        self.select = nn.Linear(inner, rank + 2 * states, bias=False)
        self.steps = nn.Linear(rank, inner)
        self.last = nn.Linear(inner, width, bias=False)
        self.decay = nn.Parameter(torch.log(torch.arange(1, states + 1).float()).repeat(inner, 1))
        self.through = nn.Parameter(torch.ones(inner))
        self.norm = nn.LayerNorm(width)

    def scan(self, u):
        """The results of all steps, each of which lets the state decay and adds its input."""
        steps, writes, reads = self.select(u).split(self.split, -1)
        steps = functional.softplus(self.steps(steps))
        decays = torch.exp(steps[..., None] * -torch.exp(self.decay))
        added = steps[..., None] * writes[:, :, None] * u[..., None]
        state = torch.zeros(u.shape[0], self.inner, self.split[1])
        results = []
        for step in range(u.shape[1]):
            state = decays[:, step] * state + added[:, step]
            results.append((state * reads[:, step, None]).sum(-1))
        return torch.stack(results, 1)

    def forward(self, x):
        u, gate = self.first(self.norm(x)).chunk(2, -1)
        u = functional.silu(self.convolution(u.transpose(1, 2))[..., :x.shape[1]].transpose(1, 2))
        y = self.scan(u) + u * self.through
        return x + self.last(y * functional.silu(gate))


class StateSpaceDual(nn.Module):
    """A layer of Mamba-2 as one product with a mask, whose decays come from a running sum, instead of a loop."""

    def __init__(self, width=128, heads=4, states=32):
        super().__init__()
        self.heads, self.states = heads, states
        self.first = nn.Linear(width, 2 * width + 2 * states + heads)
        self.last = nn.Linear(width, width)
        self.decay = nn.Parameter(torch.rand(heads))
        self.norm = nn.LayerNorm(width)

    def forward(self, x):
        batch, length, width = x.shape
        widths = [width, width, self.states, self.states, self.heads]
        gate, values, writes, reads, steps = self.first(self.norm(x)).split(widths, -1)
        steps = functional.softplus(steps)
        sums = (-self.decay.exp() * steps).cumsum(1)
        values = values.view(batch, length, self.heads, -1) * steps[..., None]
        later = torch.ones(length, length).triu(1).bool()[None, :, :, None]
        mask = torch.exp((sums[:, :, None] - sums[:, None]).masked_fill(later, -math.inf))
        y = torch.einsum("bin,bjn,bijh,bjhp->bihp", reads, writes, mask, values).reshape(batch, length, width)
        return x + self.last(y * functional.silu(gate))


class LinearAttention(nn.Module):
    """Attention without a softmax: keys are multiplied by values first, so that its time is linear in the length."""

    def __init__(self, width=256, heads=8):
        super().__init__()
        self.heads = heads
        self.inputs = nn.Linear(width, 3 * width)
        self.last = nn.Linear(width, width)
        self.norm = nn.LayerNorm(width)

    def forward(self, x):
        batch, length, width = x.shape
        heads = self.inputs(self.norm(x)).view(batch, length, 3, self.heads, -1)
        queries, keys, values = heads.permute(2, 0, 3, 1, 4)
        queries, keys = functional.elu(queries) + 1, functional.elu(keys) + 1
        y = queries @ (keys.transpose(-1, -2) @ values) / (queries @ keys.sum(-2)[..., None] + 1e-6)
        return x + self.last(y.transpose(1, 2).reshape(batch, length, width))


class Autoencoder(nn.Module):
    """Three strided convolutions to an eighth of the image's size, and three transposed ones back."""

    def __init__(self):
        super().__init__()
        down, up = [], []
        for inputs, outputs in ((3, 32), (32, 64), (64, 128)):
            down += [nn.Conv2d(inputs, outputs, 4, 2, 1), nn.BatchNorm2d(outputs), nn.LeakyReLU(.2)]
        for inputs, outputs in ((128, 64), (64, 32)):
            up += [nn.ConvTranspose2d(inputs, outputs, 4, 2, 1), nn.BatchNorm2d(outputs), nn.ReLU()]
        self.down = nn.Sequential(*down)
        self.up = nn.Sequential(*up, nn.ConvTranspose2d(32, 3, 4, 2, 1), nn.Tanh())

    def forward(self, x):
        return self.up(self.down(x))


class Waves(nn.Module):
    """A temporal convolutional network in WaveNet's form.

    Gated convolutions of two samples, whose dilations double from layer to layer, predict one of 256 levels.
    """

    def __init__(self, channels=64, layers=8):
        super().__init__()
        self.first = nn.Conv1d(1, channels, 1)
        self.gates = nn.ModuleList(nn.Conv1d(channels, 2 * channels, 2, dilation=2**layer) for layer in range(layers))
        self.joins = nn.ModuleList(nn.Conv1d(channels, channels, 1) for _ in range(layers))
        self.last = nn.Conv1d(channels, 256, 1)

    def forward(self, x):
        x = self.first(x)
        total = 0
        for gates, join in zip(self.gates, self.joins):
            value, gate = gates(functional.pad(x, (*gates.dilation, 0))).chunk(2, 1)
            y = join(value.tanh() * gate.sigmoid())
            x = x + y
            total = total + y
        return self.last(functional.relu(total))


class VectorQuantizer(nn.Module):
    """An autoencoder that replaces each place of the encoded image by the nearest of 512 vectors of a table."""

    def __init__(self, width=64, vectors=512):
        super().__init__()
        self.down = nn.Sequential(nn.Conv2d(3, width, 4, 2, 1), nn.ReLU(), nn.Conv2d(width, width, 4, 2, 1))
        self.table = nn.Parameter(torch.randn(vectors, width))
        self.up = nn.Sequential(nn.ConvTranspose2d(width, width, 4, 2, 1), nn.ReLU(),
                                nn.ConvTranspose2d(width, 3, 4, 2, 1))

    def forward(self, x):
        encoded = self.down(x).permute(0, 2, 3, 1)
        places = encoded.reshape(-1, encoded.shape[-1])
        squares = (places**2).sum(1, keepdim=True), (self.table**2).sum(1)
        nearest = (squares[0] - 2 * places @ self.table.T + squares[1]).argmin(1)
        return self.up(self.table[nearest].view(encoded.shape).permute(0, 3, 1, 2))


class Vocoder(nn.Module):
    """A generator of sound from 80 frequencies: transposed convolutions of lines, and dilated ones that are added."""

    def __init__(self, channels=128, rates=(8, 8, 2)):
        super().__init__()
        widths = [channels >> level for level in range(len(rates) + 1)]
        self.first = nn.Conv1d(80, channels, 7, padding=3)
        self.up = nn.ModuleList(nn.ConvTranspose1d(wide, narrow, 2 * rate, rate, rate // 2)
                                for wide, narrow, rate in zip(widths, widths[1:], rates))
        self.residuals = nn.ModuleList(
            nn.ModuleList(nn.Conv1d(width, width, 3, padding=step, dilation=step) for step in (1, 3, 5))
            for width in widths[1:])
        self.last = nn.Conv1d(widths[-1], 1, 7, padding=3)

    def forward(self, x):
        x = self.first(x)
        for up, residuals in zip(self.up, self.residuals):
            x = up(functional.leaky_relu(x, .1))
            for convolution in residuals:
                x = x + convolution(functional.leaky_relu(x, .1))
        return self.last(functional.leaky_relu(x, .1)).tanh()


class Field(nn.Module):
    """A field of physics as a function of place and time, from sines of random directions; layers are added up."""

    def __init__(self, channels=64, layers=5):
        super().__init__()
        self.directions = nn.Parameter(torch.randn(3, channels // 2))
        self.layers = nn.ModuleList(nn.Linear(channels, channels) for _ in range(layers))
        self.last = nn.Linear(channels, 4)

    def forward(self, x):
        angles = x @ self.directions
        y = torch.cat([angles.sin(), angles.cos()], -1)
        for layer in self.layers:
            y = y + torch.tanh(layer(y))
        return self.last(y)


class Preferences(nn.Module):
    """Neural collaborative filtering: how much a user likes a thing, by a product and by layers of embeddings."""

    def __init__(self, channels=64, count=5000):
        super().__init__()
        self.users, self.things = (nn.Embedding(count, 2 * channels) for _ in range(2))
        self.layers = nn.Sequential(nn.Linear(2 * channels, 128), nn.ReLU(), nn.Linear(128, 64), nn.ReLU(),
                                    nn.Linear(64, 32), nn.ReLU())
        self.last = nn.Linear(channels + 32, 1)

    def forward(self, user, thing):
        (left, user), (right, thing) = (table(which).chunk(2, -1) for table, which in
                                        ((self.users, user), (self.things, thing)))
        return self.last(torch.cat([left * right, self.layers(torch.cat([user, thing], -1))], -1)).sigmoid()


class Separator(nn.Module):
    """Demucs: strided convolutions of sound, gated, a recurrent layer, and transposed ones that read each level."""

    def __init__(self, channels=24, levels=4):
        super().__init__()
        self.down, self.up = nn.ModuleList(), nn.ModuleList()
        inputs = 1
        for level in range(levels):
            outputs = channels << level
            self.down.append(nn.Sequential(nn.Conv1d(inputs, outputs, 8, 4), nn.ReLU(),
                                           nn.Conv1d(outputs, 2 * outputs, 1), nn.GLU(1)))
            self.up.insert(0, nn.Sequential(nn.Conv1d(outputs, 2 * outputs, 1), nn.GLU(1),
                                            nn.ConvTranspose1d(outputs, inputs, 8, 4),
                                            nn.ReLU() if level else nn.Identity()))
            inputs = outputs
        self.steps = nn.LSTM(inputs, inputs, 2)

    def forward(self, x):
        levels = []
        for block in self.down:
            x = block(x)
            levels.append(x)
        x = self.steps(x.permute(2, 0, 1))[0].permute(1, 2, 0)
        for block in self.up:
            x = block(x + levels.pop()[..., :x.shape[-1]])
        return x


NETWORKS = {
    "autoencoder": lambda: (Autoencoder(), torch.randn(1, 3, 128, 128)),
    "conformer": lambda: (nn.Sequential(Conformer(), Conformer()), torch.randn(1, 200, 144)),
    "conv3d": lambda: (Video(), torch.randn(1, 3, 16, 56, 56)),
    "demucs": lambda: (Separator(), torch.randn(1, 1, 8532)),
    "detect": lambda: (Detector(), torch.randn(1, 3, 256, 256)),
    "detect_top": lambda: (BestOfDetector(), torch.randn(1, 3, 256, 256)),
    "diffusion": lambda: (Diffusion(), (torch.randn(1, 4, 32, 32), torch.tensor([17.]))),
    "dlrm": lambda: (Recommender(), (torch.randn(64, 13), torch.randint(0, 1000, (64, 8)))),
    "gru": lambda: (Tagger(nn.GRU), torch.randint(0, 2000, (1, 64))),
    "linear_attention": lambda: (nn.Sequential(LinearAttention(), LinearAttention()), torch.randn(1, 256, 256)),
    "lstm": lambda: (Tagger(nn.LSTM), torch.randint(0, 2000, (1, 64))),
    "mamba": lambda: (Mamba(), torch.randn(1, 64, 128)),
    "moe": lambda: (Experts(), torch.randn(64, 128)),
    "ncf": lambda: (Preferences(), (torch.randint(0, 1000, (256,)), torch.randint(0, 1000, (256,)))),
    "pinn": lambda: (Field(), torch.randn(1024, 3)),
    "ssd": lambda: (StateSpaceDual(), torch.randn(1, 128, 128)),
    "tcn": lambda: (Waves(), torch.randn(1, 1, 2000)),
    "vocoder": lambda: (Vocoder(), torch.randn(1, 80, 32)),
    "vq": lambda: (VectorQuantizer(), torch.randn(1, 3, 64, 64)),
}
