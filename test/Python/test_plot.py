"""The plots of ucmoh-train's logs."""

import json
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "python"))
from ucmoh import plot


class PlotTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.log = pathlib.Path(self.folder.name) / "log.json"

    def test_draws_a_log(self):
        try:
            import matplotlib  # noqa: F401
        except ImportError:
            self.skipTest("needs matplotlib, which scripts/setup.sh installs into .venv")
        epoch = {"train_loss": 2.0, "validation_loss": 3.0, "top1": 0.9, "top5": 0.95}
        entries = [dict(epoch, epoch=number) for number in (1, 2)]
        self.log.write_text(json.dumps({"best_epoch": 2, "epochs": entries}))
        output = self.log.with_suffix(".svg")
        plot.main([str(self.log), f"--output={output}"])
        self.assertIn("<svg", output.read_text())

    def test_other_files_are_refused(self):
        for text in ("", "[]", '{"epochs": 1}'):
            self.log.write_text(text)
            with self.assertRaisesRegex(SystemExit, "is no log of ucmoh-train fit"):
                plot.main([str(self.log), "--output=x.svg"])


if __name__ == "__main__":
    unittest.main()
