from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from rths.errors import InputError
from rths.excitation.multi_sine import MultiSine
from rths.excitation.sine import Sine

THREE = {"amplitudes": (1.0, 0.5, 2.0), "frequencies": (0.5, 1.25, 3.0)}
PHASES = (0.0, 1.0, -0.4)


@pytest.mark.parametrize("acting", ["force", "support_displacement"])
def test_it_is_the_sum_of_its_sines(signal, acting):
    whole = signal(MultiSine(**THREE, phases=PHASES, acting=acting), 0.01, 700)
    parts = [
        signal(Sine(amplitude=a, frequency=f, phase=p, acting=acting), 0.01, 700)
        for a, f, p in zip(*THREE.values(), PHASES, strict=True)
    ]
    assert_allclose(whole, sum(parts), atol=1e-12)


def test_one_phase_holds_for_all(signal):
    one = signal(MultiSine(**THREE, phases=0.7), 0.01, 50)
    assert np.array_equal(one, signal(MultiSine(**THREE, phases=(0.7,) * 3), 0.01, 50))


def test_whole_multiples_of_a_frequency_repeat_with_its_period(signal):
    e = signal(MultiSine(**THREE), 0.01, 801)[:, 0]  # common period 4 s
    assert_allclose(e[400:], e[:401], atol=1e-11)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"frequencies": (1.0,)}, "one frequency in Hz for each amplitude"),
        ({"frequencies": (1.0, 0.0, 2.0)}, "above 0"),
        ({"phases": (0.0, 1.0)}, "Give one phase, or 3"),
    ],
)
def test_lists_that_do_not_fit_are_refused(change, complaint):
    with pytest.raises(InputError, match=complaint):
        MultiSine(**{**THREE, **change})
