"""Loops of one test with one compensator after another: built once for each sort of them.

A compensator of the same sort whose block has the same size is written into the arena; any other
one is built. The first that is written is compared with one that is built (`assembly/variation`).
"""

from __future__ import annotations

import threading
from dataclasses import fields, replace
from typing import Any

from rths.assembly.hybrid_test import HybridTest
from rths.assembly.variation import Variation, VariedLoop
from rths.errors import InputError
from rths.loop.own_kernels import rehearse_own

Sort = tuple[Any, ...]
"""What the loops of some compensators have in common."""


class LoopStock:
    """Gives the loop of a test with a compensator."""

    def __init__(self, test: HybridTest) -> None:
        self.test = test
        self._first: dict[Sort, HybridTest] = {}
        self._varied: dict[Sort, Variation] = {}
        self._lock = threading.Lock()

    def loop_with(self, compensator: Any) -> VariedLoop:
        """Give the loop; its layout is shared by all of its sort that have the same size."""
        try:
            return self._loop_of_sort(compensator)
        except InputError:  # fields change one by one, and not all go with what the others were
            return _loop_of(self._build(compensator))

    def _loop_of_sort(self, compensator: Any) -> VariedLoop:
        """Give the loop of the first of its sort with some fields changed."""
        sort = sort_of(compensator)
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


def sort_of(compensator: Any) -> Sort:
    """Give the class of a compensator and what is left out of it; of several, those of all.

    A model that is given by its coefficients is of another sort than one that is given by a delay:
    with the one field changed before the other it would have both.
    """
    if isinstance(compensator, tuple):
        return tuple(map(sort_of, compensator))
    left_out = (f.name for f in fields(compensator) if getattr(compensator, f.name) is None)
    return type(compensator), *left_out


def _changes(before: Any, now: Any, path: str = "compensator") -> dict[str, Any]:
    """Give the fields in which a compensator differs from another one of its sort."""
    if isinstance(now, tuple):
        pairs = enumerate(zip(before, now, strict=True))
        return {k: v for c, (b, n) in pairs for k, v in _changes(b, n, f"{path}.{c}").items()}
    own = {f.name: getattr(now, f.name) for f in fields(now)}
    return {f"{path}.{n}": v for n, v in own.items() if v != getattr(before, n)}


def _loop_of(test: HybridTest) -> VariedLoop:
    return VariedLoop(test.layout, test.layout.initial, test.tick, test.clock.ticks)
