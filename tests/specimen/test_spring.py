from __future__ import annotations

import numpy as np
import pytest

from rths.errors import InputError
from rths.loop.solo import respond
from rths.site import Site
from rths.specimen.spring import Spring

SITE = Site(tick=1e-3, interval=1e-3)


def test_the_force_is_stiffness_times_displacement_to_the_last_bit():
    x = np.random.default_rng(1).normal(size=50)
    assert np.array_equal(respond(Spring(stiffness=2250.0).block(SITE), x)[:, 0], 2250.0 * x)


def test_a_negative_stiffness_is_refused():
    with pytest.raises(InputError, match=r"specimen.stiffness = -1.*0 or more"):
        Spring(stiffness=-1.0)
