"""Exports as Python sees them."""
import pathlib
import subprocess
import tempfile
import unittest

from ucmoh import dataset

EXPORT = pathlib.Path(__file__).parent.parent / "Records/Inputs/four.jsonl"


class DatasetTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name, content):
        path = self.folder / name
        path.write_bytes(content)
        return path

    def test_rows(self):
        rows = list(dataset.read(EXPORT))
        self.assertEqual(len(rows), 4)
        self.assertEqual(rows[0].median, 1.1e-05)
        self.assertEqual(rows[0].workload.tags["networks"], {"bert/1": 12})
        self.assertEqual(rows[1].error, "timed out after 12 s")
        self.assertIsNone(rows[1].median)
        # The machine is the last one of this name before the row.
        self.assertEqual(rows[2].machine.ir, "ucmoh.machine @zen4")
        self.assertEqual(rows[3].machine.ir, "ucmoh.machine @zen4 with other numbers")

    def test_split(self):
        self.assertEqual([row.run for row in dataset.read(EXPORT, split="holdout")],
                         ["second", "second"])

    def compress(self):
        database, path = self.folder / "a.sqlite", self.folder / "a.jsonl.zst"
        subprocess.run(["ucmoh-records", "import", database, EXPORT], check=True,
                       stdout=subprocess.DEVNULL)
        subprocess.run(["ucmoh-records", "export", database, f"--output={path}"], check=True)
        return path

    def test_compressed(self):
        path = self.compress()
        self.assertEqual(sorted(row.time for row in dataset.read(path)),
                         sorted(row.time for row in dataset.read(EXPORT)))
        # A reader may stop early.
        self.assertIsNotNone(next(dataset.read(path)))

    def refuse(self, path, message):
        with self.assertRaisesRegex(dataset.FormatError, message):
            list(dataset.read(path))

    def test_bad_files(self):
        lines = EXPORT.read_bytes().splitlines(keepends=True)
        self.refuse(self.write("a", b"hello\n"), "a:1: no header of records")
        self.refuse(self.write("b", b""), "b:1: no header of records")
        self.refuse(self.write("c", b'{"schema": "other"}\n'), "c:1: schema 'other'")
        self.refuse(self.write("d", lines[0] + lines[4]), "d:2: no line before this one defines")
        self.refuse(self.write("e", b"".join(lines)[:-30]), f"e:{len(lines)}: ")
        self.refuse(self.write("f", lines[0] + b'{"row": {}}\n'), "f:2: ")
        self.refuse(self.write("g", lines[0] + b"[]\n"), "g:2: ")
        rows = lines[0].replace(b"}", b',"rows":2}')
        self.refuse(self.write("h", rows + b"".join(lines[1:])), "h:9: 4 rows, but the first line")

    def test_truncated(self):
        content = self.compress().read_bytes()
        self.refuse(self.write("cut.zst", content[:len(content) // 2]), "cut.zst")


if __name__ == "__main__":
    unittest.main()
