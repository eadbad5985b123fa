"""Draws what ucmoh-train writes as JSON.

    python -m ucmoh.plot log.json --output=curve.svg           # fit --log: losses and scores by epoch
    python -m ucmoh.plot table.json --output=models.svg        # evaluate --json: bars of the models
    python -m ucmoh.plot predictions.json --output=seconds.png # evaluate --predictions: a scatter
"""

import argparse
import json
import pathlib
import sys

LINES = {"random": "gray", "ceiling": "black"}


def read(path):
    """Returns what the file is, "log", "table" or "predictions", and its content; else fails."""
    try:
        content = json.loads(pathlib.Path(path).read_text())
        if isinstance(content, list) and all({"group", "model", "spread"} <= set(e) for e in content):
            return "table", content
        for kind, keys in (("log", {"epochs", "best_epoch"}), ("predictions", {"measured", "models"})):
            if isinstance(content, dict) and keys <= set(content):
                return kind, content
        reason = "neither a log, a table nor predictions"
    except (OSError, ValueError, TypeError) as error:
        reason = repr(error)
    sys.exit(f"error: {path} is nothing that ucmoh-train wrote: {reason}")


def draw_log(log, figure, options):
    """Losses, and below scores on the validation's tasks; a line where the weights are from."""
    epochs = log["epochs"]
    numbers = [entry["epoch"] for entry in epochs]
    panels = {"loss of one list": ["train_loss", "validation_loss"],
              "best / picked seconds": ["top1", "top5"]}
    if "validation_loss" not in epochs[0]:
        panels = {"loss of one list": ["train_loss"]}
    figure.set_size_inches(7, 3 * len(panels))
    axes = figure.subplots(len(panels), 1, sharex=True, squeeze=False)[:, 0]
    for axis, (label, keys) in zip(axes, panels.items()):
        for key in keys:
            axis.plot(numbers, [entry[key] for entry in epochs], label=key.replace("_", " "))
        axis.axvline(log["best_epoch"], color="gray", linewidth=0.8)
        axis.set_ylabel(label)
        axis.legend()
    axes[-1].set_xlabel("epoch")


def draw_table(table, figure, options):
    """For each group a bar per model with the spread over its seeds; random and ceiling are lines."""
    metric = options.metric
    if not all(metric in entry for entry in table):
        sys.exit(f"error: the table has no '{metric}'; take one of its keys, such as top1 or pairwise")
    table = [entry for entry in table if entry[metric] is not None]
    groups = list(dict.fromkeys(entry["group"] for entry in table))
    models = list(dict.fromkeys(e["model"] for e in table if e["model"] not in LINES))
    width = 0.8 / max(len(models), 1)
    figure.set_size_inches(max(6, 1.5 + len(groups) * max(0.9, 0.25 * len(models))), 4.5)
    axis = figure.subplots()
    for number, model in enumerate(models):
        entries = [entry for entry in table if entry["model"] == model]
        places = [groups.index(e["group"]) - 0.4 + width * (number + 0.5) for e in entries]
        axis.bar(places, [e[metric] for e in entries], 0.92 * width, label=model,
                 yerr=[e["spread"][metric] or 0 for e in entries], error_kw={"elinewidth": 0.8})
    for line, color in LINES.items():
        entries = [entry for entry in table if entry["model"] == line]
        axis.hlines([e[metric] for e in entries], [groups.index(e["group"]) - 0.45 for e in entries],
                    [groups.index(e["group"]) + 0.45 for e in entries], color=color,
                    linestyle="--" if line == "random" else "-", linewidth=1, label=line)
    axis.set_xticks(range(len(groups)), groups, rotation=20 if len(groups) > 1 else 0, ha="right")
    axis.set_ylabel(metric.replace("_", " "))
    axis.legend(fontsize="small", loc="upper left", bbox_to_anchor=(1, 1))


def draw_predictions(content, figure, options):
    """Measured seconds against those that one model predicts, in logarithms; a color per target."""
    models = {model["model"]: model["predicted"] for model in content["models"]}
    name = options.model or next(iter(models))
    if name not in models:
        sys.exit(f"error: there are no predictions of '{name}', but of {', '.join(models)}")
    targets = [intrinsic.split("::")[0] for intrinsic in content["intrinsic"]]
    figure.set_size_inches(6.5, 6)
    axis = figure.subplots()
    for target in sorted(set(targets)):
        chosen = [number for number, other in enumerate(targets) if other == target]
        axis.scatter([content["measured"][n] for n in chosen], [models[name][n] for n in chosen],
                     s=4, alpha=0.5, linewidths=0, label=target, rasterized=True)
    low, high = min(content["measured"]), max(content["measured"])
    axis.plot([low, high], [low, high], color="black", linewidth=0.8)
    axis.set(xscale="log", yscale="log", xlabel="measured seconds", ylabel=f"seconds by {name}")
    axis.legend(fontsize="small", markerscale=3)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("file", help="what ucmoh-train wrote")
    parser.add_argument("--output", required=True, help="FILE.svg, .png or .pdf")
    parser.add_argument("--metric", default="top1", help="column of a table (default: top1)")
    parser.add_argument("--model", help="whose predictions (default: the first model's)")
    options = parser.parse_args(arguments)
    kind, content = read(options.file)
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure = pyplot.figure()
    {"log": draw_log, "table": draw_table, "predictions": draw_predictions}[kind](content, figure, options)
    figure.savefig(options.output, bbox_inches="tight", dpi=150)


if __name__ == "__main__":
    main()
