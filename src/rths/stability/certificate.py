"""The certificate of a plan: will this test be stable, by what margin, and what decides it.

Everything comes from the loop that will run. A linear loop is judged by its roots. Of a loop with a
nonlinear specimen or structure the roots at rest and at further operating points are taken, and the
limit cycle if rest is lost. Where no linearisation exists, or a law adapts, free motions of several
amplitudes are simulated, and the certificate says so: no number stands without its origin.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal

import numpy as np

from rths.assembly.hybrid_test import HybridTest
from rths.loop.wiring import Owner
from rths.stability.flat_block import gain_at_large
from rths.stability.free_decay import Decay, free_decays
from rths.stability.limit_cycle import LimitCycle, limit_cycle
from rths.stability.linearisation import SMOOTH, Linearisation, any_numbers, follows, linearise
from rths.stability.loop_map import LoopMap, period_of, rest_layout, silence_test
from rths.stability.margin import Margin
from rths.stability.nonlinear_blocks import nonlinear_blocks
from rths.stability.operating_point import linearise_at, points_of
from rths.stability.plan_margins import plan_margins
from rths.stability.roots import Roots, participation, root_numbers, roots_of, vectors
from rths.stability.sensitivity import Sensitivity, sensitivities
from rths.stability.structural_modes import Modes, modes_of
from rths.stability.verdict import growing_decays, judge_plan, physical_of, says_more

Verdict = Literal["stable", "unstable", "undecided"]
SHOWN = 6
"""Roots that are described one by one."""
UNKNOWN: dict[str, Any] = {"growth_rate": np.nan, "frequency": np.nan, "neutral": 0}
"""What a point without a linearisation has to say."""
GONE = 1e-6
"""Roots z below this are gone within a period or two: most are zeros that round-off has split."""
MOST_TICKS = 1_000_000
"""Ticks that are run to see whether the loop changes in the course of the test."""


@dataclass(frozen=True)
class DominantRoot:
    """One root, or pair of roots, in words."""

    z: complex
    s: complex
    growth_rate: float
    frequency: float
    damping: float
    mode: int
    """Mode of structure and specimens that moves most in it, from 1."""
    mode_frequency: float
    mode_share: float
    blocks: dict[str, float]
    """Participation of each block."""
    through: Owner | None
    """The block with the largest share that says more than that there is a structure."""


@dataclass(frozen=True)
class Point:
    """An operating point, or a time, and how the loop behaves there."""

    name: str
    growth_rate: float
    frequency: float
    differentiable: bool
    neutral: int
    """Roots at z = 1: memories such as a plastic set, which neither grow nor decay."""


@dataclass(frozen=True, eq=False)
class Certificate:
    """What is known about the stability of a plan."""

    name: str
    verdict: Verdict
    sentence: str
    period: float
    states: int
    growth_rate: float
    """Largest of all points that could be linearised, 1/s; not a number if there is none."""
    dominant: tuple[DominantRoot, ...]
    roots: Any
    points: tuple[Point, ...]
    margins: tuple[Margin, ...]
    sensitivities: tuple[Sensitivity, ...] = ()
    decays: tuple[Decay, ...] = ()
    cycle: LimitCycle | None = None
    notes: tuple[str, ...] = ()
    nonlinear: tuple[str, ...] = field(default=())

    @property
    def stable(self) -> bool:
        """Whether the test may be run."""
        return self.verdict == "stable"

    def as_dict(self) -> dict[str, Any]:
        """Everything as plain numbers, lists and words, for JSON."""
        made: dict[str, Any] = _make_plain(
            {k: getattr(self, k) for k in self.__dataclass_fields__ if k != "roots"}
        )
        made["roots"] = {"z": _make_plain(self.roots.z), "s": _make_plain(self.roots.s)}
        return made


def _make_plain(value: Any) -> Any:
    if hasattr(value, "__dataclass_fields__"):
        return _make_plain(asdict(value))
    if isinstance(value, dict):
        return {k: _make_plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple | np.ndarray):
        return [_make_plain(v) for v in value]
    if isinstance(value, complex):
        return [_make_plain(value.real), _make_plain(value.imag)]
    if isinstance(value, float) and not np.isfinite(value):
        return str(float(value))
    return value.item() if hasattr(value, "item") else value


def certify(test: HybridTest, margins: bool = True) -> Certificate:
    """Certify a plan; without ``margins`` only roots and verdict."""
    layout = rest_layout(test)
    ticks = period_of(test, layout)
    loop = LoopMap(layout, ticks)
    linear = linearise(loop, ticks * test.tick)
    roots, modes = roots_of(linear), modes_of(test)
    points = [_point("at rest", linear, roots)]
    points += _points_at_end(test, loop, linear)
    flat = [p.owner for p in silence_test(test).layout.placed if gain_at_large(p) is not None]
    bent = flat + ([] if linear.linear else nonlinear_blocks(loop, 1.0))
    rough = [] if linear.linear else nonlinear_blocks(loop)
    physical = physical_of(bent)
    if physical:
        points += [_point_at(test, p) for p in points_of(test)]
    usable = linear.differentiable and not rough
    decays = free_decays(test) if set(bent) - set(physical) or rough else []
    lost = not usable or roots.growth_rate >= 0 or bool(growing_decays(decays))
    cycle = limit_cycle(test) if bent and (lost or flat) else None
    if not usable:  # no number of a linearisation that does not exist
        roots = replace(roots, z=roots.z[:0], part=roots.part[:0])
        points[0] = replace(points[0], differentiable=False)
    response = layout.signals["integrator.response"].slots
    dominant = describe_roots(test, linear, roots, modes, response)
    points = [p if p.differentiable else replace(p, **UNKNOWN) for p in points]
    found = judge_plan(test, points, decays, cycle, dominant, bent, rough, flat)
    wanted = margins and usable and roots.moving.size > 0
    rest_stable = roots.growth_rate < 0
    distances = plan_margins(test, modes, rest_stable) if wanted else []
    verdict, sentence, notes = found.with_margins(distances, rest_stable)
    return Certificate(
        test.name,
        verdict,
        sentence,
        ticks * test.tick,
        linear.size,
        max((p.growth_rate for p in points if p.differentiable), default=np.nan),
        tuple(dominant),
        roots,
        tuple(points),
        tuple(distances),
        tuple(sensitivities(test)) if wanted else (),
        tuple(decays),
        cycle,
        tuple(notes),
        tuple(owner.label for owner in bent),
    )


def _point(name: str, linear: Linearisation, roots: Roots) -> Point:
    rate, frequency, _ = root_numbers(roots.dominant)
    return Point(name, rate, frequency, linear.differentiable, roots.neutral)


def _point_at(test: HybridTest, point: Any) -> Point:
    linear, steady = linearise_at(test, point)
    found = _point(point.name, linear, roots_of(linear))
    return found if steady else replace(found, differentiable=False)


def _points_at_end(test: HybridTest, loop: LoopMap, linear: Linearisation) -> list[Point]:
    """The loop at the end of the test, if it is another one then."""
    base, tick = loop.base.copy(), loop.tick
    periods = min(test.clock.ticks, MOST_TICKS) // loop.ticks
    loop.run(max(1, periods))
    amounts = loop.sizes()[linear.kept] * any_numbers(linear.size)
    found = []
    if linear.differentiable and not follows(loop, linear.entries, linear.kept, amounts, SMOOTH):
        there = linearise(loop, linear.period)
        found.append(_point("at the end of the test", there, roots_of(there)))
    loop.arena[:], loop.tick = base, tick
    loop.mark()
    return found


def describe_roots(
    test: HybridTest,
    linear: Linearisation,
    roots: Roots,
    modes: Modes,
    response: Sequence[int],
) -> list[DominantRoot]:
    """Describe the roots with the largest growth rates; ``response`` is where displacements are."""
    order = np.argsort(-roots.s.real, kind="stable")
    lasting = roots.counted & (np.abs(roots.z) > GONE)
    upper = [k for k in order if roots.z[k].imag >= -1e-12 and lasting[k]]
    n = modes.frequencies.size
    where = {int(c): k for k, c in enumerate(linear.kept)}
    rows = [where[response[i] - 1] for i in range(n)]  # the tick is no coordinate
    found = []
    for k in upper[:SHOWN]:
        z, right, left = vectors(linear, roots, k)
        s = complex(np.log(z) / linear.period)
        shares = modes.shares(right[rows])
        i = int(np.argmax(shares))
        mode = (i + 1, float(modes.frequencies[i]), float(shares[i]))
        parts = participation(linear, right, left)
        named = {owner.label if owner else "": share for owner, share in parts.items()}
        through = next((owner for owner in parts if owner and says_more(test, owner)), None)
        found.append(DominantRoot(z, s, *root_numbers(s), *mode, named, through))
    return found
