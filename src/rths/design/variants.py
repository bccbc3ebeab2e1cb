"""A finalist that is not safe, with one number changed at a time: what is near may be safe.

Rehearsals hardly feel how long a law remembers or how fast it learns; its certificate does. So the
best values are one end of a valley whose floor is nearly flat, and what is safe lies along it.
A variant is scored by the rehearsals that have scored what it varies: their costs are compared.
"""

from __future__ import annotations

from dataclasses import replace
from math import isclose
from typing import TYPE_CHECKING

import numpy as np

from rths.design.candidate import Candidate
from rths.design.search import Tuned, numbers_of
from rths.errors import InputError

if TYPE_CHECKING:
    from rths.design.workbench import Workbench

STRIDES = (3.0, 1 / 3.0)
"""Factors on a number: within less of it a simplex has looked."""
BESIDE = "beside"
"""First word of what a variant started from; the second is the start of what it varies."""
FELT = 1e-6
"""Share of the error by which a number that matters changes it."""
KEPT = 1
"""Variants that are judged: more of them would take the time of the next kind."""


def is_variant(candidate: Candidate) -> bool:
    """Tell whether a candidate is beside another one."""
    return candidate.start.startswith(BESIDE)


def vary(bench: Workbench, tuned: Tuned) -> list[Tuned]:
    """Give the best of those that come to their end in their rehearsals, the best first."""
    start, found = tuned.candidate, list[Tuned]()
    name = f"{BESIDE} {start.start}"  # both valleys of a kind may have one
    scenarios = bench.commission.effort.scenarios_after(tuned.rounds)
    numbers = numbers_of(start, bench.rigs)
    for k, number in enumerate(numbers):
        low, high = number.ends
        for at in np.log(STRIDES):
            if not low <= at <= high:
                continue
            z = np.zeros(len(numbers))
            z[k] = at
            try:
                changed = replace(start.with_values(numbers, z), start=name)
                score = bench.sets.score(changed, scenarios)
            except (InputError, ArithmeticError, ValueError, MemoryError):
                continue
            found.append(replace(tuned, candidate=changed, score=score))
    ready = [t for t in found if t.score is not None and t.score.feasible]
    others = [t for t in ready if not isclose(t.cost, tuned.cost, rel_tol=FELT)]
    return sorted(others, key=lambda t: t.cost)[:KEPT]
