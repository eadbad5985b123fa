"""Makes a block of Llama as ONNX, as it is served: any length, weights of 4, 8, 16 and 32 bits.

    PYTHONPATH=python .venv-python/bin/python scripts/models/onnx_served.py FOLDER --forms f32 w4g32 --stages decode

Writes FOLDER/llama-STAGE.FORM.onnx for benchmarks/engines.py. Stages: prefill, of a sequence of any length, and decode,
of one row and a cache of any length. Forms: f32; bf16; s8 (weights of 8 bits for each column, rows quantized on each
call: DynamicQuantizeLinear and MatMulInteger); w4gN and w8gN (MatMulNBits with a scale for each N steps of the reduction
and rows that may be quantized, level 4); the latter with -f32 (level 0: rows are multiplied as floats). Weights are random
and seeded. It needs torch, onnx and onnxruntime.
"""
import argparse
import itertools
import pathlib
import warnings

import numpy as np
import onnx
import torch
from onnx import helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic

import llama

FORMS = ["f32", "bf16", "s8", "w8g32", "w8g128", "w4g32", "w4g128", "w4g32-f32"]


def export(form, stage, path, sizes):
    """The block in f32 or bf16, whose length is open."""
    block = llama.build(form, stage, **sizes)
    inputs = block.inputs(5)
    names = [f"x{index}" for index in range(len(inputs))]
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")
        torch.onnx.export(block, inputs, path, dynamo=False, opset_version=17, input_names=names, dynamic_axes={
            name: {axis: "length" for axis in dims} for name, dims in zip(names, block.dims(None)) if dims})


def narrow(weights, bits, group):
    """Weights (steps x columns) as integers around the middle of their range, packed by columns, and their scales."""
    groups = weights.T.reshape(weights.shape[1], -1, group)
    middle = 1 << bits - 1
    scales = np.maximum(np.abs(groups).max(-1), 1e-12) / (middle - 1)
    integers = (np.rint(groups / scales[..., None]) + middle).astype(np.uint8)
    if bits == 4:
        integers = integers[..., ::2] | integers[..., 1::2] << 4
    return integers, scales.astype(np.float32).ravel()


def narrow_node(node, weights, bits, group, level):
    """The MatMulNBits in place of a MatMul with these weights, and its constants."""
    steps, columns = weights.shape
    names = [f"{node.name}_integers", f"{node.name}_scales"]
    made = helper.make_node("MatMulNBits", [node.input[0], *names], node.output, domain="com.microsoft", K=steps, N=columns,
                            bits=bits, block_size=group, accuracy_level=level)
    return made, [numpy_helper.from_array(each, name) for each, name in zip(narrow(weights, bits, group), names)]


def save_narrow(source, path, bits, group, level):
    """The same network, whose products with constants have narrow weights."""
    model = onnx.load(source)
    constants = {tensor.name: tensor for tensor in model.graph.initializer}
    nodes = []
    for node in model.graph.node:
        if node.op_type == "MatMul" and node.input[1] in constants:
            tensor = constants.pop(node.input[1])
            node, made = narrow_node(node, numpy_helper.to_array(tensor), bits, group, level)
            model.graph.initializer.remove(tensor)
            model.graph.initializer.extend(made)
        nodes.append(node)
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    model.opset_import.append(helper.make_opsetid("com.microsoft", 1))
    onnx.save(model, path)


def save(form, source, path):
    """The network of `source`, which is in f32, with products of another form."""
    if form == "s8":
        quantize_dynamic(source, path, per_channel=True, weight_type=QuantType.QInt8, op_types_to_quantize=["MatMul"])
    else:
        weights, _, rows = form.partition("-")
        bits, _, group = weights.removeprefix("w").partition("g")
        save_narrow(source, path, int(bits), int(group), 0 if rows == "f32" else 4)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--forms", nargs="+", default=FORMS)
    parser.add_argument("--stages", nargs="+", default=llama.STAGES, choices=llama.STAGES)
    parser.add_argument("--width", type=int, default=2048)
    parser.add_argument("--heads", type=int, default=16)
    parser.add_argument("--inner", type=int, default=8192)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    sizes = {"width": options.width, "heads": options.heads, "inner": options.inner}
    for stage in options.stages:
        paths = {form: options.folder / f"llama-{stage}.{form}.onnx" for form in ("f32", *options.forms)}
        for form, path in paths.items():
            if form in ("f32", "bf16"):
                export(form, stage, path, sizes)
            else:
                save(form, paths["f32"], path)


if __name__ == "__main__":
    main()
