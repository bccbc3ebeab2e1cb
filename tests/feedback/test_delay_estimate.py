"""The online estimate of the delay: what it converges to, how fast, and what it cannot see."""

from __future__ import annotations

import numpy as np
import pytest

from rths.assembly.hybrid_test import HybridTest
from rths.errors import InputError
from rths.feedback.delay_estimate import DelayEstimate
from rths.loop.solo import respond
from rths.registry import find
from rths.run.virtual import simulate
from rths.site import Site

H = 1 / 1024


def motion(t):
    """Three tones that never repeat within the test."""
    return 0.01 * (np.sin(9.0 * t) + 0.5 * np.sin(13.7 * t + 1) + 0.3 * np.sin(22.1 * t + 2))


def estimated(delay, seconds=20.0, noise=0.0, **fields):
    """Run the block by itself; ``delay`` is a function of time."""
    t = np.arange(round(seconds / H)) * H
    measured = motion(t - delay(t)) + noise * np.random.default_rng(1).standard_normal(t.size)
    u = np.column_stack([np.ones_like(t), measured, motion(t)])
    y = respond(DelayEstimate(**fields).block(Site(H, H)), u)
    return t, y


@pytest.mark.parametrize("tau", [0.0, 4.3e-3, 15e-3, 0.03141, -8e-3, -0.0251])
def test_a_constant_delay_or_lead_is_met(tau):
    _, y = estimated(lambda t: tau + 0 * t)
    assert y[-1, 1] == pytest.approx(tau, abs=1e-6)  # the cubic leaves (ωh)³ of a sample


def test_after_a_jump_the_error_falls_by_e_in_every_memory():
    _, y = estimated(lambda t: np.where(t < 10.0, 0.002, 0.006), memory=2.0, seconds=15.0)
    error = np.abs(y[:, 1] - 0.006)
    at = [round(s / H) for s in (10.2, 14.2)]
    rate = np.log(error[at[0]] / error[at[1]]) / 4.0
    assert rate == pytest.approx(1 / 2.0, rel=0.1)  # equation (3); v²/P is 1 in the mean only


def test_a_drifting_delay_is_followed_at_the_distance_of_its_drift_times_memory():
    r, memory, reach = 0.4e-3, 1.0, 0.1
    t, y = estimated(lambda t: 5e-3 + r * t, memory=memory, longest=reach)
    behind = (5e-3 + r * t - y[:, 1])[t > 8]
    assert behind.mean() == pytest.approx(r * (memory + reach), rel=0.1)


def test_noise_moves_the_estimate_but_does_not_bias_it():
    found = [estimated(lambda t: 0.012 + 0 * t, noise=1e-4)[1][t0:, 1].mean() for t0 in (10000,)]
    assert found[0] == pytest.approx(0.012, abs=5e-5)


def test_a_quiet_target_teaches_nothing():
    u = np.zeros((4000, 3))
    u[:, 1] = 1e-6 * np.random.default_rng(0).standard_normal(4000)
    y = respond(DelayEstimate(initial=0.004).block(Site(H, H)), u)
    np.testing.assert_allclose(y[:, 1], 0.004, atol=1e-12)


def test_the_estimate_stays_within_its_range():
    _, y = estimated(lambda t: 0.05 + 0 * t, longest=0.02)
    assert np.abs(y[:, 1]).max() <= 0.02 + 1e-12
    assert y[-1, 1] == pytest.approx(0.02, abs=1e-3)


def test_in_a_hybrid_test_the_force_is_untouched_and_the_actuators_delay_is_reported():
    def rig(feedback):
        return HybridTest(
            excitation=find("excitation", "sine")(amplitude=1.0, frequency=1.5),
            structure=find("structure", "linear")(mass=2.2, damping=15.0, stiffness=2250.0),
            integrator=find("integrator", "central_difference")(),
            compensator=find("compensator", "none")(),
            transfer=find("transfer", "dead_time")(delay=0.0052),
            specimen=find("specimen", "spring")(stiffness=2250.0),
            feedback=feedback,
            tick=1e-3,
            duration=12.0,
        )

    with_it, without = simulate(rig(DelayEstimate())), simulate(rig(find("feedback", "direct")()))
    np.testing.assert_array_equal(with_it["feedback.force"], without["feedback.force"])
    assert with_it["feedback.delay"][-1, 0] == pytest.approx(0.0052, abs=1e-5)
    assert with_it.channel("feedback.delay").unit == "s"


def test_a_start_outside_the_range_is_refused():
    with pytest.raises(InputError, match=r"feedback\.initial.*seconds"):
        DelayEstimate(initial=0.2, longest=0.1)
