"""Seeded random programs: a contraction or convolution, and elementwise ops behind it.

What an exporter may write: any extents, element types of every width down to i1, operands that are
broadcast or transposed, several results, several consumers, inits that are not zero.
"""

import random

INTEGERS = {"i1": 1, "i8": 8, "i16": 16, "i32": 32, "i64": 64}
FLOATS = {"f16": 16, "bf16": 16, "f32": 32, "f64": 64}
WIDTHS = INTEGERS | FLOATS
PRODUCTS = [("i8", "i32"), ("i8", "i32"), ("i16", "i32"), ("f32", "f32"), ("bf16", "f32"),
            ("f16", "f32")]
EXTENTS = [1, 2, 3, 7, 8, 13, 16, 17, 31, 32, 33, 48, 50, 64, 65, 96, 100]


def tensor(shape, element):
    return "tensor<" + "".join(f"{extent}x" for extent in shape) + element + ">"


def zero_of(element):
    return "0" if element in INTEGERS else "0.0"


class Scalars:
    """The body of an elementwise op: lines, and a name for each value."""

    def __init__(self, rng):
        self.rng, self.lines = rng, []

    def add(self, text):
        name = f"%v{len(self.lines)}"
        self.lines.append(f"{name} = {text}")
        return name

    def convert(self, value, have, want):
        if have == want:
            return value
        if have == "index":
            return self.convert(self.add(f"arith.index_cast {value} : index to i32"), "i32", want)
        if have in FLOATS and want in INTEGERS:
            return self.to_integer(value, have, want)
        if have in FLOATS and WIDTHS[have] == WIDTHS[want]:
            return self.convert(self.convert(value, have, "f32"), "f32", want)
        if have in FLOATS:
            op = "truncf" if WIDTHS[want] < WIDTHS[have] else "extf"
        else:
            is_unsigned = have == "i1" or self.rng.random() < .3
            op = (("uitofp" if is_unsigned else "sitofp") if want in FLOATS
                  else "trunci" if WIDTHS[want] < WIDTHS[have]
                  else "extui" if is_unsigned else "extsi")
        return self.add(f"arith.{op} {value} : {have} to {want}")

    def to_integer(self, value, have, want):
        """Within bounds: beyond them the result is not defined."""
        if want == "i1":
            zero = self.add(f"arith.constant 0.0 : {have}")
            return self.add(f"arith.cmpf ogt, {value}, {zero} : {have}")
        low, high = (self.add(f"arith.constant {bound}.0 : {have}") for bound in (-100, 100))
        value = self.add(f"arith.maximumf {value}, {low} : {have}")
        value = self.add(f"arith.minimumf {value}, {high} : {have}")
        return self.add(f"arith.fptosi {value} : {have} to {want}")

    def combine(self, first, second, element):
        is_float = element in FLOATS
        op = self.rng.choice(["add", "sub", "max", "min", "select"])
        if op == "select":
            order = "cmpf ogt" if is_float else "cmpi sgt"
            greater = self.add(f"arith.{order}, {first}, {second} : {element}")
            return self.add(f"arith.select {greater}, {first}, {second} : {element}")
        suffix = "f" if is_float and op in ("add", "sub") else "imumf" if is_float else "i" if op in (
            "add", "sub") else "si"
        return self.add(f"arith.{op}{suffix} {first}, {second} : {element}")


class Program:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.arguments, self.lines, self.results = [], [], []

    def argument(self, kind, attributes=""):
        name = f"%arg{len(self.arguments)}"
        self.arguments.append(f"{name}: {kind}{attributes}")
        return name

    def add(self, text):
        name = f"%t{len(self.lines)}"
        self.lines.append(f"{name} = {text}")
        return name

    def weight(self, kind):
        return self.argument(kind, " {ucmoh.weight}" if self.rng.random() < .6 else "")

    def init(self, shape, element):
        empty = self.add(f"tensor.empty() : {tensor(shape, element)}")
        way = self.rng.random()
        if way < .15:
            return self.argument(tensor(shape, element))
        if way < .3:
            row = self.argument(tensor(shape[-1:], element))
            return self.add(f"linalg.broadcast ins({row} : {tensor(shape[-1:], element)}) "
                            f"outs({empty} : {tensor(shape, element)}) "
                            f"dimensions = {list(range(len(shape) - 1))}")
        zero = self.add(f"arith.constant {zero_of(element)} : {element}")
        return self.add(f"linalg.fill ins({zero} : {element}) outs({empty} : "
                        f"{tensor(shape, element)}) -> {tensor(shape, element)}")

    def named_op(self, op, lhs, rhs, shape, element):
        """`lhs` and `rhs` are pairs of a value and its type."""
        init = self.init(shape, element)
        kind = tensor(shape, element)
        return self.add(f"{op} ins({lhs[0]}, {rhs[0]} : {lhs[1]}, {rhs[1]}) outs({init} : {kind}) "
                        f"-> {kind}")

    def matmul(self, element, acc):
        m, n, k = (self.rng.choice(EXTENTS) for _ in range(3))
        batch = self.rng.choice([[], [], [], [2], [3]])
        lhs, rhs = tensor(batch + [m, k], element), tensor(batch + [k, n], element)
        op = "linalg.batch_matmul" if batch else "linalg.matmul"
        shape = batch + [m, n]
        return self.named_op(op, (self.argument(lhs), lhs), (self.weight(rhs), rhs), shape,
                             acc), shape

    def contraction(self, element, acc):
        """A generic op: operands and result lie in any order of dims, integers are extended in its
        body with either sign, zero points are subtracted there."""
        rng = self.rng
        extents = {dim: rng.choice(EXTENTS) for dim in "mnk"} | {"b": rng.choice([2, 3]),
                                                               "p": rng.choice([2, 5])}
        batch, twice = rng.choice(["", "", "b"]), rng.choice(["", "", "p"])
        m, n = rng.choice(["mn", "mn", "mn", "mn", " n", "m "])  # also a vector times a matrix
        dims = {"lhs": batch + m + "k" + twice, "rhs": batch + "k" + n + twice, "acc": batch + m + n}
        dims = {side: names.replace(" ", "") for side, names in dims.items()}
        dims = {side: "".join(rng.sample(names, len(names))) for side, names in dims.items()}
        loops = "".join(sorted(set("".join(dims.values()))))
        loops = "".join(rng.sample(loops, len(loops)))
        shapes = {side: [extents[dim] for dim in names] for side, names in dims.items()}
        maps = ", ".join(f"affine_map<({', '.join(loops)}) -> ({', '.join(names)})>"
                         for names in dims.values())
        kinds = ", ".join('"reduction"' if dim in "kp" else '"parallel"' for dim in loops)
        lhs, rhs = (tensor(shapes[side], element) for side in ("lhs", "rhs"))
        body = Scalars(rng)
        factors = [body.convert(f"%in{i}", element, acc) for i in range(2)]
        if acc == "i32" and rng.random() < .4:
            side = rng.randrange(2)
            zero = body.add(f"arith.constant {rng.choice([-128, -5, 3, 128])} : i32")
            factors[side] = body.add(f"arith.subi {factors[side]}, {zero} : i32")
        suffix = "i" if acc == "i32" else "f"
        product = body.add(f"arith.mul{suffix} {factors[0]}, {factors[1]} : {acc}")
        total = body.add(f"arith.add{suffix} %out, {product} : {acc}")
        lines = "".join(f"    {line}\n" for line in body.lines)
        init, result = self.init(shapes["acc"], acc), tensor(shapes["acc"], acc)
        return self.add(
            f"linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}} "
            f"ins({self.argument(lhs)}, {self.weight(rhs)} : {lhs}, {rhs}) outs({init} : {result}) "
            f"{{\n  ^bb0(%in0: {element}, %in1: {element}, %out: {acc}):\n{lines}"
            f"    linalg.yield {total} : {acc}\n  }} -> {result}"), shapes["acc"]

    def convolution(self, element, acc):
        pick = self.rng.choice
        images, channels, filters = pick([1, 2, 3]), pick([1, 3, 5, 8, 16, 17]), pick([1, 5, 16, 33])
        size, kernel = [pick([7, 8, 9, 14, 17]) for _ in range(2)], [pick([1, 2, 3]) for _ in range(2)]
        stride, dilation, pad = pick([1, 1, 2, 3]), pick([1, 1, 2]), pick([0, 0, 1, 2])
        padded = [extent + 2 * pad for extent in size]
        out = [(p - dilation * (k - 1) - 1) // stride + 1 for p, k in zip(padded, kernel)]
        layout = pick(["nhwc_hwcf", "nhwc_fhwc", "nchw_fchw"])

        def image(extents, depth):
            return [images, *extents, depth] if layout[:4] == "nhwc" else [images, depth, *extents]
        rhs = {"nhwc_hwcf": [*kernel, channels, filters], "nhwc_fhwc": [filters, *kernel, channels],
               "nchw_fchw": [filters, channels, *kernel]}[layout]
        lhs = self.argument(tensor(image(size, channels), element))
        if pad:
            around = image([pad, pad], 0)
            around[0] = 0
            zero = self.add(f"arith.constant {zero_of(element)} : {element}")
            lhs = self.add(f"tensor.pad {lhs} low{around} high{around} {{\n"
                           f"  ^bb0(%a: index, %b: index, %c: index, %d: index):\n"
                           f"    tensor.yield {zero} : {element}\n  }} : "
                           f"{tensor(image(size, channels), element)} to "
                           f"{tensor(image(padded, channels), element)}")
        steps = (f" {{dilations = dense<{dilation}> : tensor<2xi64>, "
                 f"strides = dense<{stride}> : tensor<2xi64>}}")
        shape = image(out, filters)
        return self.named_op(f"linalg.conv_2d_{layout}{steps}",
                             (lhs, tensor(image(padded, channels), element)),
                             (self.weight(tensor(rhs, element)), tensor(rhs, element)), shape,
                             acc), shape

    def consumer(self, value, element, shape, is_exact):
        """One elementwise op; its results with their types. What is not exact stays a float."""
        rng, rank = self.rng, len(shape)
        everything = list(range(rank))
        operands = [(value, element, everything)]
        for _ in range(rng.choice([0, 1, 1, 2])):
            dims = rng.choice([everything, everything, everything[::-1], [rank - 1], [0], []])
            kind = rng.choice([*WIDTHS, "index", element, element, element])
            operands.append((self.argument(tensor([shape[d] for d in dims], kind)), kind, dims))
        types = [rng.choice([element, *(WIDTHS if is_exact else FLOATS)])
                 for _ in range(rng.choice([1, 1, 1, 2]))]
        body, common = Scalars(rng), "f32" if not is_exact else rng.choice(["i32", "f32"])
        scalars = [body.convert(f"%in{i}", kind, common) for i, (_, kind, _) in enumerate(operands)]
        result = scalars[0]
        for scalar in scalars[1:]:
            result = body.combine(result, scalar, common)
        yielded = [body.convert(result, common, kind) for kind in types]
        return self.generic(operands, types, shape, body, yielded), types

    def generic(self, operands, types, shape, body, yielded):
        loops = [f"d{i}" for i in range(len(shape))]
        maps = [dims for _, _, dims in operands] + [list(range(len(shape)))] * len(types)
        maps = ", ".join(f"affine_map<({', '.join(loops)}) -> ({', '.join(loops[d] for d in dims)})>"
                         for dims in maps)
        results = [tensor(shape, kind) for kind in types]
        empties = [self.add(f"tensor.empty() : {result}") for result in results]
        kinds = [tensor([shape[d] for d in dims], kind) for _, kind, dims in operands]
        arguments = [f"%in{i}: {kind}" for i, (_, kind, _) in enumerate(operands)]
        arguments += [f"%out{i}: {kind}" for i, kind in enumerate(types)]
        parallel = ", ".join(['"parallel"'] * len(shape))
        name = f"%t{len(self.lines)}"
        lines = "".join(f"    {line}\n" for line in body.lines)
        self.lines.append(
            f"{name}:{len(types)} = linalg.generic {{indexing_maps = [{maps}], iterator_types = "
            f"[{parallel}]}} ins({', '.join(value for value, _, _ in operands)} : "
            f"{', '.join(kinds)}) outs({', '.join(empties)} : {', '.join(results)}) {{\n"
            f"  ^bb0({', '.join(arguments)}):\n{lines}"
            f"    linalg.yield {', '.join(yielded)} : {', '.join(types)}\n"
            f"  }} -> ({', '.join(results)})")
        return [f"{name}#{i}" for i in range(len(types))]

    def build(self):
        element, acc = self.rng.choice(PRODUCTS)
        make = self.rng.choice([self.matmul, self.contraction, self.convolution])
        value, shape = make(element, acc)
        kind = acc
        for _ in range(self.rng.choice([0, 1, 1, 2, 3])):
            if self.rng.random() < .2: # another use
                self.results.append((value, kind))
            values, types = self.consumer(value, kind, shape, is_exact=acc == "i32")
            self.results += zip(values[1:], types[1:])
            value, kind = values[0], types[0]
        self.results.append((value, kind))
        types = ", ".join(tensor(shape, kind) for _, kind in self.results)
        body = "".join(f"  {line}\n" for line in self.lines)
        return (f"func.func @main({', '.join(self.arguments)}) -> ({types}) {{\n{body}"
                f"  return {', '.join(value for value, _ in self.results)} : {types}\n}}\n")


def program(seed):
    return Program(seed).build()
