"""The plots of what ucmoh-train writes."""

import json
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "python"))
from ucmoh import plot


EPOCH = {"train_loss": 2.0, "validation_loss": 3.0, "top1": 0.9, "top5": 0.95}
LOG = {"best_epoch": 2, "epochs": [dict(EPOCH, epoch=number) for number in (1, 2)]}
TABLE = [
    {"group": group, "model": model, "top1": 0.9, "rmse": None, "spread": {"top1": spread, "rmse": None}}
    for group in ("all", "types f32")
    for model, spread in (("analytic", None), ("network", 0.01), ("random", 0.02))
]
PREDICTIONS = {
    "task": ["one", "one"],
    "intrinsic": ["x86_avx512f::fma", "x86_avx2_fma::fma"],
    "measured": [1e-5, 2e-5],
    "models": [{"model": "network", "predicted": [1e-5, 3e-5]}],
}


class PlotTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.file = pathlib.Path(self.folder.name) / "file.json"

    def draw(self, content, *options):
        try:
            import matplotlib  # noqa: F401
        except ImportError:
            self.skipTest("needs matplotlib, which scripts/setup.sh --train installs into .venv")
        self.file.write_text(json.dumps(content))
        output = self.file.with_suffix(".svg")
        plot.main([str(self.file), f"--output={output}", *options])
        return output.read_text()

    def test_draws_what_the_file_is(self):
        without_validation = dict(LOG, epochs=[{"epoch": 1, "train_loss": 2.0}])
        for content in (LOG, without_validation, TABLE, PREDICTIONS):
            self.assertIn("<svg", self.draw(content))

    def test_unknown_names_are_refused(self):
        with self.assertRaisesRegex(SystemExit, "no 'speed'"):
            self.draw(TABLE, "--metric=speed")
        with self.assertRaisesRegex(SystemExit, "of 'other', but of network"):
            self.draw(PREDICTIONS, "--model=other")

    def test_other_files_are_refused(self):
        for text in ("", "[1]", '{"epochs": 1}'):
            self.file.write_text(text)
            with self.assertRaisesRegex(SystemExit, "is nothing that ucmoh-train wrote"):
                plot.main([str(self.file), "--output=x.svg"])


if __name__ == "__main__":
    unittest.main()
