"""Whether a cluster still works at what it was given.

A worker may be killed, stopped, paused or cut off, and a result may lie where nobody can fetch it.
Most of it the scheduler finds out; what it does not shows in one way: nothing comes, and nobody
works. A worker works if

    it says that it runs a task, and its heart has beaten since the look before                (1)

Long silence alone says nothing: a batch takes as long as it takes, and may wait for those of
others. Silence in which (1) holds of nobody is that of a cluster that will not answer.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

STILL = 10.0
"""Seconds of silence after which workers are looked at, and between two looks."""
PATIENCE = 60.0
"""Seconds in which nothing comes and nobody works, after which all is given out anew."""
RUNS = "running"
"""What a worker says of itself if it takes tasks."""


class ClusterWatch:
    """Remembers when something came, or somebody worked."""

    def __init__(self) -> None:
        self._alive = self._looked = time.monotonic()
        self._beats: dict[str, Any] = {}

    def hear(self) -> None:
        """Note that something came, or was given out."""
        self._alive = time.monotonic()

    @property
    def wants_look(self) -> bool:
        """Whether it is time to look at the workers."""
        now = time.monotonic()
        return now - self._alive > STILL and now - self._looked > STILL

    def look(self, workers: Mapping[str, Mapping[str, Any]]) -> None:
        """Look at what the scheduler knows of its workers."""
        before, self._looked = self._beats, time.monotonic()
        self._beats = {name: about.get("last_seen") for name, about in workers.items()}
        for name, about in workers.items():
            beats = name in before and self._beats[name] != before[name]
            if beats and is_at_work(about):
                self.hear()

    @property
    def is_stuck(self) -> bool:
        """Whether nothing came, and nobody worked, for too long."""
        return time.monotonic() - self._alive > PATIENCE


def is_at_work(about: Mapping[str, Any]) -> bool:
    """Tell whether a worker runs a task, by what it told the scheduler with its last heartbeat."""
    counts = about.get("metrics", {}).get("task_counts")
    runs = counts.get("executing", 0) > 0 if isinstance(counts, Mapping) else True
    return bool(about.get("status", RUNS) == RUNS and runs)
