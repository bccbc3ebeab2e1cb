"""The machine side of a block, and the few operations that Python has no word for.

    int32 step(int32 *answer, void **raised,
               double *x, const double *p, const double *u, double *y, const int64 *n)          (1)

n = (nx, np, nu, ny). A step returns 0 and answers 1 to go on, 1 + k to stop the test with code k.
It returns something else if it raised an exception. This is how Numba's own functions are called: a
C callback would add a second call, and a block is often no more than one.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload
from numba.np.arrayobj import populate_array

from rths.loop.row import GO_ON, RAISED

__all__ = [
    "answer",
    "call",
    "load_acquire",
    "load_double",
    "load_integer",
    "store_double",
    "store_integer",
    "store_release",
    "vector",
]
DOUBLES = types.CPointer(types.float64)


def answer(code: Any) -> int:
    """Turn what a step returns (nothing, 0, or a stop code k) into the answer of (1)."""
    return GO_ON if code is None else GO_ON + code


@overload(answer)
def _answer(code):  # type: ignore[no-untyped-def]  # Numba wants both signatures alike
    if isinstance(code, types.NoneType):
        return lambda code: GO_ON
    return lambda code: GO_ON + code


@intrinsic
def call(typing: Any, function: Any, x: Any, p: Any, u: Any, y: Any, n: Any) -> Any:
    """Call a step (1) by addresses only; give its answer, or 0 if it raised."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        word = ir.IntType(32)
        double, integer = ir.DoubleType().as_pointer(), ir.IntType(64).as_pointer()
        with builder.goto_entry_block():  # alloca_once would zero them again at every call
            answer = builder.alloca(word)
            raised = builder.alloca(ir.IntType(8).as_pointer())
        kinds = [answer.type, raised.type, *[double] * 4, integer]
        target = builder.inttoptr(args[0], ir.FunctionType(word, kinds).as_pointer())
        arrays = [builder.inttoptr(a, double) for a in args[1:5]]
        sizes = builder.inttoptr(args[5], integer)
        failed = builder.call(target, [answer, raised, *arrays, sizes])
        ok = builder.icmp_signed("==", failed, word(0))
        return builder.select(ok, builder.load(answer), word(RAISED))

    return types.int32(*(types.int64,) * 6), generate


def _access(kind: Any, load: bool) -> Any:
    # A monotonic atomic is a plain move, but keeps LLVM from vectorising loops of two or three.
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = builder.inttoptr(args[0], kind.as_pointer())
        if load:
            return builder.load_atomic(place, "monotonic", 8)
        builder.store_atomic(args[1], place, "monotonic", 8)
        return context.get_dummy_value()

    return generate


@intrinsic
def load_double(typing: Any, address: Any) -> Any:
    """Read the float64 at an address."""
    return types.float64(types.int64), _access(ir.DoubleType(), True)


@intrinsic
def load_integer(typing: Any, address: Any) -> Any:
    """Read the int64 at an address."""
    return types.int64(types.int64), _access(ir.IntType(64), True)


@intrinsic
def store_double(typing: Any, address: Any, value: Any) -> Any:
    """Write a float64 to an address."""
    return types.void(types.int64, types.float64), _access(ir.DoubleType(), False)


@intrinsic
def store_integer(typing: Any, address: Any, value: Any) -> Any:
    """Write an int64 to an address."""
    return types.void(types.int64, types.int64), _access(ir.IntType(64), False)


@intrinsic
def load_acquire(typing: Any, address: Any) -> Any:
    """Read an int64 that another process publishes: what it announced is seen after it."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = builder.inttoptr(args[0], ir.IntType(64).as_pointer())
        return builder.load_atomic(place, "acquire", 8)

    return types.int64(types.int64), generate


@intrinsic
def store_release(typing: Any, address: Any, value: Any) -> Any:
    """Publish an int64 to another process: all that was written before is seen before it."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = builder.inttoptr(args[0], ir.IntType(64).as_pointer())
        builder.store_atomic(args[1], place, "release", 8)
        return context.get_dummy_value()

    return types.void(types.int64, types.int64), generate


@intrinsic
def vector(typing: Any, first: Any, count: Any) -> Any:
    """See ``count`` float64 from a pointer on as the array that a step takes."""
    array = types.Array(types.float64, 1, "C")

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        made = context.make_array(array)(context, builder)
        number = context.cast(builder, args[1], signature.args[1], types.intp)
        width = context.get_constant(types.intp, 8)
        populate_array(made, args[0], [number], [width], width, meminfo=None)
        return made._getvalue()

    return array(first, count), generate
