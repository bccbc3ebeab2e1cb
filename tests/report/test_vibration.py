"""Periods and damping: those of the papers, and doubts about what no structure has."""

from __future__ import annotations

from math import inf, isnan, pi, sqrt

import pytest

from rths.config.plan import load
from rths.config.template import FOLDER
from rths.report.vibration import vibrations_of
from rths.studies.wallace2005.three_ways import PLAN


def vibrations(plan=PLAN, **changes):
    return vibrations_of(load(plan, {k.replace("__", "."): v for k, v in changes.items()}))


def test_periods_and_damping_are_those_of_one_mass():
    found = vibrations()
    assert found.alone[0].period == pytest.approx(2 * pi * sqrt(2.2 / 2250))
    assert found.whole[0].period == pytest.approx(2 * pi * sqrt(2.2 / 4500))
    assert found.alone[0].damping == pytest.approx(15 / (2 * sqrt(2.2 * 2250)))
    assert found.whole[0].damping == pytest.approx(15 / (2 * sqrt(2.2 * 4500)))
    assert not found.doubts


def test_a_dashpot_of_the_specimen_adds_its_damping():
    dashpot = {"specimen.kind": "spring_dashpot", "specimen.stiffness": 2250.0}
    found = vibrations_of(load(PLAN, {**dashpot, "specimen.damping": 5.0}))
    # differences over a tick of 1/139 of a period: (2π/139)²/6 of the velocity
    assert found.whole[0].damping == pytest.approx(20 / (2 * sqrt(2.2 * 4500)), rel=5e-3)


@pytest.mark.parametrize(
    ("paper", "frequency", "damping"),
    [("carrion2006", 5.0, 0.02), ("wu2013", 1.0, 0.0)],  # of the whole, as printed
)
def test_the_whole_is_that_of_the_paper(paper, frequency, damping):
    found = vibrations(FOLDER / f"{paper}.toml")
    assert 1 / found.whole[0].period == pytest.approx(frequency, rel=2e-3)
    assert found.whole[0].damping == pytest.approx(damping, abs=2e-4)
    assert not found.doubts


def test_a_damper_whose_damping_depends_on_its_motion_has_no_ratio():
    assert isnan(vibrations(FOLDER / "londono2011.toml").whole[0].damping)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"structure__stiffness": 0.0, "specimen__stiffness": 0.0}, "no stiffness"),
        ({"structure__damping": 100.0}, "71 % without the specimen"),
        (
            {"structure__stiffness": 2.25, "specimen__stiffness": 2.25, "structure__mass": 8.0},
            "first period of 8.38",
        ),
        ({"structure__stiffness": 2.25}, "1e+03 times as stiff"),
        ({"structure__mass": 0.0022, "clock__tick": 1e-5}, "first period of 0.00439"),
    ],
)
def test_what_no_structure_has_is_doubted(changes, words):
    found = vibrations(**changes)
    assert any(words in doubt for doubt in found.doubts), found.doubts
    assert any("warning" in line for line in found.lines)


def test_a_peak_that_was_meant_in_g_is_doubted():
    motion = {"excitation.kind": "ground_motion", "excitation.acting": "ground_acceleration"}
    found = vibrations_of(load(PLAN, {**motion, "excitation.peak": 0.2}))
    assert "write 1.96" in found.doubts[0]
    assert not vibrations_of(load(PLAN, {**motion, "excitation.peak": 1.96})).doubts


def test_a_storey_without_stiffness_is_told():
    building = {
        "structure": {"kind": "shear_building", "masses": [1.0, 1.0], "stiffnesses": [2250.0, 0.0]},
        "excitation.acting": "ground_acceleration",
    }
    found = vibrations_of(load(PLAN, building))
    assert found.whole[0].period == inf
    assert "storey" in found.doubts[0]
