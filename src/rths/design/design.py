"""A design: candidates tuned round by round, finalists judged, the best safe one chosen.

chosen:  least error among those that keep all requirements; of errors that differ by less than
         a fiftieth, what is proved before what is tested, then the larger delay margin    (1)
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf, isclose
from pathlib import Path
from typing import Any

from rths.assembly.hybrid_test import HybridTest
from rths.design.candidate import LeftOut
from rths.design.crew import Crew, gather_crew, results
from rths.design.judgement import Judged
from rths.design.known_rig import KnownRig
from rths.design.panel import HALVES, judge_together
from rths.design.remedy import Remedy, find_remedies
from rths.design.requirements import Requirements
from rths.design.scenario import Changes
from rths.design.search import QUICK, THOROUGH, Effort, Tuned, share_out
from rths.design.time_left import TimeLeft
from rths.design.variants import is_variant
from rths.design.workbench import Commission, Workbench
from rths.errors import InputError
from rths.run.operator import operator
from rths.stability.distribution import Distribution

EFFORTS = {"quick": QUICK, "thorough": THOROUGH}
SHOWN = 8
"""Candidates whose margins are compared."""
SHORTEST = 0.2
"""Seconds that a candidate has at least in a round."""
SAME = 1e-3
"""Share by which errors differ at most if two starts of a kind have come to the same place."""
WORSE = 1.5
"""Ratio of errors from which on what is not safe is varied before the next one is judged."""
REMEDIES = 0.15
"""Share of the deadline that is kept for what would have to change, as long as nothing is safe."""
ALIKE = 1.02
"""Ratio of errors that count as the same in (1)."""
Progress = Callable[[str], Any]
"""Told in words what is done next."""


@dataclass(eq=False)
class Design:
    """The answer."""

    test: HybridTest
    commission: Commission
    rig: KnownRig
    judged: list[Judged]
    """Finalists, the least error first."""
    ranking: list[Tuned]
    """One of every kind, the best first: the chosen one, else the best that was judged of its kind,
    else the best as far as it was tuned."""
    left_out: list[LeftOut]
    scenarios: list[str] = field(default_factory=list)
    """Names of the rehearsals whose errors count."""
    stress: str = ""
    """What plans are tried with beyond themselves, in words: more force, and delay if possible."""
    reach: list[tuple[float, float]] = field(default_factory=list)
    """Lowest and highest place of each interface in the emulated test, m."""
    chosen: Judged | None = None
    remedies: list[Remedy] = field(default_factory=list)
    tried: list[str] = field(default_factory=list)
    """Sorts of change that were looked at where nothing is safe, in words."""
    runs: int = 0
    seconds: float = 0.0
    cut: bool = False
    """Whether the deadline has cut the search short."""
    interrupted: bool = False
    """Whether somebody wanted to stop before all was done."""

    @property
    def plan(self) -> HybridTest | None:
        """The chosen plan."""
        if self.chosen is None:
            return None
        return replace(self.test, compensator=self.chosen.tuned.candidate.compensator)

    def judgement_of(self, tuned: Tuned) -> Judged | None:
        """Give what was found about these very values; None if they were not judged."""
        return next((j for j in self.judged if j.tuned is tuned), None)


def design(
    plan: HybridTest | Path | str | Mapping[str, Any],
    *,
    effort: str | Effort = "quick",
    requirements: Requirements | None = None,
    uncertain: Mapping[str, Distribution] | None = None,
    motions: Sequence[str] = (),
    measured: Sequence[str] | None = None,
    plants: Sequence[Changes] | None = None,
    emulated: Callable[[HybridTest], Any] | None = None,
    seed: int = 0,
    workers: int | None = None,
    cluster: str | None = None,
    progress: Progress | None = None,
    trust: bool = False,
) -> Design:
    """Choose and tune the compensator of a plan.

    ``effort`` is quick or thorough. ``plants`` are changes of the plan to be rehearsed instead of
    ``uncertain`` numbers; ``emulated`` gives the displacement that the test should reproduce, where
    the plan's own emulated structure does not.
    """
    from rths.config.plan import load

    test = plan if isinstance(plan, HybridTest) else load(plan, trust=trust)
    if test.prescribed:
        problem = "moves an actuator without a structure: there is nothing to compensate"
        raise InputError("plan", test.name, problem, "Give the plan of the hybrid test.")
    asked = Commission(
        _find_effort(effort), requirements or Requirements(), uncertain, tuple(motions), seed=seed
    )
    asked = replace(asked, measured=tuple(measured)) if measured is not None else asked
    own: dict[str, Any] = {"plants": plants} | ({"emulated": emulated} if emulated else {})
    if cluster is not None and (plants is not None or emulated is not None):
        problem = "cannot be sent plants or a reference of one's own"
        raise InputError("cluster", cluster, problem, "Leave it out, or name uncertain numbers.")
    return run_design(
        Workbench(test, asked, **own), workers or os.cpu_count() or 1, cluster, progress
    )


def _find_effort(effort: str | Effort) -> Effort:
    if isinstance(effort, Effort):
        return effort
    if effort not in EFFORTS:
        raise InputError("effort", effort, "is not known", f"Use {' or '.join(EFFORTS)}.")
    return EFFORTS[effort]


def run_design(
    bench: Workbench,
    workers: int,
    cluster: str | None = None,
    progress: Progress | None = None,
    *,
    remedies: bool = True,
) -> Design:
    """Search, judge and choose."""
    begun, tell = time.monotonic(), progress or (lambda words: None)
    left = TimeLeft(bench.commission.effort.whole)
    tell("moving the actuator, building the loops")
    bench.build()
    answer = Design(bench.test, bench.commission, bench.rig, [], [], bench.field.left_out)
    answer.scenarios = [p.scenario.name for p in bench.sets.prepared if p.scenario.judged]
    answer.stress = bench.stress_words
    emulated = bench.sets.reference(bench.played)
    lows, highs = emulated.min(axis=0).tolist(), emulated.max(axis=0).tolist()
    answer.reach = list(zip(lows, highs, strict=True))
    with operator() as wishes, gather_crew(bench, workers, cluster, wishes) as crew:
        every = _search(bench, crew, workers, answer, wishes, tell)
        if not wishes:
            _judge_best(crew, workers, answer, every, left, wishes, tell)
        if not wishes:
            _compare_margins(crew, workers, answer, left, wishes, tell)
        if answer.chosen is None and remedies and not wishes:
            tell("nothing is safe: looking for what would have to change")
            changes = find_remedies(bench, answer.ranking, wishes, left=left, workers=workers)
            answer.remedies, answer.tried = changes.remedies, changes.tried
        answer.interrupted = bool(wishes)
    answer.runs += sum(j.samples for j in answer.judged if j.sampled_by == "rehearsals")
    answer.seconds = time.monotonic() - begun
    return answer


def _search(
    bench: Workbench,
    crew: Crew,
    workers: int,
    answer: Design,
    wishes: list[str],
    tell: Progress,
) -> list[Tuned]:
    """Go through the rounds; give all candidates, the best first."""
    effort, begun = bench.commission.effort, time.monotonic()
    ranking = [Tuned(c) for c in bench.field.candidates]
    count, share = len(bench.sets.prepared), 0.0
    for number, round_ in enumerate(effort.rounds, 1):
        going = ranking[: round_.keep]
        each = share_out(
            effort, round_, len(going), bench.sets.ticks, min(round_.scenarios or count, count)
        )
        tell(f"round {number}: {len(going)} candidates, {each} values of each")
        share += round_.share
        left = effort.seconds * share - (time.monotonic() - begun)
        seconds = max(SHORTEST, left * workers / len(going))  # each has its part of the time
        futures = [crew.submit("tune", t, round_, each, seconds) for t in going]
        done = {t.candidate.name: replace(t, rounds=number) for t in results(crew, futures, wishes)}
        answer.cut = answer.cut or any(t.cut for t in done.values())
        ranking = [done.get(t.candidate.name, t) for t in ranking]
        ranking.sort(key=_rank)
        if wishes:
            break
    answer.runs = sum(t.runs for t in ranking)
    answer.ranking = _best_of_each_kind(ranking)
    return ranking


def _rank(t: Tuned) -> tuple[bool, int, float]:
    """Give the order of candidates: what comes to its end first, then who went on furthest."""
    return t.score is None or not t.score.feasible, -t.rounds, t.cost


def _best_of_each_kind(ranking: list[Tuned]) -> list[Tuned]:
    """Leave one of those that started from several values."""
    best: dict[str, Tuned] = {}
    for t in ranking:
        best.setdefault(t.candidate.kind, t)
    return list(best.values())


def _judge_best(
    crew: Crew,
    workers: int,
    answer: Design,
    every: Sequence[Tuned],
    left: TimeLeft,
    wishes: list[str],
    tell: Progress,
) -> None:
    """Judge finalists, both halves of each at a time, until all that may be chosen are known.

    Who comes after a safe one, and is not as good within ALIKE, can no longer be chosen. A kind
    that started twice is judged twice: where one valley is not safe, the other may be.
    """
    effort, need = answer.commission.effort, answer.commission.requirements
    ready = _part_valleys(t for t in every if t.score is not None and t.score.feasible)
    ready = ready[: effort.finalists]
    most, each = inf, max(1, workers // len(HALVES))
    known: dict[Tuned, Judged] = {}  # several at a time, and told one by one, in their order
    while ready and not wishes:
        if ready[0] not in known:
            now = [t for t in ready if t not in known][:each]
            if answer.judged and not _fits(left, effort, most):
                answer.cut = True
                break
            tell("certifying " + " and ".join(t.candidate.words for t in now))
            with left.measure():
                known |= zip(now, judge_together(crew, now, need, workers, wishes), strict=False)
        t, *ready = ready
        if t not in known:
            break
        answer.judged.append(known.pop(t))
        most = min((ALIKE * j.error for j in answer.judged if j.safe), default=inf)
        wanted = _find_unrivalled(effort, [t], ready) if most == inf and not wishes else []
        if wanted and _fits(left, effort, most):
            with left.measure():
                ready = _look_beside(crew, effort, wanted, ready, wishes)
        elif wanted:
            answer.cut = True
        ready = [t for t in ready if t.cost <= most]
    answer.judged.sort(key=lambda j: j.error)
    answer.chosen = choose(answer.judged)
    answer.ranking = _rank_judged(answer)


def _fits(left: TimeLeft, effort: Effort, most: float) -> bool:
    """Tell whether a part may be begun; while nothing is safe, a remedy must fit in after it."""
    return left.allows(max(REMEDIES * effort.whole, left.longest) if most == inf else 0.0)


def _rank_judged(answer: Design) -> list[Tuned]:
    """Give the ranking with what was judged of a kind: that, and nothing else, is told of it."""
    best: dict[str, Tuned] = {}
    order = sorted(answer.judged, key=lambda j: (j is not answer.chosen, not j.safe, j.error))
    for j in order:
        best.setdefault(j.tuned.candidate.kind, j.tuned)
    return sorted((best.get(t.candidate.kind, t) for t in answer.ranking), key=_rank)


def _part_valleys(ready: Iterable[Tuned]) -> list[Tuned]:
    """Leave out starts of a kind that have come to the same place, known by their error."""
    found: list[Tuned] = []
    for t in ready:
        same = (o for o in found if o.candidate.kind == t.candidate.kind)
        if not any(isclose(o.cost, t.cost, rel_tol=SAME) for o in same):
            found.append(t)
    return found


def _find_unrivalled(
    effort: Effort, failed: Sequence[Tuned], ready: Sequence[Tuned]
) -> list[Tuned]:
    """Give what is not safe where all that wait have clearly more error."""
    firsts = (t for t in failed if not is_variant(t.candidate))
    return [t for t in firsts if WORSE * t.cost < _find_least(effort, t, ready)]


def _find_least(effort: Effort, t: Tuned, ready: Sequence[Tuned]) -> float:
    """Give the least cost of those that wait, and were scored by as many scenarios as one."""
    scenarios = effort.scenarios_after(t.rounds)
    alike = (o for o in ready if effort.scenarios_after(o.rounds) == scenarios)
    return min((o.cost for o in alike), default=inf)


def _look_beside(
    crew: Crew, effort: Effort, failed: Sequence[Tuned], ready: Sequence[Tuned], wishes: list[str]
) -> list[Tuned]:
    """Add variants of what is not safe to those that wait, where these have more error."""
    futures = [crew.submit("vary", t) for t in failed]
    found = (t for several in results(crew, futures, wishes) for t in several)
    more = [t for t in found if t.cost < _find_least(effort, t, ready)]
    return sorted([*more, *ready], key=_rank)


def _compare_margins(
    crew: Crew, workers: int, answer: Design, left: TimeLeft, wishes: list[str], tell: Progress
) -> None:
    """Look for the margins of the best candidates that were not judged: what less error costs.

    They are a comparison and no answer: those for which the time does not suffice have none.
    """
    shown = [t for t in answer.ranking[:SHOWN] if t.score is not None and t.score.feasible]
    wanted = [t for t in shown if answer.judgement_of(t) is None]
    tell("comparing margins")
    found, time_left = dict[str, Tuned](), TimeLeft(left.seconds)
    for k in range(0, len(wanted), workers):
        if wishes or not time_left.allows():
            break
        with time_left.measure():
            futures = [crew.submit("measure_margin", t) for t in wanted[k : k + workers]]
            found |= {t.candidate.name: t for t in results(crew, futures, wishes)}
    answer.ranking = [found.get(t.candidate.name, t) for t in answer.ranking]


def choose(judged: Sequence[Judged]) -> Judged | None:
    """Choose by (1); None if none is safe."""
    safe = [j for j in judged if j.safe]
    if not safe:
        return None
    least = min(j.error for j in safe)
    alike = [j for j in safe if j.error <= ALIKE * least]

    def rank(j: Judged) -> tuple[bool, float]:
        margin = inf if j.delay_margin is None else j.delay_margin
        return j.verdict == "proved", margin

    return max(alike, key=rank)
