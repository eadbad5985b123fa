"""The networks behind test/Models: pieces of well-known models, with random weights."""

import torch
from torch import nn
from torchvision.models import resnet50
from transformers import BertConfig, ViTConfig
from transformers.models.bert.modeling_bert import BertLayer
from transformers.models.vit.modeling_vit import ViTAttention


class First(nn.Module):
    """The first of the module's results, where it returns a tuple or, as transformers do, a dictionary of them."""

    def __init__(self, module):
        super().__init__()
        self.module = module

    def forward(self, x):
        result = self.module(x)
        results = list(result.values()) if isinstance(result, dict) else result
        return results if isinstance(results, torch.Tensor) else results[0]


def bert_layer(hidden, heads, intermediate):
    config = BertConfig(hidden_size=hidden, num_attention_heads=heads, num_hidden_layers=1,
                        intermediate_size=intermediate, attn_implementation="eager")
    return First(BertLayer(config)), (1, 128, hidden)


def vit_attention():
    config = ViTConfig(attn_implementation="eager")
    return First(ViTAttention(config)), (1, 197, config.hidden_size)


def resnet50_convolutions():
    """The first three convolutions of ResNet-50: 7x7 with stride 2, 1x1 and 3x3."""
    network = resnet50(weights=None).eval()
    block = network.layer1[0]
    pieces = nn.Sequential(network.conv1, network.bn1, nn.ReLU(), network.maxpool,
                           block.conv1, block.bn1, nn.ReLU(), block.conv2, block.bn2, nn.ReLU())
    return pieces, (1, 3, 224, 224)


NETWORKS = {
    "bert-base-layer": lambda: bert_layer(768, 12, 3072),
    "bert-tiny-layer": lambda: bert_layer(128, 2, 512),
    "vit-base-attention": vit_attention,
    "resnet50-convolutions": resnet50_convolutions,
}


def make(name):
    """The network, in evaluation mode, and its inputs. The same for each call."""
    torch.manual_seed(0)
    network, shape = NETWORKS[name]()
    with torch.no_grad():  # A bias of zero would be folded away.
        for key, parameter in network.named_parameters():
            if key.endswith("bias"):
                parameter.uniform_(-0.5, 0.5)
    return network.eval(), torch.randn(shape)
