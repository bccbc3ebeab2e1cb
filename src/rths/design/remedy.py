"""Where nothing safe exists: what would have to change, found by designing the changed plan.

    limits:    max(low, -n m) to min(high, n m) of each channel's command, m the emulated peak (1)
    actuator:  all its times by r, its frequencies and speeds by 1/r                           (2)
    specimen:  its force by r, so that the calculated structure has a larger share             (3)
    motion:    all of it by r, where nothing else helps: limits are too narrow, or it yields   (4)

A certificate answers for disturbances up to what the limits let through: an actuator that runs out
of oil or force far beyond the test is lost by those, and (1) alone, which costs nothing, mends it.
The largest change of each sort comes first: where it does not help, none does. That does not hold
of limits, of which the narrowest is in the way of rehearsals too, nor where the largest cannot be
had: then the next smaller one is tried. Once one helps, what is between is halved: what is known is
already an answer, and the time that is left makes it smaller.
Candidates are those that came nearest in the plan as it is, with their values where the actuator is
the same, else tuned a little: a change that is named suffices, a smaller one may.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from math import inf
from typing import Any

from rths.assembly.guarding import Limit, bounds_of
from rths.assembly.hybrid_test import HybridTest
from rths.assembly.rig_bounds import rig_bounds
from rths.config.plan import to_table
from rths.design.crew import ThreadCrew, results
from rths.design.judgement import Judged
from rths.design.panel import judge_together
from rths.design.played_excitation import play_excitation
from rths.design.scenario import stress_plan
from rths.design.search import Round, Tuned
from rths.design.time_left import TimeLeft
from rths.design.workbench import Workbench
from rths.errors import InputError
from rths.field_type import field_type, find_requirement
from rths.loop.block import FINITE
from rths.loop.channel_name import name_channel, split_channel
from rths.registry import find
from rths.stability.yardstick import motion_bounds

PEAKS = (10.0, 5.0, 2.5)
"""n, from the widest on: a limit that is still narrower would be in the way of the test itself."""
FACTORS = (0.8, 0.6, 0.4, 0.25, 0.1, 0.05)
"""r, from the least change on."""
SMALLER = (*FACTORS, 0.02, 0.01)
"""r of the motion: a limit may be in the wrong unit."""
STOPPED = "compensator.command"
"""Signal that (1) limits."""
POOR = 0.5
"""Error beyond which nothing is tested: what keeps all requirements so is no remedy."""
NEAREST = 5
"""Candidates that are tried."""
SECONDS = 60.0
"""Time for all changes where the search has no deadline."""
LITTLE = 30
"""Values of each candidate."""
CERTIFIED = 0.3
"""Share of the disturbances of a certificate: whoever makes the change designs once more."""
EXPONENTS = {"s": 1, "Hz": -1, "m/s": -1, "m³/s": -1}
"""Power of r in (2) by the unit of a field."""


@dataclass(frozen=True)
class Remedy:
    """A change with which a safe plan exists."""

    words: str
    factor: float
    kind: str
    error: float
    certified: str
    """What that rests on, in words."""


def scale_times(table: dict[str, Any], role: str, r: float) -> dict[str, Any]:
    """Give the table of a description, and those inside it, with (2)."""
    cls = find(role, table["kind"])
    made: dict[str, Any] = {}
    for name, value in table.items():
        said = None if name == "kind" else find_requirement(field_type(cls, name))
        unit = said.unit if said is not None else ""
        if isinstance(value, dict) and "kind" in value:
            made[name] = scale_times(value, role, r)
        elif isinstance(value, list | tuple) and value and isinstance(value[0], dict):
            made[name] = [scale_times(v, role, r) for v in value]
        elif isinstance(value, float) and unit in EXPONENTS:
            made[name] = value * r ** EXPONENTS[unit]
        else:
            made[name] = value
    return made


def narrow_limits(test: HybridTest, n: float, motion: float) -> HybridTest:
    """Give the plan with (1), whose emulated motion goes as far as told; no limit becomes wider.

    Refused if no channel may go less far than before.
    """
    stop = n * motion
    if not any(stop < bound for bound in motion_bounds(test)):
        raise InputError("limits", n, "is no narrower", "Name fewer peaks.")
    own = [(max(low, -stop), min(high, stop)) for low, high in _command_bounds(test)]
    limits = [_write_limit(*bounds) for bounds in own]
    stopped = {name_channel(STOPPED, c): limit for c, limit in enumerate(limits)}
    stopped = {STOPPED: limits[0]} if len(set(limits)) == 1 else stopped
    others = {name: v for name, v in test.limits.items() if split_channel(name)[0] != STOPPED}
    return replace(test, limits={**others, **stopped})


def _command_bounds(test: HybridTest) -> list[tuple[float, float]]:
    """Give how far each channel's command may go now, m; infinite where nothing is said."""
    rig = rig_bounds(test) if test.safety is not None else ()
    found = [(b.low, b.high) for b in rig] or [(-inf, inf)] * test.channels
    for name in sorted(test.limits):  # that of a channel after that of all, as guards take them
        base, channel = split_channel(name)
        if base == STOPPED:
            for c in range(test.channels) if channel is None else (channel,):
                found[c] = bounds_of(name, test.limits[name])
    return found


def _write_limit(low: float, high: float) -> Limit:
    """Write a limit as a plan does: one number if it is the same to both sides."""
    return high if low == -high else (low, high)


def quicken_actuator(test: HybridTest, r: float) -> HybridTest:
    """Give the plan with (2)."""
    given = to_table(test)["transfer"]
    several = given if isinstance(given, list) else [given]
    scaled = [scale_times(t, "transfer", r) for t in several]
    if scaled == several:
        raise InputError("transfer", None, "has no time", "Name a time.")
    made = [find("transfer", t.pop("kind"))(**t) for t in scaled]
    return replace(test, transfer=tuple(made) if isinstance(given, list) else made[0])


def shrink_motion(test: HybridTest, r: float) -> HybridTest:
    """Give the plan with (4)."""
    smaller = play_excitation(test, r)
    if smaller is test.excitation:
        raise InputError("excitation", None, "has no signal", "Name a motion.")
    return replace(test, excitation=smaller)


@dataclass(frozen=True)
class Lever:
    """One sort of change."""

    name: str
    change: Callable[[HybridTest, float], HybridTest]
    say: Callable[[float, Workbench, Workbench], str]
    """Words of a change by r, with the plan before and after it."""
    factors: Sequence[float] = FACTORS
    same_actuator: bool = True
    """Whether what was tuned for the plan as it is still fits."""
    steady: bool = True
    """Whether more of it helps wherever less does."""


@dataclass
class Attempt:
    """What was changed, and which changes suffice."""

    remedies: list[Remedy] = field(default_factory=list)
    tried: list[str] = field(default_factory=list)
    """Sorts of change of which one was looked at, at least."""


def find_remedies(
    bench: Workbench,
    ranking: Sequence[Tuned],
    wishes: list[str] | None = None,
    *,
    left: TimeLeft | None = None,
    workers: int = 1,
) -> Attempt:
    """Find how far limits, actuator or specimen would have to change, else the motion."""
    if left is None or left.seconds == inf:
        left = TimeLeft(SECONDS)  # no end to be missed: a certificate may take longer than that
    found, wishes = Attempt(), [] if wishes is None else wishes
    pool = ThreadPoolExecutor(workers, "rths-remedy")
    try:
        for lever in _levers(bench, ranking):
            if lever.change is shrink_motion and found.remedies:
                break
            puller = _Puller(bench, ranking, lever, pool, workers, left, wishes)
            remedy = puller.pull()
            found.remedies += [] if remedy is None else [remedy]
            found.tried += [lever.name] if puller.tried else []
    finally:
        pool.shutdown(wait=not wishes, cancel_futures=True)  # a certificate may take minutes
    return found


def _levers(bench: Workbench, ranking: Sequence[Tuned]) -> list[Lever]:
    """List what may be changed; limits only where candidates come to their end within them."""
    motion = bench.rig.motion
    ends = any(t.score is not None and t.score.feasible for t in ranking[:NEAREST])
    widest = float(motion_bounds(bench.test).max())
    stop = Lever(
        "narrower limits",
        partial(narrow_limits, motion=motion),
        _say_stop,
        [n for n in PEAKS if n * motion < widest] if ends else (),
        steady=False,
    )
    return [
        stop,
        Lever("a quicker actuator", quicken_actuator, _say_delay, same_actuator=False),
        Lever(
            "a weaker specimen",
            lambda t, r: stress_plan(t, 0.0, r),
            lambda r, before, after: f"a specimen with {r:g} times the force",
        ),
        Lever(
            "a smaller motion",
            shrink_motion,
            lambda r, before, after: f"a motion {r:g} times as large",
            SMALLER,
        ),
    ]


def _say_stop(n: float, before: Workbench, after: Workbench) -> str:
    """Say where the command stops, in which channels, and where it has stopped until now."""
    stop, channels = n * before.rig.motion, before.test.channels
    pairs = zip(_command_bounds(before.test), _command_bounds(after.test), strict=True)
    moved = {c: max(-old[0], old[1]) for c, (old, new) in enumerate(pairs) if old != new}
    names = [name_channel(STOPPED, c) for c in moved] if len(moved) < channels else []
    lengths = list(dict.fromkeys(f"{1e3 * v:.3g} mm" for v in moved.values() if v < FINITE))
    now = f" instead of {' and '.join(lengths)}" if lengths else ""
    of = " and ".join(names) or "the command"
    return f"a limit of {of} at {n:g} peaks of the emulated motion, {1e3 * stop:.3g} mm{now},"


def _say_delay(r: float, before: Workbench, after: Workbench) -> str:
    """Say how late an actuator may be, and is."""
    delay, now = 1e3 * after.rig.delay, 1e3 * before.rig.delay
    return f"a delay {r:g} times as long ({delay:.3g} ms instead of {now:.3g})"


@dataclass
class _Puller:
    """Tries one sort of change."""

    bench: Workbench
    ranking: Sequence[Tuned]
    lever: Lever
    pool: ThreadPoolExecutor
    workers: int
    left: TimeLeft
    wishes: list[str]
    tried: bool = False
    """Whether a change was looked at to its end."""

    def pull(self) -> Remedy | None:
        """Try the largest change, then halve; give the least that was found to suffice."""
        low, high, found = 0, len(self.lever.factors), None
        while low < high and not self.wishes and self.left.allows():
            at, remedy, refused = (low + high) // 2 if found else high - 1, None, False
            try:
                with self.left.measure():
                    remedy = self._try(self.lever.factors[at])
                self.tried = self.tried or not self.wishes
            except InputError:  # there is no such plan
                refused = True
            if remedy is not None:
                high, found = at, remedy
            elif found is not None:
                low = at + 1
            elif refused or not self.lever.steady:
                high = at
            else:
                return None
        return found

    def _try(self, r: float) -> Remedy | None:
        """Change the plan so far; give the best candidate that is safe then."""
        asked = self.bench.commission
        few = replace(asked.effort, samples=0, certificate=CERTIFIED)  # plants: as many as needed
        changed = Workbench(self.lever.change(self.bench.test, r), replace(asked, effort=few))
        _ = changed.sets.prepared  # once, before several ask for it
        for tuned in self._tune(changed)[:2]:
            crew = ThreadCrew(changed, self.pool)
            done = judge_together(crew, [tuned], asked.requirements, self.workers, self.wishes)
            if done and done[0].safe:
                words = self.lever.say(r, self.bench, changed)
                return Remedy(words, r, tuned.candidate.kind, done[0].error, _certified(done[0]))
        return None

    def _tune(self, changed: Workbench) -> list[Tuned]:
        """Give what comes to its end in the changed plan, the best first."""
        nearest = self.ranking[:NEAREST]
        if self.lever.same_actuator:
            known = self._gather(changed, partial(_score, changed), nearest)
            if ready := _keep_good(known):
                return ready
        wanted = [t.candidate.kind for t in nearest]
        starts = [Tuned(c) for c in changed.field.candidates if c.kind in wanted]
        each, round_ = self.left.seconds / max(1, len(starts)), Round(None, 1.0, None)
        tune = partial(changed.tune, round_=round_, evaluations=LITTLE, seconds=each)
        return _keep_good(self._gather(changed, tune, starts))

    def _gather(
        self, changed: Workbench, work: Callable[[Tuned], Tuned], given: Sequence[Tuned]
    ) -> list[Tuned]:
        """Let all workers do their part; nothing is begun once somebody wants to stop."""
        if self.wishes:
            return []
        futures = [self.pool.submit(work, t) for t in given]
        try:
            return results(ThreadCrew(changed, self.pool), futures, self.wishes)
        finally:
            if self.wishes:
                changed.stop.set()
            for future in futures:  # those after one that was refused
                future.cancel()


def _certified(found: Judged) -> str:
    """Say what a remedy rests on."""
    proved = (found.verdict, found.stressed) == ("proved", "proved")
    return "proved" if proved else "certified with a third of the disturbances"


def _score(bench: Workbench, tuned: Tuned) -> Tuned:
    """Give a candidate with its score in another plan."""
    return replace(tuned, score=bench.sets.score(tuned.candidate))


def _keep_good(tuned: Iterable[Tuned]) -> list[Tuned]:
    """Give those that come to their end and are not poor, the best first."""
    good = (t for t in tuned if t.score and t.score.feasible and t.score.error < POOR)
    return sorted(good, key=lambda t: t.cost)
