"""A finalist judged: perturbed plants, the quiet after the test, certificates, margins.

The search has looked at a few rehearsals; what is chosen must keep every requirement. The cheapest
looks come first, and the first requirement that is not kept ends them.

    probability p of a lost plant: I_p(k + 1, n - k) = 95 %,  k lost of n                       (1)

A loop that is proved linear is judged by the roots of its perturbed plants, every other one by
rehearsals with them. The margins of a loop that has roots are those of its certificate, of every
other one the extra delay up to which its rehearsal holds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np

from rths.assembly.hybrid_test import HybridTest
from rths.design.quiet_run import run_quiet
from rths.design.rehearsal_set import RECORDED
from rths.design.requirements import CONFIDENCE, Requirements
from rths.design.scenario import Scenario, stress_plan, takes_delay
from rths.design.search import Tuned
from rths.errors import InputError
from rths.run.virtual import Memory, run
from rths.stability.certificate import Certificate, certify
from rths.stability.quiet_pushes import is_decided
from rths.stability.robustness import CHECKED, caveats_beside, clopper_pearson, growth_of
from rths.stability.shadows import of_outcome
from rths.stability.trial import Trial

if TYPE_CHECKING:
    from rths.design.workbench import Workbench

SAMPLED_TICKS = 1e7
"""Ticks of all perturbed runs of a finalist; with longer runs there are fewer, but as many as the
required probability needs."""
OTHER_SEED = 7919
"""Plants that judge are not those of the search."""
INCALCULABLE = (ArithmeticError, np.linalg.LinAlgError, MemoryError)
"""What numbers without sense end in."""
HALVINGS = 6
"""Of the extra delay that is looked for in rehearsals: to 1/64."""
FEW = 0.03
"""Share of the disturbances of a certificate that are tried first: most loops that are lost are
lost by them, in a third of the time."""
FARTHEST = 2.0
"""Extra delay that is looked for at most, in delays of the actuator."""


@dataclass(eq=False)
class Judged:
    """A finalist with all that was found about it."""

    tuned: Tuned
    failures: list[str]
    """Requirements that are not kept, in words."""
    verdict: str = ""
    sentence: str = ""
    """Those of its certificate; empty if it was not asked for."""
    stress: str = ""
    """What the plan was tried with beyond itself, in words: more force, and delay if possible."""
    stressed: str = ""
    """Verdict of the plan with that."""
    delay_margin: float | None = None
    """Extra delay at which it is lost, s; None if that is beyond what was looked at."""
    gain_margin: float | None = None
    margins_by: str = ""
    """Where the margins come from: certificate or rehearsals."""
    samples: int = 0
    lost: int = 0
    bound: float = 1.0
    sampled_by: str = ""
    noise: float | None = None

    @property
    def safe(self) -> bool:
        """Whether every requirement is kept."""
        return not self.failures

    @property
    def error(self) -> float:
        """Error of the rehearsals."""
        return self.tuned.score.error if self.tuned.score else float("inf")


Look = Callable[["Workbench", HybridTest, Judged], None]
"""Adds what it finds about a plan to a judgement."""


@dataclass(frozen=True)
class PlantCount:
    """How many of some perturbed plants are lost."""

    lost: int
    samples: int
    by: str
    """How that is known: roots or rehearsals."""


def judge(bench: Workbench, tuned: Tuned) -> Judged:
    """Judge a finalist, whose error is that of all rehearsals from now on."""
    found = judge_plan(bench, tuned)
    if found.failures:
        return found
    found = join(found, judge_stress(bench, tuned))
    if found.failures:
        return found
    return add_plants(found, [count_plants(bench, found)], bench.commission.requirements)


def judge_plan(bench: Workbench, tuned: Tuned) -> Judged:
    """Judge a finalist by the plan as it is."""
    looks = (_look_at_rehearsals, _look_at_run, _look_at_quiet, _look_at_certificate)
    return _take_looks(bench, Judged(tuned, []), (*looks, _look_for_margins))


def judge_stress(bench: Workbench, tuned: Tuned) -> Judged:
    """Judge a finalist by the plan with more delay and force alone."""
    return _take_looks(bench, Judged(tuned, []), (_look_at_stress,))


def _take_looks(bench: Workbench, found: Judged, looks: Sequence[Look]) -> Judged:
    """Look until something is not kept; what cannot be calculated is not."""
    plan = _plan_of(bench, found.tuned)
    try:
        for look in looks:
            look(bench, plan, found)
            if found.failures and not found.verdict:
                break
    except INCALCULABLE as error:
        found.failures.append(f"cannot be judged ({type(error).__name__}: {error})")
    return found


def join(plan: Judged, stress: Judged) -> Judged:
    """Put both halves of a judgement together; what the plan itself does not keep comes first."""
    return replace(
        plan,
        failures=plan.failures or stress.failures,
        stress=stress.stress,
        stressed=stress.stressed,
    )


def _plan_of(bench: Workbench, tuned: Tuned) -> HybridTest:
    return replace(bench.test, compensator=tuned.candidate.compensator)


def _look_at_rehearsals(bench: Workbench, plan: HybridTest, found: Judged) -> None:
    """Rehearse it, with all rehearsals from now on."""
    found.tuned = replace(found.tuned, score=bench.sets.score(found.tuned.candidate))
    if found.tuned.score is None or not found.tuned.score.feasible:
        found.failures.append(_say_infeasible(found.tuned))


def _say_infeasible(tuned: Tuned) -> str:
    score = tuned.score
    if score is None:
        return "could not be built with any value that was tried"
    if score.lost:  # of all rehearsals; not every one had a part in the search
        return f'its rehearsal "{score.lost_in}" is lost'
    return f"the limits of motion and force are exceeded by {100 * score.excess:.0f} %"


def _look_at_run(bench: Workbench, plan: HybridTest, found: Judged) -> None:
    """Run the plan itself, with all its limits and guards: rehearsals have those of every loop."""
    own = replace(plan, hardware=None, record=RECORDED)
    cycle, ticks = own.cycle("table"), own.clock.ticks
    stop = run(cycle, ticks, Memory(ticks, len(cycle.layout.record_slots)))
    if not stop.completed:
        found.failures.append(f"the plan itself is {stop.message}")


def _look_at_quiet(bench: Workbench, plan: HybridTest, found: Judged) -> None:
    quiet = run_quiet(replace(bench.sets.base, compensator=plan.compensator))
    found.noise = quiet.share
    if quiet.share == inf:
        found.failures.append("is lost in the quiet after the test")
    elif quiet.chatters:
        found.failures.append("chatters in the quiet after the test")
    elif quiet.share > bench.commission.requirements.noise:
        found.failures.append(
            f"makes {100 * quiet.share:.3g} % of the test's motion of noise, "
            f"{100 * bench.commission.requirements.noise:.3g} % are allowed"
        )


def _look_at_certificate(bench: Workbench, plan: HybridTest, found: Judged) -> None:
    certificate = _certify(bench, plan)
    found.verdict, found.sentence = certificate.verdict, certificate.sentence
    _take_margins(certificate, found)
    if not certificate.may_run:
        found.failures.append(f"its certificate says {certificate.sentence}")


def _certify(bench: Workbench, plan: HybridTest, margins: bool = True) -> Certificate:
    """Certify a plan as it is rehearsed; the safe path of a live test is no part of the loop.

    What a few pushes have lost needs no more of them. A short certificate listens to noise for too
    short a time; and only one with margins says what would cure a root that grows.
    """
    rehearsed = replace(plan, hardware=None)
    first = certify(rehearsed, False, FEW)
    whole = first.trial is None or _is_lost_by_pushes(first.trial)
    if whole and not (margins and (first.may_run or first.growth_rate > 0)):
        return first
    return certify(rehearsed, margins, bench.commission.effort.certificate)


def _is_lost_by_pushes(trial: Trial) -> bool:
    """Tell whether the test, a copy of it or a push after it is lost, grows or keeps moving."""
    copies = of_outcome(trial.shadows, "lost", "grown")
    return trial.lost is not None or bool(copies) or is_decided(trial.releases)


def _take_margins(certificate: Certificate, found: Judged) -> None:
    by_name = {m.name: m for m in certificate.margins}
    delay, gain = by_name.get("extra delay"), by_name.get("gain")
    if delay is not None:
        found.margins_by, found.delay_margin = "certificate", delay.critical
        found.gain_margin = gain.critical if gain is not None else None


def count_plants(
    bench: Workbench, found: Judged, part: int = 0, parts: int = 1, runs: bool = False
) -> PlantCount:
    """Root one of several parts of the perturbed plants, or run it where that is asked or must be.

    Parts of one finalist that come back in different ways are to be run all.
    """
    wanted = int(min(bench.commission.effort.samples, SAMPLED_TICKS / bench.sets.ticks))
    fewest = bench.commission.requirements.fewest_plants
    every = bench.plants(max(fewest, wanted), OTHER_SEED, check=False)
    numbered = list(enumerate(every, OTHER_SEED))[part::parts]  # each has noise of its own
    plants, plan = [values for _, values in numbered], _plan_of(bench, found.tuned)
    linear = found.verdict == "proved" and not runs
    rooted = _count_by_roots(bench, plan, plants) if linear else None
    if rooted is not None:
        return PlantCount(rooted, len(plants), "roots")
    return PlantCount(_count_by_runs(bench, found.tuned, numbered), len(plants), "rehearsals")


def add_plants(found: Judged, counts: Sequence[PlantCount], need: Requirements) -> Judged:
    """Give a finalist with its perturbed plants (1), and with their failure if there is one."""
    lost, samples = sum(c.lost for c in counts), sum(c.samples for c in counts)
    if not samples:
        return found
    bound = clopper_pearson(lost, samples, CONFIDENCE)
    failures = list(found.failures)
    if bound > need.probability:
        failures.append(
            f"{lost} of {samples} perturbed plants are lost: below {100 * bound:.3g} % at best, "
            f"{100 * need.probability:.3g} % are allowed"
        )
    (by,) = {c.by for c in counts}
    return replace(found, failures=failures, samples=samples, lost=lost, bound=bound, sampled_by=by)


def _count_by_roots(bench: Workbench, plan: HybridTest, plants: list[dict[str, Any]]) -> int | None:
    """Count plants whose loop has a root that grows; None if they differ in more than numbers."""
    uncertain = bench.uncertain
    if not uncertain or any(set(values) != set(uncertain) for values in plants):
        return None
    rate = growth_of(plan, list(uncertain))
    rows = np.array([[_factor(plan, p, values[p]) for p in uncertain] for values in plants])
    ends = [k for column in rows.T for k in (int(column.argmin()), int(column.argmax()))]
    if caveats_beside(plan, list(uncertain), rows[[*range(min(CHECKED, len(rows))), *ends]]):
        return None  # what drifts nowhere in the plan does so in its plants
    try:
        return sum(bool(rate(row) >= 0) for row in rows)
    except InputError:
        return None


def _factor(plan: HybridTest, path: str, value: Any) -> float:
    """Give a value as rates take it: a list of numbers by its factor."""
    from rths.stability.plan_parameter import value_of

    if isinstance(value, float | int):
        return float(value)
    before, now = value_of(plan, path), value
    while isinstance(now, tuple | list):
        k = next(i for i, v in enumerate(before) if v)
        before, now = before[k], now[k]
    return float(now / before)


def _count_by_runs(bench: Workbench, tuned: Tuned, plants: Sequence[tuple[int, Any]]) -> int:
    """Count plants with which the test does not come to its end, or says nothing."""
    start = replace(bench.sets.base, compensator=tuned.candidate.compensator)
    return sum(bench.sets.loses_plant(start, {**values, "seed": seed}) for seed, values in plants)


def _look_at_stress(bench: Workbench, plan: HybridTest, found: Judged) -> None:
    """Certify the plan with more delay and force."""
    need = bench.commission.requirements
    later = takes_delay(plan, bench.extra_delays)
    held = stress_plan(plan, bench.extra_delays if later else 0.0, need.gain_margin)
    found.stress = need.stress_words(later)
    certificate = _certify(bench, held, margins=False)
    found.stressed = certificate.verdict
    if not certificate.may_run:
        found.failures.append(f"with {found.stress} its certificate says {certificate.sentence}")


def _look_for_margins(bench: Workbench, plan: HybridTest, found: Judged) -> None:
    """Find the delay margin in rehearsals where the certificate has none."""
    if found.margins_by:
        return
    measured = measure_margin(bench, found.tuned)
    if measured.looked:
        found.margins_by, found.delay_margin = "rehearsals", measured.margin


def measure_margin(bench: Workbench, tuned: Tuned) -> Tuned:
    """Give a candidate with the extra delay up to which its rehearsal holds."""
    low, high = 0.0, FARTHEST * bench.rig.delay
    if not takes_delay(bench.played, high):
        return tuned
    if _holds(bench, tuned, high):
        return replace(tuned, looked=True, margin=None)
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if _holds(bench, tuned, middle) else (low, middle)
    return replace(tuned, looked=True, margin=low)


def _holds(bench: Workbench, tuned: Tuned, delay: float) -> bool:
    """Tell whether the rehearsal comes to its end with some more delay."""
    late = stress_plan(bench.played, delay, 1.0)
    return not bench.sets.is_lost(tuned.candidate, bench.sets.prepare(Scenario("later", late)))
