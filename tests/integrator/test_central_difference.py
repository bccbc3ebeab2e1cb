import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from rths.integrator.central_difference import CentralDifference
from rths.integrator.explicit_newmark import ExplicitNewmark
from rths.registry import find
from rths.report.integrator_accuracy import amplification


def roots(integrator, omega, **given):
    found = np.linalg.eigvals(amplification(integrator, omega, **given))
    return found[np.argsort(-np.abs(found))][:2]


@given(omega=st.floats(0.01, 1.99), share=st.floats(0.0, 1.0))
def test_an_undamped_wave_keeps_its_amplitude_and_turns_by_the_closed_form(omega, share):
    """2 sin(θ/2) = Ω, whatever part of the stiffness is the specimen's."""
    for integrator in (CentralDifference(), ExplicitNewmark()):
        found = roots(integrator, omega, specimen_share=share)
        assert_allclose(np.abs(found), 1.0, rtol=1e-9)
        assert_allclose(np.abs(np.angle(found)), 2 * np.arcsin(omega / 2), rtol=1e-6)


@pytest.mark.parametrize("integrator", [CentralDifference(), ExplicitNewmark()])
@pytest.mark.parametrize("share", [0.0, 0.35, 1.0])
def test_stable_up_to_omega_dt_of_two_and_not_beyond(integrator, share):  # C19
    at, above = (np.abs(roots(integrator, w, specimen_share=share)).max() for w in (2.0, 2.0001))
    assert at == pytest.approx(1.0, abs=1e-6)  # a double root: round-off enters as its square root
    assert above > 1.01


@pytest.mark.parametrize("zeta", [0.05, 0.5])
def test_damping_does_not_lower_the_limit_of_either(zeta):
    for integrator in (CentralDifference(), ExplicitNewmark()):
        assert np.abs(roots(integrator, 1.999, damping_ratio=zeta)).max() < 1.0
        assert np.abs(roots(integrator, 2.001, damping_ratio=zeta)).max() > 1.0


def test_a_test_beyond_the_limit_grows_and_one_below_does_not(small_test, run):  # C19
    def peak(omega_dt):
        structure = find("structure", "linear")(mass=2.0, damping=0.0, stiffness=300.0)
        dt = omega_dt / np.sqrt(700.0 / 2.0)  # 400 N/m are the specimen's
        test = small_test(
            "central_difference", dt, structure=structure, drive="free", duration=400 * dt
        )
        return np.abs(run(test)["structure.displacement"]).max()

    assert peak(1.99) < 0.3
    assert peak(2.01) > 1e10


def test_without_damping_it_is_explicit_newmark(small_test, run):
    structure = find("structure", "linear")(mass=2.0, damping=0.0, stiffness=300.0)
    a, b = (
        run(small_test(kind, 0.01, structure=structure))
        for kind in ("central_difference", "explicit_newmark")
    )
    for signal in ("integrator.target", "structure.velocity", "structure.acceleration"):
        assert_allclose(a[signal], b[signal], atol=1e-10 * np.abs(b[signal]).max())


def test_with_damping_the_two_differ(small_test, run):
    a, b = (run(small_test(kind, 0.01)) for kind in ("central_difference", "explicit_newmark"))
    assert np.abs(a["integrator.target"] - b["integrator.target"]).max() > 0.0
