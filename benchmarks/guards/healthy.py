"""Plans by chance of tests in good order: any excitation, compensator, actuator and specimen.

    healthy:  ends as planned,  max|x| <= 1.5 max|x_r|,  rms(x_m - x_t) <= 0.2 rms(x_t)      (1)

    with the fade of the test:  max|c'| <= 10 max|x_t'|                                       (2)

x_r is the response of the same structure and specimen joined without a gap. What does not satisfy
(1) and (2) is no test in good order and is drawn again; no guard has a part in that judgement.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import pi
from pathlib import Path
from typing import Any

import numpy as np

from rths.assembly.hybrid_test import HybridTest
from rths.config.plan import from_table
from rths.run.virtual import simulate

LARGEST_RESPONSE, LARGEST_ERROR = 1.5, 0.2
"""Bounds of (1): a test beyond them would be mended before it is run."""
FASTEST_COMMAND = 10.0
"""Bound of (2): the longest lead, 20 ms, makes 3.3 of 1 at 25 Hz. An adaptive compensator that has
learned something else while the test was faded in came to 47; no velocity limit lets that be."""
SENT = "safety.command"
ROOM = (3.0, 6.0)
"""Limits of displacement and velocity, as multiples of what the rehearsal needs."""
LARGEST = 1.0
"""m: no actuator goes further."""
MASS = 1000.0
LENGTH = 12.0
"""Seconds for which the excitation acts; 3 s of quiet follow."""
RATES = (1024, 2048)
ADAPTIVE = ("lms", "inverse_rls", "adaptive_time_series", "adaptive_forward_prediction",
            "adaptive_model_based")  # fmt: skip
STEADY = ("polynomial", "derivative_feedforward", "hermite", "forward_prediction", "inverse_model",
          "linear_acceleration", "explicit_newmark", "none")  # fmt: skip
INTEGRATORS = ("central_difference", "explicit_newmark", "cr")
RECORD = ("integrator.target", "compensator.command", "transfer.displacement", "feedback.force")


def draw_excitation(random: np.random.Generator, frequency: float) -> dict[str, Any]:
    """Draw an earthquake, a sweep, noise or sines."""
    kind = random.choice(
        ["ground_motion", "synthetic_ground_motion", "sweep", "band_limited_noise", "sine",
         "multi_sine"]
    )  # fmt: skip
    size = float(random.uniform(0.5, 3.0))
    if kind == "ground_motion":
        return {"kind": kind, "motion": "el_centro_1940_ns", "scale": size / 3, "length": LENGTH}
    if kind == "synthetic_ground_motion":
        return {"kind": kind, "peak": size, "length": LENGTH, "strong": 7.0, "decay": 2.0}
    if kind == "sweep":
        ends = {"start_frequency": 0.3 * frequency, "end_frequency": 4 * frequency}
        return {"kind": kind, "amplitude": 0.3 * size, "length": LENGTH, **ends}
    if kind == "band_limited_noise":
        band = {"lowest_frequency": 0.2, "highest_frequency": float(random.uniform(5, 25))}
        return {"kind": kind, "rms": 0.3 * size, "length": LENGTH, "ramp": 0.5, **band}
    if kind == "sine":
        at = float(random.uniform(0.3, 2.0)) * frequency
        return {"kind": kind, "amplitude": 0.2 * size, "frequency": at}
    several = [float(f) for f in random.uniform(0.2, 3.0, 3) * frequency]
    return {"kind": "multi_sine", "amplitudes": [0.1 * size] * 3, "frequencies": several}


def draw_structure(
    random: np.random.Generator, frequency: float, stiffness: float
) -> dict[str, Any]:
    """Draw one mass, or a building of three storeys, whose first mode has about this frequency."""
    damping = float(random.uniform(0.02, 0.08))
    if random.random() < 0.6:
        k = MASS * (2 * pi * frequency) ** 2 - stiffness
        c = 2 * damping * MASS * 2 * pi * frequency
        return {"kind": "linear", "mass": MASS, "damping": c, "stiffness": k}
    storey = MASS * (2 * pi * frequency / 0.445) ** 2  # of a uniform building
    return {
        "kind": "shear_building", "masses": [MASS] * 3, "damping_ratios": damping,
        "stiffnesses": [storey - stiffness, storey, storey], "attached": "storey",
    }  # fmt: skip


def draw_specimen(random: np.random.Generator, stiffness: float) -> dict[str, Any]:
    """Draw a specimen of this initial stiffness."""
    kind = random.choice(["spring", "spring_dashpot", "bouc_wen", "bilinear", "with_mass"])
    if kind == "spring_dashpot":
        return {"kind": kind, "stiffness": stiffness, "damping": 0.002 * stiffness}
    if kind in ("bouc_wen", "bilinear"):
        at = float(random.uniform(0.002, 0.02))
        return {"kind": kind, "stiffness": stiffness, "yield_displacement": at}
    spring = {"kind": "spring", "stiffness": stiffness}
    if kind == "with_mass":
        return {"kind": kind, "mass": 0.02 * MASS, "specimen": spring}
    return spring


def draw_transfer(random: np.random.Generator, delay: float, tick: float) -> dict[str, Any]:
    """Draw an actuator that is about this late."""
    kind = random.choice(["dead_time", "second_order", "first_order", "varying_dead_time"])
    if kind == "second_order":  # 2 ζ/ω and the rest as dead time
        lag = 2 * 0.8 / (2 * pi * 40)
        return {"kind": kind, "frequency": 40.0, "damping": 0.8, "delay": max(delay - lag, 0.0)}
    if kind == "first_order":
        return {"kind": kind, "time_constant": delay}
    if kind == "varying_dead_time":
        return {"kind": kind, "delay": delay}
    return {"kind": "dead_time", "delay": delay}


def draw_compensator(random: np.random.Generator, delay: float) -> dict[str, Any]:
    """Draw a compensator for this delay, an adaptive one in half of the cases."""
    group = ADAPTIVE if random.random() < 0.5 else STEADY
    kind = str(random.choice(group))
    if kind == "none":
        return {"kind": kind}
    ahead = "ahead" if kind.endswith("forward_prediction") else "delay"
    return {"kind": kind, ahead: delay}


def draw_table(random: np.random.Generator) -> dict[str, Any]:
    """Draw a whole plan."""
    rate = int(random.choice(RATES))
    frequency = float(np.exp(random.uniform(np.log(0.5), np.log(5.0))))
    share = float(random.uniform(0.1, 0.5))
    stiffness = share * MASS * (2 * pi * frequency) ** 2
    delay = float(random.uniform(0.003, 0.02))
    noise = {"kind": "noise", "force": 0.001 * stiffness * 0.02, "displacement": 5e-6}
    return {
        "name": "by chance", "seed": int(random.integers(1 << 30)),
        "clock": {"tick": 1 / rate, "duration": LENGTH + 3.0},
        "excitation": draw_excitation(random, frequency),
        "structure": draw_structure(random, frequency, stiffness),
        "integrator": {"kind": str(random.choice(INTEGRATORS))},
        "compensator": draw_compensator(random, delay),
        "transfer": draw_transfer(random, delay * float(random.uniform(0.9, 1.1)), 1 / rate),
        "specimen": draw_specimen(random, stiffness),
        "feedback": noise if random.random() < 0.6 else {"kind": "direct"},
    }  # fmt: skip


def judge_health(test: HybridTest) -> tuple[bool, float, float]:
    """Apply (1) to a plan without limits; give also the largest displacement and velocity."""
    test = replace(test, record=RECORD)
    record, whole = simulate(test, "table"), simulate(test.reference_test(), "table")
    if not record.stop.completed or abs(record["transfer.displacement"]).max() > LARGEST:
        return False, 1.0, 1.0
    target, moved = record["integrator.target"], record["transfer.displacement"]
    peak = float(np.abs(record["compensator.command"]).max())
    speed = float(np.abs(np.diff(record["compensator.command"], axis=0)).max() / test.tick)
    error = np.sqrt(np.mean((moved - target) ** 2) / np.mean(target**2))
    largest = np.abs(moved).max() / np.abs(whole["transfer.displacement"]).max()
    return bool(error <= LARGEST_ERROR and largest <= LARGEST_RESPONSE), peak, speed


def safe_table(table: dict[str, Any], peak: float, speed: float, room: float) -> dict[str, Any]:
    """Give a plan its limits and its way to safety, from what the rehearsal needs.

    The fade changes the motion: what is needed is that of a rehearsal with it.
    """

    def limited(far: float, fast: float) -> dict[str, Any]:
        safety = {"rate": 0.5 * speed, "velocity": fast, "fade_in": 0.5}
        return {**table, "limits": {"compensator": {"command": far}}, "safety": safety}

    wide = replace(from_table(limited(100 * peak, 100 * speed), Path()), record=RECORD)
    sent = simulate(wide, "table")["compensator.command"]
    fast = float(np.abs(np.diff(sent, axis=0)).max() / wide.tick)
    return limited(room * float(np.abs(sent).max()), room * fast)


def healthy_plans(seed: int, count: int) -> Iterator[dict[str, Any]]:
    """Draw plans until so many are healthy; each has its limits."""
    random, found = np.random.default_rng(seed), 0
    while found < count:
        table = draw_table(random)
        room = float(random.uniform(*ROOM))
        fine, peak, speed = judge_health(from_table(table, Path()))
        plan = safe_table(table, peak, speed, room) if fine else None
        if plan is not None and is_in_order(plan):
            found += 1
            yield plan


def is_in_order(table: dict[str, Any]) -> bool:
    """Tell whether a plan with its fade and limits ends as planned, by commands of (2)."""
    test = replace(from_table(table, Path()), record=(*RECORD, SENT))
    record = simulate(test, "table")
    speeds = [np.abs(np.diff(record[s], axis=0)).max() for s in (SENT, "integrator.target")]
    return bool(record.stop.completed and speeds[0] <= FASTEST_COMMAND * speeds[1])
