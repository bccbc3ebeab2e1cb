"""A motion that goes as others have gone to their end is not watched to its own."""

import tempfile
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

from benchmarks.certificates.plans import draw_plan
from rths.config.plan import load
from rths.stability.certificate import certify
from rths.stability.known_decays import ENOUGH, LAST, NEAR, SOONEST, KnownDecays

WINDOWS = np.arange(200)
RATE = 0.02


def decay(size, floor=0.0):
    return np.maximum(size * np.exp(-RATE * WINDOWS), floor).tolist()


def places(at=0.0):
    return [np.array([at, 0.0])] * WINDOWS.size


@pytest.fixture
def known():
    made = KnownDecays()
    for size in np.linspace(1.0, 2.0, ENOUGH):
        made.add(decay(size), places())
    return made


@pytest.mark.parametrize("n", [SOONEST, 50, 150])
def test_what_is_left_of_a_decay_is_foreseen(known, n):
    # decays at one rate are all alike but for their size: (2) is exact
    assert_allclose(known.foresee(decay(0.7)[:n], places()[:n]), decay(0.7)[-1], rtol=1e-12)


def test_nothing_is_foreseen_too_soon(known):
    assert known.foresee(decay(0.7)[: SOONEST - 1], places()[: SOONEST - 1]) is None


def test_a_motion_that_no_longer_falls_is_watched_on(known):
    kept = decay(0.7, floor=0.6)[:30]
    assert kept[-1] < decay(1.0)[0]
    assert known.foresee(kept, places()[:30]) is None


def test_a_motion_that_is_larger_than_the_known_ones_is_watched_on(known):
    assert known.foresee(decay(1.2)[:30], places()[:30]) is None  # two of three are larger
    assert known.foresee(decay(2.1)[:30], places()[:30]) is None


@pytest.mark.parametrize(("away", "same"), [(0.9 * NEAR, True), (1.1 * NEAR, False)])
def test_a_motion_about_another_place_is_watched_on(known, away, same):
    assert (known.foresee(decay(0.7)[:30], places(away)[:30]) is not None) == same


def test_what_comes_and_goes_foretells_nothing(known):
    comes_again = KnownDecays()
    for size in np.linspace(1.0, 2.0, ENOUGH):
        comes_again.add(decay(size)[:100] + decay(size), places() + places()[:100])
    assert comes_again.foresee(decay(0.7)[:50], places()[:50]) is None
    assert comes_again.foresee(decay(0.7)[:20], places()[:20]) is None
    assert known.foresee(decay(0.7)[:50], places()[:50]) is not None


def test_a_known_decay_must_have_been_watched_for_longer(known):
    longer = [*decay(0.7), *[1e-9] * LAST]
    assert known.foresee(longer, [*places(), *places()[:LAST]]) is None


@pytest.mark.parametrize("knows", [True, False])
def test_a_cycle_beside_slow_decays_is_met(monkeypatch, knows):
    # two actuators with a delay that swings at 7 Hz: four of ten pushes in the second mode lead to
    # a cycle of 2.4 motions, the others decay in 500 periods
    if not knows:
        monkeypatch.setattr(KnownDecays, "foresee", lambda *_: None)
    with tempfile.TemporaryDirectory() as folder:
        found = certify(load(draw_plan(1056141).write(Path(folder)), trust=True), margins=False)
    pushes = found.trial.count - len(found.trial.shadows)
    assert found.verdict == ("unstable" if knows else "undecided"), pushes
