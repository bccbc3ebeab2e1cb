"""A compensator that may be chosen: its class, the fields it starts with, and why it may not be.

Which compensators can be used their classes say: what they read must be measured, and the loop must
be able to be built with them. A kind that takes a model of the actuator starts with its delay and,
once more, with the inverse that was fitted.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, fields, replace
from typing import Any

from rths.assembly.hybrid_test import HybridTest
from rths.design.known_rig import KnownRig
from rths.design.tuned_field import TunedNumber, start_fields
from rths.errors import InputError
from rths.loop.block import Vector
from rths.registry import find, kinds

MEASURED = ("displacement", "force")
"""What a rig may measure; signals feedback.<name>."""
PLAIN = "feedback."


def say_kind(kind: str) -> str:
    """Write a kind in words; one of the user's own, which names a file, stays as it is."""
    return kind if ":" in kind else kind.replace("_", " ")


@dataclass(frozen=True, eq=False)
class Candidate:
    """A compensator with its fields, which may be tuned."""

    kind: str
    compensator: Any
    start: str = "delay"
    """What it starts from: the delay, the fitted inverse, or the plan."""

    @property
    def name(self) -> str:
        """Name it apart from all others."""
        return self.kind if self.start == "delay" else f"{self.kind} ({self.start})"

    @property
    def words(self) -> str:
        """Name it for people."""
        return say_kind(self.name)

    @property
    def tables(self) -> list[dict[str, Any]]:
        """Give its fields, without what is left out; a table for each channel with its own."""
        own = self.compensator
        return [
            {f.name: v for f in fields(c) if (v := getattr(c, f.name)) is not None}
            for c in (own if isinstance(own, tuple) else (own,))
        ]

    def with_values(self, numbers: list[TunedNumber], z: Vector) -> Candidate:
        """Give it with its numbers at some place z."""
        values: dict[str, Any] = {}
        for n, at in zip(numbers, z, strict=True):
            if n.index is None:
                values[n.name] = n.value_at(float(at))
                continue
            row = list(values.get(n.name, getattr(self.compensator, n.name)))
            new = n.value_at(float(at))
            row[n.index] = (new,) if isinstance(row[n.index], tuple) else new
            values[n.name] = tuple(row)
        return replace(self, compensator=replace(self.compensator, **values))


@dataclass(frozen=True)
class LeftOut:
    """A kind that cannot be used, and why."""

    kind: str
    why: str


@dataclass
class Field:
    """All kinds, parted into those that can be used and those that cannot."""

    candidates: list[Candidate] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)

    def add(self, test: HybridTest, candidate: Candidate) -> None:
        """Take a candidate whose loop can be built."""
        try:
            replace(test, compensator=candidate.compensator)
        except InputError as error:
            self.left_out.append(LeftOut(candidate.name, f"{error.problem} ({error.field})"))
            return
        except (ArithmeticError, ValueError, MemoryError) as error:
            self.left_out.append(LeftOut(candidate.name, f"cannot be calculated ({error})"))
            return
        self.candidates.append(candidate)


def find_candidates(test: HybridTest, rig: KnownRig, measured: Collection[str] = MEASURED) -> Field:
    """Go through all kinds, and the plan's own compensator."""
    found = Field()
    own = test.descriptions("compensator")[0]
    if missing := unmeasured(type(own), measured):
        found.left_out.append(LeftOut(own.kind, missing))
    else:
        found.add(test, Candidate(own.kind, test.compensator, "plan"))
    for kind in kinds("compensator"):
        cls = find("compensator", kind)
        if missing := unmeasured(cls, measured):
            found.left_out.append(LeftOut(kind, missing))
            continue
        _add_kind(found, test, cls, rig)
    return found


def unmeasured(cls: type[Any], measured: Collection[str]) -> str:
    """Say which signal a kind reads that is not measured; "" if there is none."""
    read = (s.removeprefix(PLAIN) for s in cls.inputs if s.startswith(PLAIN))
    missing = [name for name in read if name not in measured]
    return f"reads the measured {' and '.join(missing)}" if missing else ""


def _add_kind(found: Field, test: HybridTest, cls: type[Any], rig: KnownRig) -> None:
    """Take a kind with its example at the size of the rig, and with the fitted inverse."""
    given = start_fields(cls, rig)
    starts = [("delay", given)]
    degree = cls.model_order
    model = None if degree is None else rig.coefficients(degree)
    if model is not None:
        kept = {k: v for k, v in given.items() if k != "delay"}
        starts.append(("inverse", {**kept, "coefficients": model}))
    for start, values in starts:
        try:
            made = cls(**values)
        except InputError as error:
            found.left_out.append(LeftOut(cls.kind, f"{error.problem} ({error.field})"))
            continue
        found.add(test, Candidate(cls.kind, made, start))
