"""Ten minutes of noise after an earthquake: what was learnt stays, and the command is quiet.

    speed = max over minutes of rms(u_k+1 - u_k)/h,   ratio = speed of the rig that was shaken
            over that of the same rig, with the same noise, that has never moved               (1)
    wander = largest distance of the learnt delay to what lies between its first value and that at
             the end of the earthquake, in told delays                                        (2)
    bounds of the learnt delay: from that of no lead to one and a half times the told one      (3)

Both sensors are noisy: the load cell by the stiffness of the specimen times the noise of the
displacement. What the structure does after the earthquake is its free decay and no chatter, so that
(1) looks at the last five minutes, when it is below the noise; (2) and (3) look at all ten.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from benchmarks.rigs.rig import DURATION, Rig, draw_rig
from benchmarks.rigs.settings import tell
from rths.assembly.hybrid_test import HybridTest
from rths.compensator._filter_edges import ROLLED
from rths.compensator.bounded_inverse import DELAY_RATIO
from rths.loop.block import Vector
from rths.registry import find
from rths.stability.certificate import certify

QUIET, JUDGED, WINDOW = 600.0, 300.0, 60.0
"""Length of the noise, of its end that (1) looks at, and of a window, s."""
SMALLEST = 1e-7
"""Noise of rigs that were drawn without any, m: without noise there is nothing to judge."""
FASTER = 1.5
"""Bar of (1)."""
NONE, ROUND_OFF = 1 / ROLLED + 1e-9, 1e-9
"""Delay of a command without lead, below zero by the lag of its filter, in told delays."""
MAY_RUN = ("proved", "tested")
"""What a certificate must say of a test that is run."""
WRITTEN = ("compensator.command", "compensator.delay", "compensator.learnt")


@dataclass(frozen=True)
class Quiet:
    """What ten minutes of noise did to a rig."""

    seed: int
    completed: bool
    ratio: float
    """(1)."""
    wander: float
    """(2)."""
    within: bool
    """(3)."""
    learnt: float
    """Part of the delay that still comes from the test at the end."""

    @property
    def passed(self) -> bool:
        """Whether the compensator came to rest."""
        return self.completed and self.ratio <= FASTER and self.within


def noisy_test(rig: Rig, compensator: Any) -> HybridTest:
    """Give the test of a rig with noise on both sensors, and the quiet end."""
    noise = max(rig.noise, SMALLEST)
    feedback = find("feedback", "noise")(displacement=noise, force=rig.stiffness * noise)
    return replace(
        rig.fit(compensator), feedback=feedback, duration=DURATION + QUIET, record=WRITTEN
    )


def run_whole(test: HybridTest) -> Vector:
    """Run a test; give the rows up to where it ended."""
    cycle, ticks = test.cycle("table"), test.clock.ticks
    rows = np.empty((ticks, len(WRITTEN)))
    return rows[: cycle.advance(ticks, rows)]


def largest_speed(command: Vector, tick: float) -> float:
    """Give the largest speed of (1) at the end of a run, m/s."""
    speed = np.diff(command[-round(JUDGED / tick) :]) / tick
    windows = np.array_split(speed, round(JUDGED / WINDOW))
    return float(max(np.sqrt(np.mean(w**2)) for w in windows))


def largest_wander(delay: Vector, shaken: int, told: float) -> float:
    """Give (2); the earthquake has taken ``shaken`` ticks."""
    low, high = sorted((float(delay[0]), float(delay[shaken])))
    quiet = delay[shaken:]
    return float(max(low - quiet.min(), quiet.max() - high, 0.0) / told)


def judge_quiet(seed: int, kind: str = "bounded_inverse") -> Quiet:
    """Shake the rig of a seed, then leave it to its noise."""
    rig = draw_rig(seed)
    test = noisy_test(rig, tell(kind, rig))
    rows, h = run_whole(test), test.tick
    if len(rows) < test.clock.ticks:
        return Quiet(seed, False, np.inf, np.inf, False, 0.0)
    still = run_whole(test.with_values({"excitation.peak": 0.0}))
    ratio = largest_speed(rows[:, 0], h) / largest_speed(still[:, 0], h)
    shaken = round(DURATION / h)
    wander, delay = largest_wander(rows[:, 1], shaken, rig.told), rows[shaken:, 1] / rig.told
    within = bool(delay.min() >= -NONE and delay.max() <= DELAY_RATIO + ROUND_OFF)
    return Quiet(seed, True, ratio, wander, within, float(rows[-1, 2]))


def certify_earthquake(seed: int, kind: str = "bounded_inverse") -> str:
    """Ask the certificate about the earthquake of a rig, with its noise."""
    rig = draw_rig(seed)
    shaken = replace(noisy_test(rig, tell(kind, rig)), duration=DURATION)
    return certify(shaken, margins=False).verdict


def quiet_text(seeds: Iterable[int], count: int) -> Iterable[str]:
    """Judge rigs one after the other; tell each as soon as it is done, and all at the end.

    The certificate is asked before a rig is shaken: only what is proved or tested is run in a
    laboratory, and ``count`` of these are judged. The others are told beside them.
    """
    run, refused = list[bool](), list[bool]()
    for seed in seeds:
        verdict = certify_earthquake(seed)
        q = judge_quiet(seed)
        (run if verdict in MAY_RUN else refused).append(q.passed)
        yield (
            f"rig {q.seed}, {verdict}: speed {q.ratio:.3f} of the noise's, wander "
            f"{100 * q.wander:.1f} % of the told delay, learnt {q.learnt:.2g} at the end: "
            f"{'ok' if q.passed else 'MISSED'}"
        )
        if len(run) == count:
            break
    yield (
        f"{sum(run)} of {len(run)} that may be run passed (bar: all); {len(refused)} may not, "
        f"of which {sum(refused)} passed"
    )
