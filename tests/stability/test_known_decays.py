"""A motion that goes as others have gone to their end is not watched to its own."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from rths.stability.known_decays import ENOUGH, LAST, NEAR, SOONEST, KnownDecays

WINDOWS = np.arange(200)
RATE = 0.02


MATTERS = 0.02


def decay(size, floor=0.0, other=0.0):
    """Amplitudes of two channels."""
    first = np.maximum(size * np.exp(-RATE * WINDOWS), floor)
    return list(np.column_stack([first, np.full_like(first, other)]))


def places(at=0.0):
    return [np.array([at, 0.0])] * WINDOWS.size


@pytest.fixture
def known():
    made = KnownDecays(MATTERS)
    for size in np.linspace(1.0, 2.0, ENOUGH):
        made.add(decay(size), places())
    return made


@pytest.mark.parametrize("n", [SOONEST, 50, 150])
def test_what_is_left_of_a_decay_is_foreseen(known, n):
    # decays at one rate are all alike but for their size: (2) is exact
    assert_allclose(known.foresee(decay(0.4)[:n], places()[:n]), decay(0.4)[-1][0], rtol=1e-12)


def test_nothing_is_foreseen_too_soon(known):
    assert known.foresee(decay(0.4)[: SOONEST - 1], places()[: SOONEST - 1]) is None


def test_a_motion_that_falls_less_than_the_known_ones_is_watched_on(known):
    # it comes down to a cycle from above: smaller than all of them, and still falling
    kept = [0.1 + 0.5 * d for d in decay(0.4)[:20]]
    assert kept[-1][0] < min(decay(1.0)[19][0], kept[-2][0])
    assert known.foresee(kept, places()[:20]) is None


def test_a_motion_that_falls_faster_is_another_mode(known):
    faster = [0.4 * (d / d[0]) ** 2 * (1, 0) for d in decay(1.0)[:20]]
    assert known.foresee(faster, places()[:20]) is None


def test_what_the_tolerance_may_hide_must_not_matter():
    known = KnownDecays(MATTERS)
    for size in (5.0, 6.0, 7.0):
        known.add(decay(size), places())
    hidden = 0.05 * decay(2.0)[19][0]
    assert hidden > MATTERS
    assert known.foresee(decay(2.0)[:20], places()[:20]) is None
    assert known.foresee(decay(0.4)[:20], places()[:20]) is not None


@pytest.mark.parametrize(("other", "seen"), [(0.5 * MATTERS, False), (0.01 * MATTERS, True)])
def test_a_cycle_in_another_channel_is_watched_on(known, other, seen):
    assert (known.foresee(decay(0.4, other=other)[:30], places()[:30]) is not None) == seen


def test_a_motion_that_is_larger_than_the_known_ones_is_watched_on(known):
    assert known.foresee(decay(1.2)[:30], places()[:30]) is None  # two of three are larger
    assert known.foresee(decay(2.1)[:30], places()[:30]) is None


@pytest.mark.parametrize(("away", "same"), [(0.9 * NEAR, True), (1.1 * NEAR, False)])
def test_a_motion_about_another_place_is_watched_on(known, away, same):
    assert (known.foresee(decay(0.4)[:30], places(away)[:30]) is not None) == same


def test_what_comes_and_goes_foretells_nothing(known):
    comes_again = KnownDecays(MATTERS)
    for size in np.linspace(1.0, 2.0, ENOUGH):
        comes_again.add(decay(size)[:100] + decay(size), places() + places()[:100])
    assert comes_again.foresee(decay(0.4)[:50], places()[:50]) is None
    assert comes_again.foresee(decay(0.4)[:20], places()[:20]) is None
    assert known.foresee(decay(0.4)[:50], places()[:50]) is not None


def test_a_known_decay_must_have_been_watched_for_longer(known):
    longer = [*decay(0.4), *[np.array([1e-9, 0.0])] * LAST]
    assert known.foresee(longer, [*places(), *places()[:LAST]]) is None
