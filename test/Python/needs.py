"""What tests need besides Python: where it is missing they are skipped, and say so."""
import unittest

import ucmoh
from ucmoh import tools


def need_tool(name):
    """Skips the test, or the file that is being loaded, where the tool `name` is not built or installed."""
    try:
        tools.find(name)
    except ucmoh.MissingPackage as error:
        raise unittest.SkipTest(str(error)) from error
