"""A run in a few lines, as the command prints it."""

from __future__ import annotations

import json

import numpy as np

from rths.records.timing import Timing
from rths.report.summary_text import summary_text


def test_the_summary_of_a_run_on_the_clock_never_speaks_of_times_real_time():
    times = np.full(100, 1e-5)
    timing = Timing(times, times, slips=1)
    summary = {
        "reason": "trip", "name": "rig", "message": "tripped at tick 250", "time": 3.0,
        "wall_seconds": 3.001, "real_time_factor": 0.9997, "peaks": [], "tracking": [],
        "warnings": [
            {"guard": "a", "first": 0.5, "samples": 2, "tripped": True, "furthest": 61.0}
        ],
        "signs": [{"channel": 0, "sign": "fast", "words": "the command moves 9 times as fast"}],
        "timing": {"counts": timing.counts, "percentiles": timing.percentiles},
    }  # fmt: skip
    told = summary_text(json.loads(json.dumps(summary)))
    assert "x real time" not in told
    assert (
        "rig: tripped at tick 250\n3 s of test on the clock, in 3.001 s: 1 period slipped" in told
    )
    assert told.endswith("warning for actuator[0]: the command moves 9 times as fast")
    assert "guard a tripped: first at 0.5 s, 2 sample(s), as far as 61" in told


def test_what_a_compensator_found_out_is_said_at_the_end():
    learnt = {"signal": "compensator.delay", "unit": "s", "first": 0.02, "last": 0.0251}
    summary = {
        "reason": "completed", "name": "rig", "message": "completed", "time": 3.0,
        "wall_seconds": 0.1, "real_time_factor": 30.0, "peaks": [], "tracking": [],
        "warnings": [], "signs": [], "estimates": [learnt],
    }  # fmt: skip
    told = summary_text(summary)
    assert "compensator.delay: 20 ms at the start, 25.1 ms at the end" in told


def test_a_signal_of_many_columns_is_one_line():
    ends = {"unit": "m", "largest": 1.0}
    wide = [
        {"signal": f"structure.displacement[{k}]", "smallest": -k / 1e3, **ends} for k in range(13)
    ]
    few = [{"signal": "feedback.force[0]", "unit": "N", "smallest": -2.0, "largest": 3.0}]
    summary = {
        "reason": "completed", "name": "rig", "message": "completed", "time": 3.0,
        "wall_seconds": 0.1, "real_time_factor": 30.0, "peaks": wide + few, "tracking": [],
        "warnings": [], "signs": [],
    }  # fmt: skip
    lines = summary_text(summary).splitlines()
    (line,) = [line for line in lines if "structure.displacement" in line]
    assert line.split() == ["structure.displacement,", "all", "13", "-12", "mm", "1000", "mm"]
    assert any(line.startswith("feedback.force[0]") for line in lines)
