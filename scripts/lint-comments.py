#!/usr/bin/env python3
"""Finds comments and help texts that begin with "of": they say whose a thing is, and not what it is.

Reads the comments and docstrings of C, C++, TableGen, MLIR, Python, shell and CMake files, and of strings only those
that are shown as help. A comment over several lines begins once. Prints one finding a line, FILE:LINE: COMMENT,
and nothing when all is well.
"""

import pathlib
import re
import subprocess
import sys

SLASHES = (".cpp", ".h", ".c", ".td", ".def", ".mlir")
HASHES = (".py", ".sh", ".cmake", ".txt")
STRING = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])\'')
SLASH_COMMENT = re.compile(r"(//[/!]?<?)\s*(.*)")
HASH_COMMENT = re.compile(r"(?:^|(?<=\s))(#+)\s*(.*)")
HELP = re.compile(r'(?:\bhelp=f?|cl::desc\()"(.*)')
DOCSTRING = re.compile(r'^\s*(""")\s*(.*)')


def comments_of(path):
    """Yields (line number, text) for each comment, where lines that follow one of their own kind belong to it."""
    pattern = HASH_COMMENT if path.suffix in HASHES else SLASH_COMMENT
    before = None  # the mark of the comment that fills the line before
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        found = path.suffix == ".py" and DOCSTRING.match(line)
        found = found or pattern.search(STRING.sub(lambda string: "_" * len(string[0]), line))
        fills = bool(found) and not line[:found.start(1)].strip()
        if found and not (fills and before == found[1]):
            yield number, line[found.start(2):].strip()
        before = found[1] if fills else None
        yield from ((number, text) for text in HELP.findall(line))


def main():
    listed = sys.argv[1:] or subprocess.run(["git", "ls-files"], capture_output=True, text=True,
                                            check=True).stdout.splitlines()
    paths = [path for path in map(pathlib.Path, listed) if path.suffix in SLASHES + HASHES and path.exists()]
    findings = [f"{path}:{number}: {text}" for path in paths for number, text in comments_of(path)
                if re.match(r"of\b", text, re.IGNORECASE)]
    print(*findings, sep="\n", end="\n" if findings else "")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
