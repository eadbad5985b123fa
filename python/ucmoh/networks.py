"""The contractions and convolutions of networks: data/networks.csv, and what it means for learning.

A matmul is seen as a convolution without spatial dimensions: M images of K channels, N filters.
"""
import csv
import math
import pathlib

TABLE = pathlib.Path(__file__).parents[2] / "data" / "networks.csv"

# These networks judge a model, so that it must never see their shapes.
HELD_OUT = {"resnet50", "mobilenet_v2", "bert_tiny", "bert_base"}
# (batch, input size) of what published work holds out of the same networks.
PUBLISHED = {("1", "224"), ("1", "128")}


def numbers(text):
    return [int(part) for part in text.split("x")] if text else []


def by_x(values):
    return "x".join(map(str, values))


def matmul(batch, m, n, k, kind="matmul"):
    """A task: `batch` products of m x k and k x n."""
    prefix = f"batch_matmul_{batch}x" if kind == "batch_matmul" else "matmul_"
    return {"name": f"{prefix}{m}x{n}x{k}", "class": kind, "batch": batch, "images": m,
            "channels": k, "filters": n, "in": [], "kernel": [], "stride": [], "pad": [],
            "dilation": [], "out": []}


def matmul_of_row(row):
    return matmul(*(int(row[key] or 1) for key in ("B", "M", "N", "K")), row["op"])


def convolution_of_row(row):
    images, channels, *size = numbers(row["input"])
    filters, _, *kernel = numbers(row["filter"])
    stride, pad, dilation = (numbers(row[key]) for key in ("stride", "pad", "dilation"))
    out = [(i + 2 * p - d * (k - 1) - 1) // s + 1
           for i, k, s, p, d in zip(size, kernel, stride, pad, dilation)]
    kind = f"conv2d {by_x(kernel)} stride {stride[-1]}" if row["op"] == "conv2d" else "conv3d"
    name = (f"{row['op']}_{images}x{by_x(size)}x{channels}_{filters}x{by_x(kernel)}"
            f"_s{by_x(sorted(set(stride)))}_p{by_x(sorted(set(pad)))}")
    return {"name": name, "class": kind, "batch": 1, "images": images, "channels": channels,
            "filters": filters, "in": size, "kernel": kernel, "stride": stride, "pad": pad,
            "dilation": dilation, "out": out}


def depthwise(task):
    """The depthwise convolution of as many filters as channels that has the sizes of a convolution."""
    return task | {"name": f"depthwise_{task['name']}", "class": task["class"].replace("conv2d", "depthwise"),
                   "depthwise": True}


def flops(task):
    summed = 1 if task.get("depthwise") else task["channels"]
    return 2 * math.prod([task["batch"], task["images"], summed, task["filters"],
                          *task["out"], *task["kernel"]])


def read_tasks(path, make):
    """Every unique task that `make` makes of the table's rows, or nothing, in the table's order.

    "networks" counts how often each network has it; "split" is "holdout" if one of them is held
    out, "published" the same by the weaker rule of published work.
    """
    tasks = {}
    with open(path, encoding="utf-8") as table:
        for row in csv.DictReader(table):
            task = make(row)
            if not task:
                continue
            task = tasks.setdefault(task["name"], task | {"flops": flops(task), "networks": {},
                                                          "split": "train", "published": "train"})
            network = f"{row['network']}/{row['batch']}/{row['size']}"
            task["networks"][network] = task["networks"].get(network, 0) + int(row["count"])
            if row["network"] in HELD_OUT:
                task["split"] = "holdout"
                if (row["batch"], row["size"]) in PUBLISHED:
                    task["published"] = "holdout"
    return list(tasks.values())


def all_tasks(path=TABLE):
    """Every unique task of the table that is neither depthwise nor grouped (read_tasks)."""
    def make(row):
        if not row["op"].startswith("conv"):
            return matmul_of_row(row)
        return convolution_of_row(row) if row["groups"] == "1" else None
    return read_tasks(path, make)


def depthwise_tasks(path=TABLE):
    """Every unique depthwise convolution of the table (read_tasks)."""
    def make(row):
        filters = numbers(row["filter"])
        if not row["op"].startswith("conv") or row["groups"] == "1" or row["groups"] != str(filters[0]):
            return None
        return depthwise(convolution_of_row(row))
    return read_tasks(path, make)
