"""Whether IREE applies a tuning spec. It says nothing of keys, lists and dims that match nothing."""
import pathlib
import re
import tempfile

from ..errors import CompileError
from .door import with_device
from .installation import Installation

CONFIG = re.compile(r"#iree_cpu\.lowering_config<([^>]*)>")


def read_config(text):
    """The lists of a lowering_config by their names: IREE prints them in another order."""
    return dict(re.findall(r"(\w+) = \[([^]]*)\]", text))


def read_spec(path):
    """Of each entry of a spec: its workload and its lists."""
    text = pathlib.Path(path).read_text()
    names = re.findall(r"// (\S+)\n\s*transform\.named_sequence @match_", text)
    configs = [read_config(found) for found in CONFIG.findall(text)]
    return list(zip(names or [f"entry {i}" for i in range(len(configs))], configs))


def check_spec(model, spec, flags=()):
    """Compiles `model` with a tuning spec and looks which of its entries were applied.

    Returns a list of (workload, whether applied). Raises CompileError where IREE refuses the spec.
    """
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        Installation().run(model, folder / "model.vmfb",
                           [*with_device(flags), f"--iree-codegen-tuning-spec-path={spec}",
                            f"--iree-hal-dump-executable-configurations-to={folder / 'configured'}"], spec)
        dumps = "".join(file.read_text() for file in sorted((folder / "configured").glob("*.mlir")))
    applied = [read_config(found) for found in CONFIG.findall(dumps)]
    return [(name, config in applied) for name, config in read_spec(spec)]


def check_all_applied(model, spec, flags=()):
    """As check_spec. Raises CompileError if an entry was not applied."""
    entries = check_spec(model, spec, flags)
    missed = [name for name, is_applied in entries if not is_applied]
    if missed:
        raise CompileError(f"{spec}: IREE ignored the configuration of {', '.join(missed)}")
    return entries
