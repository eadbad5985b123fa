"""From ONNX to linalg IR by torch-mlir's tools, which need no torch."""

import pathlib
import re
import subprocess
import sys
import tempfile

TO_LINALG = ("builtin.module(torch-onnx-to-torch-backend-pipeline{backend-legal-ops="
             "aten.flatten.using_ints,aten.unflatten.int},"
             "torch-backend-to-linalg-on-tensors-backend-pipeline)")
ELIDE = 16  # constants with more elements become arguments


def weights_to_arguments(text):
    """Constants that were elided, or named only, become arguments marked {ucmoh.weight}."""
    text = text.partition("\n{-#")[0].rstrip() + "\n"
    constant = re.compile(r"^ +(%\S+) = arith\.constant dense_resource<[^>]*> : (\S+)\n", re.M)
    arguments = "".join(f", {name}: {type} {{ucmoh.weight}}"
                        for name, type in constant.findall(text))
    text = re.sub(r"^ml_program\.global.*\n|^ +ml_program\.global.*\n", "", constant.sub("", text),
                  flags=re.M)
    text, count = re.subn(r"(func\.func @)\w+(\([^)]*)\)( ->[^{]*?)( attributes \{.*?\})? \{\n",
                          rf"\1main\2{arguments})\3 {{\n", text, count=1)
    assert count == 1, "no function found"
    return text


def import_onnx(path):
    """The model as linalg IR; its weights are arguments of @main. The tools lie beside Python's executable."""
    tools = pathlib.Path(sys.executable).parent
    with tempfile.TemporaryDirectory() as folder:
        imported = f"{folder}/imported.mlir"
        subprocess.run([tools / "torch-mlir-import-onnx", path, "-o", imported], check=True)
        lowered = subprocess.run(
            [tools / "torch-mlir-opt", imported, f"--pass-pipeline={TO_LINALG}",
             f"--mlir-elide-elementsattrs-if-larger={ELIDE}",
             f"--mlir-elide-resource-strings-if-larger={ELIDE}"],
            check=True, capture_output=True, text=True).stdout
    return weights_to_arguments(lowered)
