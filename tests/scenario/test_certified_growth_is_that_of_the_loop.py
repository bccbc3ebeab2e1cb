"""What the certificate says is what the loop does: growth rates of random linear plans."""

from __future__ import annotations

from dataclasses import replace
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rths.assembly.hybrid_test import HybridTest
from rths.registry import find, kinds
from rths.stability.certificate import certify
from rths.stability.structural_modes import modes_of

SEEDS = st.integers(0, 2**32 - 1)
BAND = 1e-4
"""Growth rates (1/s) between which no verdict is asked for."""
NONLINEAR = {kind for kind in kinds("compensator") if find("compensator", kind).adapts}


def lags(delay):
    """Coefficients of (1 + τ s/4)^4."""
    return [comb(4, k) * (delay / 4) ** k for k in range(5)]


def compensators(rng, delay, stiffness):
    """Fields of every kind whose loop is linear, around a delay; the interface's stiffness."""
    model = {"delay": delay, "interface_stiffness": np.diag(stiffness).tolist()}
    linear = [kind for kind in kinds("compensator") if kind not in NONLINEAR]
    return {
        **{kind: find("compensator", kind).example for kind in linear},
        "none": {},
        "polynomial": {"delay": delay, "order": int(rng.integers(1, 4))},
        "forward_prediction": {"ahead": delay, "order": int(rng.integers(1, 4))},
        "hermite": {"delay": delay, "order": int(rng.choice([2, 3]))},
        "linear_acceleration": {"delay": delay},
        "explicit_newmark": {"delay": delay},
        "derivative_feedforward": {"delay": delay},
        "upper_bound_delay": {"delay": 1.2 * delay},
        "inverse": {"alpha": rng.uniform(1.0, 12.0)},
        "phase_lead": {"lead_time": 2 * delay + 1e-3, "lag_time": delay + 1e-3},
        "inverse_model": {"delay": delay, "order": int(rng.integers(2, 5))},
        "inverse_lqg": {"coefficients": lags(delay + 1e-3)},
        # a range that nothing reaches: the motion runs through four hundred decades
        "pi_phase_lead": {"proportional": 0.8, "integral": 30.0, "limit": 1e290},
        "virtual_coupling": {
            "stiffness": stiffness[0] * rng.uniform(2.0, 20.0),
            "damping": stiffness[0] * rng.uniform(0.01, 0.1),
        },
        "model_based": model,
        "model_modal": {**model, "modes": 1},
    }


JOINT = {kind for kind in kinds("compensator") if find("compensator", kind).joint}


def drawn_compensator(rng, delay, stiffness, kind=None):
    """One for all actuators, or one for each."""
    given = kind or str(rng.choice(sorted(compensators(rng, delay, stiffness))))
    if given in JOINT or rng.random() < 0.3:
        return find("compensator", given)(**compensators(rng, delay, stiffness)[given])
    made = []
    for k in stiffness:
        found = compensators(rng, delay, [k])
        made.append(find("compensator", given)(**found[given]))
        given = kind or str(rng.choice(sorted(set(found) - set(JOINT))))
    return tuple(made)


def actuator(rng, delay):
    kinds = {
        "dead_time": {"delay": delay},
        "first_order": {"time_constant": delay + 1e-4},
        "second_order": {"frequency": 40.0, "damping": 0.7, "delay": delay},
        "sampled_lag": {"alpha": rng.uniform(1.5, 12.0)},
        "pid_actuator": {"proportional": 1 / (delay + 5e-3), "lag": 2e-3},
    }
    kind = str(rng.choice(sorted(kinds)))
    return find("transfer", kind)(**kinds[kind])


def feedback(rng, delay, stiffness):
    kinds = {
        "filter": {"edge": 80.0, "order": 2},
        "force_correction": {"delay": 0.5 * delay, "span": 0.03},
        "smith_predictor": {
            "transfer": {"kind": "dead_time", "delay": 0.6 * delay},
            "specimen": {"kind": "spring", "stiffness": 0.8 * stiffness},
        },
        "substructuring_ratio": {
            "ratio": 0.7,
            "estimate": {"kind": "spring", "stiffness": 0.9 * stiffness},
        },
    }
    if rng.random() < 0.6:
        return find("feedback", "direct")()
    kind = str(rng.choice(sorted(kinds)))
    return find("feedback", kind)(**kinds[kind])


INTEGRATORS = ("central_difference", "cr", "explicit_newmark", "lsrt2", "newmark_average",
               "alpha_os", "kr_alpha", "exact", "mkr_alpha")  # fmt: skip
MODELLED = INTEGRATORS[3:]


def random_plan(seed, kind=None):
    """A plan of 1 to 3 storeys with 1 or 2 actuators, each with parts of its own."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 4))
    actuators = int(rng.integers(1, min(2, n) + 1))
    frequency, tick = rng.uniform(0.8, 6.0), float(rng.choice([1 / 512, 1 / 1024]))
    k = 1000.0 * (2 * np.pi * frequency) ** 2
    stiffness = [k * rng.uniform(0.02, 1.5) for _ in range(actuators)]
    delay = tick * rng.uniform(0.0, 14.0)
    damping = float(rng.choice([0.0, 0.005])) * k / frequency
    integrator = str(rng.choice(INTEGRATORS))
    known = {"interface_stiffness": np.diag(stiffness).tolist()} if integrator in MODELLED else {}
    per_step = int(rng.choice([1, 1, 2, 4])) * (2 if integrator == "lsrt2" else 1)
    guess = delay * rng.uniform(0.6, 1.2)
    return HybridTest(
        excitation=find("excitation", "free_vibration")(),
        structure=find("structure", "shear_building")(
            masses=[1000.0 * rng.uniform(0.8, 1.2) for _ in range(n)],
            stiffnesses=[k * rng.uniform(0.8, 1.2) for _ in range(n)],
            damping_ratios=rng.uniform(0.005, 0.08),
            interface=list(range(actuators)),
        ),
        integrator=find("integrator", integrator)(**known),
        compensator=drawn_compensator(rng, guess, stiffness, kind),
        transfer=tuple(actuator(rng, delay * rng.uniform(0.8, 1.2)) for _ in stiffness),
        specimen=tuple(
            find("specimen", "spring_dashpot")(stiffness=s, damping=damping) for s in stiffness
        ),
        feedback=tuple(feedback(rng, delay, s) for s in stiffness),
        tick=tick,
        step=tick * per_step,
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
    left = np.abs(a * terms[-1])
    last = left > 1e-6 * left.max()
    return float(np.log(np.abs(z[last])).max())


def assert_same_growth(plan):
    found, seen = certify(plan, margins=False), simulated_rate(plan)
    assert found.nonlinear == ()
    rate = found.growth_rate
    assert abs(rate - seen) <= max(1e-3, 1e-3 * abs(seen)), (rate, seen)
    if abs(rate) > BAND and abs(seen) > BAND:
        assert found.verdict == ("proved" if seen < 0 else "unstable")


def test_every_linear_kind_is_drawn():
    drawn = set(compensators(np.random.default_rng(0), 5e-3, [1e5]))
    assert drawn == set(kinds("compensator")) - NONLINEAR


@settings(max_examples=30)
@given(seed=SEEDS)
def test_simulated_growth_is_that_of_the_dominant_root(seed):
    assert_same_growth(random_plan(seed))


@pytest.mark.slow
@settings(max_examples=400)
@given(seed=SEEDS)
def test_simulated_growth_is_that_of_the_dominant_root_for_many_plans(seed):
    assert_same_growth(random_plan(seed))


@pytest.mark.slow
@pytest.mark.parametrize("kind", sorted(compensators(np.random.default_rng(0), 5e-3, [1e5])))
@settings(max_examples=15)
@given(seed=SEEDS)
def test_simulated_growth_with_each_compensator(kind, seed):
    assert_same_growth(random_plan(seed, kind))
