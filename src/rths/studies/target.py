"""A target: one number (or several) that a paper states, and the run that has to give it again.

    ok = |computed - target| <= absolute + relative |target|     for every number              (1)

A value is a number, a word, a truth, a list of these (compared one by one) or a table of named
values, each with a tolerance of its own. Where the paper's number does not follow from its own
set-up, ``target`` is the one that does, and ``reason`` says why the two differ.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

Value = Any
"""A number, a word, a truth, or lists and tables of these: what JSON can hold."""


@dataclass(frozen=True)
class Tolerance:
    """How far a computed number may be from its target, equation (1), or on which side of it."""

    relative: float = 0.0
    absolute: float = 0.0
    bound: bool = False
    """Whether the target is a bound from above: any smaller size will do."""

    def allows(self, computed: float, target: float) -> bool:
        """Judge one number; what is not a number never agrees."""
        if self.bound:
            return abs(computed) <= target
        return abs(computed - target) <= self.absolute + self.relative * abs(target)  # (1)

    def __str__(self) -> str:
        if self.bound:
            return "at most"
        parts = [f"{self.absolute:g}"] if self.absolute else []
        if self.relative:
            percent = 100 * self.relative
            parts.append(f"{percent:g} %" if percent >= 0.01 else f"{self.relative:g} relative")
        return " + ".join(parts) or "exact"


EXACT, AT_MOST = Tolerance(), Tolerance(bound=True)


Tolerances = Tolerance | Mapping[str, Tolerance]


def agrees(computed: Value, target: Value, tolerance: Tolerances) -> bool:
    """Compare values of the same shape, number by number."""
    if isinstance(target, Mapping):
        return (
            isinstance(computed, Mapping)
            and computed.keys() == target.keys()
            and all(agrees(computed[k], v, part(tolerance, k)) for k, v in target.items())
        )
    if isinstance(target, (list, tuple)):
        return (
            isinstance(computed, (list, tuple))
            and len(computed) == len(target)
            and all(agrees(c, t, tolerance) for c, t in zip(computed, target, strict=True))
        )
    if isinstance(target, (bool, str)) or isinstance(computed, (bool, str)):
        return type(computed) is type(target) and bool(computed == target)
    assert isinstance(tolerance, Tolerance)
    return tolerance.allows(float(computed), float(target))


def part(tolerance: Tolerances, name: str) -> Tolerances:
    """Give the tolerance of one named value."""
    return tolerance[name] if isinstance(tolerance, Mapping) else tolerance


@dataclass(frozen=True)
class Claim:
    """What a paper says; ``target`` is None where the code gives it as a formula."""

    claim: str
    paper: str
    """The value as printed."""
    tolerance: Tolerances
    target: Value = None
    reason: str = ""
    """Why the printed value and the target differ, if they do."""


@dataclass(frozen=True)
class Result:
    """What a run made of a target."""

    target: Target
    computed: Value
    ok: bool

    def as_dict(self) -> dict[str, Value]:
        """Give what ``--json`` prints."""
        t = self.target
        shown = (
            {k: str(v) for k, v in t.tolerance.items()}
            if isinstance(t.tolerance, Mapping)
            else str(t.tolerance)
        )
        return {
            "id": t.id,
            "claim": t.claim,
            "paper": t.paper,
            "target": t.target,
            "computed": self.computed,
            "tolerance": shown,
            "ok": self.ok,
        }


@dataclass(frozen=True)
class Target:
    """A claim of a paper with the function that computes it anew."""

    id: str
    claim: str
    paper: str
    """The value as printed."""
    target: Value
    tolerance: Tolerances
    compute: Callable[[], Value]
    reason: str = ""
    """Why the printed value and the target differ, if they do."""

    def result(self) -> Result:
        """Compute and compare."""
        computed = make_plain(self.compute())
        return Result(self, computed, agrees(computed, self.target, self.tolerance))


def make_plain(value: Value) -> Value:
    """Turn NumPy's numbers and arrays, and complex pairs, into what JSON can hold."""
    if isinstance(value, Mapping):
        return {str(k): make_plain(v) for k, v in value.items()}
    if isinstance(value, complex):
        return [value.real, value.imag]
    if hasattr(value, "tolist"):
        return make_plain(value.tolist())
    if isinstance(value, (list, tuple)):
        return [make_plain(v) for v in value]
    return value


@dataclass
class Targets:
    """The targets of a study in the order of the paper; ``@targets.of(id)`` adds one."""

    listed: list[Target] = field(default_factory=list)
    claims: Mapping[str, Claim] = field(default_factory=dict)

    def of(
        self, id: str, *, target: Value = None
    ) -> Callable[[Callable[[], Value]], Callable[[], Value]]:
        """Make a target of the function that computes a claim anew."""
        said = self.claims[id]
        wanted = said.target if target is None else target

        def add(compute: Callable[[], Value]) -> Callable[[], Value]:
            parts = (id, said.claim, said.paper, wanted, said.tolerance, compute, said.reason)
            self.listed.append(Target(*parts))
            return compute

        return add

    def __iter__(self) -> Iterator[Target]:
        return iter(self.listed)
