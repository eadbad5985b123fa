"""Transformers, as graphs of ONNX."""

import numpy as np


def split_heads(g, x, tokens, heads, size, order):
    return g.transpose(g.reshape(x, 1, tokens, heads, size), *order)


def merge_heads(g, x, tokens, width):
    return g.reshape(g.transpose(x, 0, 2, 1, 3), 1, tokens, width)


def attention(g, x, tokens, width, heads):
    def split(order):
        return split_heads(g, g.dense(x, width, width), tokens, heads, width // heads, order)

    query, key, value = split([0, 2, 1, 3]), split([0, 2, 3, 1]), split([0, 2, 1, 3])
    scores = g.add("Div", [g.add("MatMul", [query, key]), g.constant(np.sqrt(width // heads))])
    mixed = g.add("MatMul", [g.add("Softmax", [scores], axis=-1), value])
    return g.dense(merge_heads(g, mixed, tokens, width), width, width)


def feed_forward(g, x, width):
    return g.dense(g.gelu(g.dense(x, width, 4 * width)), 4 * width, width)


def norm_first_layer(g, x, tokens, width, heads):
    x = g.add("Add", [attention(g, g.layer_norm(x, width), tokens, width, heads), x])
    return g.add("Add", [feed_forward(g, g.layer_norm(x, width), width), x])


def bert_base(g, tokens=128, width=768, heads=12, layers=12):
    """Norms follow the residuals."""
    x = g.layer_norm("x", width)
    for _ in range(layers):
        x = g.layer_norm(g.add("Add", [attention(g, x, tokens, width, heads), x]), width)
        x = g.layer_norm(g.add("Add", [feed_forward(g, x, width), x]), width)
    return x


def vit_b16(g, width=768, heads=12, layers=12):
    """Patches of 16x16, a token of the class, norms before attention and feed-forward layers."""
    patches = g.reshape(g.conv("x", 3, width, 16, 16, padding=0), 1, width, 196)
    class_token = g.constant(g.random.standard_normal((1, 1, width)))
    x = g.add("Concat", [class_token, g.transpose(patches, 0, 2, 1)], axis=1)
    x = g.add("Add", [x, g.constant(g.random.standard_normal((1, 197, width)))])
    for _ in range(layers):
        x = norm_first_layer(g, x, 197, width, heads)
    first = g.add("Gather", [g.layer_norm(x, width), g.constant(0, np.int64)], axis=1)
    return g.linear(first, width, 1000)


def whisper_encoder(g, tokens=1500, width=384, heads=6, layers=4):
    """That of Whisper tiny: two convolutions over 30 seconds of sound, then layers like those of ViT."""
    x = g.gelu(g.conv("x", 80, width, 3, dims=1))
    x = g.transpose(g.gelu(g.conv(x, width, width, 3, 2, dims=1)), 0, 2, 1)
    x = g.add("Add", [x, g.constant(g.random.standard_normal((1, tokens, width)))])
    for _ in range(layers):
        x = norm_first_layer(g, x, tokens, width, heads)
    return g.layer_norm(x, width)


def t5_encoder(g, tokens=128, width=512, heads=8, layers=6):
    """That of T5 small: RMS norms, no biases, one table of positions that all layers add to their scores. What other
    networks divide scores by is in its queries' weights."""
    size = 64
    positions = g.constant(g.random.standard_normal((1, heads, tokens, tokens)))

    def attend(x):
        query, key, value = (split_heads(g, g.product(x, width, heads * size, scale), tokens, heads, size, order)
                             for order, scale in (([0, 2, 1, 3], size ** -0.5), ([0, 2, 3, 1], 1), ([0, 2, 1, 3], 1)))
        scores = g.add("Softmax", [g.add("Add", [g.add("MatMul", [query, key]), positions])], axis=-1)
        return g.product(merge_heads(g, g.add("MatMul", [scores, value]), tokens, heads * size), heads * size, width)

    x = "x"
    for _ in range(layers):
        x = g.add("Add", [attend(g.rms_norm(x, width)), x])
        hidden = g.relu(g.product(g.rms_norm(x, width), width, 4 * width))
        x = g.add("Add", [g.product(hidden, 4 * width, width), x])
    return g.rms_norm(x, width)


class Llama:
    """One layer of Llama 3.2 1B: grouped queries, rotary embeddings, a gated feed-forward layer."""

    width, hidden, heads, key_heads, size = 2048, 8192, 32, 8, 64

    def __init__(self, g, first, tokens):
        """The layer sees `tokens` tokens from position `first` on."""
        self.g, self.first, self.tokens = g, first, tokens
        angles = np.outer(np.arange(first, first + tokens), 500000.0 ** (-np.arange(0, self.size, 2) / self.size))
        angles = np.concatenate([angles, angles], axis=1)
        self.cosines, self.sines = g.constant(np.cos(angles)), g.constant(np.sin(angles))

    def rotate(self, x):
        g, half = self.g, self.size // 2
        turned = g.add("Concat", [g.add("Neg", [g.slice(x, half, self.size, 3)]), g.slice(x, 0, half, 3)], axis=3)
        return g.add("Add", [g.add("Mul", [x, self.cosines]), g.add("Mul", [turned, self.sines])])

    def project(self, x, heads):
        return split_heads(self.g, self.g.product(x, self.width, heads * self.size), self.tokens, heads, self.size,
                           [0, 2, 1, 3])

    def repeat(self, x):
        """Each head of the keys and values serves several of the queries."""
        g, seen, groups = self.g, self.first + self.tokens, self.heads // self.key_heads
        x = g.add("Unsqueeze", [x, g.constant([2], np.int64)])
        x = g.add("Expand", [x, g.constant([1, self.key_heads, groups, seen, self.size], np.int64)])
        return g.reshape(x, 1, self.heads, seen, self.size)

    def attend(self, x, past_key=None, past_value=None):
        """The result, and all keys and values that there are then."""
        g = self.g
        query, key = (self.rotate(self.project(x, heads)) for heads in (self.heads, self.key_heads))
        value = self.project(x, self.key_heads)
        if past_key:
            key = g.add("Concat", [past_key, key], axis=2)
            value = g.add("Concat", [past_value, value], axis=2)
        scores = g.add("MatMul", [query, g.transpose(self.repeat(key), 0, 1, 3, 2)])
        scores = g.add("Mul", [scores, g.constant(self.size ** -0.5)])
        if self.tokens > 1:  # a token does not see those behind it
            sees = np.tri(self.tokens, self.first + self.tokens, self.first, dtype=bool)
            scores = g.add("Where", [g.constant(sees, bool), scores, g.constant(np.finfo(np.float32).min)])
        mixed = g.add("MatMul", [g.add("Softmax", [scores], axis=-1), self.repeat(value)])
        mixed = merge_heads(g, mixed, self.tokens, self.heads * self.size)
        return g.product(mixed, self.heads * self.size, self.width), key, value

    def layer(self, x, *past):
        g, width = self.g, self.width
        mixed, key, value = self.attend(g.rms_norm(x, width), *past)
        x = g.add("Add", [x, mixed])
        y = g.rms_norm(x, width)
        y = g.add("Mul", [g.silu(g.product(y, width, self.hidden)), g.product(y, width, self.hidden)])
        return g.add("Add", [x, g.product(y, self.hidden, width)]), key, value


def llama_prefill(g):
    return Llama(g, 0, 128).layer("x")


def llama_decode(g):
    """One token behind 511 others, whose keys and values are inputs."""
    return Llama(g, 511, 1).layer("x", "past_key", "past_value")
