"""Exports networks of torchvision, transformers and this folder to ONNX as users do, in float and quantized.

Usage: onnx_torch.py OUTPUT_FOLDER [--dynamo] [NAME...]

Writes NAME.f32.onnx (torch.onnx.export, a batch of one) and NAME.u8pc.onnx (QDQ by ONNX Runtime with its defaults,
weights per channel, three random inputs). Weights are random and seeded. It needs torch, torchvision, transformers,
onnx and onnxruntime, as in .venv-python (scripts/setup.sh --python), and timm for networks that are its own: those, and
any other one as timm:NAME or timm:NAME:PIXELS. With --dynamo, which needs onnxscript, PyTorch's newer exporter writes
the graph.
"""

import argparse
import pathlib
import tempfile

import numpy as np
import torch
import transformers
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process
from torch import nn
from torchvision import models as vision

import torch_blocks
import torch_images
from networks import First


def convolutions(inputs, outputs):
    layers = []
    for channels in (inputs, outputs):
        layers += [nn.Conv2d(channels, outputs, 3, padding=1), nn.BatchNorm2d(outputs), nn.ReLU()]
    return nn.Sequential(*layers)


class UNet(nn.Module):
    """Four levels of 32 to 256 channels; transposed convolutions lead back up."""

    def __init__(self):
        super().__init__()
        widths = [3, 32, 64, 128, 256]
        self.down = nn.ModuleList(map(convolutions, widths[:-1], widths[1:]))
        self.up = nn.ModuleList(nn.ConvTranspose2d(2 * width, width, 2, 2) for width in (128, 64, 32))
        self.join = nn.ModuleList(convolutions(2 * width, width) for width in (128, 64, 32))
        self.last = nn.Conv2d(32, 2, 1)

    def forward(self, x):
        levels = []
        for block in self.down:
            x = block(nn.functional.max_pool2d(x, 2) if levels else x)
            levels.append(x)
        for up, join, level in zip(self.up, self.join, levels[-2::-1]):
            x = join(torch.cat([level, up(x)], 1))
        return self.last(x)


def image(make, size=224, **options):
    return lambda: (make(weights=None, **options), torch.randn(1, 3, size, size))


def words(model, config, length, **options):
    return lambda: (First(model(config(attn_implementation="eager", **options))),
                    torch.randint(0, 1000, (1, length)))


def deeplab():
    make = vision.segmentation.deeplabv3_mobilenet_v3_large
    return First(make(weights=None, weights_backbone=None)), torch.randn(1, 3, 256, 256)


def deit():
    config = transformers.DeiTConfig(hidden_size=192, num_attention_heads=3, intermediate_size=768,
                                     attn_implementation="eager")
    return First(transformers.DeiTModel(config)), torch.randn(1, 3, 224, 224)


def of_timm(name, size=224):
    def make():
        import timm  # only these networks need it
        return timm.create_model(name, exportable=True), torch.randn(1, 3, size, size)
    return make


def segformer():
    config = transformers.SegformerConfig(attn_implementation="eager")
    return First(transformers.SegformerForSemanticSegmentation(config)), torch.randn(1, 3, 256, 256)


def wav2vec2():
    config = transformers.Wav2Vec2Config(num_hidden_layers=3, attn_implementation="eager")
    return First(transformers.Wav2Vec2Model(config)), torch.randn(1, 16000)


class Unpadded(nn.Module):
    """A network of words that is told that all of them count, so that no exporter asks where texts begin."""

    def __init__(self, module):
        super().__init__()
        self.module = module

    def forward(self, x):
        return self.module(x, attention_mask=torch.ones_like(x))[0]


def unpadded(model, config, length, **options):
    return lambda: (Unpadded(model(config(attn_implementation="eager", **options))),
                    torch.randint(0, 1000, (1, length)))


def deberta():
    config = transformers.DebertaV2Config(
        num_hidden_layers=3, vocab_size=2000, hidden_size=768, intermediate_size=3072, num_attention_heads=12,
        relative_attention=True, position_buckets=256, norm_rel_ebd="layer_norm", share_att_key=True,
        pos_att_type=["p2c", "c2p"])
    return First(transformers.DebertaV2Model(config)), torch.randint(0, 1000, (1, 128))


TIMM = {"coatnet": ("coatnet_nano_rw_224",), "edgenext": ("edgenext_x_small",),
        "efficientformer": ("efficientformer_l1",),
        "ghostnet": ("ghostnet_100",), "hrnet": ("hrnet_w18_small",), "levit": ("levit_128",),
        "mobilevit": ("mobilevit_xs", 256), "poolformer": ("poolformer_s12",), "pvt": ("pvt_v2_b0",),
        "res2net": ("res2net50_26w_4s",), "xcit": ("xcit_nano_12_p16_224",)}
NETWORKS = {name: of_timm(*options) for name, options in TIMM.items()} | {
    "deberta": deberta, "segformer": segformer, "wav2vec2": wav2vec2,
    "detr": lambda: (torch_images.Detr(), torch.randn(1, 3, 320, 320)),
    "edsr": lambda: (torch_images.Edsr(), torch.randn(1, 3, 96, 96)),
    "gpt2": unpadded(transformers.GPT2Model, transformers.GPT2Config, 128, n_layer=4, use_cache=False),
    "style": lambda: (torch_images.Style(), torch.randn(1, 3, 224, 224)),
    "yolo": lambda: (torch_images.Yolo(), torch.randn(1, 3, 320, 320)),
    "convnext": image(vision.convnext_tiny), "deeplab": deeplab, "deit": deit,
    "densenet121": image(vision.densenet121),
    "distilbert": words(transformers.DistilBertModel, transformers.DistilBertConfig, 128, n_layers=3),
    "effv2": image(vision.efficientnet_v2_s),
    "electra": words(transformers.ElectraModel, transformers.ElectraConfig, 64, num_hidden_layers=6),
    "inception": image(vision.inception_v3, 299, init_weights=False), "mnasnet": image(vision.mnasnet1_0),
    "regnet_y": image(vision.regnet_y_800mf), "resnext50": image(vision.resnext50_32x4d),
    "shufflenet": image(vision.shufflenet_v2_x1_0), "squeezenet": image(vision.squeezenet1_1),
    "swin": image(vision.swin_t), "unet": lambda: (UNet(), torch.randn(1, 3, 192, 192)),
    "vgg11": image(vision.vgg11),
} | torch_blocks.NETWORKS


class Calibration(CalibrationDataReader):
    """Three random sets of inputs like the examples, by name."""

    def __init__(self, examples):
        random = np.random.default_rng(1)

        def draw(example):
            if example.dtype == np.float32:
                return random.standard_normal(example.shape).astype(example.dtype)
            return random.integers(0, 1000, example.shape).astype(example.dtype)
        self.inputs = iter([{name: draw(example) for name, example in examples.items()} for _ in range(3)])

    def get_next(self):
        return next(self.inputs, None)


def quantize(source, path, examples):
    with tempfile.NamedTemporaryFile(suffix=".onnx") as prepared:
        quant_pre_process(source, prepared.name, skip_symbolic_shape=True)
        quantize_static(prepared.name, path, Calibration(examples), quant_format=QuantFormat.QDQ,
                        weight_type=QuantType.QInt8, activation_type=QuantType.QUInt8, per_channel=True)


def network(name):
    """The name of its files, and what makes it with its inputs."""
    if not name.startswith("timm:"):
        return name, NETWORKS[name]
    _, name, *pixels = name.split(":")
    return name, of_timm(name, *map(int, pixels))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--dynamo", action="store_true", help="PyTorch's newer exporter")
    parser.add_argument("names", nargs="*", metavar="NAME", help=" ".join(NETWORKS))
    options = parser.parse_intermixed_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    for name in options.names or NETWORKS:
        torch.manual_seed(0)
        name, make = network(name)
        module, inputs = make()
        inputs = inputs if isinstance(inputs, tuple) else (inputs,)
        examples = {f"x{i or ''}": tensor.numpy() for i, tensor in enumerate(inputs)}  # x, x1 ...
        path = options.folder / f"{name}.f32.onnx"
        with torch.no_grad():
            how = {"dynamo": True, "external_data": False} if options.dynamo else {"dynamo": False, "opset_version": 17}
            torch.onnx.export(module.eval(), inputs, path, input_names=list(examples), **how)
        quantize(path, options.folder / f"{name}.u8pc.onnx", examples)


if __name__ == "__main__":
    main()
