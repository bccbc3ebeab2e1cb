"""The quick way to a variation gives what the slow way gives, for every variation."""

from __future__ import annotations

from importlib import import_module

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rths.assembly.hybrid_test import CHANNEL_ROLES
from rths.assembly.variation import WIRED, Variation


def arenas(test, variations):
    """Give the arena of each variation and the one of a test made anew."""
    source = Variation(test, variations)
    pairs = []
    for values in variations:
        varied, anew = source.vary(values), test.with_values(dict(values))
        assert varied.layout.recorded == anew.layout.recorded
        assert (varied.tick, varied.ticks) == (anew.tick, anew.clock.ticks)
        pairs.append((varied.arena, anew.layout.initial))
    return source, pairs


def assert_equal(pairs):
    for quick, slow in pairs:
        assert quick.tobytes() == slow.tobytes()


@given(st.lists(st.tuples(st.floats(0, 0.05), st.floats(0, 1e4)), min_size=1, max_size=5))
def test_values_of_blocks_take_the_quick_way(rig, values):
    variations = [{"transfer.delay": d, "specimen.stiffness": k} for d, k in values]
    source, pairs = arenas(rig(), variations)
    assert source.shares_layout
    assert all(
        source.vary(v).layout is rig_layout
        for v in variations
        for rig_layout in [source.test.layout]
    )
    assert_equal(pairs)


CASES = {
    "the load of the equation": ("excitation.acting", ["ground_acceleration", "force"]),
    "how many devices there are": ("specimen.count", [1, 2]),
    "a scale of force": ("specimen.force_scale", [1.0, 2.0]),
    "a scale of length": ("specimen.length_scale", [1.0, 2.0]),
    "the mass": ("structure.mass", [((2.2,),), ((3.0,),)]),
    "the duration": ("duration", [0.2, 0.3]),
    "the tick": ("tick", [1e-3, 5e-4]),
    "the seed": ("seed", [0, 1]),
    "a delay with another ring": ("transfer.delay", [0.003, 0.2]),
}


@pytest.mark.parametrize(("path", "values"), CASES.values(), ids=CASES.keys())
@pytest.mark.parametrize("order", [(0, 1), (1, 0), (0, 1, 0), (0, 1, 1, 0), (0, 0, 1, 0, 0)])
def test_whatever_changes_and_wherever_it_stands_in_the_list(rig, make, path, values, order):
    test = rig(feedback=make("feedback", "noise", force=1.0)) if path == "seed" else rig()
    assert_equal(arenas(test, [{path: values[k]} for k in order])[1])


def test_initial_state_is_not_only_that_of_the_excitation(rig, make):
    test = rig(excitation=make("excitation", "free_vibration", displacement=0.01))
    assert_equal(arenas(test, [{"excitation.displacement": d} for d in (0.01, 0.02, 0.01)])[1])


def test_measured_displacement_is_a_block_too(rig, make):
    test = rig(
        compensator=make("compensator", "adaptive_inverse", alpha=5.0, proportional=100.0),
        feedback=make("feedback", "noise", force=1.0, displacement=1e-6),
    )
    assert_equal(arenas(test, [{"feedback.displacement": s} for s in (1e-6, 1e-3, 1e-6)])[1])


def test_preview_of_the_excitation_is_part_of_the_wiring(rig, make):
    model = make("compensator", "model_based", delay=0.008, interface_stiffness=2250.0)
    test = rig(compensator=model, step=4e-3)
    assert_equal(arenas(test, [{"compensator.delay": d} for d in (0.008, 0.012, 0.008)])[1])


def test_excitation_that_is_known_ahead_is_more_than_one_block(rig, make):
    model = make("compensator", "model_based", delay=0.008, interface_stiffness=2250.0)
    test = rig(compensator=model, step=4e-3)
    assert_equal(arenas(test, [{"excitation.amplitude": a} for a in (1.0, 2.0, 1.0)])[1])


def test_paths_may_differ_from_run_to_run(rig):
    variations = [
        {},
        {"specimen.count": 2},
        {"transfer.delay": 0.001},
        {"specimen.stiffness": 1.0},
        {},
    ]
    assert_equal(arenas(rig(), variations)[1])


def test_each_actuator_by_itself(rig, building, make):
    pair = tuple(make("transfer", "dead_time", delay=d) for d in (0.002, 0.007))
    test = rig(structure=building(0, 1), transfer=pair)
    variations = [{"transfer.1.delay": d} for d in (0.007, 0.003, 0.007)]
    source, pairs = arenas(test, variations)
    assert source.shares_layout
    assert_equal(pairs)


def test_variations_do_not_share_memory(rig):
    source = Variation(rig(), [{"transfer.delay": 0.001}, {"transfer.delay": 0.002}])
    one, other = (source.vary({"transfer.delay": d}).arena for d in (0.001, 0.002))
    assert not np.shares_memory(one, other)
    assert not np.shares_memory(one, source.test.layout.initial)


def test_what_the_wiring_takes_from_a_description_is_declared_by_some_role():
    roles = [import_module(f"rths.{role}.base") for role in CHANNEL_ROLES]
    bases = [getattr(m, r.capitalize()) for m, r in zip(roles, CHANNEL_ROLES, strict=True)]
    for name in WIRED:
        assert any(name in vars(base) or name in base.__annotations__ for base in bases), name
