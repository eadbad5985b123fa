"""Models for IREE's runtime, with code of UCMoH inside.

    python -m ucmoh.iree compile model.mlir -o model.vmfb
    python -m ucmoh.iree compile model.mlir -o model.vmfb --iree-opt-level=O3      # flags of iree-compile
"""
import argparse
import sys

from ..errors import Error
from .door import compile_model


def parse_arguments(arguments):
    parser = argparse.ArgumentParser(prog="python -m ucmoh.iree", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("compile", help="iree-compile, with code of UCMoH for what is tensorized",
                                  epilog="Any other option goes to iree-compile.")
    command.add_argument("model", help="what iree-compile takes: an .mlir file")
    command.add_argument("-o", dest="output", required=True, metavar="FILE.vmfb", help="the module for the runtime")
    command.add_argument("--work", metavar="DIR", help="keeps the spec and the report (default: FILE.vmfb.ucmoh)")
    command.add_argument("--group", default="network", choices=["contraction", "network"],
                         help="what becomes a dispatch: a contraction with the elementwise ops around it, or all that "
                         "only one result depends on (network)")
    command.add_argument("--target", default="host", help="as of ucmoh-translate (host)")
    return parser.parse_known_args(arguments)


def main():
    options, flags = parse_arguments(sys.argv[1:])
    try:
        door = compile_model(options.model, options.output, flags, work=options.work, target=options.target,
                             group=options.group)
    except Error as error:
        sys.exit(f"error: {error}")
    print("\n".join(door.explain()))
    print(f"to do it again:\n  {door.reproduction()}")


if __name__ == "__main__":
    main()
