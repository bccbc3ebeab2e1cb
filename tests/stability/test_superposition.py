"""Linear at all times: superposition along the test finds what a look at rest does not."""

from __future__ import annotations

import pytest

from rths.stability.structural_modes import modes_of
from rths.stability.trial import Bench


@pytest.fixture(scope="module")
def superposes(rig, make):
    def ask(**given):
        quick = make("transfer", "dead_time", delay=5e-3)
        strong = make("excitation", "sine", amplitude=5.0, frequency=1.5)
        test = rig(**{"transfer": quick, "excitation": strong, **given})
        return Bench(test, modes_of(test)).superposes()

    return ask


def test_a_linear_loop_superposes_with_its_noise_on(superposes, make):
    assert superposes()
    assert superposes(feedback=make("feedback", "noise", force=1.0))


@pytest.mark.parametrize(
    ("role", "kind", "fields"),
    [
        ("transfer", "varying_dead_time", {"delay": 5e-3, "final_delay": 5.1e-3}),
        ("feedback", "fault", {"fault": "stuck", "start": 2.0, "duration": 0.02}),
        ("specimen", "saturating_spring", {"stiffness": 2250.0, "saturation_displacement": 0.01}),
    ],
)
def test_what_changes_or_saturates_does_not(superposes, make, role, kind, fields):
    assert not superposes(**{role: make(role, kind, **fields)})
