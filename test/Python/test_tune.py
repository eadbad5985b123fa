"""Tuning by Ray on this machine: two cores stand for two machines."""
import json
import os
import pathlib
import signal
import subprocess
import tempfile
import time
import unittest

from test_cluster import HERE, PYTHON

MODEL = HERE.parent / "Tune/Inputs/two.mlir"


@unittest.skipUnless(PYTHON, "Ray is not installed: scripts/setup-cluster.sh does it")
class TuneTest(unittest.TestCase):
    def setUp(self):
        # Sockets of Ray are below TMPDIR, and their paths must be short.
        folder = tempfile.TemporaryDirectory(prefix="u", dir="/tmp", ignore_cleanup_errors=True)
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.records, self.choices = self.folder / "all.sqlite", self.folder / "choices.jsonl"
        self.marker = self.folder / "killed"

    def start(self, *options, model=MODEL, collector="ucmoh-collect"):
        command = [PYTHON, "-m", "ucmoh.tune", model, f"--records={self.records}", f"--output={self.choices}",
                   "--place=core", "--cpus=2", "--gate=false", f"--collector={collector}", *options]
        environment = os.environ | {"TMPDIR": str(self.folder), "RAY_USAGE_STATS_ENABLED": "0",
                                    "UCMOH_TEST_MARKER": str(self.marker)}
        # A shell that runs tests in the background lets them ignore Ctrl-C, and children inherit that.
        process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def finish(self, process, status=0):
        output, errors = process.communicate()
        self.assertEqual(process.returncode, status, errors)
        return output, errors

    def rows(self):
        output = subprocess.run(["ucmoh-records", "stats", "--json", self.records], check=True,
                                capture_output=True).stdout
        return json.loads(output)["rows"]

    def test_killed_worker(self):
        passed = ["--", "--in-place=false", "--least-gain=0"]
        process = self.start("--trials=24", *passed, collector=HERE / "Inputs/dying_collector.sh")
        output, errors = self.finish(process)
        self.assertTrue(self.marker.exists())
        self.assertIn("1 retried", errors)
        self.assertIn("24 measurements are in the records already", errors)
        self.assertEqual(self.rows(), 24)
        self.assertIn("workload", output)
        choices = [json.loads(line) for line in self.choices.read_text().splitlines()]
        self.assertEqual(len(choices), 2)
        self.assertTrue(any("seconds" in choice for choice in choices))  # which task gets the rounds is the model's

    def test_interrupted(self):
        process = self.start("--budget=3m", "--", "--in-place=false", "--least-gain=0")
        while not self.records.exists() or not self.rows():
            self.assertIsNone(process.poll())
            time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        _, errors = self.finish(process)
        self.assertIn("the same command goes on from here", errors)
        self.assertEqual(len(self.choices.read_text().splitlines()), 2)

    def test_bad_input(self):
        _, errors = self.finish(self.start(model=HERE.parent / "Tune/Inputs/none.mlir"), status=1)
        self.assertIn("there is nothing to tune", errors)
        _, errors = self.finish(self.start("--budget=soon"), status=2)
        self.assertIn("a positive time such as 30s, 5m or 1h is wanted, not 'soon'", errors)
        _, errors = self.finish(self.start(collector="/bin/false"), status=1)
        self.assertIn("the collector does not run on this machine", errors)


if __name__ == "__main__":
    unittest.main()
