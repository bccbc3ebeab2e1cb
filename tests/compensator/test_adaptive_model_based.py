from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.signal import butter, cont2discrete, lfilter, zpk2tf

from rths.compensator.adaptive_model_based import AdaptiveModelBased
from rths.errors import InputError
from rths.transfer.second_order import SecondOrder

H = 1 / 2048
ACTUATOR = SecondOrder(frequency=20.0, damping=0.7)
W0 = 2 * np.pi * 20.0
TRUE = np.array([1.0, 1.4 / W0, 1 / W0**2, 0.0])


def test_distance_from_the_true_coefficients_only_falls(drive, shake):
    # V = sum (Δθ)²/Γ never grows when the actuator is of the model's order and nothing is noisy
    compensator = AdaptiveModelBased(delay=0.009)
    theta = drive(compensator, ACTUATOR, shake(6.0, H), H)[3:].T
    V = np.sum((theta - TRUE) ** 2 / np.array(compensator.gains), axis=1)
    assert np.diff(V).max() < 1e-4 * V[0]
    assert V[-1] < 0.2 * V[0]


def derivatives_behind_the_filter(signal, edge=20.0):
    """s^i F of a signal that is straight between ticks, i = 0...3, by another implementation."""
    zero, pole, gain = butter(4, 2 * np.pi * edge, analog=True, output="zpk")
    rows = []
    for i in range(4):
        b, a, _ = cont2discrete(zpk2tf([*zero, *[0.0] * i], pole, gain), H, method="foh")
        rows.append(lfilter(np.ravel(b), a, signal))
    return np.array(rows)


def test_coefficients_follow_the_gradient_law(drive, shake):
    compensator = AdaptiveModelBased(delay=0.009)
    _, measured, command, *theta = drive(compensator, ACTUATOR, shake(2.0, H), H)
    phi, wanted = derivatives_behind_the_filter(measured), derivatives_behind_the_filter(command)[0]
    t, rate = np.array([theta_i[0] for theta_i in theta]), np.array(compensator.gains)
    for k in range(1, measured.size):  # at tick k the signals of the tick before are known
        error = wanted[k - 1] - t @ phi[:, k - 1]
        step = H * rate * phi[:, k - 1]
        t = t + step * error / (1 + step @ phi[:, k - 1])
    assert_allclose([theta_i[-1] for theta_i in theta], t, rtol=1e-5)


def test_tracking_improves_on_the_first_model(drive, shake):
    motion = shake(8.0, H)
    slow = AdaptiveModelBased(delay=0.009, gains=(1e-9,) * 4)
    left = [
        np.std((drive(c, ACTUATOR, motion, H)[0] - motion[:, 0])[-4096:])
        for c in (AdaptiveModelBased(delay=0.009), slow)
    ]
    assert left[0] < 0.1 * left[1]


def test_no_gain_is_too_large_for_the_tick(drive, shake):
    wild = AdaptiveModelBased(delay=0.009, gains=(1e12, 1e10, 1e6, 1e4))
    moved = drive(wild, ACTUATOR, shake(3.0, H), H)[0]
    assert np.abs(moved).max() < 0.02


def test_a_ramp_is_led_by_the_delay():
    from rths.loop.solo import respond
    from rths.site import Site

    block = AdaptiveModelBased(delay=0.01, gains=(0.0,) * 4).block(Site(tick=H, interval=H))
    t = np.arange(3000) * H
    out = respond(block, np.column_stack([t, np.ones_like(t), 0 * t]))
    assert_allclose(out[-1, 0], t[-1] + 0.01, rtol=1e-9)


def test_model_and_gains_must_be_complete():
    with pytest.raises(InputError):
        AdaptiveModelBased()
    with pytest.raises(InputError):
        AdaptiveModelBased(delay=0.01, gains=(1.0, 2.0))
