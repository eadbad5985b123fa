"""Types and shapes of arguments and results, by one set of names: those of NumPy and PyTorch."""
import dataclasses

# The element type of MLIR, and what may stand for it. Signless integers have no sign of their own.
NAMES = {
    "f64": ("float64",), "f32": ("float32",), "f16": ("float16",), "bf16": ("bfloat16",), "i1": ("bool",),
    "i8": ("int8", "uint8"), "i16": ("int16", "uint16"), "i32": ("int32", "uint32"), "i64": ("int64", "uint64"),
    "f8E4M3FN": ("float8_e4m3fn",), "f8E5M2": ("float8_e5m2",),
}


@dataclasses.dataclass(frozen=True)
class Spec:
    """A tensor's name, element types that may stand for it (the first is used for results), and extents.

    An open extent is a name, or an expression of such, such as "2*s0". Elements that are places in a table, such as
    numbers of words, have to be in `places`, the first and the last one.
    """

    name: str
    types: tuple
    shape: tuple
    places: tuple | None = None

    @property
    def type(self):
        """The element type of results."""
        return self.types[0]

    @property
    def is_static(self):
        """Whether all extents are numbers."""
        return all(isinstance(extent, int) for extent in self.shape)

    def __str__(self):
        return f"{' or '.join(self.types)}[{', '.join(map(str, self.shape))}]"

    def to_json(self):
        """Fields that `from_json` takes."""
        return {"name": self.name, "types": list(self.types), "shape": list(self.shape)}

    @classmethod
    def from_json(cls, fields):
        """The spec that `to_json` wrote."""
        return cls(fields["name"], tuple(fields["types"]), tuple(fields["shape"]))


def described(fields):
    """Specs of one list of what a library describes, [{"type", "shape"}], with their numbers as names."""
    return [Spec(str(number), NAMES.get(each["type"], (each["type"],)), tuple(each["shape"]))
            for number, each in enumerate(fields)]


def with_places(inputs, fields):
    """The specs of a library's inputs, with the places that it describes."""
    return [dataclasses.replace(spec, places=tuple(each["places"])) if "places" in each else spec
            for spec, each in zip(inputs, fields)]


def within(description):
    """Which results may lie in the memory of which arguments: pairs of their numbers."""
    return [(number, each["in_place"]) for number, each in enumerate(description["outputs"]) if "in_place" in each]
