"""Compiles a model with IREE's own code generator, which gets configurations that UCMoH has ranked."""
import json

from ..errors import CompileError
from .configurations import applied_configs, read_configs
from .door import Door


class TunedDoor(Door):
    """One compilation: each dispatch of IREE's with a product gets its configuration as an attribute."""

    def translate(self):
        """Writes the program, as IREE has it when it has made dispatches, with configurations in it."""
        self.translate_dump("flow", "--to-iree-annotated")

    refusal = ""  #: IREE's error where it does not compile the program with configurations

    def module_command(self):
        if self.refusal or not self.report["tuned"]:
            return self.model, self.flags
        return self.work / "module.mlir", [*self.flags, "--compile-from=flow"]

    def compile(self):
        self.translate()
        try:
            applied = applied_configs(self.iree, *self.arguments(), self.model)
        except CompileError as error:
            self.refusal = str(error)
            applied = applied_configs(self.iree, *self.arguments(), self.model)
        for tuned in self.report["tuned"]:
            tuned["applied"] = read_configs(tuned["compilation_info"])[0] in applied
        (self.work / "report.json").write_text(json.dumps(self.report, indent=2) + "\n")

    def arguments(self):
        """The arguments of iree-compile: what it compiles, to what, and how."""
        model, flags = self.module_command()
        return model, self.output, flags

    def explain(self):
        not_applied = "IREE ignored its configuration"
        if self.refusal:
            not_applied = "left to IREE, which fails with configurations"
        for tuned in self.report["tuned"]:
            tiles = " ".join(map(str, tuned["ranked"][0]["tiles"]))
            done = f"configured as {tiles}" if tuned["applied"] else not_applied
            yield f"{tuned['workload']}: {done}, {tuned['places']} times"
        if self.refusal:
            yield f"what IREE said: {self.refusal}"
        yield from self.explain_left()
