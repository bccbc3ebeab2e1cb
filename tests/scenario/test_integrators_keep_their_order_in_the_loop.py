"""Integrators inside the loop, part of the stiffness in the specimen: limit (C19) and order."""

from __future__ import annotations

import numpy as np
import pytest

from rths.integrator.base import schemes
from rths.registry import find
from rths.run.virtual import simulate

EXPLICIT = [k for k in schemes() if find("integrator", k).stability_limit == 2.0]
M, C, K, KS = 2.2, 15.0, 2250.0, 1750.0


@pytest.fixture(scope="module")
def joined(released, make):
    """Structure and specimen without a delay between them."""

    def test(integrator, step, *, damping=C, ticks=1, duration=1.0, displacement=0.01):
        return released(
            make("structure", "linear", mass=M, damping=damping, stiffness=K),
            KS,
            displacement,
            integrator=make("integrator", integrator),
            transfer=make("transfer", "dead_time", delay=0.0),
            tick=step / ticks,
            step=step,
            duration=duration,
            record=("structure.displacement", "structure.velocity"),
        )

    return test


@pytest.mark.parametrize("integrator", EXPLICIT)
@pytest.mark.parametrize("ticks", [1, 5])
def test_c19_loop_is_stable_up_to_omega_dt_of_two(joined, integrator, ticks):
    omega = np.sqrt((K + KS) / M)
    peaks = {}
    for product in (1.999, 2.001):
        step = product / omega
        test = joined(integrator, step, damping=0.0, ticks=ticks, duration=2000 * step)
        x = simulate(test.with_values({"limits": {"compensator.command": 1e9}}))
        peaks[product] = np.abs(x["structure.displacement"]).max()
    assert peaks[1.999] < 0.01 * 40  # bounded: at the limit it beats, by 1/sqrt(1 - (product/2)²)
    assert peaks[2.001] > 1e6


def exact(t, displacement):
    """Free response of the whole, the spring included."""
    omega, zeta = np.sqrt((K + KS) / M), C / (2 * np.sqrt((K + KS) * M))
    damped = omega * np.sqrt(1 - zeta**2)
    decay = displacement * np.exp(-zeta * omega * t)
    return decay * (np.cos(damped * t) + zeta * omega / damped * np.sin(damped * t))


@pytest.mark.parametrize("integrator", EXPLICIT)
@pytest.mark.parametrize("ticks", [1, 4])
def test_order_of_convergence_is_two(joined, integrator, ticks):
    steps = 0.5 / np.array([125, 250, 500, 1000, 2000])
    errors = []
    for step in steps:
        record = simulate(joined(integrator, step, ticks=ticks, duration=0.5))
        x, t = record["structure.displacement"][:, 0], record.time("structure.displacement")
        errors.append(np.abs(x - exact(t, 0.01)).max())
    order = np.polyfit(np.log(steps), np.log(errors), 1)[0]
    assert order == pytest.approx(2.0, abs=0.1)
    assert errors[-1] < 1e-3 * 0.01


@pytest.mark.parametrize("integrator", EXPLICIT)
def test_order_is_two_with_a_load_as_well(joined, make, integrator):
    """Ground acceleration, against the finest run extrapolated by Richardson."""
    sine = make("excitation", "sine", amplitude=1.0, frequency=4.0, phase=0.7)
    ends = []
    for n in (100, 200, 400, 800, 1600):
        test = joined(integrator, 0.5 / n, duration=0.5).with_values({"excitation": sine})
        ends.append(simulate(test)["structure.displacement"][-1, 0])
    limit = ends[-1] + (ends[-1] - ends[-2]) / 3
    errors = np.abs(np.array(ends[:-1]) - limit)
    orders = np.log2(errors[:-1] / errors[1:])
    assert orders == pytest.approx(2.0, abs=0.1)


def test_a_delay_of_one_step_costs_an_order(joined, make):
    """The test above can fail: a force that comes a step late makes the scheme first order."""
    errors = []
    for n in (250, 500, 1000):
        test = joined("central_difference", 0.5 / n, duration=0.5)
        late = test.with_values({"transfer": make("transfer", "dead_time", delay=0.5 / n)})
        x = simulate(late)
        t = x.time("structure.displacement")
        errors.append(np.abs(x["structure.displacement"][:, 0] - exact(t, 0.01)).max())
    assert np.polyfit(np.log([4.0, 2.0, 1.0]), np.log(errors), 1)[0] == pytest.approx(1.0, abs=0.1)
