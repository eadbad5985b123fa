"""Networks for images of 224x224 pixels, as graphs of ONNX. Batch norms are folded."""


def bottleneck(g, x, inputs, width, stride):
    y = g.relu(g.conv(x, inputs, width, 1))
    y = g.conv(g.relu(g.conv(y, width, width, 3, stride)), width, 4 * width, 1)
    shortcut = x if inputs == 4 * width else g.conv(x, inputs, 4 * width, 1, stride)
    return g.relu(g.add("Add", [y, shortcut]))


def resnet50(g):
    x = g.relu(g.conv("x", 3, 64, 7, 2))
    x, channels = g.add("MaxPool", [x], kernel_shape=[3, 3], strides=[2, 2], pads=[1] * 4), 64
    for width, blocks, stride in [(64, 3, 1), (128, 4, 2), (256, 6, 2), (512, 3, 2)]:
        for block in range(blocks):
            x, channels = bottleneck(g, x, channels, width, stride if block == 0 else 1), 4 * width
    return g.classify(x, channels)


def squeeze(g, x, channels, hidden, activate, gate):
    """Scales each channel by what the averages of all channels say."""
    y = activate(g.conv(g.average(x), channels, hidden, 1))
    return g.add("Mul", [x, gate(g.conv(y, hidden, channels, 1))])


def inverted_residual(g, x, inputs, hidden, outputs, size, stride, activate, excite=None):
    y = x if hidden == inputs else activate(g.conv(x, inputs, hidden, 1))
    y = activate(g.conv(y, hidden, hidden, size, stride, groups=hidden))
    y = g.conv(excite(y) if excite else y, hidden, outputs, 1)
    return g.add("Add", [x, y]) if stride == 1 and inputs == outputs else y


def mobilenet_v2(g):
    x, channels = g.relu6(g.conv("x", 3, 32, 3, 2)), 32
    for expansion, outputs, blocks, stride in [(1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2),
                                               (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1)]:
        for block in range(blocks):
            x = inverted_residual(g, x, channels, channels * expansion, outputs, 3, stride if block == 0 else 1,
                                  g.relu6)
            channels = outputs
    return g.classify(g.relu6(g.conv(x, channels, 1280, 1)), 1280)


#: Of MobileNet-V3, large: size of the windows, hidden and resulting channels, whether averages gate them, whether the
#: activation is a hard swish, stride.
MOBILENET_V3 = [
    (3, 16, 16, False, False, 1), (3, 64, 24, False, False, 2), (3, 72, 24, False, False, 1),
    (5, 72, 40, True, False, 2), (5, 120, 40, True, False, 1), (5, 120, 40, True, False, 1),
    (3, 240, 80, False, True, 2), (3, 200, 80, False, True, 1), (3, 184, 80, False, True, 1),
    (3, 184, 80, False, True, 1), (3, 480, 112, True, True, 1), (3, 672, 112, True, True, 1),
    (5, 672, 160, True, True, 2), (5, 960, 160, True, True, 1), (5, 960, 160, True, True, 1)]


def mobilenet_v3(g):
    x, channels = g.hard_swish(g.conv("x", 3, 16, 3, 2)), 16
    for size, hidden, outputs, gated, is_hard_swish, stride in MOBILENET_V3:
        def excite(y, hidden=hidden):
            return squeeze(g, y, hidden, max(8, (hidden // 4 + 4) // 8 * 8), g.relu, g.hard_sigmoid)
        x = inverted_residual(g, x, channels, hidden, outputs, size, stride,
                              g.hard_swish if is_hard_swish else g.relu, excite if gated else None)
        channels = outputs
    x = g.add("Flatten", [g.average(g.hard_swish(g.conv(x, channels, 960, 1)))], axis=1)
    return g.linear(g.hard_swish(g.linear(x, 960, 1280)), 1280, 1000)


def efficientnet_b0(g):
    x, channels = g.silu(g.conv("x", 3, 32, 3, 2)), 32
    for expansion, size, stride, outputs, blocks in [(1, 3, 1, 16, 1), (6, 3, 2, 24, 2), (6, 5, 2, 40, 2),
                                                     (6, 3, 2, 80, 3), (6, 5, 1, 112, 3), (6, 5, 2, 192, 4),
                                                     (6, 3, 1, 320, 1)]:
        for block in range(blocks):
            hidden = channels * expansion
            def excite(y, hidden=hidden, width=channels // 4):
                return squeeze(g, y, hidden, width, g.silu, g.sigmoid)
            x = inverted_residual(g, x, channels, hidden, outputs, size, stride if block == 0 else 1, g.silu, excite)
            channels = outputs
    return g.classify(g.silu(g.conv(x, channels, 1280, 1)), 1280)
