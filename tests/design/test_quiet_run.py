"""The quiet after a test: noise is measured, chatter is seen."""

from __future__ import annotations

from dataclasses import replace
from math import inf

import pytest

from rths.design.quiet_run import run_quiet
from rths.registry import find


def rehearsal(bench, kind, **fields):
    return replace(bench.sets.base, compensator=find("compensator", kind)(**fields))


def test_a_prediction_without_noise_comes_to_rest(bench):
    found = run_quiet(rehearsal(bench, "polynomial", delay=0.0094))
    assert found.share < 1e-3
    assert not found.chatters


def test_a_loop_that_grows_is_lost_in_the_quiet(bench):
    assert run_quiet(rehearsal(bench, "none")).share == inf


def test_noise_of_the_force_is_seen_in_the_command(bench):
    calm = rehearsal(bench, "polynomial", delay=0.0094)
    noise = [
        run_quiet(replace(calm, feedback=find("feedback", "noise")(force=f))).share
        for f in (0.1, 0.2)
    ]
    assert 0 < noise[0] < noise[1]
    assert noise[1] / noise[0] == pytest.approx(2.0, rel=0.05)  # it is linear
