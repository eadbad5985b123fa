"""What all reports share: raw lines of JSON, and a pyplot that draws the same file from the same numbers."""
import json
import lzma

import matplotlib
matplotlib.use("svg")
matplotlib.rcParams["svg.hashsalt"] = "ucmoh"  # same input, same file
from matplotlib import pyplot  # noqa: E402, F401


def read(path):
    """The records of a file of JSON lines, which may be compressed (.xz)."""
    opener = lzma.open if path.endswith(".xz") else open
    with opener(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]
