"""Delay by least squares: U17."""

import numpy as np
import pytest

from rths.identification.least_squares_delay import delay_by_least_squares

H = 1e-3
T = H * np.arange(5000)


def sine(t, hertz=2.0):
    return np.sin(2 * np.pi * hertz * t)


def actuator_output(kind, t, tau, w=2 * np.pi):
    """Response from rest to sin(wt): dead time, or first order in closed form."""
    if kind == "dead time":
        return np.where(t >= tau, np.sin(w * (t - tau)), 0.0)
    transient = w * tau * np.exp(-t / tau)
    return (np.sin(w * t) - w * tau * np.cos(w * t) + transient) / (1 + (w * tau) ** 2)


@pytest.mark.parametrize(("kind", "target"), [("dead time", 0.0166), ("first order", 0.016543)])
def test_u17_least_squares_delay(kind, target):
    t = np.arange(25 * 1024) / 1024
    y = actuator_output(kind, t, 0.0166)
    found = delay_by_least_squares(np.sin(2 * np.pi * t), y, 1 / 1024)
    assert found.value == pytest.approx(target, abs=1e-5)


def test_the_printed_sign_of_equation_11_would_give_a_lead():
    x, y = sine(T), sine(T - 0.015)
    assert float(delay_by_least_squares(x, y, H)) > 0 > float(delay_by_least_squares(y, x, H))


def test_the_interval_holds_the_true_delay_in_95_of_100_noisy_tests():
    rng, inside = np.random.default_rng(5), 0
    t = H * np.arange(1500)
    for _ in range(200):
        x = sine(t)
        y = sine(t - 0.0123) + 0.02 * rng.normal(size=t.size)
        found = delay_by_least_squares(x, y, H, longest=0.03)
        inside += found.low <= 0.0123 <= found.high
    assert 180 <= inside <= 199  # binomial: 190 ± 3 standard deviations of 3.1
