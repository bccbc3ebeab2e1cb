from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from rths.loop.solo import respond
from rths.site import Site
from rths.specimen.saturating_spring import SaturatingSpring

K, A = 2250.0, 0.01
SPRING = SaturatingSpring(stiffness=K, saturation_displacement=A)


def force(x):
    return respond(SPRING.block(Site(1.0, 1.0)), x)[:, 0]


def test_it_is_linear_inside_and_constant_outside():
    x = np.array([-0.5, -0.0101, -0.01, -0.004, 0.0, 0.007, 0.01, 0.0101, 0.5])
    expected = np.where(x >= A, K * A, np.where(x <= -A, -K * A, K * x))
    assert_allclose(force(x), expected, rtol=1e-15)


@pytest.mark.parametrize("ratio", [1.5, 3.0, 10.0])
def test_the_first_harmonic_is_the_describing_function(ratio):
    n = 4096
    angle = 2 * np.pi * np.arange(n) / n
    f = force(ratio * A * np.sin(angle))
    first = 2 / n * np.sum(f * np.sin(angle)) / (K * ratio * A)
    r = 1 / ratio
    assert_allclose(first, 2 / np.pi * (np.arcsin(r) + r * np.sqrt(1 - r**2)), rtol=1e-6)


@pytest.mark.parametrize(
    ("delay", "amplitude", "period"),
    [(8e-3, 1.3535, 0.14663), (9.4e-3, 1.6519, 0.15229), (15e-3, 2.6883, 0.16675)],
)
def test_the_delayed_loop_settles_on_the_limit_cycle(
    free_response, delay, amplitude, period
):  # W16
    given = {"start": 0.5 * A, "delay": delay, "tick": 1e-4, "duration": 30.0}
    z = free_response(SPRING, 2.2, 15.0, 2250.0, **given)["displacement"]
    late = z[-40000:]
    up = np.flatnonzero((late[:-1] < 0) & (late[1:] >= 0))
    crossings = up - late[up] / (late[up + 1] - late[up])
    assert_allclose(late.max() / A, amplitude, rtol=5e-3)
    assert_allclose(np.diff(crossings).mean() * 1e-4, period, rtol=5e-3)


def test_below_the_critical_delay_the_loop_decays(free_response):  # 6.77 ms, W2
    given = {"start": 0.5 * A, "delay": 6.6e-3, "tick": 1e-4, "duration": 30.0}
    z = free_response(SPRING, 2.2, 15.0, 2250.0, **given)["displacement"]
    assert np.abs(z[-3000:]).max() < 0.5 * np.abs(z[:3000]).max()
