"""Networks of torchvision and transformers with random weights, each with inputs: MODELS[name]() -> (module, inputs).

What is large is built small, so that all of them are compiled and run in minutes.
"""
import torch
import torchvision.models as vision
import transformers

SMALL = dict(hidden_size=128, num_hidden_layers=2, num_attention_heads=4, intermediate_size=512, vocab_size=1000)
DECODER = SMALL | dict(num_key_value_heads=2, max_position_embeddings=128, pad_token_id=0)


class Selected(torch.nn.Module):
    """The results of a model of transformers that are tensors, without caches."""

    def __init__(self, module):
        super().__init__()
        self.module = module

    def forward(self, *args):
        result = self.module(*args)
        return result[0]


def seeded(make):
    torch.manual_seed(0)
    module = make().eval()
    with torch.no_grad():
        for name, parameter in module.named_parameters():
            randomize(name, parameter)
    return module


def randomize(name, parameter):
    """Replaces parameters that are 0 or almost 0 at first: they would hide what is computed before them."""
    if name.endswith("bias") or not parameter.any():
        parameter.uniform_(-0.1, 0.1)
    elif name.endswith("layer_scale"):
        parameter.uniform_(0.5, 1)


def image(make, size=224, **options):
    def build():
        module = seeded(lambda: make(weights=None, **options))
        return module, (torch.randn(1, 3, size, size),)
    return build


def segmentation(make, size):
    def build():
        return seeded(lambda: make(weights=None, weights_backbone=None)), (torch.randn(1, 3, size, size),)
    return build


def video():
    return seeded(lambda: vision.video.r3d_18(weights=None)), (torch.randn(1, 3, 8, 56, 56),)


def words(model, config, **fields):
    def build():
        module = seeded(lambda: Selected(getattr(transformers, model)(getattr(transformers, config)(**fields))))
        return module, (torch.randint(1, 1000, (1, 32)),)
    return build


def pixels(model, config, size, **fields):
    def build():
        module = seeded(lambda: Selected(getattr(transformers, model)(getattr(transformers, config)(**fields))))
        return module, (torch.randn(1, 3, size, size),)
    return build


def t5_encoder():
    """T5-small's."""
    module = seeded(lambda: Selected(transformers.T5EncoderModel(transformers.T5Config())))
    return module, (torch.randint(1, 30000, (1, 128)),)


def whisper_encoder():
    """Whisper-tiny's, on 30 seconds of sound."""
    config = transformers.WhisperConfig(d_model=384, encoder_layers=4, encoder_attention_heads=6, encoder_ffn_dim=1536)
    module = seeded(lambda: Selected(transformers.models.whisper.modeling_whisper.WhisperEncoder(config)))
    return module, (torch.randn(1, 80, 3000),)


def llama_block():
    """One layer of TinyLlama's size on 128 words, with as many keys as queries: ONNX's exporter has no groups of them."""
    config = transformers.LlamaConfig(hidden_size=2048, intermediate_size=5632, num_hidden_layers=1, vocab_size=1000,
                                      num_attention_heads=32, num_key_value_heads=32)
    return seeded(lambda: Selected(transformers.LlamaModel(config))), (torch.randint(1, 1000, (1, 128)),)


class Sequence2Sequence(torch.nn.Module):
    """A model with an encoder and a decoder, on tokens of both."""

    def __init__(self, module):
        super().__init__()
        self.module = module

    def forward(self, source, target):
        return self.module(source, decoder_input_ids=target, use_cache=False)[0]


def t5():
    config = transformers.T5Config(d_model=128, d_kv=32, d_ff=256, num_layers=2, num_heads=4, vocab_size=1000)
    module = seeded(lambda: Sequence2Sequence(transformers.T5Model(config)))
    return module, (torch.randint(1, 1000, (1, 32)), torch.randint(1, 1000, (1, 16)))


def bart():
    config = transformers.BartConfig(d_model=128, encoder_layers=2, decoder_layers=2, encoder_attention_heads=4,
                                     decoder_attention_heads=4, encoder_ffn_dim=256, decoder_ffn_dim=256,
                                     vocab_size=1000)
    module = seeded(lambda: Sequence2Sequence(transformers.BartModel(config)))
    return module, (torch.randint(3, 1000, (1, 32)), torch.randint(3, 1000, (1, 16)))


def whisper():
    config = transformers.WhisperConfig(d_model=128, encoder_layers=2, decoder_layers=2, encoder_attention_heads=4,
                                        decoder_attention_heads=4, encoder_ffn_dim=256, decoder_ffn_dim=256,
                                        max_source_positions=100, vocab_size=1000, pad_token_id=0)
    module = seeded(lambda: Sequence2Sequence(transformers.WhisperModel(config)))
    return module, (torch.randn(1, 80, 200), torch.randint(1, 1000, (1, 16)))


def bert_base():
    module = seeded(lambda: Selected(transformers.BertModel(transformers.BertConfig())))
    return module, (torch.randint(1, 30000, (1, 128)),)


MODELS = {
    "alexnet": image(vision.alexnet), "vgg11_bn": image(vision.vgg11_bn), "squeezenet1_1": image(vision.squeezenet1_1),
    "resnet18": image(vision.resnet18), "resnet50": image(vision.resnet50),
    "resnext50_32x4d": image(vision.resnext50_32x4d), "mobilenet_v2": image(vision.mobilenet_v2),
    "mobilenet_v3_small": image(vision.mobilenet_v3_small), "shufflenet_v2_x1_0": image(vision.shufflenet_v2_x1_0),
    "mnasnet1_0": image(vision.mnasnet1_0), "efficientnet_b0": image(vision.efficientnet_b0),
    "regnet_y_400mf": image(vision.regnet_y_400mf), "densenet121": image(vision.densenet121),
    "googlenet": image(vision.googlenet, aux_logits=False, init_weights=False),
    "inception_v3": image(vision.inception_v3, 299, aux_logits=False, init_weights=False),
    "convnext_tiny": image(vision.convnext_tiny), "vit_b_16": image(vision.vit_b_16), "swin_t": image(vision.swin_t),
    "swin_v2_t": image(vision.swin_v2_t), "maxvit_t": image(vision.maxvit_t), "r3d_18": video,
    "deeplabv3_mobilenet_v3_large": segmentation(vision.segmentation.deeplabv3_mobilenet_v3_large, 128),
    "lraspp_mobilenet_v3_large": segmentation(vision.segmentation.lraspp_mobilenet_v3_large, 128),
    "bert_base": bert_base, "bert": words("BertModel", "BertConfig", **SMALL),
    "roberta": words("RobertaModel", "RobertaConfig", **SMALL, pad_token_id=0),
    "distilbert": words("DistilBertModel", "DistilBertConfig", dim=128, n_layers=2, n_heads=4, hidden_dim=512,
                        vocab_size=1000),
    "albert": words("AlbertModel", "AlbertConfig", **SMALL, embedding_size=64),
    "electra": words("ElectraModel", "ElectraConfig", **SMALL, embedding_size=64),
    "deberta_v2": words("DebertaV2Model", "DebertaV2Config", **SMALL),
    "gpt2": words("GPT2Model", "GPT2Config", n_embd=128, n_layer=2, n_head=4, vocab_size=1000),
    "gpt_neox": words("GPTNeoXModel", "GPTNeoXConfig", **SMALL),
    "opt": words("OPTModel", "OPTConfig", hidden_size=128, num_hidden_layers=2, num_attention_heads=4, ffn_dim=512,
                 vocab_size=1000, word_embed_proj_dim=128, pad_token_id=0),
    "llama": words("LlamaModel", "LlamaConfig", **DECODER),
    "mistral": words("MistralModel", "MistralConfig", **DECODER),
    "qwen2": words("Qwen2Model", "Qwen2Config", **DECODER), "phi": words("PhiModel", "PhiConfig", **DECODER),
    "gemma": words("GemmaModel", "GemmaConfig", **DECODER, head_dim=32),
    "mixtral": words("MixtralModel", "MixtralConfig", **DECODER, num_local_experts=4),
    "t5_encoder": t5_encoder, "whisper_encoder": whisper_encoder, "llama_block": llama_block,
    "t5": t5, "bart": bart, "whisper": whisper,
    "vit": pixels("ViTModel", "ViTConfig", 64, hidden_size=128, num_hidden_layers=2, num_attention_heads=4,
                  intermediate_size=512, image_size=64, patch_size=8),
    "dinov2": pixels("Dinov2Model", "Dinov2Config", 64, hidden_size=128, num_hidden_layers=2, num_attention_heads=4,
                     image_size=64, patch_size=8),
    "segformer": pixels("SegformerModel", "SegformerConfig", 64),
    "clip_vision": pixels("CLIPVisionModel", "CLIPVisionConfig", 64, hidden_size=128, num_hidden_layers=2,
                          num_attention_heads=4, intermediate_size=512, image_size=64, patch_size=8),
}
