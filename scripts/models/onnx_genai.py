"""Makes a language model as ONNX Runtime generates text with it: GroupQueryAttention, MatMulNBits, a cache of any length.

    pip install --no-deps --target genai onnxruntime-genai
    PYTHONPATH=genai .venv-python/bin/python scripts/models/onnx_genai.py FOLDER --kind llama --precision int4

Writes FOLDER/KIND-PRECISION/model.onnx by ONNX Runtime GenAI's own model builder, with random weights that are seeded,
and beside it what that builder writes. Kinds: decoders of transformers, by their name there. The sizes are those of
Llama 3.2 1B, with four layers and a table of 16,384 words. It needs torch, transformers, onnx, onnxruntime, onnx_ir and
onnxruntime-genai.
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile

import tokenizers
import torch
import transformers

KINDS = {"llama": "Llama", "qwen2": "Qwen2", "qwen3": "Qwen3", "phi3": "Phi3", "mistral": "Mistral", "granite": "Granite",
         "nemotron": "Nemotron", "olmo": "Olmo", "smollm3": "SmolLM3"}


def config(options):
    """The sizes of the model."""
    kind = getattr(transformers, f"{KINDS[options.kind]}Config")
    return kind(hidden_size=options.width, intermediate_size=4 * options.width, num_hidden_layers=options.layers,
                num_attention_heads=options.heads, num_key_value_heads=options.kept, vocab_size=options.words,
                max_position_embeddings=4096, bos_token_id=1, eos_token_id=2, pad_token_id=0)


def save(options, folder):
    """The model as transformers saves it, with words that are numbers."""
    torch.manual_seed(0)
    model = getattr(transformers, f"{KINDS[options.kind]}ForCausalLM")(config(options)).eval()
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
