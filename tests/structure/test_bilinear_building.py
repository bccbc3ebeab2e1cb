import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from rths.assembly.hybrid_test import HybridTest
from rths.errors import InputError
from rths.integrator.base import schemes
from rths.loop.solo import respond
from rths.registry import find
from rths.structure.bilinear_building import BilinearBuilding

BUILDING = {
    "masses": (2.0, 1.0),
    "stiffnesses": (900.0, 500.0),
    "yield_deformations": (0.01, 0.02),
    "hardening": (0.1, 0.05),
}


def forces(path, **fields):
    """Storey forces under floor displacements, from the restoring forces of the floors."""
    r = respond(BilinearBuilding(**{**BUILDING, **fields}).restoring(), path)
    return np.cumsum(r[:, ::-1], axis=1)[:, ::-1]


@given(a=st.floats(-0.009, 0.009), b=st.floats(-0.019, 0.019))
def test_below_yield_it_is_the_linear_building(a, b):
    building = BilinearBuilding(**BUILDING)
    x = np.array([a, a + b])
    assert_allclose(respond(building.restoring(), [x])[0], building.matrices()[2] @ x, atol=1e-13)


def test_one_storey_follows_the_loop_of_yield_unloading_and_reverse_yield():
    """k = 900, y = 10 mm, a = .1: after 3 y the elastic range is still 2 y wide."""
    d = np.array([0.01, 0.03, 0.02, 0.01, -0.03, 0.01])
    path = np.column_stack([d, d])  # the second storey stays undeformed
    s = forces(path)
    assert_allclose(s[:, 0], [9.0, 10.8, 1.8, -7.2, -10.8, 9.0], rtol=1e-12)
    assert_allclose(s[:, 1], 0.0, atol=1e-12)


def test_a_closed_cycle_between_plus_and_minus_u_costs_the_area_of_the_parallelogram():
    """4 (1 - a) k y (u - y) for each cycle."""
    u, (k, y, a) = 0.03, (900.0, 0.01, 0.1)
    turn = np.concatenate([np.linspace(-u, u, 2001)[1:], np.linspace(u, -u, 2001)[1:]])
    d = np.concatenate([np.linspace(0, -u, 501), turn, turn])
    s = forces(np.column_stack([d, d]))[:, 0]
    last = slice(len(d) - len(turn) - 1, None)
    work = np.sum((s[last][1:] + s[last][:-1]) / 2 * np.diff(d[last]))
    # the trapezoids cut the four corners, by at most a step of displacement times the kink
    assert work == pytest.approx(4 * (1 - a) * k * y * (u - y), rel=1e-3)


def test_a_start_beyond_yield_is_on_the_hardening_branch():
    s = forces([[0.03, 0.03]])
    assert s[0, 0] == pytest.approx(0.1 * 900 * 0.03 + 0.9 * 9.0)


def test_one_number_serves_all_storeys_and_no_hardening_is_a_plateau():
    s = forces([[0.05, 0.1]], yield_deformations=0.01, hardening=0.0)
    assert_allclose(s[0], [9.0, 5.0])


def driven(kind, dt, structure):
    integrator = find("integrator", kind)()
    return HybridTest(
        excitation=find("excitation", "sine")(amplitude=12.0, frequency=1.5, acting="force", dof=1),
        structure=structure,
        integrator=integrator,
        compensator=find("compensator", "none")(),
        transfer=find("transfer", "dead_time")(delay=0.0),
        specimen=find("specimen", "spring")(stiffness=100.0),
        feedback=find("feedback", "direct")(),
        tick=dt / integrator.stages,
        duration=2.0,
    )


def roof(kind, dt, structure):
    test = driven(kind, dt, structure)
    cycle = test.cycle("table")
    record = np.empty((test.clock.ticks, len(test.layout.record_slots)))
    assert cycle.advance(len(record), record) == len(record)
    first = 1  # the excitation is the first column, the floors follow
    return record[:: test.integrator.stages, first + 1]


@pytest.fixture(scope="module")
def fine():
    return roof("central_difference", 1e-4, BilinearBuilding(**BUILDING, damping_ratios=0.02))


@pytest.mark.parametrize("kind", schemes())
def test_every_integrator_finds_the_same_yielding_response(fine, kind):
    building = BilinearBuilding(**BUILDING, damping_ratios=0.02)
    found = roof(kind, 1e-3, building)
    assert np.abs(found - fine[::10]).max() < 5e-3 * np.abs(fine).max()
    elastic = find("structure", "shear_building")(
        masses=(2.0, 1.0), stiffnesses=(900.0, 500.0), damping_ratios=0.02
    )
    assert np.abs(roof(kind, 1e-3, elastic) - fine[::10]).max() > 0.2 * np.abs(fine).max()


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"yield_deformations": (0.01, 0.0)}, "must be above 0"),
        ({"yield_deformations": (0.01,) * 3}, "has 3 entries for 2 storey"),
        ({"hardening": (-0.1, 0.1)}, r"must lie in 0\.\.\.1"),
    ],
)
def test_what_does_not_fit_is_refused(fields, message):
    with pytest.raises(InputError, match=message):
        BilinearBuilding(**{**BUILDING, **fields})
