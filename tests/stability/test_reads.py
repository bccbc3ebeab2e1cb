"""What is read in a period: rows that follow from others, and steps of many ticks."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

import rths.stability.roots as roots_module
from benchmarks.margins.judge import change_margin
from rths.stability.cut_loop import CutLoop
from rths.stability.loop_change import roots_at_rest
from rths.stability.reads import skeleton


@pytest.mark.parametrize("rank", [0, 1, 3])
def test_rows_are_combinations_of_the_chosen_ones_at_any_scale_of_the_columns(rank):
    rng = np.random.default_rng(rank)
    rows = rng.standard_normal((12, rank)) @ rng.standard_normal((rank, 20))
    rows *= 10.0 ** rng.integers(-9, 9, 20)
    chosen, T = skeleton(rows)
    assert chosen.size == rank
    scale = np.abs(rows).max(axis=0)
    assert np.all(np.abs(T @ rows[chosen] - rows) <= 1e-12 * scale)


def test_rows_that_do_not_follow_from_others_are_all_kept():
    chosen, T = skeleton(np.eye(5) + 1e-9)
    assert chosen.tolist() == [0, 1, 2, 3, 4]
    assert_allclose(T, np.eye(5))


@pytest.mark.parametrize("ticks", [50, 100])
@pytest.mark.parametrize("links", ["direct", "filter"])
def test_a_step_of_many_ticks_has_the_roots_of_all_states(rig, make, monkeypatch, ticks, links):
    monkeypatch.setattr(roots_module, "DENSE", 10**6)  # all eigenvalues: another way
    fields = {"edge": 100.0, "order": 2} if links == "filter" else {}
    test = rig(
        integrator=make("integrator", "explicit_newmark"),
        compensator=make("compensator", "polynomial", delay=3e-3),
        transfer=make("transfer", "dead_time", delay=4e-3),
        feedback=make("feedback", links, **fields),
        step=ticks * 1e-4,
        tick=1e-4,
    )
    loop, seen = CutLoop(test, 60.0), set()
    late, strong = loop.opening("transfer"), loop.opening("specimen")
    assert max(late.pencil.small.size, strong.pencil.small.size) < ticks
    for opening, name, unit, values in (
        (late, "extra delay", 1e-4, (0.0, 7.3, 60.0)),
        (strong, "gain", 1.0, (0.5, 3.0, 20.0)),
    ):
        for value in values:
            z = roots_at_rest(change_margin(test, name, value * unit)).z
            count = int(np.sum(np.abs(z) > 1 + 1e-9))
            assert opening.count_unstable(value) == count
            seen.add(count > 0)
    assert seen == {True, False}
