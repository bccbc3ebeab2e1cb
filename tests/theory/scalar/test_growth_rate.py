import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rths.errors import InputError
from rths.theory.scalar.growth_rate import growth_rate


@given(rate=st.floats(-0.3, 0.3), frequency=st.floats(0.8, 20), phase=st.floats(0, 6))
def test_a_pure_pair_is_recovered(rate, frequency, phase):
    t = np.arange(4000) * 5e-3
    signal = np.exp(rate * t) * np.cos(frequency * t + phase)
    assert abs(growth_rate(signal, 5e-3) - complex(rate, frequency)) < 1e-9 * frequency


def test_a_signal_that_does_not_oscillate_is_refused():
    with pytest.raises(InputError, match="zero"):
        growth_rate(np.exp(-np.linspace(0, 1, 100)), 0.01)
