"""Times what stands around contractions, on data that lies in memory, against the bandwidth of the memory.

Usage: rest.py [--ucmoh=build/bin] [--calls=N] [NAME...]

Each piece reads and writes some 64 MiB, each byte once. Prints a table in Markdown: milliseconds, GB/s, and the share
of the bandwidth of reads that a machine file has (`ucmoh-probe`). A store that does not go past the caches also reads
the line that it writes to, which is not counted.
"""
import argparse
import json
import re
import subprocess
import tempfile

ROWS, COLUMNS = 16384, 1024
MAPS = "#all = affine_map<(d0, d1) -> (d0, d1)>\n#row = affine_map<(d0, d1) -> (d0)>\n"
BYTES = {"f32": 4, "bf16": 2, "i8": 1, "i1": 1}


def elementwise(body, of="f32", to="f32", more=()):
    """A function of %x, and of %y, %z of the types `more`, to %r."""
    types = [of, *more]
    arguments = ", ".join(f"%t{i}: tensor<{ROWS}x{COLUMNS}x{type}>" for i, type in enumerate(types))
    names, operands = (", ".join(f"%{prefix}{i}" for i in range(len(types))) for prefix in ("t", "a"))
    given = ", ".join(f"tensor<{ROWS}x{COLUMNS}x{type}>" for type in types)
    block = ", ".join(f"{name}: {type}" for name, type in zip(operands.split(", "), types))
    maps = ", ".join(["#all"] * (len(types) + 1))
    result = f"tensor<{ROWS}x{COLUMNS}x{to}>"
    return f"""({arguments}) -> {result} {{
  %empty = tensor.empty() : {result}
  %result = linalg.generic {{indexing_maps = [{maps}], iterator_types = ["parallel", "parallel"]}}
      ins({names} : {given}) outs(%empty : {result}) {{
  ^bb0({block}, %out: {to}):
    {body}
    linalg.yield %r : {to}
  }} -> {result}
  return %result : {result}
}}"""


def unary(op):
    return elementwise(f"%r = {op} %a0 : f32")


CENTER = """
  %sums = linalg.reduce {arith.addf} ins(%x : TABLE) outs(%zeros : VECTOR) dimensions = [1]
  %centered = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sums : TABLE, VECTOR) outs(%empty : TABLE) {
  ^bb0(%a: f32, %s: f32, %out: f32):
    %m = arith.divf %s, %count : f32
    %d = arith.subf %a, %m : f32
    linalg.yield %d : f32
  } -> TABLE"""
NORM = """(%x: TABLE) -> TABLE {
  %zero = arith.constant 0.0 : f32
  %count = arith.constant COLUMNS.0 : f32
  %epsilon = arith.constant 1.0e-6 : f32
  %empty = tensor.empty() : TABLE
  %row = tensor.empty() : VECTOR
  %zeros = linalg.fill ins(%zero : f32) outs(%row : VECTOR) -> VECTORCENTER
  %squares = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : TABLE) outs(%zeros : VECTOR) {
  ^bb0(%a: f32, %s: f32):
    %p = arith.mulf %a, %a : f32
    %q = arith.addf %s, %p : f32
    linalg.yield %q : f32
  } -> VECTOR
  %result = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x, %squares : TABLE, VECTOR) outs(%empty : TABLE) {
  ^bb0(%a: f32, %s: f32, %out: f32):
    %m = arith.divf %s, %count : f32
    %e = arith.addf %m, %epsilon : f32
    %i = math.rsqrt %e : f32
    %r = arith.mulf %a, %i : f32
    linalg.yield %r : f32
  } -> TABLE
  return %result : TABLE
}"""


def norm(centered):
    """A function that normalizes rows by the mean of squares, around the mean or around 0."""
    text = NORM.replace("CENTER", CENTER if centered else "")
    if centered:
        head, at, tail = text.partition("%squares =")
        text = head + at + tail.replace("ins(%x", "ins(%centered")
    return (text.replace("COLUMNS", str(COLUMNS)).replace("TABLE", f"tensor<{ROWS}x{COLUMNS}xf32>")
            .replace("VECTOR", f"tensor<{ROWS}xf32>"))


def on_image(shape, result, iterators, maps, body, init="%empty", window=None):
    """One generic on an image with channels inside."""
    given, made = (f"tensor<{dims}xf32>" for dims in (shape, result))
    maps = ", ".join(f"affine_map<{text}>" for text in maps)
    kinds = ", ".join(f'"{kind}"' for kind in iterators)
    taps = f"%window = tensor.empty() : tensor<{window}xf32>" if window else ""
    operands = ("%x, %window", f"{given}, tensor<{window}xf32>") if window else ("%x", given)
    block = "%a: f32, %w: f32, %s: f32" if window else "%a: f32, %s: f32"
    return f"""(%x: {given}) -> {made} {{
  %low = arith.constant 0.0 : f32
  %empty = tensor.empty() : {made}
  {taps}
  %filled = linalg.fill ins(%low : f32) outs(%empty : {made}) -> {made}
  %result = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}}
      ins({operands[0]} : {operands[1]}) outs({init} : {made}) {{
  ^bb0({block}):
    {body}
    linalg.yield %r : f32
  }} -> {made}
  return %result : {made}
}}"""


def rotary(heads=64, tokens=2048, size=128):
    """Halves of each row are turned against each other by angles of the token."""
    half, t = size // 2, f"tensor<{heads}x{tokens}x{size}xf32>"
    h, a = f"tensor<{heads}x{tokens}x{half}xf32>", f"tensor<{tokens}x{size}xf32>"
    return f"""(%x: {t}, %cosines: {a}, %sines: {a}) -> {t} {{
  %empty = tensor.empty() : {t}
  %first = tensor.extract_slice %x[0, 0, 0] [{heads}, {tokens}, {half}] [1, 1, 1] : {t} to {h}
  %second = tensor.extract_slice %x[0, 0, {half}] [{heads}, {tokens}, {half}] [1, 1, 1] : {t} to {h}
  %space = tensor.empty() : {h}
  %negated = linalg.negf ins(%second : {h}) outs(%space : {h}) -> {h}
  %turned = tensor.concat dim(2) %negated, %first : ({h}, {h}) -> {t}
  %result = linalg.generic {{indexing_maps = [affine_map<(h, t, d) -> (h, t, d)>, affine_map<(h, t, d) -> (h, t, d)>,
      affine_map<(h, t, d) -> (t, d)>, affine_map<(h, t, d) -> (t, d)>, affine_map<(h, t, d) -> (h, t, d)>],
      iterator_types = ["parallel", "parallel", "parallel"]}}
      ins(%x, %turned, %cosines, %sines : {t}, {t}, {a}, {a}) outs(%empty : {t}) {{
  ^bb0(%a: f32, %b: f32, %c: f32, %s: f32, %out: f32):
    %p = arith.mulf %a, %c : f32
    %q = arith.mulf %b, %s : f32
    %r = arith.addf %p, %q : f32
    linalg.yield %r : f32
  }} -> {t}
  return %result : {t}
}}"""


def concatenation():
    half, whole = f"tensor<{ROWS}x{COLUMNS // 2}xf32>", f"tensor<{ROWS}x{COLUMNS}xf32>"
    return f"""(%x: {half}, %y: {half}) -> {whole} {{
  %result = tensor.concat dim(1) %x, %y : ({half}, {half}) -> {whole}
  return %result : {whole}
}}"""


def softmax():
    t = f"tensor<{ROWS}x{COLUMNS}xf32>"
    return f"""(%x: {t}) -> {t} {{
  %empty = tensor.empty() : {t}
  %result = linalg.softmax dimension(1) ins(%x : {t}) outs(%empty : {t}) -> {t}
  return %result : {t}
}}"""


GELU = """%one = arith.constant 1.0 : f32
    %half = arith.constant 0.5 : f32
    %root = arith.constant 1.41421354 : f32
    %0 = arith.divf %a0, %root : f32
    %1 = math.erf %0 : f32
    %2 = arith.addf %1, %one : f32
    %3 = arith.mulf %2, %half : f32
    %r = arith.mulf %a0, %3 : f32"""
SILU = """%one = arith.constant 1.0 : f32
    %0 = arith.negf %a0 : f32
    %1 = math.exp %0 : f32
    %2 = arith.addf %1, %one : f32
    %r = arith.divf %a0, %2 : f32"""
QUANTIZE = """%scale = arith.constant 0.03 : f32
    %low = arith.constant -128.0 : f32
    %high = arith.constant 127.0 : f32
    %0 = arith.divf %a0, %scale : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.maximumf %1, %low : f32
    %3 = arith.minimumf %2, %high : f32
    %r = arith.fptosi %3 : f32 to i8"""
DEQUANTIZE = """%scale = arith.constant 0.03 : f32
    %zero = arith.constant 3 : i32
    %0 = arith.extsi %a0 : i8 to i32
    %1 = arith.subi %0, %zero : i32
    %2 = arith.sitofp %1 : i32 to f32
    %r = arith.mulf %2, %scale : f32"""
MASK = """%low = arith.constant -3.0e38 : f32
    %r = arith.select %a1, %a0, %low : f32"""
WINDOW = ["(n, h, w, c, i, j) -> (n, 2 * h + i, 2 * w + j, c)", "(n, h, w, c, i, j) -> (i, j)",
          "(n, h, w, c, i, j) -> (n, h, w, c)"]
PARALLEL, REDUCTION = "parallel", "reduction"

PIECES = {
    "copy": elementwise("%r = arith.negf %a0 : f32"),
    "residual": elementwise("%r = arith.addf %a0, %a1 : f32", more=["f32"]),
    "softmax": softmax(),
    "layer_norm": norm(centered=True),
    "rms_norm": norm(centered=False),
    "gelu": elementwise(GELU),
    "silu": elementwise(SILU),
    "erf": unary("math.erf"),
    "tanh": unary("math.tanh"),
    "exp": unary("math.exp"),
    "quantize": elementwise(QUANTIZE, to="i8"),
    "dequantize": elementwise(DEQUANTIZE, of="i8"),
    "mask": elementwise(MASK, more=["i1"]),
    "max_pooling": on_image("16x128x128x64", "16x64x64x64", [PARALLEL] * 4 + [REDUCTION] * 2, WINDOW,
                            "%r = arith.maximumf %a, %s : f32", "%filled", window="2x2"),
    "global_average": on_image("16x128x128x64", "16x64", [PARALLEL] * 2 + [REDUCTION] * 2,
                               ["(n, c, h, w) -> (n, h, w, c)", "(n, c, h, w) -> (n, c)"],
                               "%r = arith.addf %a, %s : f32", "%filled"),
    "resize": on_image("16x64x64x64", "16x128x128x64", [PARALLEL] * 4,
                       ["(n, h, w, c) -> (n, h floordiv 2, w floordiv 2, c)", "(n, h, w, c) -> (n, h, w, c)"],
                       "%r = arith.addf %a, %a : f32"),
    "concatenation": concatenation(),
    "rotary": rotary(),
}


def signature_bytes(function):
    """The bytes of all arguments and results."""
    total = 0
    for dims, type in re.findall(r"tensor<([\dx]+)x(\w+)>", function.partition("{\n")[0]):
        elements = BYTES[type]
        for extent in dims.split("x"):
            elements *= int(extent)
        total += elements
    return total


def measure(name, options):
    """Seconds of a call."""
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        file.write(f"{MAPS}func.func @{name}{PIECES[name]}\n")
        file.flush()
        report = json.loads(subprocess.run([f"{options.ucmoh}/ucmoh-run", file.name, "--json", "--verify=false",
                                            f"--repeat={options.calls}"], check=True, stdout=subprocess.PIPE).stdout)
    return report["seconds"]["min"]


def bandwidth(machine_file):
    """Bytes per second of reads from memory."""
    with open(machine_file, encoding="utf-8") as file:
        return float(re.search(r"\bmemory_bytes_per_second = (\S+?),", file.read())[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=" ".join(PIECES))
    parser.add_argument("--ucmoh", default="build/bin", help="the folder of ucmoh-run")
    parser.add_argument("--calls", type=int, default=7)
    parser.add_argument("--machine", default="targets/machines/zen4.mlir", help="has the bandwidth")
    options = parser.parse_args()
    limit = bandwidth(options.machine)
    print("| piece | ms | GB/s | of the bandwidth |\n|---|---|---|---|")
    for name in options.names or PIECES:
        seconds = measure(name, options)
        speed = signature_bytes(PIECES[name]) / seconds
        print(f"| {name.replace('_', ' ')} | {seconds * 1e3:.2f} | {speed / 1e9:.1f} | {speed / limit:.2f} |",
              flush=True)


if __name__ == "__main__":
    main()
