"""Runs what the how-to pages say."""
import contextlib
import os
import pathlib
import re
import warnings

PAGES = pathlib.Path(__file__).parents[2] / "docs" / "how-to"


def run_python(page, folder):
    """Runs the blocks of Python of a page, one after the other, in a folder; gives what they leave."""
    text = (PAGES / page).read_text(encoding="utf-8")
    names = {}
    with contextlib.chdir(folder), open(os.devnull, "w", encoding="utf-8") as nothing:
        with contextlib.redirect_stdout(nothing), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for block in re.findall(r"^```python\n(.*?)^```", text, re.M | re.S):
                exec(compile(block, page, "exec"), names)
    return names
