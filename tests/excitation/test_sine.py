from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from rths.errors import InputError
from rths.excitation.sine import Sine


def test_it_is_the_sine_of_the_time_of_each_call(signal):
    t = 0.01 * np.arange(500)
    e = signal(Sine(amplitude=2.0, frequency=1.5, phase=0.3), 0.01, 500)
    assert_allclose(e[:, 0], 2 * np.sin(3 * np.pi * t + 0.3), atol=1e-12)


def test_a_support_motion_comes_with_its_velocity(signal):
    t = 0.01 * np.arange(500)
    wall = Sine(amplitude=2.0, frequency=1.5, phase=0.3, acting="support_displacement")
    e = signal(wall, 0.01, 500)
    assert_allclose(e[:, 1], 6 * np.pi * np.cos(3 * np.pi * t + 0.3), atol=1e-11)


def test_after_a_day_the_phase_is_still_right(signal):
    first = 86400 * 1024
    e = signal(Sine(amplitude=1.0, frequency=1.0), 1 / 1024, 8, first=first)
    assert_allclose(e[:, 0], np.sin(2 * np.pi * np.arange(8) / 1024), atol=1e-9)


def test_a_frequency_of_zero_is_refused():
    with pytest.raises(InputError, match=r"excitation.frequency = 0.*above 0"):
        Sine(amplitude=1.0, frequency=0.0)
