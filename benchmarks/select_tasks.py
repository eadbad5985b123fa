#!/usr/bin/env python3
"""Chooses the benchmark's tasks from networks.csv and prints them, one JSON object a line.

Rule: unique tasks of 1 MFLOP to 1.3 GFLOP, no depthwise ones, in classes by operation, kernel and
stride; of each class, sorted by work, QUOTA tasks at evenly spaced ranks (smallest and largest
included). No randomness: the same table gives the same tasks.

A matmul is seen as a convolution without spatial dimensions: M images of K channels, N filters.
"""
import csv
import json
import math
import pathlib
import sys

MIN_FLOPS, MAX_FLOPS = 1e6, 1.3e9
QUOTA = {
    "matmul": 16,
    "batch_matmul": 7,
    "conv2d 1x1 stride 1": 16,
    "conv2d 1x1 stride 2": 4,
    "conv2d 3x3 stride 1": 10,
    "conv2d 3x3 stride 2": 5,
    "conv2d 7x7 stride 2": 3,
    "conv2d other": 5,
    "conv3d": 4,
}


def numbers(text):
    return [int(part) for part in text.split("x")] if text else []


def by_x(values):
    return "x".join(map(str, values))


def matmul_task(row):
    batch, m, n, k = (int(row[key] or 1) for key in ("B", "M", "N", "K"))
    prefix = f"batch_matmul_{batch}x" if row["op"] == "batch_matmul" else "matmul_"
    return {"name": f"{prefix}{m}x{n}x{k}", "class": row["op"], "batch": batch, "images": m,
            "channels": k, "filters": n, "in": [], "kernel": [], "stride": [], "pad": [],
            "dilation": [], "out": []}


def convolution_task(row):
    images, channels, *size = numbers(row["input"])
    filters, _, *kernel = numbers(row["filter"])
    stride, pad, dilation = (numbers(row[key]) for key in ("stride", "pad", "dilation"))
    out = [(i + 2 * p - d * (k - 1) - 1) // s + 1
           for i, k, s, p, d in zip(size, kernel, stride, pad, dilation)]
    kind = f"conv2d {by_x(kernel)} stride {stride[-1]}" if row["op"] == "conv2d" else "conv3d"
    name = (f"{row['op']}_{images}x{by_x(size)}x{channels}_{filters}x{by_x(kernel)}"
            f"_s{by_x(sorted(set(stride)))}_p{by_x(sorted(set(pad)))}")
    return {"name": name, "class": kind if kind in QUOTA else "conv2d other", "batch": 1,
            "images": images, "channels": channels, "filters": filters, "in": size,
            "kernel": kernel, "stride": stride, "pad": pad, "dilation": dilation, "out": out}


def flops(task):
    return 2 * math.prod([task["batch"], task["images"], task["channels"], task["filters"],
                          *task["out"], *task["kernel"]])


def all_tasks(table):
    """Every unique task of the table that is not depthwise or grouped, by name."""
    tasks = {}
    for row in csv.DictReader(table):
        if row["op"].startswith("conv") and row["groups"] != "1":
            continue
        task = convolution_task(row) if row["op"].startswith("conv") else matmul_task(row)
        task["flops"] = flops(task)
        tasks[task["name"]] = task
    return list(tasks.values())


def select(tasks):
    for kind, quota in QUOTA.items():
        members = sorted((t for t in tasks if t["class"] == kind
                          and MIN_FLOPS <= t["flops"] <= MAX_FLOPS),
                         key=lambda task: (task["flops"], task["name"]))
        count = min(quota, len(members))
        ranks = sorted({round(i * (len(members) - 1) / max(1, count - 1)) for i in range(count)})
        yield from (members[rank] for rank in ranks)


if __name__ == "__main__":
    path = pathlib.Path(__file__).with_name("networks.csv")
    with open(path, encoding="utf-8") as table:
        for chosen in select(all_tasks(table)):
            json.dump(chosen, sys.stdout)
            print()
