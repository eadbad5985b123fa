"""Draws what ucmoh-train writes as JSON.

    python -m ucmoh.plot log.json --output=curve.svg         # the log of ucmoh-train fit
"""

import argparse
import json
import pathlib
import sys


def read_log(path):
    """Returns the epochs and the best epoch of a training log; fails with one line if it is none."""
    try:
        log = json.loads(pathlib.Path(path).read_text())
        return log["epochs"], log["best_epoch"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        sys.exit(f"error: {path} is no log of ucmoh-train fit: {error!r}")


def draw_log(epochs, best_epoch, output):
    """Losses above, scores on the validation's tasks below; a line where the weights are from."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    numbers = [entry["epoch"] for entry in epochs]
    figure, (losses, scores) = pyplot.subplots(2, 1, sharex=True, figsize=(7, 6))
    for axis, keys in ((losses, ("train_loss", "validation_loss")), (scores, ("top1", "top5"))):
        for key in keys:
            axis.plot(numbers, [entry[key] for entry in epochs], label=key.replace("_", " "))
        axis.axvline(best_epoch, color="gray", linewidth=0.8)
        axis.legend()
    scores.set_xlabel("epoch")
    losses.set_ylabel("loss of one list")
    scores.set_ylabel("best / picked seconds")
    figure.tight_layout()
    figure.savefig(output)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("log", help="what ucmoh-train fit --log=FILE wrote")
    parser.add_argument("--output", required=True, help="FILE.svg, .png or .pdf")
    options = parser.parse_args(arguments)
    draw_log(*read_log(options.log), options.output)


if __name__ == "__main__":
    main()
