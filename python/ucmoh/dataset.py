"""Reads exports of measurements (docs/records.md), plain or compressed, line by line.

    from ucmoh import dataset
    for row in dataset.read("all.jsonl.zst"):
        if not row.error:
            print(row.workload.name, row.machine.name, row.choice, row.median)

The lines are trusted but for their form, and choices keep the words of the version that wrote
them: `ucmoh-records import` checks the hash and brings the words up to date.
"""
import contextlib
import dataclasses
import json
import statistics
import subprocess

SCHEMA = "ucmoh-records-1"
ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"


class FormatError(ValueError):
    """FILE:LINE: what is wrong."""


@dataclasses.dataclass(frozen=True)
class Machine:
    """A machine as it was when it measured."""

    name: str
    cpu: str
    ir: str


@dataclasses.dataclass(frozen=True, eq=False)
class Workload:
    """A contraction; `tags` has networks, types, split, class."""

    id: str
    name: str
    ir: str
    flops: int
    tags: dict


@dataclasses.dataclass(frozen=True, eq=False)
class Row:
    """A program, measured or failed: then `error` is a text and `seconds` empty."""

    workload: Workload
    machine: Machine
    target: str
    intrinsic: str
    choice: str
    program: str
    seconds: list
    error: str | None
    run: str
    versions: str
    time: int

    @property
    def median(self):
        """The median of the repeats, in seconds, the lower one of an even number; None after a failure."""
        return statistics.median_low(self.seconds) if self.seconds else None


@contextlib.contextmanager
def open_lines(path):
    """The lines of a file, as bytes. Whatever is compressed comes through the program zstd."""
    with open(path, "rb") as file:
        if file.read(len(ZSTD_MAGIC)) != ZSTD_MAGIC:
            file.seek(0)
            yield file
            return
    command = ["zstd", "-dcq", "--", str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        try:
            yield process.stdout
        finally:  # a reader that stops early leaves by an exception and ends the program
            process.stdout.close()
            message = process.stderr.read().decode().strip()
    if process.returncode:
        raise FormatError(f"{path}: {message}; the file is truncated or damaged: get it again")


def check_header(line):
    """The header in the first line of a file."""
    try:
        header = json.loads(line)
    except ValueError:
        header = None
    if not isinstance(header, dict) or "schema" not in header:
        raise ValueError("no header of records; name a file that 'ucmoh-records export' wrote")
    if header["schema"] != SCHEMA:
        raise ValueError(f"schema '{header['schema']}', but this module reads '{SCHEMA}'")
    return header


def make(kind, fields):
    """A `kind` of the fields that it knows."""
    known = {field.name for field in dataclasses.fields(kind)}
    return kind(**{name: value for name, value in fields.items() if name in known})


class Reader:
    """Takes the lines behind the header and makes rows of them."""

    def __init__(self):
        self.workloads, self.machines = {}, {}

    def add(self, line):
        """The row of this line, or None if it defines something."""
        ((kind, fields),) = json.loads(line).items()
        if kind == "machine":
            machine = make(Machine, fields)
            self.machines[machine.name] = machine
        elif kind == "workload":
            workload = make(Workload, fields)
            self.workloads[workload.id] = workload
        elif kind == "row":
            row = make(Row, fields)
            return dataclasses.replace(row, workload=self.workloads[row.workload],
                                       machine=self.machines[row.machine])
        else:
            raise ValueError(f"unknown kind '{kind}'")
        return None


def read(path, split=None):
    """The rows of a file; with `split`, only those of workloads with this tag."""
    number, count = 1, 0
    with open_lines(path) as lines:
        try:
            header, reader = check_header(lines.readline()), Reader()
            for number, line in enumerate(lines, 2):
                row = reader.add(line)
                count += row is not None
                if row and split in (None, row.workload.tags.get("split")):
                    yield row
        except (ValueError, TypeError, AttributeError) as error:
            raise FormatError(f"{path}:{number}: {error}") from error
        except KeyError as error:
            message = f"{path}:{number}: no line before this one defines {error}"
            raise FormatError(message) from error
    if count != header.get("rows", count):
        raise FormatError(f"{path}:{number}: {count} rows, but the first line says "
                          f"{header['rows']}; the file is truncated: get it again")
