"""The rehearsals that every candidate goes through: motions, plants that are not quite the model.

    judged:  the plan as it is; other motions of its size; plants drawn from what is uncertain  (1)
    held:    the plan with more delay and a stronger specimen, both at once                    (2)

The error counts in (1); (2) only has to come to its end, so that margins take part in the search.
What is uncertain is given, or is each number of the transfer system by a tenth to both sides: an
identified model is seldom better. Plants are drawn as a Latin hypercube, so that few of them reach
all of a range.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rths.assembly.hybrid_test import HybridTest
from rths.config.plan import to_table
from rths.design.played_excitation import make_played, play_excitation, sample_excitation
from rths.errors import InputError
from rths.excitation.base import Excitation
from rths.registry import find
from rths.stability.distribution import Distribution, Interval
from rths.stability.plan_parameter import multiply, numbers, value_of
from rths.sweep.field_path import field_values, parse_path

ABOUT = 0.1
"""Share by which a number of the transfer system may be off where nothing is said."""
SMALLER = 0.5
"""Factor on the plan's own motion in one rehearsal: what depends on the size shows."""
Delay = float | Sequence[float]
"""Delay of all actuators alike, or of each, s."""
Changes = Mapping[str, Any]
"""Fields by their path, as ``with_values`` takes them; whole roles too."""


@dataclass(frozen=True, eq=False)
class Scenario:
    """One rehearsal: the plan with some changes."""

    name: str
    test: HybridTest
    """The plan so changed; its compensator is that of the plan."""
    judged: bool = True
    """Whether its error counts; else it has to come to its end."""


def uncertain_numbers(test: HybridTest) -> dict[str, Distribution]:
    """Give each number of the transfer system a tenth to both sides; lists take a factor.

    None if some have no path of their own, as those of an actuator in a table: `draw_actuators`
    draws all of them.
    """
    found: dict[str, Distribution] = {}
    reached = 0
    for path, value in numbers(test).items():
        if path.partition(".")[0] != "transfer":
            continue
        reached += _count_numbers(value)
        middle = value if isinstance(value, float) else 1.0
        low, high = sorted((middle * (1 - ABOUT), middle * (1 + ABOUT)))
        found[path] = Interval(low, high)
    tables = to_table(test)["transfer"]
    return found if reached == _count_numbers(tables) else {}


def draw_plants(
    test: HybridTest,
    uncertain: Mapping[str, Distribution],
    count: int,
    seed: int,
    check: bool = True,
) -> list[dict[str, Any]]:
    """Draw plants as a Latin hypercube; if they are checked without those that are refused."""
    if not uncertain:
        return []
    from scipy.stats.qmc import LatinHypercube

    shares = LatinHypercube(len(uncertain), rng=np.random.default_rng(seed)).random(count)
    columns = [d.quantile(shares[:, i]) for i, d in enumerate(uncertain.values())]
    drawn = []
    for row in zip(*columns, strict=True):
        values = {p: _field_value(test, p, float(v)) for p, v in zip(uncertain, row, strict=True)}
        try:
            if check:
                change_test(test, values)
        except InputError:
            continue
        drawn.append(values)
    return drawn


def draw_actuators(test: HybridTest, count: int, seed: int) -> list[dict[str, Any]]:
    """Draw transfer systems, with what they consist of: each number by a tenth to both sides."""
    from scipy.stats.qmc import LatinHypercube

    given = to_table(test)["transfer"]
    several = given if isinstance(given, list) else [given]
    width = sum(_count_numbers(t) for t in several)
    if not width:
        return []
    shares = LatinHypercube(width, rng=np.random.default_rng(seed)).random(count)
    drawn = []
    for row in 1 + ABOUT * (2 * shares - 1):
        factors = iter(row.tolist())
        tables = [_scale_numbers(t, factors) for t in several]
        try:
            made = tuple(find("transfer", t.pop("kind"))(**t) for t in tables)
            values = {"transfer": made if isinstance(given, list) else made[0]}
            change_test(test, values)
        except InputError:
            continue
        drawn.append(values)
    return drawn


def _count_numbers(value: Any) -> int:
    """Count the numbers of a table and of those inside it."""
    if isinstance(value, Mapping):
        return sum(_count_numbers(v) for v in value.values())
    if isinstance(value, list | tuple):
        return sum(_count_numbers(v) for v in value)
    return int(isinstance(value, float) and value != 0.0)


def _scale_numbers(value: Any, factors: Iterator[float]) -> Any:
    """Multiply the numbers of a table, each by the next factor."""
    if isinstance(value, Mapping):
        return {k: _scale_numbers(v, factors) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_scale_numbers(v, factors) for v in value]
    return value * next(factors) if isinstance(value, float) and value != 0.0 else value


def _field_value(test: HybridTest, path: str, value: float) -> Any:
    """Give the value of a field; a list of numbers is multiplied."""
    present = value_of(test, path)
    return value if isinstance(present, float | int) else multiply(present, value)


def other_motions(test: HybridTest, seed: int) -> list[tuple[str, Excitation]]:
    """Give motions beside the plan's own: one half as large, and earthquakes of the same peak."""
    samples = sample_excitation(test)
    if samples is None:
        return []
    found: list[tuple[str, Excitation]] = [
        ("half the motion", make_played(test.excitation, SMALLER * samples))
    ]
    if test.excitation.acting == "ground_acceleration":
        peak, length = float(np.abs(samples).max()), min(test.duration, 30.0)
        rise = min(2.0, 0.2 * length)
        shaken = find("excitation", "synthetic_ground_motion")(
            peak=peak, length=length, rise=rise, strong=max(rise, 0.5 * length)
        )
        other = replace(test, excitation=shaken, seed=test.seed + seed + 1)
        found.append(("another earthquake", play_excitation(other)))
    return found


def named_motion(test: HybridTest, name: str) -> tuple[str, Excitation]:
    """Give an earthquake of a file, or a built-in one, with the peak of the plan's own."""
    samples = sample_excitation(test)
    if samples is None or test.excitation.acting != "ground_acceleration":
        problem = "is an earthquake, and the plan is not shaken by one"
        raise InputError("--motion", name, problem, "Leave it out.")
    peak = float(np.abs(samples).max())
    try:
        shaken = find("excitation", "ground_motion")(motion=name, peak=peak)
        return name, play_excitation(replace(test, excitation=shaken))
    except InputError as error:  # which calls it a field of the plan
        raise error.relabel("--motion") from None


def takes_delay(test: HybridTest, delay: Delay) -> bool:
    """Tell whether a plan can be made later; the force of a plant that reports it would not be."""
    told = {f"transfer.{port.name}" for t in test.descriptions("transfer") for port in t.ports}
    reads = {name for s in test.descriptions("specimen") for name in s.inputs}
    if not np.any(np.asarray(delay) > 0) or told & reads:
        return False
    try:
        stress_plan(test, delay, 1.0)
    except InputError:
        return False
    return True


def stress_plan(test: HybridTest, delay: Delay, gain: float) -> HybridTest:
    """Give the plan (2): more delay behind each actuator, more force of each specimen."""
    if np.any(np.asarray(delay) > 0):
        tables = to_table(test)["transfer"]
        each = tables if isinstance(tables, list) else [tables]
        series, more = find("transfer", "series"), np.broadcast_to(delay, len(each)).tolist()
        made = [
            series(links=[_unlink(t), {"kind": "dead_time", "delay": late}])
            for t, late in zip(each, more, strict=True)
        ]
        test = replace(test, transfer=tuple(made) if isinstance(tables, list) else made[0])
    specimens = test.specimen if isinstance(test.specimen, tuple) else (test.specimen,)
    stronger = tuple(replace(s, force_scale=gain * s.force_scale) for s in specimens)
    one = not isinstance(test.specimen, tuple)
    return replace(test, specimen=stronger[0] if one else stronger)


def _unlink(table: dict[str, Any]) -> dict[str, Any]:
    """Give a table as a link of a series takes it."""
    return {k: list(v) if isinstance(v, tuple) else v for k, v in table.items()}


def make_scenarios(
    test: HybridTest,
    plants: Sequence[Changes],
    motions: Sequence[tuple[str, Excitation]],
    stress: tuple[Delay, float],
) -> list[Scenario]:
    """Make the set: the plan first, then what only has to hold, then plants and motions in turn."""
    delay, gain = stress
    later = takes_delay(test, delay)
    name = "more delay and force" if later else "more force"
    held = Scenario(name, stress_plan(test, delay if later else 0.0, gain), judged=False)
    found = [Scenario("as planned", test), held]
    for k, values in enumerate(plants):
        changed = change_test(test, values)
        found.append(Scenario(f"plant {k + 1}", replace(changed, seed=test.seed + k + 1)))
    found[3:3] = [Scenario(name, replace(test, excitation=e)) for name, e in motions]
    return found


def change_test(test: HybridTest, values: Changes) -> HybridTest:
    """Change fields by their path, single ones of tables inside too, or whole roles, at once."""
    paths = {text: parse_path(test, text) for text in values if "." in text}
    inner = {text: values[text] for text in paths}
    roles = {k: v for k, v in values.items() if k not in paths}
    return test.with_values({**roles, **field_values(test, paths, inner)})
