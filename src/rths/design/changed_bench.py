"""The workbench of a changed plan: what was said of the plan goes along with the change.

    a number that is known roughly:  its distribution by v'/v, the field after and before       (1)

Plants and a reference of one's own are taken as they are. Plants that set what the change has
changed would undo it, and a reference that stays the same where the emulated structure has changed
is none of the changed plan: such a change cannot be judged, and is refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from rths.assembly.hybrid_test import HybridTest
from rths.design.rehearsal_set import emulate
from rths.design.search import Effort
from rths.design.workbench import Workbench
from rths.errors import InputError
from rths.loop.channel_name import split_channel
from rths.stability.distribution import Distribution, Interval, LogNormal, Normal
from rths.stability.plan_parameter import value_of
from rths.sweep.field_path import parse_path, read_value

EMULATED = ("excitation", "structure", "integrator", "specimen")
"""Roles that the emulated structure consists of."""


def change_bench(bench: Workbench, changed: HybridTest, role: str, effort: Effort) -> Workbench:
    """Give the workbench of a plan of which one role was changed, or the limits."""
    asked, plants = bench.commission, bench.given_plants
    for path in sorted({path for values in plants or () for path in values}):
        if _undoes(path, role, bench.test, changed):
            raise InputError("plants", path, "is what would change", "Give it in the plan.")
    uncertain = carry_uncertain(asked.uncertain, bench.test, changed)
    given: dict[str, Any] = {"emulated": bench.emulated, "plants": plants}
    found = Workbench(changed, replace(asked, effort=effort, uncertain=uncertain), **given)
    if bench.emulated is not emulate and role in EMULATED and _is_unmoved(bench, found):
        raise InputError("emulated", role, "stays the same", "Let it follow from its test.")
    return found


def _undoes(text: str, role: str, before: HybridTest, after: HybridTest) -> bool:
    """Tell whether a plant that sets a field, or a whole role, takes the change of a role back."""
    if split_channel(text.partition(".")[0])[0] != role:
        return False
    if text == role:
        return True
    try:
        now = read_value(after, parse_path(after, text))
    except InputError:  # it is there no more
        return True
    return bool(now != read_value(before, parse_path(before, text)))


def _is_unmoved(bench: Workbench, found: Workbench) -> bool:
    """Tell whether the reference is that of the plan before its change."""
    before, after = bench.sets.reference(bench.played), found.sets.reference(found.played)
    return bool(np.array_equal(before, after))


def carry_uncertain(
    uncertain: Mapping[str, Distribution] | None, before: HybridTest, after: HybridTest
) -> dict[str, Distribution] | None:
    """Give what is known roughly after a change (1); a list is drawn as a factor, which stays."""
    if uncertain is None:
        return None
    return {p: _scale(d, _find_ratio(before, after, p)) for p, d in uncertain.items()}


def _find_ratio(before: HybridTest, after: HybridTest, path: str) -> float:
    """Give by which factor a number was changed; 1 for what is no number."""
    was, now = value_of(before, path), value_of(after, path)
    return float(now / was) if isinstance(was, float | int) and was else 1.0


def _scale(given: Distribution, factor: float) -> Distribution:
    """Give the distribution of a number times a factor above 0."""
    match given:
        case Interval(low, high):
            return Interval(factor * low, factor * high)
        case Normal(mean, deviation):
            return Normal(factor * mean, factor * deviation)
        case LogNormal(median, times):
            return LogNormal(factor * median, times)
