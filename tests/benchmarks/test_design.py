"""The bench of designs: its rigs are its own, and it says what it measured."""

from __future__ import annotations

import json

import numpy as np
import pytest

from benchmarks.design import FIRST, benchmark_bench, emulate_frame, rig_bench, tell_rows
from benchmarks.rigs.rig import DEVELOPMENT, JUDGING
from rths.problems.silva2020.problem import BUILT_IN, motion, reference


def test_its_seeds_are_apart():
    assert FIRST > JUDGING + 100_000 > DEVELOPMENT + 100_000
    assert rig_bench(FIRST).test.compensator.kind == "bounded_inverse"


@pytest.mark.slow
def test_the_frame_is_emulated_as_the_problem_does():
    test = benchmark_bench().test
    ours = emulate_frame(test)[:, 0]
    theirs = reference(1, motion(BUILT_IN, None))[: len(ours), 0]
    # the motion in the middle of a step instead of at its ends: (w h)²/8 at 25 Hz, 2e-4
    assert np.sqrt(np.mean((ours - theirs) ** 2) / np.mean(theirs**2)) < 1e-3


def test_bars_are_told(tmp_path):
    rows = [
        {"name": "a", "delay": 0.01, "kind": "x", "error": 0.011, "verdict": "tested",
         "seconds": 30.0, "cpu": 20.0, "lost": 0},
        {"name": "b", "delay": 0.02, "kind": None, "error": None, "verdict": None,
         "seconds": 40.0, "cpu": 20.0, "lost": None},
        {"name": "b", "long_error": None},
        {"name": "a", "long_error": 0.010},
        {"name": "c", "long_error": 0.020},  # not designed yet
    ]  # fmt: skip
    file = tmp_path / "design.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)) + "\n", encoding="utf-8")
    last = tell_rows(file)[-1]
    assert "2 designs, 1 chosen" in last
    assert "largest error / long search 1.100" in last
    with file.open("a", encoding="utf-8") as lines:
        lines.write(json.dumps({"name": "b", "long_error": 0.5}))
    assert "largest error / long search inf" in tell_rows(file)[-1]  # there was something safe
