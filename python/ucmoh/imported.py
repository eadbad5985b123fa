"""Holds what an importer gives to the compiler."""
import dataclasses
import typing


@dataclasses.dataclass
class Imported:
    """linalg with one function @main, the values of its arguments that are weights, and what its others are."""

    text: str
    weights: list
    inputs: list
    outputs: list
    structure: typing.Any = None  # the structure of a PyTorch module's arguments and results
