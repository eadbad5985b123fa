"""Networks of images that no package at hand has, as they are usually written in PyTorch."""

import torch
from torch import nn
from torch.nn import functional
from torchvision import models as vision


def layer(inputs, outputs, size=1, stride=1):
    return nn.Sequential(nn.Conv2d(inputs, outputs, size, stride, size // 2, bias=False), nn.BatchNorm2d(outputs),
                         nn.SiLU())


class Branches(nn.Module):
    """Halves of the channels, pairs of convolutions behind the last of them, all concatenated."""

    def __init__(self, inputs, outputs, pairs=1, adds=False):
        super().__init__()
        half, self.adds = outputs // 2, adds
        self.first, self.last = layer(inputs, outputs), layer((2 + pairs) * half, outputs)
        self.pairs = nn.ModuleList(nn.Sequential(layer(half, half, 3), layer(half, half, 3)) for _ in range(pairs))

    def forward(self, x):
        parts = list(self.first(x).chunk(2, 1))
        for pair in self.pairs:
            parts.append(parts[-1] + pair(parts[-1]) if self.adds else pair(parts[-1]))
        return self.last(torch.cat(parts, 1))


class Pyramid(nn.Module):
    """Poolings of poolings, concatenated."""

    def __init__(self, channels):
        super().__init__()
        self.first, self.last = layer(channels, channels // 2), layer(2 * channels, channels)

    def forward(self, x):
        parts = [self.first(x)]
        for _ in range(3):
            parts.append(functional.max_pool2d(parts[-1], 5, 1, 2))
        return self.last(torch.cat(parts, 1))


class Yolo(nn.Module):
    """The nano size of YOLOv8: boxes as distributions over 16 distances, and 80 classes."""

    def __init__(self):
        super().__init__()
        self.small = nn.Sequential(layer(3, 16, 3, 2), layer(16, 32, 3, 2), Branches(32, 32, adds=True),
                                   layer(32, 64, 3, 2), Branches(64, 64, 2, adds=True))
        self.middle = nn.Sequential(layer(64, 128, 3, 2), Branches(128, 128, 2, adds=True))
        self.large = nn.Sequential(layer(128, 256, 3, 2), Branches(256, 256, adds=True), Pyramid(256))
        self.up, self.down = nn.ModuleList([Branches(384, 128), Branches(192, 64)]), nn.ModuleList(
            [layer(64, 64, 3, 2), Branches(192, 128), layer(128, 128, 3, 2), Branches(384, 256)])
        self.heads = nn.ModuleList(nn.ModuleList(
            nn.Sequential(layer(width, inner, 3), layer(inner, inner, 3), nn.Conv2d(inner, results, 1))
            for inner, results in ((64, 64), (80, 80))) for width in (64, 128, 256))
        self.register_buffer("distances", torch.arange(16.).view(1, 16, 1, 1))

    def forward(self, x):
        small = self.small(x)
        middle = self.middle(small)
        large = self.large(middle)
        middle = self.up[0](torch.cat([functional.interpolate(large, scale_factor=2.), middle], 1))
        small = self.up[1](torch.cat([functional.interpolate(middle, scale_factor=2.), small], 1))
        middle = self.down[1](torch.cat([self.down[0](small), middle], 1))
        large = self.down[3](torch.cat([self.down[2](middle), large], 1))
        found = torch.cat([torch.cat([head(level) for head in heads], 1).flatten(2)
                           for heads, level in zip(self.heads, (small, middle, large))], 2)
        boxes, classes = found.split([64, 80], 1)
        boxes = functional.conv2d(boxes.view(1, 4, 16, -1).transpose(1, 2).softmax(1), self.distances)
        return torch.cat([boxes.view(1, 4, -1), classes.sigmoid()], 1)


class Detr(nn.Module):
    """DETR as its paper lists it, with ResNet-18 and three layers on each side."""

    def __init__(self, width=256):
        super().__init__()
        self.backbone = nn.Sequential(*list(vision.resnet18(weights=None).children())[:-2], nn.Conv2d(512, width, 1))
        self.transformer = nn.Transformer(width, 8, 3, 3, dim_feedforward=1024)
        self.classes, self.boxes = nn.Linear(width, 92), nn.Linear(width, 4)
        self.queries, self.rows, self.columns = (nn.Parameter(torch.rand(*shape)) for shape in
                                                 ((100, width), (50, width // 2), (50, width // 2)))

    def forward(self, x):
        image = self.backbone(x)
        height, width = image.shape[-2:]
        places = torch.cat([self.columns[:width].unsqueeze(0).repeat(height, 1, 1),
                            self.rows[:height].unsqueeze(1).repeat(1, width, 1)], -1).flatten(0, 1).unsqueeze(1)
        found = self.transformer(places + image.flatten(2).permute(2, 0, 1), self.queries.unsqueeze(1))
        return torch.cat([self.classes(found), self.boxes(found).sigmoid()], -1)


class Style(nn.Module):
    """Transfer of style by instance norms and reflected borders."""

    def __init__(self):
        super().__init__()

        def block(inputs, outputs, size, stride=1, *behind):
            return [nn.ReflectionPad2d(size // 2), nn.Conv2d(inputs, outputs, size, stride),
                    nn.InstanceNorm2d(outputs, affine=True), *behind]

        self.down = nn.Sequential(*block(3, 32, 9, 1, nn.ReLU()), *block(32, 64, 3, 2, nn.ReLU()),
                                  *block(64, 128, 3, 2, nn.ReLU()))
        self.middle = nn.ModuleList(nn.Sequential(*block(128, 128, 3, 1, nn.ReLU()), *block(128, 128, 3))
                                    for _ in range(5))
        self.up = nn.Sequential(nn.Upsample(scale_factor=2), *block(128, 64, 3, 1, nn.ReLU()),
                                nn.Upsample(scale_factor=2), *block(64, 32, 3, 1, nn.ReLU()),
                                nn.ReflectionPad2d(4), nn.Conv2d(32, 3, 9))

    def forward(self, x):
        x = self.down(x)
        for block in self.middle:
            x = x + block(x)
        return self.up(x)


class Edsr(nn.Module):
    """Eight blocks of 64 channels and a pixel shuffle: an image of twice the size."""

    def __init__(self, width=64):
        super().__init__()
        self.first = nn.Conv2d(3, width, 3, padding=1)
        self.blocks = nn.ModuleList(
            nn.Sequential(nn.Conv2d(width, width, 3, padding=1), nn.ReLU(), nn.Conv2d(width, width, 3, padding=1))
            for _ in range(8))
        self.up = nn.Sequential(nn.Conv2d(width, 4 * width, 3, padding=1), nn.PixelShuffle(2),
                                nn.Conv2d(width, 3, 3, padding=1))

    def forward(self, x):
        x = self.first(x)
        y = x
        for block in self.blocks:
            y = y + .1 * block(y)
        return self.up(x + y)
