"""Compiles a model with the stock iree-compile in the way that suits it."""
import sys

from ..errors import CompileError
from .door import Door, with_device
from .tuned import TunedDoor

WAYS = {"code": Door, "configurations": TunedDoor}


def way_for(flags):
    """Code where IREE compiles for a CPU: it is faster. A device only takes configurations."""
    return "code" if any("llvm-cpu" in flag for flag in with_device(flags)) else "configurations"


def compile_model(model, output, flags=(), way="auto", **options):
    """Compiles the MLIR file `model` to the module `output` for IREE's runtime.

    `flags` go to iree-compile; without a device among them, it is this CPU. `way` is "code", of ours in place of
    IREE's, or "configurations" for IREE's own code generator. Returns a Door, whose `explain()` and `reproduction()`
    say what was done. Raises CompileError where IREE refuses the model, and MissingPackage where it is not installed.
    """
    way = way_for(flags) if way == "auto" else way
    if way_for(flags) != "code" and options.get("target", "host") == "host":
        raise CompileError("IREE compiles for a device: --target says what of ucmoh's that is, such as "
                           "--target=nvidia_sm80; docs/generated/targets.md lists them")
    door = WAYS[way](model, output, flags, **options)
    if caveat := door.iree.caveat():
        print(f"warning: {caveat}", file=sys.stderr)
    door.compile()
    return door
