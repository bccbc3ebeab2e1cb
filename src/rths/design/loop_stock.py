"""Loops of one test with one compensator after another: built once for each sort of them.

A compensator of the same class whose block has the same size is written into the arena; any other
one is built. The first that is written is compared with one that is built (`assembly/variation`).
"""

from __future__ import annotations

import threading
from dataclasses import fields, replace
from typing import Any

from rths.assembly.hybrid_test import HybridTest
from rths.assembly.variation import Variation, VariedLoop
from rths.loop.own_kernels import rehearse_own


class LoopStock:
    """Gives the loop of a test with a compensator."""

    def __init__(self, test: HybridTest) -> None:
        self.test = test
        self._first: dict[type, HybridTest] = {}
        self._varied: dict[type, Variation] = {}
        self._lock = threading.Lock()

    def loop_with(self, compensator: Any) -> VariedLoop:
        """Give the loop; its layout is shared by all of its sort that have the same size."""
        if isinstance(compensator, tuple):
            return _loop_of(self._build(compensator))
        sort = type(compensator)
        with self._lock:  # the first of a sort stays the first: others are changes of it
            if sort not in self._first:
                self._first[sort] = self._build(compensator)
            first = self._first[sort]
            changes = _changes(first.compensator, compensator)
            if changes and sort not in self._varied:
                self._varied[sort] = Variation(first, [changes])
        return self._varied[sort].vary(changes) if changes else _loop_of(first)

    def _build(self, compensator: Any) -> HybridTest:
        test = replace(self.test, compensator=compensator)
        rehearse_own(test.layout)
        return test


def _changes(before: Any, now: Any) -> dict[str, Any]:
    """Give the fields in which a compensator differs from another one of its class."""
    own = {f.name: getattr(now, f.name) for f in fields(now)}
    return {f"compensator.{n}": v for n, v in own.items() if v != getattr(before, n)}


def _loop_of(test: HybridTest) -> VariedLoop:
    return VariedLoop(test.layout, test.layout.initial, test.tick, test.clock.ticks)
