#!/usr/bin/env python3
"""Prints the MLIR module of one benchmark task: function @f, destination passing, channels last.

    gen_workload.py TASK_LINE TYPES                 weights are an argument marked {ucmoh.weight}
    gen_workload.py TASK_LINE TYPES WEIGHTS.bin     weights are a constant with these bytes
"""
import json
import pathlib
import sys

ELEMENTS = {"u8s8s32": ("i8", "i8", "i32"), "s8s8s32": ("i8", "i8", "i32"),
            "f32": ("f32", "f32", "f32"), "bf16": ("bf16", "bf16", "f32")}


def is_depthwise(task):
    return task.get("depthwise", False)


def shapes(task):
    """Shapes of lhs, weights and result, as in Task.h."""
    batch = [task["batch"]] if task["batch"] > 1 else []
    return (batch + [task["images"], *task["in"], task["channels"]],
            batch + [*task["kernel"], task["channels"], *([] if is_depthwise(task) else [task["filters"]])],
            batch + [task["images"], *task["out"], task["filters"]])


def tensor(shape, element):
    return f"tensor<{'x'.join(map(str, shape))}x{element}>"


def padding(task, element):
    """The text that pads %lhs to %padded, and the padded shape."""
    shape = shapes(task)[0]
    if not any(task["pad"]):
        return "", "%lhs", shape
    around = [0, *task["pad"], 0]
    padded = [size + 2 * pad for size, pad in zip(shape, around)]
    zero = "0.0" if element in ("f32", "bf16") else "0"
    low = ", ".join(map(str, around))
    indices = ", ".join(f"%i{dim}: index" for dim in range(len(shape)))
    return (f"  %border = arith.constant {zero} : {element}\n"
            f"  %padded = tensor.pad %lhs low[{low}] high[{low}] {{\n"
            f"  ^bb0({indices}):\n    tensor.yield %border : {element}\n"
            f"  }} : {tensor(shape, element)} to {tensor(padded, element)}\n", "%padded", padded)


def named_op(task, choice):
    if task["in"]:
        strides = ", ".join(map(str, task["stride"]))
        dilations = ", ".join(map(str, task["dilation"]))
        rank = len(task["in"])
        name = ("depthwise_conv_2d_nhwc_hwc" if is_depthwise(task)
                else {2: "conv_2d_nhwc_hwcf", 3: "conv_3d_ndhwc_dhwcf"}[rank])
        return (f"linalg.{name} {{{choice}strides = dense<[{strides}]> : tensor<{rank}xi64>, "
                f"dilations = dense<[{dilations}]> : tensor<{rank}xi64>}}")
    name = "linalg.batch_matmul" if task["batch"] > 1 else "linalg.matmul"
    return f"{name} {{{choice.removesuffix(', ')}}}" if choice else name


def generic_maps(task):
    """Indexing maps and iterator types of the task as a linalg.generic."""
    batch = ["b"] if task["batch"] > 1 else []
    out = [f"o{dim}" for dim in range(len(task["in"]))]
    kernel = [f"k{dim}" for dim in range(len(task["in"]))]
    sums = [f"{o} * {s} + {k} * {d}" for o, s, k, d
            in zip(out, task["stride"], kernel, task["dilation"])]
    own, summed = (["n"], []) if is_depthwise(task) else (["c"], ["c"])
    filters = [] if is_depthwise(task) else ["n"]
    dims = ", ".join([*batch, "m", *out, "n", *kernel, *summed])
    parallel = len(batch) + 2 + len(out)
    iterators = ['"parallel"'] * parallel + ['"reduction"'] * (len(kernel) + len(summed))
    operands = ([*batch, "m", *sums, *own], [*batch, *kernel, *own, *filters],
                [*batch, "m", *out, "n"])
    maps = ", ".join(f"affine_map<({dims}) -> ({', '.join(operand)})>" for operand in operands)
    return f"indexing_maps = [{maps}], iterator_types = [{', '.join(iterators)}]"


def contraction(task, types, choice, lhs, lhs_type, rhs_type, result_type):
    ins = f"ins({lhs}, %rhs : {lhs_type}, {rhs_type}) outs(%zeros : {result_type})"
    if types != "u8s8s32":  # the named ops sign-extend integers and extend bf16
        return f"  %result = {named_op(task, choice)} {ins} -> {result_type}\n"
    return (f"  %result = linalg.generic {{{choice}{generic_maps(task)}}} {ins} {{\n"
            "  ^bb0(%a: i8, %b: i8, %acc: i32):\n"
            "    %x = arith.extui %a : i8 to i32\n    %y = arith.extsi %b : i8 to i32\n"
            "    %product = arith.muli %x, %y : i32\n"
            "    %sum = arith.addi %acc, %product : i32\n    linalg.yield %sum : i32\n"
            f"  }} -> {result_type}\n")


def function(task, types, weights=None, name="f", choice=""):
    """The function's text. `choice`: a #ucmoh.choice to pin, or nothing."""
    choice = f"ucmoh.choice = {choice}, " if choice else ""
    element = ELEMENTS[types]
    lhs_shape, rhs_shape, result_shape = shapes(task)
    rhs_type, result_type = tensor(rhs_shape, element[1]), tensor(result_shape, element[2])
    pad, lhs, padded = padding(task, element[0])
    marked = "" if task["batch"] > 1 else " {ucmoh.weight}"
    arguments = [f"%lhs: {tensor(lhs_shape, element[0])}"]
    constant, init = "", "%init"
    if weights is None:
        arguments += [f"%rhs: {rhs_type}{marked}", f"%init: {result_type}"]
    elif task["batch"] > 1:
        arguments += [f"%rhs: {rhs_type}"]
    else:
        constant = f'  %rhs = arith.constant dense<"0x{weights.hex().upper()}"> : {rhs_type}\n'
    if weights is not None:
        constant += f"  %init = tensor.empty() : {result_type}\n"
    zero = "0.0 : f32" if element[2] == "f32" else "0 : i32"
    return (f"func.func @{name}({', '.join(arguments)}) -> {result_type} {{\n{constant}"
            f"  %zero = arith.constant {zero}\n"
            f"  %zeros = linalg.fill ins(%zero : {element[2]}) outs({init} : {result_type})"
            f" -> {result_type}\n{pad}"
            + contraction(task, types, choice, lhs, tensor(padded, element[0]), rhs_type, result_type)
            + f"  return %result : {result_type}\n}}\n")


if __name__ == "__main__":
    constant_bytes = pathlib.Path(sys.argv[3]).read_bytes() if len(sys.argv) > 3 else None
    print(function(json.loads(sys.argv[1]), sys.argv[2], constant_bytes), end="")
