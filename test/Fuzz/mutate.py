"""Seeded mutations of MLIR text: half of them likely to parse still, half of them not."""

import re

TOKEN = re.compile(r'"[^"\n]*"|[%@#!^]?[\w.$-]+|->|\S')
NUMBER = re.compile(r"(?<![\w.%@#^-])-?\d+(?=\b|x)")
SCALARS = ["i1", "i4", "i8", "i16", "i32", "i64", "ui8", "si8", "f8E4M3FN", "f8E4M3FNUZ", "f8E5M2", "f16", "bf16",
           "tf32", "f32", "f64", "index"]
SCALAR = re.compile(r"(?<![%@#\w])(?:\d+x)*(" + "|".join(SCALARS) + r")\b")
EXTENTS = [0, 1, 2, 3, 7, 8, 15, 16, 17, 63, 127, 128, 129, 4096]
WILD = [-1, 2**31 - 1, 2**31, 2**63 - 1, -(2**63), 2**64]
KEYWORDS = ["parallel", "reduction", "lhs", "rhs", "acc", "none", "block", "prepacked", "nmk.nm",
            "arith.extsi", "arith.extui", "arith.muli", "arith.addi", "arith.subi", "true", "dense",
            "linalg.matmul", "linalg.batch_matmul", "linalg.matvec", "tensor", "memref", "vector"]


def replace_span(text, span, new):
    return text[:span[0]] + new + text[span[1]:]


def change_number(text, random):
    found = list(NUMBER.finditer(text))
    if not found:
        return text
    match = random.choice(found)
    return replace_span(text, match.span(), str(random.choice(EXTENTS + WILD)))


def change_number_everywhere(text, random):
    """One extent of all shapes at once: the file stays consistent."""
    found = NUMBER.findall(text)
    if not found:
        return text
    old, new = random.choice(found), str(random.choice(EXTENTS))
    return NUMBER.sub(lambda m: new if m.group() == old else m.group(), text)


def change_extent_to_dynamic(text, random):
    extents = re.findall(r"[<x](\d+)(?=x)", text)
    if not extents:
        return text
    old = random.choice(extents)
    return re.sub(rf"(?<=[<x]){old}(?=x)", "?", text)


def change_type(text, random):
    found = list(SCALAR.finditer(text))
    if not found:
        return text
    return replace_span(text, random.choice(found).span(1), random.choice(SCALARS))


def change_type_everywhere(text, random):
    found = [match.group(1) for match in SCALAR.finditer(text)]
    if not found:
        return text
    old, new = random.choice(found), random.choice(SCALARS)
    return re.sub(rf"(?<![%@#a-wyz_]){old}\b", new, text)


def delete_token(text, random):
    found = list(TOKEN.finditer(text))
    return replace_span(text, random.choice(found).span(), "") if found else text


def swap_tokens(text, random):
    found = list(TOKEN.finditer(text))
    if len(found) < 2:
        return text
    first, second = sorted(random.sample(found, 2), key=lambda match: match.start())
    return (text[:first.start()] + second.group() + text[first.end():second.start()] +
            first.group() + text[second.end():])


def confuse_names(text, random):
    """A value, symbol, alias or block in place of another: often still well-formed."""
    kind = random.choice("%@#^")
    found = [match for match in TOKEN.finditer(text) if match.group().startswith(kind)]
    if not found:
        return text
    return replace_span(text, random.choice(found).span(), random.choice(found).group())


def change_keyword(text, random):
    found = [match for match in TOKEN.finditer(text) if match.group().strip('"') in KEYWORDS]
    if not found:
        return text
    match, new = random.choice(found), random.choice(KEYWORDS)
    return replace_span(text, match.span(), f'"{new}"' if match.group()[0] == '"' else new)


def duplicate_line(text, random):
    lines = text.splitlines(keepends=True)
    index = random.randrange(len(lines))
    return "".join(lines[:index + 1] + [lines[index]] + lines[index + 1:])


def delete_line(text, random):
    lines = text.splitlines(keepends=True)
    del lines[random.randrange(len(lines))]
    return "".join(lines)


def truncate(text, random):
    return text[:random.randrange(len(text))]


MUTATIONS = [change_number, change_number_everywhere, change_extent_to_dynamic, change_type,
             change_type_everywhere, delete_token, swap_tokens, confuse_names, change_keyword,
             duplicate_line, delete_line, truncate]
WEIGHTS = [3, 8, 3, 2, 6, 0.5, 0.5, 4, 2, 0.5, 0.5, 0.2]


def mutate(text, random):
    """One to three mutations of `text`."""
    for mutation in random.choices(MUTATIONS, WEIGHTS, k=random.choice([1, 1, 1, 2, 3])):
        text = mutation(text, random) or "\n"
    return text
