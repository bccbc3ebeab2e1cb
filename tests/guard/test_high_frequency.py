"""Chatter is heard at once and by its formula; a motion that is wanted is not heard at all."""

from __future__ import annotations

from math import pi, sqrt, tan

import numpy as np
import pytest
from numpy.testing import assert_allclose

from rths.errors import InputError
from rths.guard.high_frequency import HighFrequency
from rths.run.guard_suggestion import suggest_guards
from rths.run.virtual import simulate
from rths.site import Site

H = 1 / 1024
GIVEN = {"signal": "compensator.command", "lowest": 50.0}


def velocity_of(frequency, amplitude=1.0):
    """Give the amplitude of the difference quotient of a sine."""
    return 2 * amplitude * np.sin(pi * frequency * H) / H


@pytest.mark.parametrize("frequency", [100.0, 250.0, 400.0])
@pytest.mark.parametrize("growth", [0.0, 0.5, 5.0])
def test_chatter_gives_the_value_of_its_formula(judged, frequency, growth):
    g = HighFrequency(**GIVEN, window=0.2, trip=1e9)
    t = np.arange(round(3 / H)) * H
    grown = np.exp(growth * t)
    found = judged(g, grown * np.sin(2 * pi * frequency * t))[-500:, 1]
    law = grown[-500:] * velocity_of(frequency) / sqrt(2 * (1 + 2 * growth * 0.2))  # (3)
    # The filter passes (f/f_l)^8/(1 + (f/f_l)^8) of the power, 0.4 % less than all at 2 f_l; growth
    # widens its line, and the square beats within the window, 1/(8π f w) = 2 % at 100 Hz.
    assert_allclose(found, law, rtol=0.03)


def test_a_motion_below_the_edge_is_damped_by_the_fourth_power(judged):
    g = HighFrequency(**GIVEN, window=0.05, trip=1e9)  # forgets the onset within the 4 s
    t = np.arange(round(4 / H)) * H
    found = judged(g, np.sin(2 * pi * 5.0 * t))[-1024:, 1]  # five whole periods
    mean = np.sqrt(np.mean(found**2))
    damped = (tan(5.0 * pi * H) / tan(50.0 * pi * H)) ** 4  # of the bilinear transform
    assert mean == pytest.approx(velocity_of(5.0) / sqrt(2) * damped, rel=1e-3)


def test_it_has_no_past_to_fill(judged):
    g = HighFrequency(**GIVEN, trip=1e-9)
    assert judged(g, np.full(2000, 3.7))[:, 1].max() == 0.0
    t = np.arange(round(2 / H)) * H
    onset = 0.01 * np.sin(2 * pi * 1.5 * t)  # a test begins, with a kink
    begun = judged(g, onset)[:, 1]
    assert begun.max() < velocity_of(1.5, 0.01) / sqrt(2 * pi * 50.0 * g.window)  # lasts 1/ω of w


def test_a_swing_that_is_over_at_once_is_told_from_chatter_that_stays(judged):
    g = HighFrequency(**GIVEN, trip=1e9)
    t = np.arange(round(2 / H)) * H
    chatter = np.sin(2 * pi * 100.0 * t)
    swing = np.where((t >= 1.0) & (t < 1.04), chatter, 0.0)  # 40 ms, as of an adaptive law
    stays, swings = (judged(g, s)[:, 1].max() for s in (chatter, swing))
    # The mean (2) of a swing of d seconds is 1 - exp(-d/w) of the square, 0.125; its two ends, over
    # 1/ω_l each, add up to a tenth of it.
    assert swings / stays == pytest.approx(sqrt(1 - np.exp(-0.04 / g.window)), rel=0.15)


@pytest.mark.parametrize("frequency", [100.0, 200.0, 400.0])
def test_chatter_that_grows_for_seconds_trips_before_the_velocity_limit(rig, judged, frequency):
    test = rig(clock__duration=4.0)
    (found,) = (s.guard for s in suggest_guards(test, 1) if s.guard.kind == "high_frequency")
    motion = simulate(test)["compensator.command"][: 4 * 1024, 0]
    assert judged(found, motion)[:, 0].max() == 0
    t = np.arange(len(motion)) * H
    chatter = 1e-9 * np.exp(5.0 * t) * np.sin(2 * pi * frequency * t)
    levels = judged(found, motion + chatter)[:, 0]
    first = int(np.argmax(levels == 2))
    assert levels.max() == 2
    assert np.abs(np.diff((motion + chatter)[: first + 1])).max() / H < test.safety.velocity


LAB = """
[rig]
name = "wall"
[actuator]
stroke = 0.1
velocity = {velocity}
acceleration = 1e4
force = 1e4
"""


@pytest.mark.parametrize(
    ("noise", "room", "helps"),
    [(0.0, 1.2, False), (0.0, 1.7, True), (3.0, 1.5, False), (3.0, 3.0, True)],
)
def test_chatter_trips_before_the_limit_of_the_rig_or_no_guard_is_suggested(
    rig, judged, tmp_path, noise, room, helps
):
    """The limit of the laboratory counts as that of the plan does; noise may leave no room."""
    feedback = {"kind": "noise", "force": noise}
    plain = rig(clock__duration=4.0, feedback=feedback, safety={"rate": 0.02})
    motion = simulate(plain)["compensator.command"][: 4 * 1024, 0]
    fastest = room * np.abs(np.diff(motion)).max() / H
    (tmp_path / "wall.toml").write_text(LAB.format(velocity=fastest))
    test = plain.with_values({"rig": {"file": str(tmp_path / "wall.toml")}})
    found = [s.guard for s in suggest_guards(test, 1) if s.guard.kind == "high_frequency"]
    assert len(found) == helps
    t = np.arange(len(motion)) * H
    whole = motion + 1e-9 * np.exp(5.0 * t) * np.sin(2 * pi * 200.0 * t)
    too_fast = int(np.argmax(np.abs(np.diff(whole)) / H > fastest))
    for guard in found:
        assert 0 < int(np.argmax(judged(guard, whole)[:, 0] == 2)) < too_fast


def test_an_edge_beyond_half_of_the_rate_is_refused():
    with pytest.raises(InputError, match="half of 1024"):
        HighFrequency(signal="compensator.command", lowest=600.0, trip=1.0).block(Site(H, H))
