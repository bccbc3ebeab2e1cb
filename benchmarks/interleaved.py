"""Time several pieces of work in turns, so that a noisy machine disturbs them alike."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping


def run_in_turns(work: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, list[float]]:
    """Run each piece once to warm it up, then in turns; give the seconds of every round."""
    for piece in work.values():
        piece()
    seconds: dict[str, list[float]] = {name: [] for name in work}
    for _ in range(rounds):
        for name, piece in work.items():
            start = time.perf_counter()
            piece()
            seconds[name].append(time.perf_counter() - start)
    return seconds


def ratio(seconds: Mapping[str, list[float]], over: str, under: str) -> float:
    """Give the ratio of the least times: what disturbs a round only ever adds to it."""
    return min(seconds[over]) / min(seconds[under])
