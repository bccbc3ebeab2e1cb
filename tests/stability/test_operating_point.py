from __future__ import annotations

import numpy as np
import pytest

from rths.stability.loop_change import roots_at_rest
from rths.stability.operating_point import OperatingPoint, linearise_at, points_of
from rths.stability.roots import roots_of

OUT = OperatingPoint("sliding", 0.012, 0.5)
BACK = OperatingPoint("turned", 0.012, -0.5, turned=True)


@pytest.fixture(scope="module")
def loop(rig, make):
    def with_specimen(kind, **fields):
        delay = make("transfer", "dead_time", delay=5e-3)
        return rig(specimen=make("specimen", kind, **fields), transfer=delay)

    return with_specimen


def dominant(test, point):
    linear, steady = linearise_at(test, point)
    assert steady
    assert linear.differentiable
    return roots_of(linear).dominant


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("bilinear", {"stiffness": 2250.0, "yield_displacement": 0.004, "hardening": 0.1}),
        ("coulomb", {"friction": 9.0, "slip_displacement": 0.004}),
        ("saturating_spring", {"stiffness": 2250.0, "saturation_displacement": 0.004}),
    ],
)
def test_beyond_yield_the_loop_has_the_roots_of_the_tangent_stiffness(loop, kind, fields):
    tangent = fields.get("hardening", 0.0) * 2250.0
    yielding = dominant(loop(kind, **fields), OUT)
    assert abs(yielding - roots_at_rest(loop("spring", stiffness=tangent)).dominant) < 1e-6


@pytest.mark.parametrize("kind", ["bilinear", "coulomb"])
def test_after_a_turn_it_is_elastic_or_stuck_again(loop, kind):
    fields = {
        "bilinear": {"stiffness": 2250.0, "yield_displacement": 0.004},
        "coulomb": {"friction": 9.0, "slip_displacement": 0.004},
    }[kind]
    test = loop(kind, **fields)
    stiff = roots_at_rest(loop("spring", stiffness=2250.0)).dominant
    assert abs(dominant(test, BACK) - stiff) < 1e-5
    assert abs(roots_at_rest(test).dominant - stiff) < 1e-8


def test_a_power_law_damper_has_the_damping_of_its_velocity(loop):
    c, alpha, v = 15.0, 0.3, 0.5
    sliding = dominant(loop("power_law_damper", coefficient=c, exponent=alpha), OUT)
    tangent = {"stiffness": 0.0, "damping": c * alpha * v ** (alpha - 1)}
    assert abs(sliding - roots_at_rest(loop("spring_dashpot", **tangent)).dominant) < 1e-3


def test_a_yielding_storey_has_its_tangent_stiffness(rig, make):
    def frame(kind, stiffness, **fields):
        shared = {"masses": [1000.0] * 2, "damping": [[900.0, -300.0], [-300.0, 600.0]]}
        structure = make("structure", kind, stiffnesses=[stiffness] * 2, **shared, **fields)
        return rig(
            structure=structure,
            specimen=make("specimen", "spring", stiffness=1e5),
            transfer=make("transfer", "dead_time", delay=2e-3),
        )

    test = frame("bilinear_building", 4e5, yield_deformations=0.003, hardening=0.05)
    outwards = OperatingPoint("yielding", 0.2, 2.0)
    softer = roots_at_rest(frame("shear_building", 2e4)).dominant
    assert abs(dominant(test, outwards) - softer) < 1e-5


def test_points_lie_beyond_the_lengths_of_the_specimen(loop):
    test = loop("bilinear", stiffness=2250.0, yield_displacement=0.004)
    assert [p.displacement for p in points_of(test)] == pytest.approx([0.012] * 2)
    assert [np.sign(p.velocity) for p in points_of(test)] == [1, -1]
