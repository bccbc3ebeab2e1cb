from __future__ import annotations

import numpy as np
import pytest

from rths.errors import InputError
from rths.excitation.free_vibration import FreeVibration
from rths.site import Site


def test_one_number_is_for_all_degrees_of_freedom():
    d, v = FreeVibration(displacement=0.01, velocity=-2.0).initial(3)
    assert d.tolist() == [0.01] * 3
    assert v.tolist() == [-2.0] * 3


def test_each_degree_of_freedom_has_its_own():
    d, v = FreeVibration(displacement=(1.0, 2.0)).initial(2)
    assert d.tolist() == [1.0, 2.0]
    assert v.tolist() == [0.0, 0.0]


def test_there_is_no_signal_and_no_load():
    release = FreeVibration(displacement=1.0)
    assert release.outputs == 0
    assert release.block(Site(1.0, 1.0)) is None
    assert release.load(np.eye(3), np.eye(3), np.eye(3), np.ones(3)).shape == (3, 0)


def test_a_state_of_another_size_is_refused():
    with pytest.raises(InputError, match=r"excitation.displacement.*2 entries for 3"):
        FreeVibration(displacement=(1.0, 2.0)).initial(3)
