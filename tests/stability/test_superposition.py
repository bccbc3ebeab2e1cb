"""Linear at all times: superposition along the test finds what a look at rest does not."""

from __future__ import annotations

import pytest

from rths.stability.bench import Bench
from rths.stability.certificate import certify
from rths.stability.structural_modes import modes_of


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


def test_a_fast_mode_is_moved_as_far_as_a_slow_one(rig, make):
    # half of its oil is lost in the test: 0.23 m/s are enough for 26 mm in mode 1, not in mode 2
    test = rig(
        excitation=make("excitation", "sine", amplitude=0.1, frequency=1.5),
        structure=make(
            "structure",
            "linear",
            mass=[[32.04, 0.0], [0.0, 18.14]],
            stiffness=[[9792.65, -4073.08], [-4073.08, 4073.08]],
            interface=(0,),
            rayleigh=(0.00986, 0.00986),
        ),
        integrator=make("integrator", "lsrt2", interface_stiffness=1466.5),
        transfer=make(
            "transfer",
            "fault",
            fault="oil_pressure_loss",
            start=1.5,
            size=0.23,
            actuator={"kind": "first_order", "time_constant": 5.285e-3},
        ),
        specimen=make("specimen", "spring_dashpot", stiffness=1466.5, damping=4.57),
        limits={"compensator.command": 0.05},
        tick=1 / 1024,
        step=2 / 1024,
    )
    found = certify(test, margins=False)
    assert found.verdict != "proved"
    assert found.trial.motion < 0.01
