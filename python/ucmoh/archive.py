"""A compiled model as one file: a zip of the shared object, the packed weights and what names them."""
import json
import os
import pathlib
import tempfile
import zipfile

from . import library, specs
from .errors import Error
from .structure import Structure

FORMAT = 1
OBJECT, WEIGHTS, FIELDS = "program.so", "weights.bin", "program.json"


def write(program, path):
    """The program as a file. Writes beside the path and renames, so that a file is whole or not there.

    Raises Error where it cannot be written.
    """
    path = pathlib.Path(path)
    fields = {"format": FORMAT, "name": program.library.name,
              "inputs": [spec.to_json() for spec in program.inputs],
              "outputs": [spec.to_json() for spec in program.outputs],
              "structure": program.structure and program.structure.to_json(), "in_place": bool(program.within)}
    try:
        with tempfile.TemporaryDirectory(dir=path.parent, prefix=".ucmoh-") as folder:
            scratch = pathlib.Path(folder) / "model"
            with zipfile.ZipFile(scratch, "w", zipfile.ZIP_STORED) as archive:
                archive.writestr(FIELDS, json.dumps(fields))
                archive.write(program.library.path, OBJECT)
                archive.writestr(WEIGHTS, program.packed_weights())
            os.replace(scratch, path)
    except OSError as error:
        raise Error(f"{path} cannot be written: {error.strerror}") from error


def read(path):
    """Returns what a Program is made of, as `write` wrote it: library, packed weights, inputs, outputs, structure, and
    whether results lie in arguments.

    Raises Error for a file that is none, WrongCpu where this CPU lacks an instruction that the program needs.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            fields = json.loads(archive.read(FIELDS))
            if fields["format"] != FORMAT:
                raise Error(f"{path} has format {fields['format']}, and this version of ucmoh reads {FORMAT}: "
                            "compile and save the model again")
            shared_object = open_object(archive.read(OBJECT), fields["name"])
            packed = fill(archive.read(WEIGHTS))
    except OSError as error:
        raise Error(f"{path} cannot be read: {error.strerror}") from error
    except (zipfile.BadZipFile, KeyError, ValueError) as error:
        raise Error(f"{path} is no compiled model, or it was cut off: {error}") from error
    inputs, outputs = ([specs.Spec.from_json(spec) for spec in fields[key]] for key in ("inputs", "outputs"))
    structure = fields["structure"] and Structure.from_json(fields["structure"])
    return shared_object, packed, inputs, outputs, structure, fields.get("in_place", False)


def open_object(content, name):
    """A shared object from memory: no folder needs to be writable."""
    file = os.memfd_create(name)
    os.write(file, content)
    return library.Library(f"/proc/self/fd/{file}", name)


def fill(content):
    """A buffer as the library wants it, with this content."""
    packed = library.new_pages(len(content))
    library.ctypes.memmove(packed[1], content, len(content))
    return packed
