"""Collection by Ray on this machine, with a collector that does nothing but add rows."""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

HERE = pathlib.Path(__file__).parent
TASKS = HERE / "Inputs/tasks.jsonl"
ROWS = 12 * 3  # tasks, candidates of the fake collector


def python_with_ray():
    """The Python of scripts/setup-cluster.sh, or this one; None if neither has Ray."""
    for python in (HERE.parents[1] / ".venv-cluster/bin/python", pathlib.Path(sys.executable)):
        if python.exists() and not subprocess.run([python, "-c", "import ray"], check=False,
                                                  stderr=subprocess.DEVNULL).returncode:
            return python
    return None


PYTHON = python_with_ray()


@unittest.skipUnless(PYTHON, "Ray is not installed: scripts/setup-cluster.sh does it")
class ClusterTest(unittest.TestCase):
    def setUp(self):
        # Sockets of Ray are below TMPDIR, and their paths must be short.
        folder = tempfile.TemporaryDirectory(prefix="u", dir="/tmp", ignore_cleanup_errors=True)
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.database, self.log = self.folder / "all.sqlite", self.folder / "log"

    def start(self, *passed, tasks=TASKS, collector=HERE / "Inputs/fake_collector.py"):
        command = [PYTHON, "-m", "ucmoh.cluster", tasks, f"--db={self.database}", "--shards=4",
                   "--place=core", "--cpus=2", f"--collector={collector}", "--",
                   f"--log={self.log}", *passed]
        environment = os.environ | {"TMPDIR": str(self.folder), "RAY_USAGE_STATS_ENABLED": "0"}
        process = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def finish(self, process, status=0):
        errors = process.communicate()[1]
        self.assertEqual(process.returncode, status, errors)
        return errors

    def statistics(self):
        output = subprocess.run(["ucmoh-records", "stats", "--json", self.database], check=True,
                                capture_output=True).stdout
        return json.loads(output)

    def check_everything_once(self):
        """All rows are there, none was measured twice, and the machine is as it was."""
        self.assertEqual(self.statistics()["rows"], ROWS)
        # A collector that is killed may have added a row and not written its line.
        lines = self.log.read_text().splitlines()
        self.assertEqual(len(lines), len(set(lines)))
        self.assertEqual(list((self.folder / f"ucmoh-cluster-{os.getuid()}").glob("*/log")), [])

    def test_killed_worker(self):
        errors = self.finish(self.start("--kill=task5"))
        self.assertTrue((self.folder / "log.killed").exists())
        self.assertIn("4/4 shards, 0 running, 1 retried", errors)
        self.check_everything_once()

    def test_interrupted_and_started_again(self):
        process = self.start("--pause=0.3")
        while not self.database.exists():
            self.assertIsNone(process.poll())
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        self.assertIn("the same command goes on from here", self.finish(process, status=130))
        self.assertLess(self.statistics()["rows"], ROWS)
        self.finish(self.start("--pause=0.3"))
        self.check_everything_once()

    def test_failing_collector(self):
        errors = self.finish(self.start(collector="/bin/false"), status=1)
        self.assertIn("/bin/false ended with 1", errors)
        self.assertIn("failed 3 times", errors)

    def test_bad_input(self):
        errors = self.finish(self.start(tasks=self.folder / "absent"), status=1)
        self.assertIn("No such file or directory", errors)


if __name__ == "__main__":
    unittest.main()
