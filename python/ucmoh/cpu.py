"""Reads which features this CPU has, by LLVM's names, as far as the kernel of Linux lists it.

It saves a failure at the first call: the compiled code itself looks at the CPU before it runs, and judges all features.
"""
import functools
import pathlib
import re

# LLVM's names of features and the kernel's; on x86 those that are not here differ in punctuation only.
ALIASES = {"bmi": "bmi1", "dotprod": "asimddp", "fullfp16": "asimdhp", "neon": "asimd", "i8mm": "i8mm", "bf16": "bf16"}
ALIKE = re.compile(r"avx|avx2|avx512\w+|avxvnni|fma|f16c|bmi2|amx-(tile|int8|bf16)")


def plain(name):
    """Without punctuation."""
    return re.sub(r"[._-]", "", name)


@functools.cache
def flags():
    """The kernel's names without punctuation; nothing where there is no list."""
    try:
        text = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return frozenset()
    found = re.search(r"^(?:flags|Features)\s*:(.*)$", text, re.M)
    return frozenset(map(plain, found.group(1).split())) if found else frozenset()


def missing(features):
    """Those of LLVM's features that this CPU surely lacks."""
    known = flags()
    return [feature for feature in features if known and (feature in ALIASES or ALIKE.fullmatch(feature))
            and plain(ALIASES.get(feature, feature)) not in known]
