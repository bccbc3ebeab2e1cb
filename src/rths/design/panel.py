"""Finalists judged by a crew: certificates first, then the plants of those that are left.

The plan and the plan with more delay and force take about as long as each other, and are judged at
a time. Perturbed plants, which only what is certified has to go through, are shared by all workers.
One of them that has no roots sends all of them to rehearsals, not those of its part alone: the
answer must not depend on the number of workers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rths.design.crew import Crew, results
from rths.design.judgement import Judged, PlantCount, add_plants, join
from rths.design.requirements import Requirements
from rths.design.search import Tuned

HALVES = ("judge_plan", "judge_stress")
"""Parts of a judgement that take about as long as each other."""


def judge_together(
    crew: Crew, finalists: Sequence[Tuned], need: Requirements, workers: int, wishes: list[str]
) -> list[Judged]:
    """Judge finalists; none of them if somebody wants to stop before the end."""
    if wishes:
        return []
    futures = [crew.submit(half, t) for t in finalists for half in HALVES]
    done = results(crew, futures, wishes)
    if wishes or len(done) < len(futures):
        return []
    found = [join(*done[k : k + 2]) for k in range(0, len(done), 2)]
    certified = [k for k, j in enumerate(found) if j.safe]
    parts = [(found[k], part, workers) for k in certified for part in range(workers)]
    counts = _count_parts(crew, parts, wishes)
    for i, k in enumerate(certified):
        own = counts[i * workers : (i + 1) * workers]
        if len({c.by for c in own}) > 1:  # some part has no roots
            again = [(found[k], part, workers, True) for part in range(workers)]
            own = _count_parts(crew, again, wishes)
        if len(own) < workers:
            return []
        found[k] = add_plants(found[k], own, need)
    return found


def _count_parts(
    crew: Crew, parts: Sequence[tuple[Any, ...]], wishes: list[str]
) -> list[PlantCount]:
    """Count the plants of parts; those of the last are missing if somebody wants to stop."""
    if wishes:
        return []
    return results(crew, [crew.submit("count_plants", *part) for part in parts], wishes)
