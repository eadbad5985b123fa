"""Declares the exceptions, one for each thing that can go wrong."""


class Error(Exception):
    """Everything that this package raises."""


class MissingPackage(Error, ImportError):
    """A package or a tool is not installed; the message says how to install it."""


class CompileError(Error):
    """A model that cannot be compiled; the message names the module and the op."""


class ArgumentError(Error, ValueError):
    """An argument of a call has another shape, type or place than the model was compiled for."""


class WrongCpu(Error):
    """A compiled model needs an instruction that this CPU lacks."""


class Fallback(UserWarning):
    """A part of a model stays in PyTorch, or a cache folder cannot be used."""
