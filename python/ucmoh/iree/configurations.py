"""Finds out what IREE's own code generator does with the configurations that it is given.

It says nothing of keys, lists and dims that match nothing, so each one is looked for in what IREE made.
"""
import pathlib
import re
import tempfile

CONFIG = re.compile(r"#iree_(?:cpu\.lowering_config<([^>]*)>|gpu\.lowering_config<\{(.*?)\}>)")


def read_configs(text):
    """Reads what each lowering_config in the text says, by its names: IREE prints those in another order."""
    return [dict(re.findall(r"(\w+) = (\[[^]]*\]|#\S+)", cpu or gpu)) for cpu, gpu in CONFIG.findall(text)]


def applied_configs(compiler, model, output, flags, what):
    """Compiles `model` to `output` by an Installation. Returns the configurations that IREE then had."""
    with tempfile.TemporaryDirectory() as folder:
        compiler.run(model, output, [*flags, f"--iree-hal-dump-executable-configurations-to={folder}"], what)
        return read_configs("".join(file.read_text() for file in sorted(pathlib.Path(folder).glob("*.mlir"))))
