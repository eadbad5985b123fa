"""The tasks of the race as TVM sees them."""
import tvm
from tvm import te, topi
from tvm.s_tir import TensorIntrin
from tvm.script import tirx as T

ELEMENTS = {"u8s8s32": ("uint8", "int8", "int32"), "s8s8s32": ("int8", "int8", "int32"), "f32": ("float32",) * 3,
            "bf16": ("bfloat16", "bfloat16", "float32")}
VNNI = "race_dot_16x4_vnni"


@T.prim_func(s_tir=True)
def dot_product_meaning(
    A: T.Buffer((4,), "uint8", offset_factor=1),
    B: T.Buffer((16, 4), "int8", offset_factor=1),
    C: T.Buffer((16,), "int32", offset_factor=1),
) -> None:
    with T.sblock("root"):
        T.reads(C[0:16], A[0:4], B[0:16, 0:4])
        T.writes(C[0:16])
        for i in T.serial(0, 16):
            for k in T.serial(0, 4):
                with T.sblock("update"):
                    vi, vk = T.axis.remap("SR", [i, k])
                    C[vi] = C[vi] + T.cast(A[vk], "int32") * T.cast(B[vi, vk], "int32")


@T.prim_func(s_tir=True)
def dot_product_vnni(
    A: T.Buffer((4,), "uint8", offset_factor=1),
    B: T.Buffer((16, 4), "int8", offset_factor=1),
    C: T.Buffer((16,), "int32", offset_factor=1),
) -> None:
    with T.sblock("root"):
        T.reads(C[0:16], A[0:4], B[0:16, 0:4])
        T.writes(C[0:16])
        A_u8x4 = A.vload([0], "uint8x4")
        A_i32 = T.reinterpret(A_u8x4, dtype="int32")
        C[T.ramp(T.int32(0), 1, 16)] = T.call_llvm_pure_intrin(
            T.llvm_lookup_intrinsic_id("llvm.x86.avx512.vpdpbusd.512"),
            C.vload([0], dtype="int32x16"),
            T.reinterpret(T.broadcast(A_i32, 16), dtype="uint8x64"),
            B.vload([0, 0], dtype="int8x64"),
            dtype="int32x16",
        )


def register_intrinsic():
    """TVM's dot_16x4_vnni with the operand types that the LLVM inside of TVM 0.25 wants: its own does not compile."""
    TensorIntrin.register(VNNI, dot_product_meaning, dot_product_vnni)


def rhs_shape(task, types):
    """Integer weights come packed as the instruction reads them; others as TVM's schedule likes them."""
    kernel, channels, filters = task["kernel"], task["channels"], task["filters"]
    if types == "u8s8s32":
        return (filters // 16, *kernel, channels // 4, 16, 4)
    return (*kernel, channels, filters)


def function(task, types):
    """The task as a function of TVM: padding, and a contraction in channels-last layout."""
    lhs_type, rhs_type, result_type = ELEMENTS[types]
    lhs = te.placeholder((task["images"], *task["in"], task["channels"]), lhs_type, name="lhs")
    rhs = te.placeholder(rhs_shape(task, types), rhs_type, name="rhs")
    around = [0, *task["pad"], 0]
    padded = topi.nn.pad(lhs, around, around, name="padded") if any(task["pad"]) else lhs
    window = [te.reduce_axis((0, size), name=f"k{dim}") for dim, size in enumerate(task["kernel"])]
    channel = te.reduce_axis((0, task["channels"]), name="c")

    def element(image, *rest):
        *out, filter_ = rest
        at = [o * s + k * d for o, s, k, d in zip(out, task["stride"], window, task["dilation"])]
        weight = (rhs[(filter_ // 16, *window, channel // 4, filter_ % 16, channel % 4)]
                  if types == "u8s8s32" else rhs[(*window, channel, filter_)])
        left = padded[(image, *at, channel)].astype(result_type)
        return te.sum(left * weight.astype(result_type), axis=[*window, channel])

    shape = (task["images"], *task["out"], task["filters"])
    free = {} if types == "u8s8s32" else {"layout_free_placeholders": [rhs]}
    result = te.compute(shape, element, name="result", attrs=free)
    return tvm.IRModule({"main": te.create_prim_func([lhs, rhs, result])})
