"""Whether IREE applies a tuning spec."""
import pathlib
import re
import tempfile

from ..errors import CompileError
from .configurations import applied_configs, read_configs
from .door import with_device
from .installation import Installation

#: What iree-compile takes a spec with. For a device it ignores the first one.
FLAGS = {"cpu": "--iree-codegen-tuning-spec-path", "gpu": "--iree-codegen-transform-dialect-library"}


def read_spec(path):
    """For each entry of a spec its workload and its lists."""
    text = pathlib.Path(path).read_text()
    names = re.findall(r"// (\S+)\n\s*transform\.named_sequence @match_", text)
    configs = read_configs(text)
    return list(zip(names or [f"entry {i}" for i in range(len(configs))], configs))


def spec_flags(path):
    """The flags of iree-compile that apply the spec: a device's is read through another one.

    With several threads, IREE 3.13 may wait for ever where two dispatches load the spec at the same time.
    """
    kind = "gpu" if "#iree_gpu." in pathlib.Path(path).read_text() else "cpu"
    return [f"{FLAGS[kind]}={path}", "--mlir-disable-threading"]


def check_spec(model, spec, flags=()):
    """Compiles `model` with a tuning spec and looks which of its entries were applied.

    Returns a list of (workload, whether applied). Raises CompileError where IREE refuses the spec.
    """
    with tempfile.TemporaryDirectory() as folder:
        applied = applied_configs(Installation(), model, pathlib.Path(folder) / "model.vmfb",
                                  [*with_device(flags), *spec_flags(spec)], spec)
    return [(name, config in applied) for name, config in read_spec(spec)]


def check_all_applied(model, spec, flags=()):
    """As check_spec. Raises CompileError if an entry was not applied, or none is there."""
    if not read_spec(spec):
        raise CompileError(f"{spec}: it has no configuration; ucmoh-translate --to-iree-tuning-spec writes them, and "
                           "its report.json says why of some ops it does not")
    entries = check_spec(model, spec, flags)
    missed = [name for name, is_applied in entries if not is_applied]
    if missed:
        raise CompileError(f"{spec}: IREE ignored the configuration of {', '.join(missed)}")
    return entries
