"""environment.py FOLDER: a virtual environment in which the packages of this Python are installed, and others can be."""
import pathlib
import sys
import sysconfig
import venv

folder = pathlib.Path(sys.argv[1])
venv.create(folder, symlinks=True, with_pip=True)
(packages,) = folder.glob("lib/python*/site-packages")
# They come first: this Python's setuptools builds the package, and not the one that comes with pip.
line = f"import sys; sys.path.insert(1, {sysconfig.get_path('purelib')!r})\n"
(packages / "others.pth").write_text(line, encoding="utf-8")
