"""What a rig shows at rest before a test, against what the plan and its own file say.

    |mean(x) - x_0| <= near,   |mean(f) - f_0| <= force_near,   rms <= noise of the sensors    (1)
    |x - mean(x)| <= near + 6 noise,   |v| <= the rig's velocity   at every sample             (2)
    |dx/dt| <= near per second,   |mean(v)| <= 1 % of the rig's velocity                      (3)
    share of answers missed <= q,   N q^M = 1 %,   and not all of the last quarter             (4)

x_0 and f_0 are displacement and force of the plan's own first tick. With a share q missed at
random, a test of N ticks loses its link, M answers in a row, with a chance of one in a hundred: who
misses more before the test will hardly come to its end.

A rig that has just arrived may still swing, so that it is looked at several times before it is
refused; but a rig at rest stays there. The last looks must all be good, one after the other: what
is restless now and then, as with a loose cable, hardly gets that far, and what comes once a second
is always seen.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from rths.assembly.hybrid_test import HybridTest
from rths.assembly.rig_bounds import ChannelBounds, rig_bounds
from rths.loop.block import Vector
from rths.loop.channel_name import name_actuator

TRIAL, FEWEST = 0.25, 64
"""Seconds of a look, and the fewest commands in it."""
IN_A_ROW, TRIALS = 4, 7
"""Good looks in a row that make a rest, a second of it; and how often a rig is looked at. A rig of
whose looks half are good is armed with a chance of 1/2^4 (1 + 3/2), one of whose are a third with
1/3^4 (1 + 3 · 2/3)."""
CHANCE = 0.01
"""Chance of (4)."""
DEVIATIONS = 6.0
"""Standard deviations that noise of a look does not reach: one in 500 million samples does."""
SILENT = 0.25
"""Share of a look at whose end an answer must have come: a machine that stands still for so long
is looked at once more."""
STILL = 0.01
"""Share of the rig's velocity that counts as standing."""


@dataclass(frozen=True, eq=False)
class Sample:
    """What came back in one look: a row for each command, and which of them were answered."""

    displacement: Vector
    velocity: Vector
    force: Vector
    answered: Vector


def find_unrest(test: HybridTest, arena: Vector, ask: Callable[[], object]) -> list[str]:
    """Look at the rig until it has rested for a while; say what was off last if it does not."""
    off: list[str] = []
    expected, good = expect_rest(test), 0
    for look in range(TRIALS):
        found = list(judge_sample(test, take_sample(test, arena, ask), expected))
        off, good = (found, 0) if found else (off, good + 1)
        if good == IN_A_ROW:
            return []
        if good + TRIALS - look - 1 < IN_A_ROW:  # there are too few looks left
            break
    return off


def expect_rest(test: HybridTest) -> tuple[Vector, Vector]:
    """Give displacements and forces of the plan's own first tick."""
    cycle = test.cycle("interpreted")
    cycle.advance(1, np.empty((1, len(test.layout.record_slots))))
    return cycle.signal("transfer.displacement").copy(), cycle.signal("specimen.force").copy()


def take_sample(test: HybridTest, arena: Vector, ask: Callable[[], object]) -> Sample:
    """Send commands by the tick of the plan for a while and keep what comes back."""
    signals = test.live_layout.signals
    names = ("transfer.displacement", "hardware.velocity", "specimen.force", "hardware.missed")
    places = [list(signals[name].slots) for name in names]
    rows = []
    for _ in range(max(FEWEST, round(TRIAL / test.tick))):
        ask()
        rows.append([arena[slots] for slots in places])
        time.sleep(test.tick)
    d, v, f, missed = (np.array(part) for part in zip(*rows, strict=True))
    return Sample(d, v, f, missed[:, 0] == 0)


def judge_sample(
    test: HybridTest, sample: Sample, expected: tuple[Vector, Vector]
) -> Iterator[str]:
    """Say what of (1) to (4) does not hold."""
    fresh = sample.answered
    lost, most = 1 - fresh.mean(), allowed_loss(test)
    if lost > most or fresh.sum() < 2:
        yield f"it missed {100 * lost:.0f} % of its answers, {100 * most:.0f} % can be borne"
        return
    if not fresh[-max(1, round(SILENT * fresh.size)) :].any():
        yield "it has fallen silent"
        return
    for c, own in enumerate(rig_bounds(test)):
        seen = [s[fresh, c] for s in (sample.displacement, sample.velocity, sample.force)]
        rest = (float(expected[0][c]), float(expected[1][c]))
        for words in _judge_actuator(
            own, seen, test.tick * np.flatnonzero(fresh).astype(float), rest
        ):
            yield f"{words} ({name_actuator(c)})"


def _judge_actuator(
    own: ChannelBounds, seen: list[Vector], times: Vector, rest: tuple[float, float]
) -> Iterator[str]:
    d, v, f = seen
    for what, values in (("displacement", d), ("velocity", v), ("force", f)):
        if not np.isfinite(values).all():
            yield f"its measured {what} is not a number"
    if not np.isfinite([*d, *v, *f]).all():
        return
    at, pull = float(d.mean()), float(f.mean())
    if abs(at - rest[0]) > own.near:
        yield f"it stands at {at:.4g} m and should at {rest[0]:.4g} m, within {own.near:.3g} m"
    if abs(pull - rest[1]) > own.force_near:
        near = f"within {own.force_near:.3g} N"
        yield f"its force is {pull:.4g} N and should be {rest[1]:.4g} N, {near}"
    furthest, fastest = float(np.abs(d - at).max()), float(np.abs(v).max())
    if furthest > own.near + DEVIATIONS * own.noise:
        yield f"its displacement jumps by {furthest:.3g} m at rest"
    if fastest > own.velocity:
        yield f"its measured velocity is up to {fastest:.3g} m/s at rest"
    slope, level = np.polyfit(times - times.mean(), d, 1)
    speed = max(abs(float(slope)) / own.near, abs(float(v.mean())) / (STILL * own.velocity))
    if speed > 1:
        yield f"it moves at {slope:.3g} m/s, and says {v.mean():.3g} m/s itself"
    noise = float(np.std(d - level - slope * (times - times.mean())))
    for what, value, bound, unit in (
        ("displacement", noise, own.noise, "m"),
        ("force", float(f.std()), own.force_noise, "N"),
    ):
        if value > bound:
            yield f"the noise of its {what} is {value:.3g} {unit} rms, {bound:.3g} {unit} is usual"


def allowed_loss(test: HybridTest) -> float:
    """Give the share q of (4)."""
    assert test.hardware is not None
    return float((CHANCE / test.clock.ticks) ** (1 / test.hardware.missed))
