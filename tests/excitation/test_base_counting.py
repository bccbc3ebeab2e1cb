"""The convention of all excitations: the first state counts, and the signal follows from it."""

from __future__ import annotations

import numpy as np
import pytest

from rths.excitation.band_limited_noise import BandLimitedNoise
from rths.excitation.force_history import ForceHistory
from rths.excitation.ground_motion import GroundMotion
from rths.excitation.multi_sine import MultiSine
from rths.excitation.sine import Sine
from rths.excitation.sweep import Sweep
from rths.excitation.synthetic_ground_motion import SyntheticGroundMotion
from rths.site import Site

EACH = [
    BandLimitedNoise(rms=1.0, lowest_frequency=1.0, highest_frequency=10.0, length=4.0),
    ForceHistory(values=tuple(np.sin(np.arange(90.0))), step=0.03),
    GroundMotion(),
    MultiSine(amplitudes=(1.0, 2.0), frequencies=(0.7, 3.1)),
    Sine(amplitude=1.0, frequency=1.7),
    Sweep(amplitude=1.0, start_frequency=1.0, end_frequency=9.0, length=3.0, back=True),
    Sweep(amplitude=1.0, start_frequency=9.0, end_frequency=1.0, length=3.0, spacing="logarithmic"),
    SyntheticGroundMotion(peak=2.0, length=5.0, strong=3.0),
]
each = pytest.mark.parametrize("excitation", EACH, ids=lambda e: e.kind)


@each
@pytest.mark.parametrize("ahead", [1, 7, 400])
def test_a_copy_started_ahead_is_the_same_signal_earlier(signal, excitation, ahead):
    whole = signal(excitation, 0.01, 700)
    assert np.array_equal(signal(excitation, 0.01, 700 - ahead, first=ahead), whole[ahead:])


@each
def test_the_first_state_counts_the_calls_and_is_marked(excitation):
    block = excitation.block(Site(0.01, 0.01))
    assert block.states[0] == 0
    assert 0 in block.counters
    x = block.states.copy()
    for _ in range(5):
        block.kernel(x, block.params, np.zeros(0), np.zeros(block.outputs))
    assert x[0] == 5


@each
@pytest.mark.parametrize("engine", ["interpreted", "fused"])
def test_all_loops_agree_to_the_last_bit(signal, excitation, engine):
    table = signal(excitation, 0.01, 300)
    assert np.array_equal(signal(excitation, 0.01, 300, engine=engine), table)
