"""Provides what tests of compilation need: tools, without which they are skipped, and a folder and a cache of their
own."""
import os
import pathlib
import tempfile
import unittest
from unittest import mock

import ucmoh
from ucmoh import tools


def need_tool(name):
    """Skips the test, or the file that is being loaded, where the tool `name` is not built or installed."""
    try:
        tools.find(name)
    except ucmoh.MissingPackage as error:
        raise unittest.SkipTest(str(error)) from error


class FolderCase(unittest.TestCase):
    """A test with an empty folder, in which compiled models are kept, too."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        patch = mock.patch.dict(os.environ, XDG_CACHE_HOME=str(self.folder / "cache"))
        patch.start()
        self.addCleanup(patch.stop)
