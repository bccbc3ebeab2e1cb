"""Component modes: right for low frequencies, and the error that is told is the error there is."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.linalg import eigh

from rths.errors import InputError
from rths.structure._reduction import held_modes
from rths.structure.condensed import Condensed
from rths.structure.craig_bampton import CraigBampton

EI, LINE, LENGTH, PIECES = 1.2e7, 61.3, 3.0, 16


def cantilever():
    """A column of beam elements, clamped at its foot: deflection and rotation of each node."""
    h = LENGTH / PIECES
    k = [[12, 6 * h, -12, 6 * h], [6 * h, 4 * h**2, -6 * h, 2 * h**2]]
    k += [[-12, -6 * h, 12, -6 * h], [6 * h, 2 * h**2, -6 * h, 4 * h**2]]
    m = [[156, 22 * h, 54, -13 * h], [22 * h, 4 * h**2, 13 * h, -3 * h**2]]
    m += [[54, 13 * h, 156, -22 * h], [-13 * h, -3 * h**2, -22 * h, 4 * h**2]]
    K, M = np.zeros((2, 2 * PIECES + 2, 2 * PIECES + 2))
    for e in range(PIECES):
        at = slice(2 * e, 2 * e + 4)
        K[at, at] += EI / h**3 * np.array(k)
        M[at, at] += LINE * h / 420 * np.array(m)
    return M[2:, 2:], K[2:, 2:]


M, K = cantilever()
TIP = (2 * PIECES - 2, 2 * PIECES - 1)
GIVEN = {"mass": M, "stiffness": K, "damping_ratios": 0.0, "keep": TIP, "interface": TIP[:1]}


def frequencies(mass, stiffness):
    return np.sqrt(eigh(stiffness, mass, eigvals_only=True)) / (2 * np.pi)


def test_the_modes_of_what_is_held_are_those_of_a_beam_clamped_at_both_ends():
    gone = [i for i in range(len(M)) if i not in TIP]
    omega, shapes = held_modes(M, K, gone)
    exact = np.array([4.73004074, 7.85320462, 10.9956078]) ** 2 * np.sqrt(EI / LINE) / LENGTH**2
    # cubic elements of length h: (β h)^4/1440, 1.55e-4 of the third
    assert_allclose(omega[:3], exact, rtol=1.6e-4)
    assert_allclose(np.abs(shapes).max(axis=0), 1.0)


def test_with_eight_modes_the_cantilever_has_the_frequencies_of_the_textbook():
    m, _, k = CraigBampton(**GIVEN, modes=8).matrices()
    exact = np.array([1.87510407, 4.69409113, 7.85475744]) ** 2 * np.sqrt(EI / LINE) / LENGTH**2
    assert_allclose(2 * np.pi * frequencies(m, k)[:3], exact, rtol=1.5e-4)  # 4e-5 by the elements


def test_each_mode_brings_the_frequencies_down_to_those_of_the_full_model():
    full = frequencies(M, K)
    worst = []
    for count in (1, 2, 4, 8):
        m, _, k = CraigBampton(**GIVEN, modes=count).matrices()
        error = frequencies(m, k)[:3] / full[:3] - 1
        assert error.min() > -1e-9  # none comes out too low: Rayleigh's principle
        worst.append(error.max())
    assert np.all(np.diff(worst) < 0)
    assert worst[-1] < 1e-4


def test_with_all_modes_it_is_the_full_model():
    some = CraigBampton(**GIVEN, modes=len(M) - 2)
    m, _, k = some.matrices()
    assert_allclose(frequencies(m, k), frequencies(M, K), rtol=1e-7)
    tip = some.interface_rows() @ np.linalg.solve(k, some.interface_rows().T)
    assert_allclose(tip, LENGTH**3 / (3 * EI), rtol=1e-9)


def test_without_modes_it_is_static_condensation_and_statics_are_exact_with_any():
    bare = Condensed(**GIVEN)
    more = CraigBampton(**GIVEN, modes=2)
    for own, other in zip(bare.matrices(), more.matrices(), strict=True):
        assert_allclose(other[:2, :2], own, rtol=1e-10)
    _, _, k = more.matrices()
    assert np.abs(k[:2, 2:]).max() < 1e-9 * np.abs(k).max()  # modes and statics apart
    load = M @ np.ones(len(M))
    weight = more.transformation().T @ load
    moved = more.transformation() @ np.linalg.solve(k, weight)
    assert_allclose(moved[list(TIP)], np.linalg.solve(K, load)[list(TIP)], rtol=1e-8)


def test_a_ground_acceleration_keeps_its_load():
    some = CraigBampton(**GIVEN, modes=2)
    m, _, _ = some.matrices()
    load = some.transformation().T @ M @ np.ones(len(M))
    assert_allclose(m @ some.influence_vector(), load, rtol=1e-9)


@pytest.mark.parametrize("count", [0, 1, 3])
def test_the_error_that_is_told_is_that_of_the_frequency_response(count):
    """Frequencies by another solver, and compliances at frequencies of its own choice."""
    top = 150.0
    some = CraigBampton(**GIVEN, modes=count, up_to=top) if count else Condensed(**GIVEN, up_to=top)
    told = some.reduction()
    m, _, k = some.matrices()
    full, small = frequencies(M, K), frequencies(m, k)
    n = int(np.sum(full <= top))
    assert told.modes == n
    assert (told.full, told.reduced) == (len(M), 2 + count)
    assert told.frequencies == pytest.approx(np.abs(small[:n] / full[:n] - 1).max(), rel=1e-3)
    pick, rows = np.eye(len(M))[TIP[0]], some.interface_rows()[0]
    apart = size = 0.0
    for f in np.concatenate([np.linspace(0.0, top, 997), full[:n]]):
        w = 2 * np.pi * f
        there = pick @ np.linalg.solve(K * (1 + 0.02j) - w**2 * M, pick)
        here = rows @ np.linalg.solve(k * (1 + 0.02j) - w**2 * m, rows)
        apart, size = max(apart, abs(there - here)), max(size, abs(there))
    assert told.response == pytest.approx(apart / size, rel=0.1)  # 60 frequencies for 997


def test_without_a_frequency_it_is_judged_up_to_half_of_the_first_that_is_left_out():
    told = CraigBampton(**GIVEN, modes=2).reduction()
    gone = [i for i in range(len(M)) if i not in TIP]
    assert told.up_to == pytest.approx(held_modes(M, K, gone)[0][2] / (4 * np.pi), rel=1e-12)
    assert told.response < 0.02
    assert not told.doubt


def test_a_poor_reduction_is_doubted_and_one_without_loss_is_not():
    poor = Condensed(**GIVEN, up_to=600.0).reduction()
    assert "not all there" in poor.words
    assert poor.doubt.endswith("lower up_to.")
    mass = np.diag([1.0, 0.0, 2.0])
    chain = 100 * (2 * np.eye(3) - np.eye(3, k=1) - np.eye(3, k=-1))
    exact = Condensed(mass=mass, stiffness=chain, damping_ratios=0.0, keep=(0, 2)).reduction()
    assert "nothing that has mass is left out" in exact.words
    assert not exact.doubt


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"modes": 0}, "modes"),
        ({"modes": len(M) - 1}, "is more than the 30 modes"),
        ({"keep": (0, 0), "modes": 1}, "each once"),
        ({"keep": (99,), "modes": 1}, "must name some"),
    ],
)
def test_what_does_not_fit_is_refused(fields, message):
    with pytest.raises(InputError, match=message):
        CraigBampton(**{**GIVEN, **fields})
