"""Compiles a model with IREE's own code generator, which gets configurations that UCMoH has ranked."""
import json

from .configurations import applied_configs, read_configs
from .door import Door


class TunedDoor(Door):
    """One compilation: each dispatch of IREE's with a product gets its configuration as an attribute."""

    def translate(self):
        """Writes the program, as IREE has it when it has made dispatches, with configurations in it."""
        self.translate_dump("flow", "--to-iree-annotated")

    def module_command(self):
        if not self.report["tuned"]:
            return self.model, self.flags
        return self.work / "module.mlir", [*self.flags, "--compile-from=flow"]

    def compile(self):
        self.translate()
        model, flags = self.module_command()
        applied = applied_configs(self.iree, model, self.output, flags, self.model)
        for tuned in self.report["tuned"]:
            tuned["applied"] = read_configs(tuned["compilation_info"])[0] in applied
        (self.work / "report.json").write_text(json.dumps(self.report, indent=2) + "\n")

    def explain(self):
        for tuned in self.report["tuned"]:
            tiles = " ".join(map(str, tuned["ranked"][0]["tiles"]))
            done = f"configured as {tiles}" if tuned["applied"] else "IREE ignored its configuration"
            yield f"{tuned['workload']}: {done}, {tuned['places']} times"
        yield from self.explain_left()
