"""A block is one step function with its parameters, its first state and its outputs.

    code = step(x, p, u, y)                                                                  (1)

x is the state (read and written), p the parameters (read only), u the inputs gathered from the
signal bus, y the outputs. A step returns nothing or 0 to go on; a code k > 0 stops the test. It
allocates nothing, raises nothing, reads no clock and prints nothing. The same Python function is
compiled for the table loop and the fused loop and runs as it is in the interpreted one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import FunctionType
from typing import Any

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]
Step = Callable[[Vector, Vector, Vector, Vector], "int | None"]


class Kernel:
    """A step function (1) that is compiled when it is first needed, never on import."""

    def __init__(self, function: Step) -> None:
        self.function = function
        self.name = function.__name__
        self.__doc__ = function.__doc__
        self._calling: dict[tuple[tuple[str, Kernel], ...], Kernel] = {}

    def __call__(self, x: Vector, p: Vector, u: Vector, y: Vector) -> int | None:
        """Take one step in plain Python."""
        return self.function(x, p, u, y)

    def __repr__(self) -> str:
        code = self.function.__code__
        return f"<kernel {self.name} of {code.co_filename}:{code.co_firstlineno}>"

    def calling(self, **kernels: Kernel) -> Kernel:
        """Give the same step with other kernels behind names that it calls.

        For a block around another one, whose kernel is known only when the block is made. The
        same kernels give the same step again, so that it is compiled once.
        """
        key = tuple(sorted(kernels.items(), key=lambda item: item[0]))
        if key not in self._calling:
            f = self.function
            assert isinstance(f, FunctionType)
            names = {**f.__globals__, **kernels}
            self._calling[key] = Kernel(FunctionType(f.__code__, names, f.__name__))
        return self._calling[key]

    @cached_property
    def digest(self) -> str:
        """Hash of the source of the step and of every function and constant it uses."""
        from rths.loop.compilation import digest

        return digest(self.function)

    @cached_property
    def compiled(self) -> Any:
        """The step as Numba sees it, to be inlined by its callers."""
        from rths.loop.compilation import compile_function

        return compile_function(self.function)

    @cached_property
    def address(self) -> int:
        """Address of the step's entry; compiled and cached on first use."""
        from rths.loop.entry import entry

        self._entry = entry(self)  # it holds the machine code: keep it alive
        return self._entry.address


def stop_code(code: Any) -> Any:
    """Hand on the stop code of a block that another one calls; nothing means 0."""
    return 0 if code is None else code


def kernel(function: Step) -> Kernel:
    """Declare a plain Python function ``f(x, p, u, y)`` to be the step of a block."""
    return Kernel(function)


@dataclass(frozen=True)
class Ring:
    """States that form a ring buffer: ``size`` of them from ``first``, newest at x[position]."""

    first: int
    size: int
    position: int


@dataclass(frozen=True, eq=False)
class Block:
    """What a role of the loop yields: a kernel, its parameters, its first state, its outputs."""

    kernel: Kernel
    params: Vector
    states: Vector
    outputs: int = 1
    rings: tuple[Ring, ...] = ()
    counters: tuple[int, ...] = field(default=())
    """States that only count ticks: they are no part of the dynamics."""

    def __init__(
        self,
        kernel: Kernel,
        params: Sequence[float] | Vector = (),
        states: int | Sequence[float] | Vector = 0,
        outputs: int = 1,
        rings: Sequence[Ring] = (),
        counters: Sequence[int] = (),
    ) -> None:
        x = np.zeros(states) if isinstance(states, int) else np.array(states, float).ravel()
        put = object.__setattr__
        put(self, "kernel", kernel)
        put(self, "params", np.array(params, float).ravel())
        put(self, "states", x)
        put(self, "outputs", outputs)
        put(self, "rings", tuple(rings))
        put(self, "counters", tuple(counters))


def ring_size(samples: int) -> int:
    """Power of two that holds ``samples``: a place is wrapped by a mask, and few sizes exist.

    Never below 64, so that tests which differ only in a short delay share one compiled loop.
    """
    return max(64, 1 << (samples - 1).bit_length())
