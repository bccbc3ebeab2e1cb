"""A compensator that may be chosen: its class, the fields it starts with, and why it may not be.

Which compensators can be used their classes say: what they read must be measured, and the loop must
be able to be built with them. A kind that takes a model of the actuator starts with its delay and,
once more, with the inverse that was fitted. Actuators that differ get a compensator each, unless
its kind works on all of them together, which then starts from the slowest.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

from rths.assembly.hybrid_test import HybridTest
from rths.design.known_rig import KnownRig, slowest
from rths.design.tuned_field import TunedTogether, start_fields
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
    """What it starts from: the delay, the fitted inverse, or the plan; or beside one of these."""

    @property
    def name(self) -> str:
        """Name it apart from all others."""
        return self.kind if self.start == "delay" else f"{self.kind} ({self.start})"

    @property
    def words(self) -> str:
        """Name it for people."""
        return say_kind(self.name)

    @property
    def each(self) -> tuple[Any, ...]:
        """Give the compensator of each channel, or the one that stands for all."""
        own = self.compensator
        return own if isinstance(own, tuple) else (own,)

    @property
    def tables(self) -> list[dict[str, Any]]:
        """Give its fields, without what is left out; a table for each channel with its own."""
        return [
            {f.name: v for f in fields(c) if (v := getattr(c, f.name)) is not None}
            for c in self.each
        ]

    def with_values(self, numbers: Sequence[TunedTogether], z: Vector) -> Candidate:
        """Give it with its numbers at some place z."""
        made = []
        for c, own in enumerate(self.each):
            values: dict[str, Any] = {}
            for n, at in zip((t.each[c] for t in numbers), z, strict=True):
                new = n.value_at(float(at))
                if n.index is None:
                    values[n.name] = new
                    continue
                row = list(values.get(n.name, getattr(own, n.name)))
                row[n.index] = (new,) if isinstance(row[n.index], tuple) else new
                values[n.name] = tuple(row)
            made.append(replace(own, **values))
        return self.with_each(made)

    def with_each(self, made: Sequence[Any]) -> Candidate:
        """Give it with other compensators, as many as it has."""
        several = isinstance(self.compensator, tuple)
        return replace(self, compensator=tuple(made) if several else made[0])


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


def find_candidates(
    test: HybridTest, rigs: Sequence[KnownRig], measured: Collection[str] = MEASURED
) -> Field:
    """Go through all kinds, and the plan's own compensator."""
    found = Field()
    every = test.descriptions("compensator")
    own = " and ".join(dict.fromkeys(c.kind for c in every))
    if missing := next(filter(None, (unmeasured(type(c), measured) for c in every)), ""):
        found.left_out.append(LeftOut(own, missing))
    else:
        found.add(test, Candidate(own, test.compensator, "plan"))
    for kind in kinds("compensator"):
        cls = find("compensator", kind)
        if missing := unmeasured(cls, measured):
            found.left_out.append(LeftOut(kind, missing))
            continue
        _add_kind(found, test, cls, [slowest(rigs)] if cls.joint else rigs)
    return found


def unmeasured(cls: type[Any], measured: Collection[str]) -> str:
    """Say which signal a kind reads that is not measured; "" if there is none."""
    read = (s.removeprefix(PLAIN) for s in cls.inputs if s.startswith(PLAIN))
    missing = [name for name in read if name not in measured]
    return f"reads the measured {' and '.join(missing)}" if missing else ""


def _add_kind(found: Field, test: HybridTest, cls: type[Any], rigs: Sequence[KnownRig]) -> None:
    """Take a kind with its example at the size of each rig, and with the fitted inverses."""
    given = [start_fields(cls, rig) for rig in rigs]
    starts = [("delay", given)]
    degree = cls.model_order
    models = [None if degree is None else rig.coefficients(degree) for rig in rigs]
    if None not in models:
        kept = [{k: v for k, v in own.items() if k != "delay"} for own in given]
        fitted = [{**own, "coefficients": m} for own, m in zip(kept, models, strict=True)]
        starts.append(("inverse", fitted))
    for start, tables in starts:
        try:
            made = tuple(cls(**table) for table in tables)
        except InputError as error:
            found.left_out.append(LeftOut(cls.kind, f"{error.problem} ({error.field})"))
            continue
        one = all(m == made[0] for m in made)
        found.add(test, Candidate(cls.kind, made[0] if one else made, start))
