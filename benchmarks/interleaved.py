"""Time several pieces of work in turns, so that a noisy machine disturbs them alike."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import NamedTuple


class Spent(NamedTuple):
    """Seconds of one round: on the clock, and of this process's work on all cores."""

    wall: float
    cpu: float


def run_in_turns(work: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, list[float]]:
    """Run each piece once to warm it up, then in turns; give the seconds of every round."""
    return {name: [s.wall for s in spent] for name, spent in count_in_turns(work, rounds).items()}


def count_in_turns(work: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, list[Spent]]:
    """Do the same, and count the work too: what others do on the machine takes no part in it."""
    for piece in work.values():
        piece()
    spent: dict[str, list[Spent]] = {name: [] for name in work}
    for _ in range(rounds):
        for name, piece in work.items():
            wall, cpu = time.perf_counter(), time.process_time()
            piece()
            spent[name].append(Spent(time.perf_counter() - wall, time.process_time() - cpu))
    return spent


def ratio(seconds: Mapping[str, list[float]], over: str, under: str) -> float:
    """Give the ratio of the least times: what disturbs a round only ever adds to it."""
    return min(seconds[over]) / min(seconds[under])
