"""Prints the tasks of the data set, one JSON object a line, for ucmoh-collect.

    python3 -m ucmoh.tasks > tasks.jsonl
    python3 -m ucmoh.tasks --types f32 --split holdout > holdout.jsonl
    python3 -m ucmoh.tasks --random 300 > more.jsonl          # shapes of no network
    python3 -m ucmoh.tasks --windows 100 > windows.jsonl      # depthwise convolutions and first layers
    python3 -m ucmoh.tasks --aligned 100 > aligned.jsonl      # depthwise convolutions of 2^n channels
    python3 -m ucmoh.tasks --few-rows 100 > few.jsonl         # products of 1 to 16 rows with large weights

The order is such that any beginning of the list is a fair sample: tasks at random, each first in
one of the types, later in the others. The same table gives the same list.
"""
import argparse
import hashlib
import json
import sys

from ucmoh import gen_workload, networks, random_tasks

TYPES = ["u8s8s32", "f32", "s8s8s32", "bf16"]

# Current language models: hidden size, width of the feed-forward layers, width of keys, heads,
# size of a head. From their published configurations.
LANGUAGE_MODELS = {
    "qwen2.5-0.5b": (896, 4864, 128, 14, 64),
    "qwen2.5-1.5b": (1536, 8960, 256, 12, 128),
    "llama3.2-1b": (2048, 8192, 512, 32, 64),
    "gemma2-2b": (2304, 9216, 1024, 8, 256),
    "phi3-mini": (3072, 8192, 3072, 32, 96),
    "llama3-8b": (4096, 14336, 1024, 32, 128),
}
PREFILL, DECODE = (16, 64, 256), (1, 4)  # rows
CONTEXT = 512  # keys and values that an attention reads


def language_tasks():
    """The products of one layer, in prefill and decode."""
    tasks = {}

    def add(name, stage, task):
        task = tasks.setdefault(task["name"], task | {"flops": networks.flops(task), "networks": {},
                                                      "split": "train", "published": "train"})
        task["networks"][f"{name}/{stage}"] = task["networks"].get(f"{name}/{stage}", 0) + 1

    for name, (hidden, wide, keys, heads, head) in LANGUAGE_MODELS.items():
        for rows in PREFILL + DECODE:
            stage = f"{'prefill' if rows in PREFILL else 'decode'}{rows}"
            for n, k in ((hidden, hidden), (keys, hidden), (wide, hidden), (hidden, wide)):
                add(name, stage, networks.matmul(1, rows, n, k))
            context = rows if rows in PREFILL else CONTEXT
            for n, k in ((context, head), (head, context)):
                add(name, stage, networks.matmul(heads, rows, n, k, "batch_matmul"))
    return list(tasks.values())


# Depthwise convolutions of networks that the table does not have: image, channels, kernel, stride.
DEPTHWISE = {
    "mobilenet_v1": [(112, 32, 3, 1), (112, 64, 3, 2), (56, 128, 3, 1), (56, 128, 3, 2), (28, 256, 3, 1),
                     (28, 256, 3, 2), (14, 512, 3, 1), (14, 512, 3, 2), (7, 1024, 3, 1)],
    "mobilenet_v3": [(112, 16, 3, 1), (112, 64, 3, 2), (56, 72, 3, 1), (56, 72, 5, 2), (28, 120, 5, 1),
                     (28, 240, 3, 2), (14, 200, 3, 1), (14, 184, 3, 1), (14, 480, 3, 1), (14, 672, 3, 1),
                     (14, 672, 5, 2), (7, 960, 5, 1)],
    "efficientnet_b0": [(112, 32, 3, 1), (112, 96, 3, 2), (56, 144, 3, 1), (56, 144, 5, 2), (28, 240, 5, 1),
                        (28, 240, 3, 2), (14, 480, 3, 1), (14, 480, 5, 1), (14, 672, 5, 1), (14, 672, 5, 2),
                        (7, 1152, 5, 1), (7, 1152, 3, 1)],
    "convnext_t": [(56, 96, 7, 1), (28, 192, 7, 1), (14, 384, 7, 1), (7, 768, 7, 1)],
}


def windows_tasks(count):
    """Depthwise convolutions of networks, and so many random ones and first layers."""
    tasks = {task["name"]: task for task in networks.depthwise_tasks()}
    for name, shapes in DEPTHWISE.items():
        for image, channels, kernel, stride in shapes:
            row = {"op": "conv2d", "input": f"1x{channels}x{image}x{image}",
                   "filter": f"{channels}x1x{kernel}x{kernel}", "stride": f"{stride}x{stride}",
                   "pad": f"{kernel // 2}x{kernel // 2}", "dilation": "1x1"}
            task = networks.depthwise(networks.convolution_of_row(row))
            task = tasks.setdefault(task["name"], task | {"flops": networks.flops(task), "networks": {},
                                                          "split": "train", "published": "train"})
            key = f"{name}/1/224"
            task["networks"][key] = task["networks"].get(key, 0) + 1
    return list(tasks.values()) + random_tasks.draw_windows(count)


def every_task():
    """Those of the networks, then those that only language models have."""
    tasks = {task["name"]: task for task in networks.all_tasks()}
    for task in language_tasks():
        tasks.setdefault(task["name"], task)["networks"].update(task["networks"])
    return list(tasks.values())


def rank(*parts):
    """A number in [0, 1) that depends on the parts alone."""
    digest = hashlib.sha256("/".join(parts).encode()).digest()
    return int.from_bytes(digest[:8], "big") / 2**64


def ordered(tasks, types):
    """(task, type) pairs. A third of the networks' tasks are held out; they come less often first."""
    def key(pair):
        task, kind = pair
        start = int(rank(task["name"], "type") * len(TYPES))
        turn = (TYPES.index(kind) - start) % len(TYPES)
        if task["split"] == "holdout" and rank(task["name"], "later") < 0.5:
            turn += len(TYPES)
        return turn, rank(task["name"], "order")
    return sorted(((task, kind) for task in tasks for kind in types), key=key)


def line(task, types):
    tags = {key: task[key] for key in ("networks", "split", "published", "class")}
    return {"name": f"{task['name']} {types}", "ir": gen_workload.function(task, types),
            "tags": tags | {"types": types, "task": task["name"]}}


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--types", nargs="+", default=TYPES, choices=TYPES)
    parser.add_argument("--split", choices=["train", "holdout"], help="only these")
    parser.add_argument("--only", default="", help="only tasks whose name contains this")
    parser.add_argument("--random", type=int, metavar="COUNT",
                        help="so many random shapes instead of those of networks")
    parser.add_argument("--windows", type=int, metavar="COUNT",
                        help="depthwise convolutions of networks, and so many random ones and first layers "
                             "instead")
    parser.add_argument("--aligned", type=int, metavar="COUNT",
                        help="so many random depthwise convolutions whose channels are a power of two instead")
    parser.add_argument("--few-rows", type=int, metavar="COUNT",
                        help="so many random products of 1 to 16 rows with large weights instead")
    arguments = parser.parse_args()
    tasks = (random_tasks.draw_few_rows(arguments.few_rows) if arguments.few_rows is not None
             else random_tasks.draw_aligned(arguments.aligned) if arguments.aligned is not None
             else windows_tasks(arguments.windows) if arguments.windows is not None
             else random_tasks.draw(arguments.random) if arguments.random is not None else every_task())
    for task, types in ordered(tasks, arguments.types):
        if arguments.only in task["name"] and arguments.split in (None, task["split"]):
            json.dump(line(task, types), sys.stdout)
            print()


if __name__ == "__main__":
    main()
