"""Compiles networks for this CPU: `ucmoh.compile` of a PyTorch module, an ONNX file or linalg in MLIR.

    import ucmoh
    fast = ucmoh.compile(model, (x,))
    y = fast(x)
    fast.explain()

Nothing beyond Python's own library is imported before it is needed.
"""
import importlib

_PLACES = {
    "compile": "door", "load": "program", "threads": "door", "backend": "torch_backend", "Program": "program",
    "Error": "errors", "MissingPackage": "errors", "CompileError": "errors", "ArgumentError": "errors",
    "WrongCpu": "errors", "Fallback": "errors",
}
__all__ = list(_PLACES)


def __getattr__(name):
    if name not in _PLACES:
        raise AttributeError(f"module 'ucmoh' has no attribute '{name}'")
    return getattr(importlib.import_module(f"ucmoh.{_PLACES[name]}"), name)


def __dir__():
    return sorted(set(globals()) | set(_PLACES))
