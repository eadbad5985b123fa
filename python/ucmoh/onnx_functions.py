"""Operators that torch-mlir lacks or lowers wrongly, as what they mean: those of new opsets, and those that ONNX
Runtime's optimizer makes of several."""
import functools
import math
import operator

from . import (onnx_activations, onnx_attention, onnx_cache, onnx_dynamic, onnx_experts, onnx_fourier, onnx_grid,
               onnx_groups, onnx_lacking, onnx_quantized, onnx_recurrent, onnx_regions, onnx_resize, onnx_scatter,
               onnx_states, onnx_transposed)
from .onnx_nodes import END
from .onnx_nodes import rewrite as rewrite_nodes


def rewrite(model):
    """The model without those operators."""
    parts = (onnx_activations, onnx_attention, onnx_cache, onnx_dynamic, onnx_experts, onnx_fourier, onnx_grid,
             onnx_groups, onnx_lacking, onnx_quantized, onnx_recurrent, onnx_regions, onnx_resize, onnx_scatter,
             onnx_states, onnx_transposed)
    return rewrite_nodes(model, functools.reduce(operator.or_, (part.MEANINGS for part in parts), MEANINGS))


def add(nodes, x, other):
    """A sum, or x where there is no other operand."""
    return nodes.Add(x, other) if other else x


def rms_norm(nodes, x, scale):
    """Over the dims from `axis` on."""
    rank = len(nodes.shape(x))
    axes = range(nodes.field("axis", -1) % rank - rank, 0)
    return nodes.Mul(nodes.Div(x, onnx_groups.mean_square_root(nodes, x, axes)), scale)


def norm_of_heads(nodes, x, scale):
    """An RMS norm of heads that lie one behind the other, with a dim for them: from the number of heads of all words nobody
    finds that of words. None of other values, which torch-mlir takes."""
    maker = nodes.facts.makers.get(x)
    is_cut = maker is not None and maker.op_type == "Reshape" and nodes.value(maker.input[1]) is not None
    sizes, rows = (nodes.value(maker.input[1]).tolist(), nodes.shape(maker.input[0], may_stay=True)) if is_cut else ([], [])
    if sizes[:2] != [0, -1] or [len(sizes), len(rows)] != [3, 3] or rows[2] is None or rows[2] % sizes[2]:
        return None
    heads = [*rows[:2], rows[2] // sizes[2], sizes[2]]
    apart = nodes.declare(nodes.Reshape(maker.input[0], [0, 0, *heads[2:]]), heads)
    return nodes.Reshape(rms_norm(nodes, apart, scale), sizes)


def layer_norm(nodes, x, scale, bias=""):
    """ONNX Runtime's optimizer writes them into models that are older than opset 17, which has it."""
    if nodes.facts.opset >= 17 or any(nodes.node.output[1:]):
        return None
    rank = len(nodes.shape(x))
    axes = range(nodes.field("axis", -1) % rank - rank, 0)
    return add(nodes, nodes.Mul(onnx_groups.standardize(nodes, x, axes), scale), bias)


def skip_layer_norm(nodes, x, skip, scale, bias="", bias_of_sum=""):
    """The norm of a sum of two; the sum is the fourth result."""
    refuse_results(nodes, (1, 2))
    total = add(nodes, nodes.Add(x, skip), bias_of_sum)
    return [add(nodes, nodes.Mul(onnx_groups.standardize(nodes, total, [-1]), scale), bias), "", "", total]


def skip_rms_norm(nodes, x, skip, scale, bias_of_sum=""):
    """The norm of a sum of two; the sum is the fourth result."""
    refuse_results(nodes, (1, 2))
    total = add(nodes, nodes.Add(x, skip), bias_of_sum)
    return [nodes.Mul(nodes.Div(total, onnx_groups.mean_square_root(nodes, total, [-1])), scale), "", "", total]


def refuse_results(nodes, places):
    """An error where one of these results is wanted."""
    for place in places:
        if nodes.node.output[place:place + 1] not in ([], [""]):
            nodes.refuse(f"result {place} is not supported; export the model without ONNX Runtime's optimizations")


def embed_layer_norm(nodes, words, segments, word_table, place_table, segment_table, scale, bias, mask="", places=""):
    """The norm of a sum of rows of two or three tables, and how many words of each text a mask has."""
    refuse_results(nodes, (2,))
    length = nodes.static_shape(words)[1]
    rows = nodes.Gather(place_table, places or list(range(length)))
    total = nodes.Add(nodes.Gather(word_table, words), rows)
    if segments:
        total = nodes.Add(total, nodes.Gather(segment_table, segments))
    lengths = nodes.numpy.zeros(nodes.static_shape(words)[0], "int32")
    lengths = nodes.squeeze(nodes.reduce("ReduceSum", mask, [1]), 1) if mask else nodes.constant(lengths)
    return [nodes.Add(nodes.Mul(onnx_groups.standardize(nodes, total, [-1]), scale), bias), lengths]


def quantized_embed_layer_norm(nodes, words, segments, *operands):
    """The same of tables, a scale and a bias of bytes, behind which a mask, scales and zero points come."""
    integers, (mask, *steps) = operands[:5], operands[5:16]
    floats = [each and nodes.DequantizeLinear(each, *pair) for each, *pair in zip(integers, steps[:5], steps[5:])]
    return embed_layer_norm(nodes, words, segments, *floats, mask)


def fused_product(nodes, left, right):
    """Operands that may be transposed, and a factor."""
    for field, at in (("transBatchA", 0), ("transBatchB", 1)):
        if nodes.field(field, 0):
            nodes.refuse(f"{field} is not supported; export the model without ONNX Runtime's optimizations")
    product = nodes.MatMul(transposed(nodes, left, "transA"), transposed(nodes, right, "transB"))
    alpha = nodes.field("alpha", 1.0)
    return product if alpha == 1 else nodes.Mul(product, alpha)


def transposed(nodes, operand, field):
    """Its last two dims in the other order, where the field says so."""
    rank = len(nodes.shape(operand)) if nodes.field(field, 0) else 0
    return nodes.Transpose(operand, perm=[*range(rank - 2), rank - 1, rank - 2]) if rank > 1 else operand


def fused_convolution(nodes, x, weight, bias="", addend=""):
    """A convolution, a sum and an activation."""
    own = {name: value for name, value in nodes.fields.items() if not name.startswith("activation")}
    result = nodes.Conv(*[each for each in (x, weight, bias) if each], **own)
    return activate(nodes, add(nodes, result, addend))


def fused_gemm(nodes, *operands):
    """A product and an activation."""
    own = {name: value for name, value in nodes.fields.items() if not name.startswith("activation")}
    return activate(nodes, nodes.Gemm(*operands, **own))


def activate(nodes, x):
    """The activation that is named, whose parameters are in one order."""
    name, parameters = nodes.field("activation", ""), list(nodes.field("activation_params", []))
    parameters = parameters or [nodes.fields[key] for key in ("activation_alpha", "activation_beta", "activation_gamma")
                                if key in nodes.fields]
    if not name or name in ("Relu", "Tanh", "Sigmoid", "Softplus"):
        return nodes.add(name, [x]) if name else x
    if name == "Clip":
        return nodes.Min(nodes.Max(x, parameters[0]), parameters[1])
    if name in ("LeakyRelu", "Elu", "HardSigmoid"):
        return nodes.add(name, [x], **dict(zip(("alpha", "beta"), parameters)))
    return nodes.refuse(f"activation {name} is not supported; export the model without ONNX Runtime's optimizations")


def pad(nodes, x, sizes="", value="", axes=""):
    """Negative sizes cut: torch-mlir would compute them wrongly."""
    sizes = nodes.value(sizes) if sizes else nodes.numpy.array(nodes.field("pads", []))
    if sizes is None or not (sizes < 0).any():
        return None
    count = len(sizes) // 2
    dims = nodes.value(axes).tolist() if axes else list(range(count))
    for at, dim in enumerate(dims):
        begin, end = (int(min(each, 0)) for each in (sizes[at], sizes[count + at]))
        if begin or end:
            x = nodes.slice(x, -begin, end or END, dim)
    if (sizes > 0).any():
        own = {name: each for name, each in nodes.fields.items() if name == "mode"}
        x = nodes.add("Pad", [x, nodes.numpy.maximum(sizes, 0), *([value] if value or axes else []),
                              *([axes] if axes else [])], **own)
    return x


def clipped(nodes, x):
    """The attributes of a pooling with windows no larger than the image with its border: torch-mlir would make the image as
    large as the windows that ceil_mode allows, of which EfficientNet's last one has 1280 x 1280 pixels of 7 x 7."""
    window = nodes.field("kernel_shape")
    if not nodes.field("ceil_mode", 0) or nodes.field("auto_pad", "NOTSET") != "NOTSET" or max(nodes.field("dilations", [1])) > 1:
        return nodes.fields
    image, count = nodes.shape(x, may_stay=True)[2:], len(window)
    borders = nodes.field("pads", [0] * 2 * count)
    wide = [size if extent is None else min(size, extent + borders[dim] + borders[count + dim])
            for dim, (size, extent) in enumerate(zip(window, image))]
    steps = [step if own == size else size for step, own, size in zip(nodes.field("strides", [1] * count), window, wide)]
    return nodes.fields if wide == list(window) else nodes.fields | {"kernel_shape": wide, "strides": steps}


def average_pool(nodes, x):
    """With clipped windows."""
    fields = clipped(nodes, x)
    return None if fields is nodes.fields else nodes.AveragePool(x, **fields)


def max_pool(nodes, x):
    """Places of maxima count in the image of one channel for torch-mlir, and in the whole tensor for ONNX."""
    fields = clipped(nodes, x)
    if not "".join(nodes.node.output[1:2]):
        return None if fields is nodes.fields else nodes.MaxPool(x, **fields)
    if nodes.field("storage_order", 0):
        nodes.refuse("storage_order=1 is not supported; compute places in the order of rows")
    batch, channels, *image = nodes.static_shape(x)
    values, places = nodes.add("MaxPool", [x], outputs=2, **fields)
    first = nodes.numpy.arange(batch * channels).reshape(batch, channels, *[1] * len(image)) * math.prod(image)
    return [values, nodes.Add(places, first)]


def place_of_extreme(nodes, x):
    """The least place whose element is the extreme one, or the greatest: two reductions that vectors compute."""
    kind, numpy = nodes.helper.np_dtype_to_tensor_dtype, nodes.numpy
    operator, axis = nodes.node.op_type.replace("Arg", "Reduce"), nodes.field("axis", 0)
    shape = nodes.shape(x)
    count = shape[axis]
    if count is None or nodes.facts.types.get(x) != kind(numpy.dtype("float32")):
        return None
    wants_last = nodes.field("select_last_index", 0)
    places = numpy.arange(count, dtype="int32").reshape([-1, *[1] * (len(shape) - 1 - axis % len(shape))])
    is_extreme = nodes.Equal(x, nodes.reduce(operator, x, [axis]))
    others = numpy.array(0 if wants_last else count - 1, "int32")
    found = nodes.Where(is_extreme, places, others)
    place = nodes.reduce("ReduceMax" if wants_last else "ReduceMin", found, [axis])
    place = nodes.Cast(place, to=kind(numpy.dtype("int64")))
    return place if nodes.field("keepdims", 1) else nodes.squeeze(place, axis % len(shape))


def einsum(nodes, *operands):
    """An einsum of more than two operands becomes one of two after the other, because torch-mlir adds over letters that
    later operands still have. It gets the result's letters, which ONNX may leave out."""
    left, arrow, result = nodes.field("equation").replace(" ", "").partition("->")
    if arrow and len(operands) < 3:
        return None
    if not arrow:
        letters = left.replace(",", "").replace(".", "")
        result = "..." * ("." in left) + "".join(sorted(each for each in letters if letters.count(each) == 1))
    if len(operands) > 2 and "." in left:
        nodes.refuse("more than two operands with '...' are not supported; name all letters")
    terms = left.split(",")
    value, term = operands[0], terms[0]
    for at in range(1, len(operands)):
        kept = dict.fromkeys(each for each in term + terms[at] if each in "".join([result, *terms[at + 1:]]))
        kept = result if at == len(operands) - 1 else "".join(kept)
        value, term = nodes.Einsum(value, operands[at], equation=f"{term},{terms[at]}->{kept}"), kept
    return value if len(operands) > 1 else nodes.Einsum(value, equation=f"{term}->{result}")


def gather(nodes, x, places):
    """One of a dim's elements as a slice, which is no loop over places. Vectors, which may be shapes, stay, and so do
    models of opsets whose slices have constant bounds."""
    index = nodes.value(places)
    if nodes.facts.opset < 10 or index is None or index.size != 1 or index.ndim > 1 or len(nodes.shape(x)) < 2:
        return None
    place, axis = int(index.reshape(-1)[0]), nodes.field("axis", 0)
    piece = nodes.row(x, place, axis)
    return piece if index.ndim else nodes.squeeze(piece, axis)


MEANINGS = {
    "ArgMax": place_of_extreme, "ArgMin": place_of_extreme,
    "Einsum": einsum, "Gather": gather,
    "RMSNormalization": rms_norm, "SimplifiedLayerNormalization": norm_of_heads, "LayerNormalization": layer_norm,
    "SkipLayerNormalization": skip_layer_norm, "SkipSimplifiedLayerNormalization": skip_rms_norm,
    "EmbedLayerNormalization": embed_layer_norm, "QEmbedLayerNormalization": quantized_embed_layer_norm,
    "FusedMatMul": fused_product, "TransposeMatMul": fused_product, "FusedConv": fused_convolution,
    "FusedGemm": fused_gemm, "Pad": pad, "AveragePool": average_pool, "MaxPool": max_pool,
}
