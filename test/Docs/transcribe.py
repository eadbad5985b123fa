#!/usr/bin/env python3
"""Runs the commands of a page, in a folder of its own, and compares what they print with the page.

transcribe.py PAGE FOLDER SOURCE BUILD [--given=NAME=FILE...] [--less=TEXT=>TEXT...] [--without=NAME...] [--python]
  [--write]

In the page, a block of code that begins with "// NAME.mlir", "// NAME.c" or "# NAME.txt" is a file, a block of `sh` is
executed, and a block of `text` right behind it is what the commands print. There, a line "..." stands for any lines.
Numbers, times, names of machines and what a cost model may choose are not compared. `sh requires=NAME` is skipped with
--without=NAME. Pages that speak of a file of the reader's have it with --given. Commands that take minutes do less with
--less, which replaces text in them and fails where no command has it. With --python, all Python of the page is then
executed as one program, by the Python in PATH. With --write, the page gets what was printed.
"""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys

FENCE = re.compile(r"^```(\w*)([^\n]*)\n(.*?)^```\n", re.MULTILINE | re.DOTALL)
LINKED = ["models", "data", "python", "targets", "scripts", "benchmarks"]
VARIABLE = [(r"; not all of it was measured in .*", ""), (r"@\w+ on \w+", "@F on M"),
            (r"for [\w.]+@\w+", "for M"), (r"\b[mnok]{3,4}\.[mn]{2}\b", "ORDER"),
            (r"\b(none|block|prepacked)/(none|block|prepacked)\b", "PACK"),
            (r"_su\b", ""), (r"_[0-9a-f]{6}\b", "_HASH"), (r"\b[0-9a-f]{8,}\b", "HASH"),
            (r"\d+(\.\d+)?(e[-+]?\d+)?", "N"), (r"\b(ns|us|ms)\b", "UNIT"), (r"[ \t]+", " ")]

#: What is said of a machine that the weights have not seen.
UNSEEN = re.compile(r"^note: no machine like [^\n]*\n|; no machine like .*?its tiles", re.MULTILINE | re.DOTALL)


def normalize(line):
    for pattern, name in VARIABLE:
        line = re.sub(pattern, name, line, flags=re.IGNORECASE if "HASH" in name else 0)
    return line.strip()


def matches(expected, printed):
    """Whether the lines are alike; "..." stands for any."""
    if not expected:
        return not printed
    if expected[0].strip() == "...":
        return any(matches(expected[1:], printed[i:]) for i in range(len(printed) + 1))
    return bool(printed) and normalize(expected[0]) == normalize(printed[0]) and matches(expected[1:], printed[1:])


def prepare(folder, source, build):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "build").symlink_to(build)
    for name in LINKED:
        (folder / name).symlink_to(source / name)


def execute(commands, folder):
    done = subprocess.run(["bash", "-euo", "pipefail", "-c", commands], cwd=folder, text=True, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode:
        sys.exit(f"exit status {done.returncode} of\n{commands}\n{done.stdout}")
    return UNSEEN.sub("", done.stdout).splitlines()


def shorten(page, replacements):
    """The page with less to do in its commands."""
    for replacement in replacements:
        old, _, new = replacement.partition("=>")
        if old not in page:
            sys.exit(f"no command has {old!r}")
        page = page.replace(old, new)
    return page


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("page", "folder", "source", "build"):
        parser.add_argument(name, type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("--given", action="append", default=[])
    parser.add_argument("--less", action="append", default=[])
    parser.add_argument("--without", action="append", default=[])
    parser.add_argument("--python", action="store_true")
    parser.add_argument("--write", action="store_true")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    prepare(arguments.folder, arguments.source, arguments.build)
    page, faults, printed = arguments.page.read_text(encoding="utf-8"), [], None
    for given in arguments.given:
        name, _, path = given.partition("=")
        shutil.copy(path, arguments.folder / name)
    text = shorten(page, arguments.less)
    for language, about, body in FENCE.findall(text):
        name = re.match(r"(?://|#) (\w+\.(?:mlir|c|txt))\n", body)
        if language in ("mlir", "c", "cmake") and name:
            (arguments.folder / name.group(1)).write_text(body, encoding="utf-8")
        elif language == "sh":
            needed = about.partition("requires=")[2].strip()
            printed = None if needed in arguments.without else execute(body, arguments.folder)
        elif language == "text" and printed is not None:
            is_right = matches(body.splitlines(), printed)
            if not is_right:
                faults.append("the page has\n{}\nbut the commands print\n{}".format(body, "\n".join(printed)))
            if not is_right or "\n...\n" not in body:  # a text that is shortened by hand stays as long as it is right
                page = page.replace(body, "\n".join(printed) + "\n", 1)
            printed = None
    if arguments.python:
        program = "\n".join(body for language, _, body in FENCE.findall(text) if language == "python")
        (arguments.folder / "page.py").write_text(program, encoding="utf-8")
        execute("python3 page.py", arguments.folder)
    if arguments.write:
        arguments.page.write_text(page, encoding="utf-8")
        return 0
    print(*faults, sep="\n\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
