"""A sensor that fails does so from its time on, by its size, and is itself before and after."""

from __future__ import annotations

import numpy as np
import pytest

from rths.errors import InputError
from rths.feedback.fault import Fault
from rths.loop.solo import respond
from rths.site import Site

H = 1e-3
SITE = Site(tick=H, interval=H, key=(5,))
U = np.sin(0.05 * np.arange(400))


def shown(fault, start=0.1, size=0.0, duration=0.1, engine="table"):
    block = Fault(fault=fault, start=start, size=size, duration=duration).block(SITE)
    return respond(block, U, engine)


@pytest.mark.parametrize("fault", ["stuck", "drift", "jump", "nan", "lost", "late"])
def test_it_is_in_good_order_before_and_after(fault):
    y = shown(fault, size=1.0 if fault == "lost" else 0.02)[:, 0]
    assert np.array_equal(y[:100], U[:100])
    assert np.array_equal(y[200:], U[200:])
    assert not np.array_equal(y[100:200], U[100:200])


def test_each_does_what_its_formula_says():
    now, t = slice(100, 200), H * np.arange(100)
    assert np.all(shown("stuck")[now, 0] == U[99])
    np.testing.assert_allclose(shown("drift", size=3.0)[now, 0], U[now] + 3.0 * t, rtol=1e-12)
    assert np.array_equal(shown("jump", size=2.0)[now, 0], U[now] + 2.0)
    assert np.isnan(shown("nan")[now, 0]).all()
    assert np.all(shown("lost", size=1.0)[now, 0] == U[99])


def test_lost_samples_are_repeated_counted_and_as_many_as_the_chance_says():
    block = Fault(fault="lost", start=0.0, size=0.3).block(SITE)
    u = np.arange(20_000.0)
    y, missed = respond(block, u).T
    lost = y != u
    assert np.array_equal(missed > 0, lost)
    assert np.array_equal(missed, u - y)  # each repetition is one older
    assert abs(lost.mean() - 0.3) < 4 * np.sqrt(0.21 / 20_000)


def test_late_samples_are_up_to_their_size_old_and_never_from_the_future():
    block = Fault(fault="late", start=0.1, size=0.02).block(SITE)
    u = np.arange(20_000.0)
    age = u - respond(block, u)[:, 0]
    assert set(age[100:].tolist()) == set(range(21))


@pytest.mark.parametrize("fault", ["stuck", "drift", "jump", "nan", "lost", "late"])
def test_all_loops_agree(fault):
    size = 0.5 if fault == "lost" else 0.02
    first = shown(fault, size=size)
    for engine in ("fused", "interpreted"):
        assert np.array_equal(first, shown(fault, size=size, engine=engine), equal_nan=True)


def test_only_the_sensor_it_names_fails():
    fault = Fault(fault="jump", start=0.0, size=1.0, sensor="displacement")
    assert np.array_equal(respond(fault.block(SITE), U)[:, 0], U)
    assert np.array_equal(respond(fault.displacement_block(SITE), U)[:, 0], U + 1.0)
    assert Fault(fault="jump", start=0.0).displacement_block(SITE) is None


@pytest.mark.parametrize(("fault", "size"), [("lost", 1.5), ("lost", -0.1), ("late", -1e-3)])
def test_a_size_that_is_none_is_refused(fault, size):
    with pytest.raises(InputError, match=r"feedback\.size"):
        Fault(fault=fault, start=0.0, size=size)
