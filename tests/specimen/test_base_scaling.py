from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from rths.errors import InputError
from rths.specimen.mr_elastic_plastic import MrElasticPlastic
from rths.specimen.spring import Spring

GIVEN = {"start": 5e-3, "delay": 2e-3, "tick": 1e-3, "duration": 1.0}


def test_the_small_spring_stands_for_the_column_of_the_frame(free_response):  # C18
    scale = 3610 / 41.0
    assert_allclose(scale, 88.05, rtol=1e-3)
    mass = (3.61e6 + 6.65e6) / (2 * np.pi * 5) ** 2
    frame = (mass, 0.02 * 2 * np.sqrt(mass * 10.26e6), 6.65e6)
    small = free_response(Spring(stiffness=41.0e3, force_scale=scale), *frame, **GIVEN)
    large = free_response(Spring(stiffness=3.61e6), *frame, **GIVEN)
    for name in small:
        assert_allclose(small[name], large[name], rtol=0, atol=1e-9 * np.abs(large[name]).max())


def test_a_length_scale_shrinks_the_motion_of_the_specimen(free_response):
    steel = MrElasticPlastic(slip_force=100.0, slip_displacement=1e-3, damping=0.0)
    large = free_response(steel, 10.0, 0.0, 1e5, **GIVEN)["force"]
    half = replace(steel, slip_displacement=0.5e-3, length_scale=2.0)
    assert_allclose(free_response(half, 10.0, 0.0, 1e5, **GIVEN)["force"], large, rtol=1e-9)
    assert np.ptp(large) > 199  # it did slip both ways


def test_one_damper_stands_for_six(free_response):
    one = MrElasticPlastic(slip_force=180e3, slip_displacement=5e-3, damping=100e3)
    six = replace(one, slip_force=6 * 180e3, damping=6 * 100e3)
    frame = (611.897e3, 0.0, 36.007e6)
    given = {**GIVEN, "start": 0.03}
    alone = free_response(replace(one, count=6), *frame, **given)
    joined = free_response(six, *frame, **given)
    for name in alone:
        assert_allclose(alone[name], joined[name], rtol=0, atol=1e-9 * np.abs(joined[name]).max())


def test_scale_and_count_multiply(free_response):
    frame = (10.0, 0.0, 1e4)
    both = free_response(Spring(stiffness=10.0, force_scale=50.0, count=4), *frame, **GIVEN)
    plain = free_response(Spring(stiffness=2000.0), *frame, **GIVEN)
    assert_allclose(both["force"], plain["force"], rtol=0, atol=1e-11)


@pytest.mark.parametrize("field", ["force_scale", "length_scale", "count"])
def test_a_scale_of_zero_is_refused(field):
    with pytest.raises(InputError, match=field):
        Spring(stiffness=1.0, **{field: 0})
