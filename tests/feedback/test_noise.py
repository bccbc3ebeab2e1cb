from __future__ import annotations

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats

from rths.assembly.hybrid_test import HybridTest
from rths.compensator.none import NoCompensation
from rths.excitation.free_vibration import FreeVibration
from rths.feedback._philox import philox
from rths.feedback.noise import Noise
from rths.integrator.central_difference import CentralDifference
from rths.loop.solo import respond
from rths.site import Site
from rths.specimen.spring import Spring
from rths.structure.linear import Linear
from rths.transfer.dead_time import DeadTime

H = 1e-3


def noise(n, seed=7, engine="table", **given):
    return respond(Noise(**given).block(Site(H, H, key=(seed,))), np.zeros(n), engine)[:, 0]


def test_the_generator_is_philox_4x32_10():
    """Known answers of the authors' own test file: counter and key of zeros."""
    assert philox(0, 0, 0, 0) == (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)


def test_the_numbers_are_gaussian_white_and_as_large_as_asked():
    z = noise(100_000, force=3.0) / 3.0
    assert_allclose(z.mean(), 0, atol=4 / np.sqrt(z.size))
    assert_allclose(z.std(), 1, atol=4 / np.sqrt(2 * z.size))
    assert stats.kstest(z, "norm").pvalue > 1e-3
    for lag in (1, 2, 17):
        assert abs(z[lag:] @ z[:-lag]) / z.size < 4 / np.sqrt(z.size)


def test_seed_and_sensor_decide_and_nothing_else():
    assert_array_equal(noise(50, force=1.0), noise(50, force=1.0))
    assert np.all(noise(50, force=1.0) != noise(50, seed=8, force=1.0))
    moved = respond(Noise(displacement=1.0).displacement_block(Site(H, H, key=(7,))), np.zeros(50))
    assert np.all(noise(50, force=1.0) != moved[:, 0])


def test_it_is_added_to_what_is_there_and_none_means_nothing_at_all():
    block = Noise(force=2.0).block(Site(H, H, key=(7,)))
    assert_allclose(
        respond(block, np.full(20, 100.0))[:, 0] - 100.0, noise(20, force=2.0), atol=1e-12
    )
    assert Noise().block(Site(H, H)) is None
    assert Noise().displacement_block(Site(H, H)) is None


def test_the_loops_agree_bit_for_bit():
    runs = [noise(300, force=1.0, engine=e) for e in ("interpreted", "table")]
    assert_array_equal(runs[0], runs[1])


def rig(**given):
    values = {
        "excitation": FreeVibration(displacement=(1e-3,)),
        "structure": Linear(
            mass=((1.0, 0.0), (0.0, 1.0)),
            damping=np.eye(2),
            stiffness=90 * np.eye(2),
            interface=(0, 1),
        ),
        "integrator": CentralDifference(),
        "compensator": NoCompensation(),
        "transfer": DeadTime(delay=0.0),
        "specimen": Spring(stiffness=50.0),
        "feedback": Noise(force=0.1, displacement=1e-5),
        "tick": H,
        "duration": 0.2,
        "record": (
            "feedback.force",
            "feedback.displacement",
            "specimen.force",
            "transfer.displacement",
        ),
    }
    return HybridTest(**values | given)


def ran(test, snapshot_at=None):
    cycle = test.cycle("table")
    rows = np.empty((test.clock.ticks, 8))
    if snapshot_at is None:
        cycle.advance(len(rows), rows)
        return rows
    cycle.advance(snapshot_at, rows[:snapshot_at])
    kept = cycle.snapshot()
    cycle.advance(len(rows) - snapshot_at, rows[snapshot_at:])
    cycle.restore(kept)
    again = np.empty((len(rows) - snapshot_at, 8))
    cycle.advance(len(again), again)
    assert_array_equal(again, rows[snapshot_at:])
    return rows


def test_a_restored_snapshot_goes_on_with_the_same_numbers():
    assert_array_equal(ran(rig(), snapshot_at=77), ran(rig()))


def test_channels_and_sensors_of_a_test_are_independent_and_follow_its_seed():
    rows = ran(rig())
    errors = np.column_stack([rows[:, :2] - rows[:, 4:6], (rows[:, 2:4] - rows[:, 6:]) * 1e4])
    assert_allclose(errors.std(axis=0), 0.1, rtol=0.2)
    assert np.abs(np.corrcoef(errors.T) - np.eye(4)).max() < 0.3
    other = ran(rig(seed=1))
    assert np.all(other[:, :2] - other[:, 4:6] != errors[:, :2])
