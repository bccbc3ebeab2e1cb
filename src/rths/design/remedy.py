"""Where nothing safe exists: what would have to change, found by designing the changed plan.

    limits:    the command stopped at n peaks of the emulated motion (limit_remedy)            (1)
    actuator:  all its times by r, its frequencies and speeds by 1/r (quicker_actuator)        (2)
    specimen:  its force by r, so that the calculated structure has a larger share             (3)
    motion:    all of it by r, where nothing else helps: limits are too narrow, or it yields   (4)

A certificate answers for disturbances up to what the limits let through: an actuator that runs out
of oil or force far beyond the test is lost by those, and (1) alone, which costs nothing, mends it.
The largest change of each sort comes first: where it does not help, none does. That does not hold
of limits, of which the narrowest is in the way of rehearsals too, nor of the motion, of which the
smallest is lost in noise, nor where the largest cannot be had: then the next smaller one is tried.
Once one helps, what is between is halved: what is known is already an answer, and the time that is
left makes it smaller.
Candidates are those that came nearest in the plan as it is, with their values where the actuator is
the same, else tuned a little: a change that is named suffices, a smaller one may. One that cannot
be calculated is left out, and says nothing about the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from math import inf

from rths.assembly.hybrid_test import HybridTest
from rths.design.changed_bench import change_bench
from rths.design.crew import ThreadCrew, results
from rths.design.judgement import INCALCULABLE, Judged
from rths.design.limit_remedy import narrow_limits, say_limits
from rths.design.panel import judge_together
from rths.design.played_excitation import play_excitation
from rths.design.quicker_actuator import quicken_actuator, say_actuator
from rths.design.scenario import stress_plan
from rths.design.search import Round, Tuned
from rths.design.time_left import TimeLeft
from rths.design.workbench import Workbench
from rths.errors import InputError
from rths.stability.yardstick import motion_bounds

PEAKS = (10.0, 5.0, 2.5)
"""n, from the widest on: a limit that is still narrower would be in the way of the test itself."""
FACTORS = (0.8, 0.6, 0.4, 0.25, 0.1, 0.05)
"""r, from the least change on."""
SMALLER = (*FACTORS, 0.02, 0.01)
"""r of the motion: a limit may be in the wrong unit."""
POOR = 0.5
"""Error beyond which nothing is tested: what keeps all requirements so is no remedy."""
NEAREST = 5
"""Candidates that are tried."""
JUDGED = 2
"""Of them those that are judged in a changed plan."""
SECONDS = 60.0
"""Time for all changes where the search has no deadline."""
LITTLE = 30
"""Values of each candidate."""
CERTIFIED = 0.3
"""Share of the disturbances of a certificate: whoever makes the change designs once more."""
NO_ANSWER = (ValueError, *INCALCULABLE)
"""What a candidate may end in that is left out: what is refused is a ValueError."""


@dataclass(frozen=True)
class Remedy:
    """A change with which a safe plan exists."""

    words: str
    factor: float
    kind: str
    error: float
    certified: str
    """What that rests on, in words."""


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
    role: str
    """What it changes: a role of the plan, or its limits."""
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
        "limits",
        partial(narrow_limits, motion=motion),
        lambda n, before, after: say_limits(n, motion, before.test, after.test),
        [n for n in PEAKS if n * motion < widest] if ends else (),
        steady=False,
    )
    return [
        stop,
        Lever(
            "a quicker actuator",
            "transfer",
            quicken_actuator,
            lambda r, before, after: say_actuator(
                r, (before.rig.delay, after.rig.delay), before.test, after.test
            ),
            same_actuator=False,
        ),
        Lever(
            "a weaker specimen",
            "specimen",
            lambda t, r: stress_plan(t, 0.0, r),
            lambda r, before, after: f"a specimen with {r:g} times the force",
        ),
        Lever(
            "a smaller motion",
            "excitation",
            shrink_motion,
            lambda r, before, after: f"a motion {r:g} times as large",
            SMALLER,
            steady=False,
        ),
    ]


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
            except NO_ANSWER:  # there is no such plan, or nobody could be looked at in it
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
        """Change the plan so far; give the best candidate that is safe then.

        Refused if there is no such plan, or no candidate that could be calculated in it.
        """
        effort = self.bench.commission.effort
        few = replace(effort, samples=0, certificate=CERTIFIED)  # plants: as many as needed
        test = self.lever.change(self.bench.test, r)
        changed = change_bench(self.bench, test, self.lever.role, few)
        _ = changed.sets.prepared  # once, before several ask for it
        judged: list[Judged] = []
        ready = self._tune(changed)
        for tuned in ready:
            judged += self._judge(changed, tuned)
            if judged and judged[-1].safe:
                words = self.lever.say(r, self.bench, changed)
                kind, error = tuned.candidate.kind, judged[-1].error
                return Remedy(words, r, kind, error, _certified(judged[-1]))
            if len(judged) == JUDGED:
                break
        if ready and not judged and not self.wishes:
            raise _refuse(r)
        return None

    def _judge(self, changed: Workbench, tuned: Tuned) -> list[Judged]:
        """Judge a candidate; give nothing if that cannot be calculated, or somebody stops it."""
        crew, need = ThreadCrew(changed, self.pool), changed.commission.requirements
        try:
            return judge_together(crew, [tuned], need, self.workers, self.wishes)
        except NO_ANSWER:
            return []

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
        done = self._gather(changed, tune, starts)
        if starts and all(t.score is None for t in done) and not self.wishes:
            raise _refuse(None)
        return _keep_good(done)

    def _gather(
        self, changed: Workbench, work: Callable[[Tuned], Tuned], given: Sequence[Tuned]
    ) -> list[Tuned]:
        """Let all workers do their part; nothing is begun once somebody wants to stop."""
        if self.wishes:
            return []
        futures = [self.pool.submit(_do_or_leave_out, work, t) for t in given]
        try:
            done = results(ThreadCrew(changed, self.pool), futures, self.wishes)
            return [t for t in done if t is not None]
        finally:
            if self.wishes:
                changed.stop.set()
            for future in futures:  # those after one that was lost for another reason
                future.cancel()


def _do_or_leave_out(work: Callable[[Tuned], Tuned], tuned: Tuned) -> Tuned | None:
    """Do a part; give nothing if it cannot be calculated."""
    try:
        return work(tuned)
    except NO_ANSWER:
        return None


def _refuse(r: float | None) -> InputError:
    """Give the error of a change in which nobody could be looked at."""
    return InputError("plan", r, "lets no candidate be calculated", "Change it less.")


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
