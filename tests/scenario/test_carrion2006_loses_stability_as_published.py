"""Carrion and Spencer: where the loop with central differences loses stability.

Numbers C1, C2, C6 and C9: kp = 3.61e6, kn = 6.65e6 N/m, zeta = 0.02, delay 12.4 ms, dt = 6.2 ms.
"""

from __future__ import annotations

from math import pi

import pytest
from scipy.optimize import brentq

from rths.compensator._past import P
from rths.compensator.polynomial import weights
from rths.site import Site
from rths.theory.step.dead_time import first_unstable_frequency
from rths.theory.step.extrapolated_loop import critical_extrapolated_delay, energy_balance_frequency

ZETA, SHARE, DELAY, DT = 0.02, 3.61 / (3.61 + 6.65), 12.4e-3, 6.2e-3


@pytest.fixture(scope="module")
def rig(released, make):
    actuators = {
        "dead time": make("transfer", "dead_time", delay=DELAY),
        "C7": make("transfer", "second_order", frequency=31.240, damping=0.76499, delay=4.2621e-3),
    }

    def whole_at(frequency, actuator="dead time", spacing=None, **given):
        compensator = make("compensator", "none")
        if spacing is not None:
            compensator = make("compensator", "polynomial", delay=DELAY, spacing=spacing)
        return released(
            make("structure", "published", name="carrion2006", frequency=frequency),
            3.61e6,
            1e-3,
            transfer=actuators[actuator],
            compensator=compensator,
            limits={"compensator.command": 1e3},
            **{"tick": DT, "step": DT, "duration": 20.0, **given},
        )

    return whole_at


def test_c1_limit_of_the_energy_balance():
    limit = energy_balance_frequency(ZETA, SHARE, DELAY)
    assert limit == pytest.approx(2 * ZETA / (2 * pi * SHARE * DELAY), rel=1e-6)
    assert limit == pytest.approx(1.4591, abs=5e-5)


def test_c2_limit_of_the_delay_equation():
    limit = critical_extrapolated_delay(ZETA, SHARE, 0) / (2 * pi * DELAY)
    assert limit == pytest.approx(1.4623, rel=1e-4)


def test_c2_loop_changes_from_decay_to_growth(rig, rate):
    limit = brentq(lambda f0: rate(rig(f0), 5.0), 1.45, 1.47, xtol=1e-5)
    assert limit == pytest.approx(1.4615, abs=1e-3)
    assert limit == pytest.approx(first_unstable_frequency(DT, ZETA, SHARE, 2), rel=1e-4)


@pytest.mark.parametrize("ramp", ["linear", "hold"])
def test_c2_dead_time_of_whole_steps_returns_whole_commands_at_any_tick(rig, rate, ramp):
    below, above = (rig(f0, tick=DT / 62, ramp=ramp) for f0 in (1.4605, 1.4625))
    assert rate(below, 5.0) < 0 < rate(above, 5.0)


def test_c6_weights_of_the_cubic_are_whole_numbers(make):
    for spacing, expected in ((DELAY, [4, -6, 4, -1]), (DT, [10, -20, 15, -4])):
        compensator = make("compensator", "polynomial", delay=DELAY, spacing=spacing)
        block = compensator.block(Site(tick=DT, interval=DT, stage=DT))
        assert P.unpack(block.params)["weights"].tolist() == expected
    assert weights(3, 1.0) == [4, -6, 4, -1]
    assert weights(3, 2.0) == [10, -20, 15, -4]


@pytest.mark.parametrize(
    ("actuator", "ramp", "spacing", "first"),
    [
        ("dead time", "linear", None, 1.5),
        ("dead time", "linear", DELAY, 13.0),
        ("dead time", "linear", DT, 12.5),
        ("C7", "linear", None, 1.6),
        ("C7", "linear", DELAY, 14.0),
        ("C7", "linear", DT, 19.0),
        ("C7", "hold", None, 1.2),
        ("C7", "hold", DELAY, 13.5),
        ("C7", "hold", DT, 17.5),
    ],
)
def test_c9_first_unstable_frequency_on_the_grid(rig, rate, actuator, ramp, spacing, first):
    grid = 0.1 if first < 3 else 0.5
    ticks = 1 if actuator == "dead time" else 62
    tried = [first + k * grid for k in (-2, -1, 0, 1)]
    tests = [rig(f, actuator, spacing, tick=DT / ticks, ramp=ramp) for f in tried]
    unstable = [rate(test, 10.0) > 0 for test in tests]
    assert not unstable[0]
    assert unstable[3]
    assert unstable == sorted(unstable), "once lost, it stays lost"
