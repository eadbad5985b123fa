"""The door from IREE: models that the stock iree-compile builds with code of UCMoH inside.

`python -m ucmoh.iree compile model.mlir -o model.vmfb` is the command; docs/how-to/iree.md explains it.
"""
from .compilation import compile_model
from .door import with_device
from .installation import Installation

__all__ = ["Installation", "compile_model", "with_device"]
