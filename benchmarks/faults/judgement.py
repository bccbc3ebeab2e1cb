"""What a test must never do, whatever goes wrong.

    |u_k| <= d,   |u_k - u_k-1| <= v h,   |u_k - 2 u_k-1 + u_k-2| <= a h²                        (1)

for every command from the first tick to the last, on the way to safety too. A jump is a step beyond
the velocity. Every tick has its row, every end names its cause, and a fault that matters trips in
the time that is stated for it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rths.loop.stop import Stop

ROUND = 1e-9
"""Round-off of a second difference, as a share of a limit."""
ENDS = ("completed", "trip", "interrupted", "heartbeat", "killed")
"""Ends that a fault may bring about; any other is an error of the program."""


def find_wrong(
    sent: np.ndarray[Any, np.dtype[np.float64]],
    stop: Stop,
    limits: dict[str, float],
    tick: float,
    latest: float = np.inf,
) -> list[str]:
    """List what a run did that it must not do; ``latest`` is when it had to trip, s."""
    found = []
    first = sent[0] if len(sent) else 0.0
    steps = np.diff(sent, prepend=first) / tick
    turns = np.diff(np.r_[first, first, sent], n=2) / tick**2
    for name, values in (("stroke", sent), ("velocity", steps), ("acceleration", turns)):
        if not np.all(np.abs(values) <= limits[name] * (1 + ROUND)):  # also what is no number
            found.append(f"a command is beyond its {name}")
    if len(sent) != stop.tick:
        found.append("rows are lost")
    if stop.reason not in ENDS:
        found.append(f"it ended by {stop.reason}")
    if stop.reason == "trip" and not (stop.guard and stop.message and stop.tripped is not None):
        found.append("a trip names no cause")
    if latest < np.inf:
        if stop.reason != "trip" or stop.tripped is None:
            found.append("it did not trip")
        elif stop.tripped * tick > latest:
            found.append("it tripped late")
    return found
