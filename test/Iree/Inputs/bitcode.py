"""bitcode.py SPEC.mlir FILE.bc: takes the first bitcode out of a spec."""
import pathlib
import re
import sys

spec, output = sys.argv[1:]
found = re.search(r'data = dense<"0x([0-9A-F]+)">', pathlib.Path(spec).read_text())
pathlib.Path(output).write_bytes(bytes.fromhex(found[1]))
