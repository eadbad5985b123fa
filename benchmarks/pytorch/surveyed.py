"""Networks of transformers, torchvision and timm as survey.json describes them: build(NAME) -> (module, inputs).

An entry names a class of transformers, with the fields of its configuration, or a function of torchvision or timm, and
the inputs: tensors, by their shapes or elements, and other arguments as they are. Configurations are small ones; weights
are random.
"""
import functools
import json
import pathlib

import models
import torch
import torchvision
import transformers

TABLE = pathlib.Path(__file__).with_name("survey.json")


@functools.cache
def table():
    """The entries by name."""
    return json.loads(TABLE.read_text())


def build(name):
    """The module, and its arguments as a tuple or by name."""
    entry = table()[name]
    module = models.seeded(lambda: make(entry))
    torch.manual_seed(1)
    inputs = entry["inputs"]
    if isinstance(inputs, dict):
        return module, {key: argument(value) for key, value in inputs.items()}
    return module, tuple(map(argument, inputs))


def make(entry):
    """The module of an entry; one that consists of several may stand for one of them, its `part`."""
    if "timm" in entry:
        import timm
        return timm.create_model(entry["timm"])
    if "torchvision" in entry:
        function = functools.reduce(getattr, entry["torchvision"].split("."), torchvision.models)
        return function(weights=None, **entry.get("options", {}))
    module = getattr(transformers, entry["transformers"])(configured(entry["config"]))
    return getattr(module, entry["part"]) if "part" in entry else module


def configured(fields):
    """A configuration, whose fields may be configurations."""
    if not isinstance(fields, dict):
        return fields
    made = {key: configured(value) for key, value in fields.items() if key != "class"}
    return getattr(transformers, fields["class"])(**made) if "class" in fields else made


def argument(value):
    """A tensor by its description; anything else as it is."""
    if not isinstance(value, dict):
        return value
    if "normal" in value:
        return torch.randn(value["normal"])
    if "integers" in value:
        return torch.randint(value.get("from", 0), value["below"], value["integers"])
    if "ones" in value:
        return torch.ones(value["ones"])
    if "range" in value:
        return torch.arange(value["range"])[None]
    return torch.tensor(value["repeated"]).repeat(value["times"])
