"""A block is one step function with its parameters, its first state and its outputs.

    code = step(x, p, u, y)                                                                  (1)

x is the state (read and written), p the parameters (read only), u the inputs gathered from the
signal bus, y the outputs. A step returns nothing or 0 to go on; a code k > 0 stops the test. It
allocates nothing, raises nothing, reads no clock and prints nothing. The same Python function is
compiled for the table loop and the fused loop and runs as it is in the interpreted one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from types import FunctionType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from rths.errors import InputError

if TYPE_CHECKING:
    from rths.loop.halt import Explain
    from rths.loop.machine_code import Code

PACKAGE = __name__.partition(".")[0]
Vector = NDArray[np.float64]
FINITE = float(np.finfo(float).max)
"""The largest finite number: -FINITE <= v <= FINITE is false for infinities and NaN."""
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

    def replace_kernels(self, **kernels: Kernel) -> Kernel:
        """Give the same step with other kernels behind names that it, or what it calls, calls.

        For a block around another one, whose kernel is known only when the block is made. The
        same kernels give the same step again, so that it is compiled once.
        """
        key = tuple(sorted(kernels.items(), key=lambda item: item[0]))
        if key not in self._calling:
            f, used = self.function, self._used
            assert isinstance(f, FunctionType)
            inner = {
                n: k.replace_kernels(**kernels) for n, k in used.items() if isinstance(k, Kernel)
            }
            mine = {n: k for n, k in kernels.items() if n in used}
            if not mine and all(inner[n] is used[n] for n in inner):
                self._calling[key] = self
            else:
                names = {**f.__globals__, **inner, **mine}
                self._calling[key] = Kernel(FunctionType(f.__code__, names, f.__name__))
        return self._calling[key]

    @property
    def _used(self) -> dict[str, Any]:
        """What the step takes from its module, by name."""
        f = self.function
        assert isinstance(f, FunctionType)
        return {n: f.__globals__[n] for n in f.__code__.co_names if n in f.__globals__}

    @property
    def calls(self) -> list[Kernel]:
        """Kernels that the step calls."""
        return [used for used in self._used.values() if isinstance(used, Kernel)]

    @cached_property
    def is_shipped(self) -> bool:
        """Whether the step and all steps that it calls are the package's own."""
        ships = self.function.__module__.partition(".")[0] == PACKAGE
        return ships and all(used.is_shipped for used in self.calls)

    @cached_property
    def digest(self) -> str:
        """Hash of the code of the step and of every function and constant it uses."""
        from rths.loop.compilation import digest

        return digest(self.function)

    @cached_property
    def compiled(self) -> Code:
        """The step before it is optimised, to be put into its callers."""
        from rths.loop.machine_code import translate_step

        return translate_step(self)

    @cached_property
    def address(self) -> int:
        """Address of the step's entry; compiled and cached on first use."""
        from rths.loop.entry import entry

        self._entry = entry(self)  # it holds the machine code: keep it alive
        return self._entry.address


def kernel(function: Step) -> Kernel:
    """Declare a plain Python function ``f(x, p, u, y)`` to be the step of a block."""
    return Kernel(function)


@dataclass(frozen=True)
class Ring:
    """States that form a ring buffer: ``size`` of them from ``first``, newest at x[position]."""

    first: int
    size: int
    position: int

    def shift(self, places: int) -> Ring:
        """Give the same ring some places further on."""
        return Ring(self.first + places, self.size, self.position + places)


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
    injects: tuple[int, ...] = field(default=())
    """Parameters that scale what comes in from outside of the loop, such as noise: with 0 in each
    of them the block is silent, and what is left of it belongs to the loop."""
    explains: Explain | None = None
    """Says what a stop code of the step means; without it only the code is named."""
    work: float = 1.0
    """Steps that a step of it stands for where work is counted, of a twentieth of a microsecond:
    more than one of what iterates, or learns many numbers at once."""
    draws: bool = False
    """Whether what it declares to count only chooses the next number that it injects, and is no
    clock."""

    def __init__(
        self,
        kernel: Kernel,
        params: Sequence[float] | Vector = (),
        states: int | Sequence[float] | Vector = 0,
        outputs: int = 1,
        rings: Sequence[Ring] = (),
        counters: Sequence[int] = (),
        injects: Sequence[int] = (),
        *,
        explains: Explain | None = None,
        work: float = 1.0,
        draws: bool = False,
    ) -> None:
        x = np.zeros(states) if isinstance(states, int) else np.array(states, float).ravel()
        put = object.__setattr__
        put(self, "kernel", kernel)
        put(self, "params", np.array(params, float).ravel())
        put(self, "states", x)
        put(self, "outputs", outputs)
        put(self, "rings", tuple(rings))
        put(self, "counters", tuple(counters))
        put(self, "injects", tuple(injects))
        put(self, "explains", explains)
        put(self, "work", work)
        put(self, "draws", draws)
        self._check_places()

    def _check_places(self) -> None:
        """Refuse what is declared of places that the block does not have."""
        rings = [k for r in self.rings for k in (r.first, r.first + r.size - 1, r.position)]
        for declared, places, size, of in (
            ("rings", rings, self.states.size, "state(s)"),
            ("counters", self.counters, self.states.size, "state(s)"),
            ("injects", self.injects, self.params.size, "parameter(s)"),
        ):
            beyond = [k for k in places if not 0 <= k < size]
            if beyond:
                problem = f"is declared in {declared}, and the block has {size} {of}"
                raise InputError(f"kernel {self.kernel.name}", beyond[0], problem, "Count from 0.")

    @classmethod
    def around(
        cls,
        step: Kernel,
        params: Sequence[float] | Vector,
        states: Sequence[float] | Vector,
        inside: Mapping[str, Block | Sequence[Block]],
        outputs: int = 1,
        rings: Sequence[Ring] = (),
        counters: Sequence[int] = (),
        injects: Sequence[int] = (),
        *,
        explains: Explain | None = None,
        work: float = 1.0,
        draws: bool = False,
    ) -> Block:
        """Make a block that contains others, each called in ``step`` by its name in ``inside``.

            p = own, p of each block;   x = own, x of each block, each followed by its code      (2)

        Several blocks under one name are copies that share their parameters. ``step`` gives such a
        block its states with the place for the code, and need not look at what it answers: a stop
        code is kept in (2) and handed on with what explains it, and so are rings, counters and what
        is injected.
        """
        told: dict[str, Any] = {"explains": explains, "work": work, "draws": draws}
        own = Block(step, params, states, outputs, rings, counters, injects, **told)
        if not inside:
            return own
        p, x, codes, blocks = [own.params], [own.states], [], []
        found: dict[str, Any] = {"rings": [*rings], "counters": [*counters], "injects": [*injects]}
        names = {}
        for name, given in inside.items():
            copies = (given,) if isinstance(given, Block) else tuple(given)
            _check_copies(step, name, copies)
            names[name] = keep_code.replace_kernels(inside=copies[0].kernel)
            found["injects"] += [_length(p) + i for i in copies[0].injects]
            p.append(copies[0].params)
            for copy in copies:
                first = _length(x)
                blocks.append((first, copy))
                found["rings"] += [ring.shift(first) for ring in copy.rings]
                found["counters"] += [first + c for c in copy.counters]
                x += [copy.states, np.zeros(1)]
                codes.append(_length(x) - 1)
        whole = hand_code_on
        if len(codes) > 1:
            whole = hand_codes_on
            p.append(np.array([*codes, len(codes)], float))
        made = whole.replace_kernels(inside=step.replace_kernels(**names))
        found["counters"] += codes
        if explains is not None or any(block.explains for _, block in blocks):
            from rths.loop.halt import explain_inside  # it knows blocks

            found["explains"] = partial(explain_inside, explains, blocks)
        found["work"] = max(work, sum(block.work for _, block in blocks))
        return Block(made, np.concatenate(p), np.concatenate(x), outputs, **found)


def _check_copies(step: Kernel, name: str, copies: Sequence[Block]) -> None:
    """Refuse blocks under a name that cannot be copies of one, or that nobody calls."""
    if step.replace_kernels(**{name: keep_code}) is step:
        raise TypeError(f"{step!r} calls no {name}")
    if not copies:
        raise TypeError(f"no block is given for {name}")
    first = copies[0]
    for other in copies[1:]:
        if other.kernel is not first.kernel or not np.array_equal(other.params, first.params):
            raise TypeError(f"the blocks given for {name} differ: copies share their parameters")


def _length(rows: Sequence[Vector]) -> int:
    return sum(row.size for row in rows)


@kernel
def inside(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    """Stand for the block inside until it is known."""


def stop_code(answer: Any) -> Any:
    """Give the stop code in the answer of a step: nothing means 0."""
    return 0 if answer is None else answer


def worse_code(code: Any, kept: Any) -> Any:
    """Give the larger of two stop codes; 0 is none, even if the other is below it by mistake."""
    if kept != 0 and (code == 0 or kept > code):
        return kept
    return code


@kernel
def keep_code(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # x = that of the block inside, then its stop code
    code = stop_code(inside(x[: x.size - 1], p, u, y))
    if code != 0:
        x[x.size - 1] = code


@kernel
def hand_code_on(x: Vector, p: Vector, u: Vector, y: Vector) -> int:
    # x = own, that of the block inside, its stop code
    code = stop_code(inside(x, p, u, y))
    return int(worse_code(code, x[x.size - 1]))


@kernel
def hand_codes_on(x: Vector, p: Vector, u: Vector, y: Vector) -> int:
    # p = that of the block, places of the stop codes in x, how many there are
    count = int(p[p.size - 1])
    last = p.size - 1
    code = stop_code(inside(x, p[: last - count], u, y))
    for i in range(last - count, last):
        code = worse_code(code, x[int(p[i])])
    return int(code)


MOST_SAMPLES = 1 << 28
"""Samples of a past that nobody means: 2 GiB, or a day at 3 kHz."""


def ring_size(samples: int) -> int:
    """Power of two that holds ``samples``: a place is wrapped by a mask, and few sizes exist.

    Never below 64, so that tests which differ only in a short delay share one compiled loop.
    """
    if samples > MOST_SAMPLES:
        raise MemoryError(f"a past of {samples} samples")
    return max(64, 1 << (samples - 1).bit_length())
