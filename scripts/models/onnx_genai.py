"""Makes a language model as ONNX Runtime generates text with it: GroupQueryAttention, MatMulNBits, a cache of any length.

    pip install --no-deps --target genai onnxruntime-genai
    PYTHONPATH=genai .venv-python/bin/python scripts/models/onnx_genai.py FOLDER --kind llama --precision int4

Writes FOLDER/KIND-PRECISION/model.onnx by ONNX Runtime GenAI's own model builder, with random weights that are seeded,
and beside it what that builder writes. Kinds: decoders of transformers, by their name there. The sizes are those of
Llama 3.2 1B, with four layers and a table of 16,384 words. Where layers have experts, these are 32, of which a word gets
four, each half as wide as the model. It needs torch, transformers, onnx, onnxruntime, onnx_ir and onnxruntime-genai.
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile

import tokenizers
import torch
import transformers

KINDS = {"llama": "Llama", "qwen2": "Qwen2", "qwen3": "Qwen3", "phi": "Phi", "phi3": "Phi3", "mistral": "Mistral",
         "granite": "Granite", "nemotron": "Nemotron", "olmo": "Olmo", "smollm3": "SmolLM3", "gemma": "Gemma", "gemma2": "Gemma2",
         "ernie": "Ernie4_5", "hunyuan": "HunYuanDenseV1", "lfm2": "Lfm2", "lfm2_moe": "Lfm2Moe", "qwen3_5": "Qwen3_5",
         "qwen3_5_moe": "Qwen3_5Moe"}
EXPERTS = {"num_experts": 32, "num_experts_per_tok": 4}
TURNS = {"rope_type": "default", "rope_theta": 10000.0, "partial_rotary_factor": 0.25, "mrope_section": [6, 5, 5],
         "mrope_interleaved": True}
IMAGES = {"hidden_size": 64, "intermediate_size": 128, "depth": 1, "num_heads": 2}  # the builder leaves that part out


def fields(options):
    """What a kind has besides the sizes."""
    inner = {"moe_intermediate_size": options.width // 2}
    parts = ["conv" if layer % 2 == 0 else "full_attention" for layer in range(options.layers)]
    if options.kind.startswith("lfm2"):
        return {"layer_types": parts, "conv_L_cache": 3} | (EXPERTS | inner | {"num_dense_layers": 1} if "moe" in options.kind else {})
    if options.kind == "hunyuan":
        return {"head_dim": options.width // options.heads}
    if not options.kind.startswith("qwen3_5"):
        return {}
    layers = ["full_attention" if layer % 4 == 3 else "linear_attention" for layer in range(options.layers)]
    heads = {"head_dim": 128, "linear_num_key_heads": options.width // 128, "linear_num_value_heads": options.width // 64,
             "linear_key_head_dim": 128, "linear_value_head_dim": 128, "linear_conv_kernel_dim": 4}
    shared = EXPERTS | inner | {"shared_expert_intermediate_size": options.width // 2}
    return {"layer_types": layers, "rope_parameters": TURNS} | heads | (shared if "moe" in options.kind else {})


def config(options):
    """The sizes of the model."""
    kind = getattr(transformers, f"{KINDS[options.kind]}Config")
    sizes = dict(hidden_size=options.width, intermediate_size=options.inner or 4 * options.width, num_hidden_layers=options.layers,
                 num_attention_heads=options.heads, num_key_value_heads=options.kept, vocab_size=options.words,
                 max_position_embeddings=4096, bos_token_id=1, eos_token_id=2, pad_token_id=0, **fields(options))
    if not options.kind.startswith("qwen3_5"):
        return kind(**sizes)
    tokens = {f"{name}_id": number for number, name in enumerate(
        ("image_token", "video_token", "vision_start_token", "vision_end_token"), start=3)}
    return kind(text_config=sizes, vision_config=IMAGES | {"out_hidden_size": options.width}, **tokens)


def save(options, folder):
    """The model as transformers saves it, with words that are numbers."""
    torch.manual_seed(0)
    task = "ForConditionalGeneration" if options.kind.startswith("qwen3_5") else "ForCausalLM"
    model = getattr(transformers, f"{KINDS[options.kind]}{task}")(config(options)).eval()
    model.config.architectures = [type(model).__name__]
    model.save_pretrained(folder)
    words = tokenizers.Tokenizer(tokenizers.models.WordLevel({f"w{at}": at for at in range(options.words)}, unk_token="w0"))
    transformers.PreTrainedTokenizerFast(tokenizer_object=words, unk_token="w0", bos_token="w1", eos_token="w2",
                                         pad_token="w0").save_pretrained(folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--kind", default="llama", choices=KINDS)
    parser.add_argument("--precision", default="int4", choices=["int4", "fp32"])
    parser.add_argument("--width", type=int, default=2048)
    parser.add_argument("--inner", type=int, help="width inside of layers; four times the width unless given")
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--heads", type=int, default=32)
    parser.add_argument("--kept", type=int, default=8, help="heads of keys and values")
    parser.add_argument("--words", type=int, default=16384)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        save(options, folder)
        subprocess.run([sys.executable, "-m", "onnxruntime_genai.models.builder", "-i", folder, "-o",
                        options.folder / f"{options.kind}-{options.precision}", "-p", options.precision, "-e", "cpu",
                        "-c", folder], check=True)


if __name__ == "__main__":
    main()
