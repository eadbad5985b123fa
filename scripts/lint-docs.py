#!/usr/bin/env python3
"""Finds faults of the Markdown pages: long lines, broken links, files that are gone, figures in pages that explain,
commands that no test runs.

Prints one finding a line, FILE:LINE: FAULT, and nothing when all is well.
"""

import functools
import pathlib
import re
import subprocess
import sys

COLUMNS = 120
STAGE_LINES = 60  # a page that explains a part has so many; those that lead a reader through all parts are longer
LEADING = {"docs/tutorial.md", "docs/architecture.md", "docs/glossary.md", "docs/README.md"}
RESULTS = ("docs/results/", "docs/generated/", "data/", "models/", "research/results/")  # figures live here
FIGURE = re.compile(r"(?<![\w.`])\d[\d,.]*\s?(?:ms|µs|us|ns|GOP/s|GFLOP/s|GB/s|GHz|rows/s)\b|±\s?\.?\d")
LINK = re.compile(r"!?\[[^\]]*\]\(([^()\s]+)\)")
SPAN = re.compile(r"`[^`]*`")
PATH = re.compile(r"`((?:lib|include|test|tools|scripts|targets|benchmarks|python|data|models|docs|research|cmake)/"
                  r"[\w./-]*)`")
PLACEHOLDER = re.compile(r"[A-Z]{4}|\.\.\.")  # targets/NAME.mlir


def lines_of(path):
    """(number, line, language of the code block that the line is in, or None) for each line."""
    language = None
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.lstrip().startswith("```"):
            yield number, line, ""
            language = None if language is not None else line.strip().strip("`")
            continue
        yield number, line, language


@functools.lru_cache(maxsize=None)
def anchors(path):
    """The anchors that GitHub gives to a page's headings."""
    found = {}
    for _, line, language in lines_of(path):
        if language is None and (heading := re.match(r"#+ (.*)", line)):
            text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading.group(1)).strip().lower()
            name = re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
            found[name] = found.get(name, 0) + 1
    return {f"{name}-{i}" if i else name for name, count in found.items() for i in range(count)}


def check_columns(path, number, line, language):
    is_table = line.startswith("|") and str(path).startswith(RESULTS)
    if len(line) > COLUMNS and not is_table and "docs/generated/" not in str(path):
        yield f"{path}:{number}: {len(line)} columns"


def check_links(path, number, line, language):
    if language is not None:
        return
    for link in LINK.findall(SPAN.sub("", line)):
        if re.match(r"\w+:", link):
            continue
        name, _, anchor = link.partition("#")
        page = (path.parent / name).resolve().relative_to(pathlib.Path.cwd()) if name else path
        if not page.exists():
            yield f"{path}:{number}: link to {link}, which does not exist"
        elif anchor and page.suffix == ".md" and anchor not in anchors(page):
            yield f"{path}:{number}: link to {link}, but the page has no such heading"


def check_paths(path, number, line, language):
    """Files that a page names exist; `lib/Analysis/Nest` is Nest.h, Nest.cpp or the folder."""
    if language is not None or str(path).startswith(RESULTS):
        return
    for name in PATH.findall(line):
        place = pathlib.Path(name)
        if not PLACEHOLDER.search(name) and not place.exists() and not any(place.parent.glob(place.name + ".*")):
            yield f"{path}:{number}: {name} does not exist"


def check_length(path):
    """A page about a part fits a reader's head."""
    if path.parent == pathlib.Path("docs") and str(path) not in LEADING:
        count = len(path.read_text(encoding="utf-8").splitlines())
        if count > STAGE_LINES:
            yield f"{path}:{count}: a page has {STAGE_LINES} lines at most: make two of it"


def check_figures(path):
    """A page that explains cites one measured figure at most; figures in code are settings or output."""
    if str(path).startswith(RESULTS):
        return
    cited = [(number, figure) for number, line, language in lines_of(path) if language is None
             for figure in FIGURE.findall(SPAN.sub("", line))]
    if len(cited) > 1:
        number, figure = cited[1]
        yield f"{path}:{number}: {len(cited)} measured figures, the second is {figure}: move them to docs/results"


def check_commands(path):
    """A test runs the commands of each page that explains."""
    if path.parts[0] != "docs" or str(path).startswith(RESULTS):
        return
    tests = "".join(test.read_text(encoding="utf-8") for test in pathlib.Path("test/Docs").glob("*.test"))
    if not re.search(rf"(?<![\w-]){path.name}\b", tests):
        for number, line, language in lines_of(path):
            if language == "" and line.startswith("```sh"):
                yield f"{path}:{number}: no test in test/Docs runs the commands of this page"


def main():
    listed = subprocess.run(["git", "ls-files", "*.md"], capture_output=True, text=True, check=True).stdout
    findings = []
    for path in map(pathlib.Path, listed.splitlines()):
        if not path.exists():
            continue
        for number, line, language in lines_of(path):
            findings += check_columns(path, number, line, language)
            findings += check_links(path, number, line, language)
            findings += check_paths(path, number, line, language)
        findings += check_length(path)
        findings += check_figures(path)
        findings += check_commands(path)
    print(*findings, sep="\n", end="\n" if findings else "")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
