"""What the certificate says is what the loop does: growth rates of random linear plans."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rths.assembly.hybrid_test import HybridTest
from rths.registry import find
from rths.stability.loop_change import roots_at_rest
from rths.stability.structural_modes import modes_of

SEEDS = st.integers(0, 2**32 - 1)
BAND = 1e-4
"""Growth rates (1/s) between which no verdict is asked for."""


def compensator(rng, delay, stiffness):
    kinds = {
        "none": {},
        "polynomial": {"delay": delay, "order": int(rng.integers(1, 4))},
        "forward_prediction": {"ahead": delay, "order": int(rng.integers(1, 4))},
        "hermite": {"delay": delay, "order": int(rng.choice([2, 3]))},
        "linear_acceleration": {"delay": delay},
        "explicit_newmark": {"delay": delay},
        "derivative_feedforward": {"delay": delay},
        "inverse": {"alpha": rng.uniform(1.0, 12.0)},
        "model_based": {"delay": delay, "interface_stiffness": stiffness},
    }
    kind = str(rng.choice(sorted(kinds)))
    return find("compensator", kind)(**kinds[kind])


def actuator(rng, delay):
    kinds = {
        "dead_time": {"delay": delay},
        "first_order": {"time_constant": delay + 1e-4},
        "second_order": {"frequency": 40.0, "damping": 0.7, "delay": delay},
        "sampled_lag": {"alpha": rng.uniform(1.5, 12.0)},
    }
    kind = str(rng.choice(sorted(kinds)))
    return find("transfer", kind)(**kinds[kind])


def random_plan(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 4))
    actuators = int(rng.integers(1, min(2, n) + 1))
    frequency, tick = rng.uniform(0.8, 6.0), float(rng.choice([1 / 512, 1 / 1024]))
    k = 1000.0 * (2 * np.pi * frequency) ** 2
    stiffness = k * rng.uniform(0.02, 1.5)
    delay = tick * rng.uniform(0.0, 14.0)
    specimen = find("specimen", "spring_dashpot")(
        stiffness=stiffness, damping=float(rng.choice([0.0, 0.005])) * k / frequency
    )
    integrators = ["central_difference", "cr", "explicit_newmark", "lsrt2", "newmark_average"]
    kind = str(rng.choice(integrators))
    fields = {"interface_stiffness": stiffness} if kind in ("lsrt2", "newmark_average") else {}
    stages = 2 if kind == "lsrt2" else 1
    filtered = find("feedback", "filter")(edge=80.0, order=2)
    return HybridTest(
        excitation=find("excitation", "free_vibration")(),
        structure=find("structure", "shear_building")(
            masses=[1000.0 * rng.uniform(0.8, 1.2) for _ in range(n)],
            stiffnesses=[k * rng.uniform(0.8, 1.2) for _ in range(n)],
            damping_ratios=rng.uniform(0.005, 0.08),
            interface=list(range(actuators)),
        ),
        integrator=find("integrator", kind)(**fields),
        compensator=compensator(rng, delay * rng.uniform(0.6, 1.2), stiffness),
        transfer=actuator(rng, delay),
        specimen=specimen,
        feedback=filtered if rng.random() < 0.3 else find("feedback", "direct")(),
        tick=tick,
        step=tick * stages * int(rng.choice([1, 1, 2, 4])),
        duration=1.0,
    )


def simulated_rate(test: HybridTest) -> float:
    """Growth rate of the free motion, once only the strongest roots are left in it."""
    modes = modes_of(test)
    slowest, n = 1 / modes.frequencies[0], modes.frequencies.size
    steps = int(min(60.0, 120 * slowest) / test.clock.step)
    run = replace(
        test,
        excitation=find("excitation", "free_vibration")(displacement=[1e-3] * n),
        duration=steps * test.clock.step,
        record=("structure.displacement",),
    )
    cycle, per_step = run.cycle("table"), run.clock.stage_ticks * run.clock.stages
    rows = np.zeros((run.clock.ticks, n))
    done, portion, size = 0, 500 * per_step, 1.0
    while done < len(rows) and 1e-200 < size < 1e200:  # then it would leave the numbers
        more = rows[done : done + portion]
        done += cycle.advance(len(more), more)
        size = np.abs(more).max()
    y = rows[: done // per_step * per_step : per_step] @ np.linspace(1.0, 1.4, n)
    stride = max(1, round(8 * slowest / 500 / test.clock.step))
    y = y[-501 * stride :: stride]
    return strongest(y / np.abs(y).max()) / (stride * test.clock.step)


def strongest(y):
    """ln |z| of the root with the largest modulus that the signal really contains (pencil)."""
    width = min(160, y.size // 3)
    hankel = np.lib.stride_tricks.sliding_window_view(y, width + 1)
    _, s, vh = np.linalg.svd(hankel, full_matrices=False)
    v = vh[: int(np.count_nonzero(s > 1e-9 * s[0]))].T
    z = np.linalg.eigvals(np.linalg.lstsq(v[:-1], v[1:], rcond=None)[0]).astype(complex)
    anchor = np.where(np.abs(z) > 1, y.size - 1, 0)
    terms = z ** (np.arange(y.size)[:, None] - anchor)
    a = np.linalg.lstsq(terms, y.astype(complex), rcond=None)[0]
    last = np.abs(a * terms[-1]) > 1e-6 * np.abs(y[-width:]).max()
    return float(np.log(np.abs(z[last])).max())


def compare(plan):
    rate, seen = roots_at_rest(plan).growth_rate, simulated_rate(plan)
    assert abs(rate - seen) <= max(1e-3, 1e-3 * abs(seen)), (rate, seen)
    if abs(rate) > BAND and abs(seen) > BAND:
        assert (rate < 0) == (seen < 0)


@settings(max_examples=20)
@given(seed=SEEDS)
def test_simulated_growth_is_that_of_the_dominant_root(seed):
    compare(random_plan(seed))


@pytest.mark.slow
@settings(max_examples=250)
@given(seed=SEEDS)
def test_simulated_growth_is_that_of_the_dominant_root_for_many_plans(seed):
    compare(random_plan(seed))
