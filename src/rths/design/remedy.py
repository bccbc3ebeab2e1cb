"""Where nothing safe exists: what would have to change, found by designing the changed plan.

    actuator:  all its times by r, its frequencies by 1/r                                     (1)
    specimen:  its force by r, so that the calculated structure has a larger share            (2)
    motion:    all of it by r, where neither helps: limits are too narrow, or something yields   (3)

r goes down from 1; the first at which a candidate keeps all requirements is told, with the
candidate. Only those candidates are tuned, and only a little, that came nearest in the plan as it
is: a change that is named suffices, a smaller one may.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rths.assembly.hybrid_test import HybridTest
from rths.config.plan import to_table
from rths.design.played_excitation import play_excitation
from rths.design.scenario import stress_plan
from rths.design.search import Round, Tuned
from rths.design.workbench import Workbench
from rths.errors import InputError
from rths.field_type import field_type, find_requirement
from rths.registry import find

FACTORS = (0.8, 0.6, 0.45, 0.3, 0.2, 0.1, 0.05)
"""r, from the least change on."""
SMALLER = (*FACTORS, 0.02, 0.01)
"""r of the motion: a limit may be in the wrong unit."""
POOR = 0.5
"""Error beyond which nothing is tested: what keeps all requirements so is no remedy."""
NEAREST = 5
"""Candidates that are tried."""
SECONDS = 10.0
"""Time for each sort of change with a quick search."""
LITTLE = 30
"""Values of each candidate."""


@dataclass(frozen=True)
class Remedy:
    """A change with which a safe plan exists."""

    words: str
    factor: float
    kind: str
    error: float


def scale_times(table: dict[str, Any], role: str, r: float) -> dict[str, Any]:
    """Give the table of a description, and those inside it, with (1)."""
    cls = find(role, table["kind"])
    made: dict[str, Any] = {}
    for name, value in table.items():
        said = None if name == "kind" else find_requirement(field_type(cls, name))
        unit = said.unit if said is not None else ""
        if isinstance(value, dict) and "kind" in value:
            made[name] = scale_times(value, role, r)
        elif isinstance(value, list | tuple) and value and isinstance(value[0], dict):
            made[name] = [scale_times(v, role, r) for v in value]
        elif isinstance(value, float) and unit in ("s", "Hz"):
            made[name] = value * r if unit == "s" else value / r
        else:
            made[name] = value
    return made


def quicken_actuator(test: HybridTest, r: float) -> HybridTest:
    """Give the plan with (1)."""
    given = to_table(test)["transfer"]
    several = given if isinstance(given, list) else [given]
    scaled = [scale_times(t, "transfer", r) for t in several]
    if scaled == several:
        raise InputError("transfer", None, "has no time", "Name a time.")
    made = [find("transfer", t.pop("kind"))(**t) for t in scaled]
    return replace(test, transfer=tuple(made) if isinstance(given, list) else made[0])


def shrink_motion(test: HybridTest, r: float) -> HybridTest:
    """Give the plan with (3)."""
    smaller = play_excitation(test, r)
    if smaller is test.excitation:
        raise InputError("excitation", None, "has no signal", "Name a motion.")
    return replace(test, excitation=smaller)


def find_remedies(
    bench: Workbench, ranking: Sequence[Tuned], wishes: Sequence[str] = ()
) -> list[Remedy]:
    """Find how far actuator or specimen would have to change, else the motion."""
    levers: list[tuple[Callable[[HybridTest, float], HybridTest], str]] = [
        (quicken_actuator, "an actuator {r:g} times as late ({delay:.3g} ms instead of {now:.3g})"),
        (lambda t, r: stress_plan(t, 0.0, r), "a specimen with {r:g} times the force"),
        (shrink_motion, "a motion {r:g} times as large"),
    ]
    found: list[Remedy] = []
    for change, words in levers:
        if change is shrink_motion and found:
            break
        remedy = _pull(bench, ranking, change, words, wishes)
        found += [] if remedy is None else [remedy]
    return found


def _pull(
    bench: Workbench,
    ranking: Sequence[Tuned],
    change: Callable[[HybridTest, float], HybridTest],
    words: str,
    wishes: Sequence[str],
) -> Remedy | None:
    """Try one sort of change, from little to much, until somebody wants to stop."""
    end = time.monotonic() + SECONDS
    for r in SMALLER if change is shrink_motion else FACTORS:
        if wishes or time.monotonic() > end:
            return None
        try:
            changed = Workbench(change(bench.test, r), bench.commission)
            best = _design_a_little(changed, ranking)
        except InputError:
            return None
        if best is not None:
            now, delay = 1e3 * bench.rig.delay, 1e3 * changed.rig.delay
            told = words.format(r=r, delay=delay, now=now)
            return Remedy(told, r, best.candidate.kind, best.score.error if best.score else 0.0)
    return None


def _design_a_little(bench: Workbench, ranking: Sequence[Tuned]) -> Tuned | None:
    """Tune the nearest candidates at the size of this rig; give the best if it is safe."""
    wanted = [t.candidate.kind for t in ranking[:NEAREST]]
    round_ = Round(None, 1.0, None)
    starts = [c for c in bench.field.candidates if c.kind in wanted]
    tuned = [bench.tune(Tuned(c), round_, LITTLE, SECONDS) for c in starts]
    ready = (t for t in tuned if t.score and t.score.feasible and t.score.error < POOR)
    good = sorted(ready, key=lambda t: t.cost)
    return next((t for t in good[:2] if bench.judge(t).safe), None)
