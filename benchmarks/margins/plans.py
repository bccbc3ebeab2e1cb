"""Random plans that are linear for small motions, with every wrapper around actuator and specimen.

A plan follows from its number alone. Numbers below 100,000 are for development, those above for
judging.
"""

from __future__ import annotations

from math import pi
from typing import Any

import numpy as np
from numpy.random import Generator

from benchmarks.margins.kinds import Reading, Telling
from rths.assembly.hybrid_test import HybridTest
from rths.errors import InputError
from rths.registry import find

EXPLICIT = ("central_difference", "explicit_newmark", "exact")
INTEGRATORS = (*EXPLICIT, "cr", "kr_alpha", "newmark_average", "alpha_os")


def draw_plan(number: int) -> HybridTest | None:
    """Draw the plan of a number; None if what was drawn does not fit together."""
    rng = np.random.default_rng(number)
    tick = float(1 / rng.choice([512, 1000, 1024, 2048]))
    size = int(rng.integers(1, 5))
    channels = int(rng.integers(1, min(size, 3) + 1))
    lowest = 2 * pi * float(10 ** rng.uniform(-0.2, 1.0))
    stiffness = float(10 ** rng.uniform(3, 6))
    mass = stiffness * (pi / 2 / (size + 0.5)) ** 2 / lowest**2
    structure = find("structure", "shear_building")(
        masses=[mass] * size,
        stiffnesses=[stiffness] * size,
        damping_ratios=float(rng.uniform(0.01, 0.1)),
        interface=tuple(sorted(rng.choice(size, channels, replace=False).tolist())),
        attached=str(rng.choice(["floor", "storey"])),
    )
    delay = float(tick * 10 ** rng.uniform(0.0, 1.3))
    step = int(rng.choice([1, 1, 1, 2, 4]))
    told = bool(rng.random() < 0.15)
    try:
        return HybridTest(
            excitation=find("excitation", "sine")(amplitude=1.0, frequency=1.0),
            structure=structure,
            integrator=find("integrator", str(rng.choice(INTEGRATORS)))(),
            compensator=_compensator(rng, delay, tick),
            transfer=tuple(_transfer(rng, delay, tick, told) for _ in range(channels))
            if rng.random() < 0.5 and not told
            else _transfer(rng, delay, tick, told),
            specimen=tuple(_specimen(rng, stiffness, mass, tick, told) for _ in range(channels)),
            feedback=_feedback(rng, delay, tick, stiffness),
            tick=tick,
            step=step * tick,
            duration=2.0,
            name=f"margin plan {number}",
        )
    except InputError:
        return None


def _compensator(rng: Generator, delay: float, tick: float) -> Any:
    told = delay * float(rng.uniform(0.7, 1.1))
    fields: dict[str, dict[str, Any]] = {
        "none": {},
        "polynomial": {"delay": told},
        "inverse": {"alpha": 1 + told / tick},
        "derivative_feedforward": {"delay": told},
        "hermite": {"delay": told},
        "phase_lead": {"lead_time": told, "lag_time": told / 5},
        "linear_acceleration": {"delay": told},
        "forward_prediction": {"ahead": told},
        "upper_bound_delay": {"delay": told},
        "inverse_model": {"delay": told},
    }
    kind = str(rng.choice(["none", *fields]))
    return find("compensator", kind)(**fields[kind])


def _transfer(rng: Generator, delay: float, tick: float, told: bool) -> Any:
    if told:
        return Telling(lag=delay / tick)
    plain: dict[str, dict[str, Any]] = {
        "dead_time": {"delay": delay},
        "first_order": {"time_constant": delay},
        "second_order": {"frequency": 0.3 / delay, "damping": 0.7, "delay": delay / 3},
        "pid_actuator": {"proportional": 1 / delay, "lag": delay / 8},
        "varying_dead_time": {"delay": delay},
    }
    kind = str(rng.choice(list(plain)))
    inner = {"kind": kind, **plain[kind]}
    wrapper = str(rng.choice(["", "", "limited", "fault", "both"]))
    if wrapper in ("limited", "both"):
        inner = {"kind": "limited", "velocity": 100.0, "actuator": inner}
    if wrapper in ("fault", "both"):  # one that never comes
        late = {"fault": "oil_pressure_loss", "start": 1e6, "size": 1e-3}
        inner = {"kind": "fault", **late, "actuator": inner}
    fields = {k: v for k, v in inner.items() if k != "kind"}
    return find("transfer", str(inner["kind"]))(**fields)


def _specimen(rng: Generator, structure: float, mass: float, tick: float, told: bool) -> Any:
    k = structure * float(10 ** rng.uniform(-1.3, 0.0))
    length = float(rng.choice([1.0, 1.0, 2.0, 5.0]))
    count = int(rng.choice([1, 1, 3]))
    force = float(rng.choice([1.0, 1.0, 4.0]))
    scales = {"length_scale": length, "force_scale": force, "count": count}
    k *= length / force / count
    if told:
        return Reading(stiffness=k, damping=k * 5 * tick, **scales)
    plain: dict[str, dict[str, Any]] = {
        "spring": {"stiffness": k},
        "spring_dashpot": {"stiffness": k, "damping": k * tick * float(rng.uniform(0.5, 5))},
        "bilinear": {"stiffness": k, "yield_displacement": 1.0},
        "bouc_wen": {"stiffness": k, "yield_displacement": 1.0},
        "saturating_spring": {"stiffness": k, "saturation_displacement": 1e3},
    }
    kind = str(rng.choice(list(plain)))
    if rng.random() < 0.3 and kind.startswith("spring"):
        inner = {"kind": kind, **plain[kind]}
        own = mass * length / force / count * float(10 ** rng.uniform(-4, -2))
        return find("specimen", "with_mass")(mass=own, specimen=inner, **scales)
    return find("specimen", kind)(**plain[kind], **scales)


def _feedback(rng: Generator, delay: float, tick: float, stiffness: float) -> Any:
    single: list[dict[str, Any]] = [
        {"kind": "direct"},
        {"kind": "filter", "edge": 0.1 / tick, "order": 2},
        {"kind": "noise", "force": 1.0, "displacement": 1e-6},
        {"kind": "delay_estimate"},
        {"kind": "force_correction", "delay": delay / 2, "span": 10 * tick},
        {"kind": "fault", "fault": "lost", "start": 1e6, "size": 0.5},
        {
            "kind": "smith_predictor",
            "transfer": {"kind": "dead_time", "delay": delay},
            "specimen": {"kind": "spring", "stiffness": stiffness / 20},
        },
    ]
    first = single[int(rng.choice([0, 0, 0, *range(len(single))]))]
    if rng.random() < 0.2:
        links = [first, single[int(rng.choice([1, 2]))]]
        return find("feedback", "chain")(links=links)
    return find("feedback", str(first["kind"]))(**{k: v for k, v in first.items() if k != "kind"})
