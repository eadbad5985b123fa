"""Models for IREE's runtime, with code of UCMoH inside.

    python -m ucmoh.iree compile model.mlir -o model.vmfb
    python -m ucmoh.iree compile model.mlir -o model.vmfb --iree-opt-level=O3      # flags of iree-compile
    python -m ucmoh.iree compile model.mlir -o model.vmfb --way=configurations
    python -m ucmoh.iree check spec.mlir model.mlir
"""
import argparse
import sys

from ..errors import Error
from .check import check_all_applied
from .compilation import WAYS, compile_model


def parse_arguments(arguments):
    parser = argparse.ArgumentParser(prog="python -m ucmoh.iree", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("compile", help="iree-compile, with code of UCMoH for what is tensorized",
                                  epilog="Any other option goes to iree-compile.")
    command.add_argument("model", help="what iree-compile takes: an .mlir file")
    command.add_argument("-o", dest="output", required=True, metavar="FILE.vmfb", help="the module for the runtime")
    command.add_argument("--work", metavar="DIR", help="keeps the spec and the report (default: FILE.vmfb.ucmoh)")
    command.add_argument("--way", default="auto", choices=["auto", *WAYS],
                         help="code of ucmoh in place of IREE's, or configurations for IREE's own code generator "
                         "(auto: code on a CPU)")
    command.add_argument("--group", default="network", choices=["contraction", "network"],
                         help="what becomes a dispatch: a contraction with the elementwise ops around it, or all that "
                         "only one result depends on (network)")
    command.add_argument("--workgroups", type=int, default=1, metavar="N",
                         help="how many of IREE's threads share a dispatch at most, by rows of its result (1)")
    command.add_argument("--target", default="host", help="as of ucmoh-translate (host)")
    command = commands.add_parser("check", help="whether IREE applies a tuning spec to a model",
                                  epilog="Any other option goes to iree-compile.")
    command.add_argument("spec", help="as ucmoh-translate --to-iree-tuning-spec writes it")
    command.add_argument("model", help="what iree-compile takes")
    return parser.parse_known_args(arguments)


def compile_and_report(options, flags):
    door = compile_model(options.model, options.output, flags, work=options.work, target=options.target,
                         group=options.group, workgroups=options.workgroups,
                         way=options.way)
    print("\n".join(door.explain()))
    print(f"to do it again:\n  {door.reproduction()}")


def check_and_report(options, flags):
    for name, _ in check_all_applied(options.model, options.spec, flags):
        print(f"{name}: applied")


def main():
    options, flags = parse_arguments(sys.argv[1:])
    try:
        {"compile": compile_and_report, "check": check_and_report}[options.command](options, flags)
    except Error as error:
        sys.exit(f"error: {error}")
    except OSError as error:
        sys.exit(f"error: {error.filename or 'output'}: {error.strerror}")


if __name__ == "__main__":
    main()
