"""The bench of sweeps takes its measurements; what they are is the machine's matter."""

from __future__ import annotations

from benchmarks.sweep import measure


def test_it_measures():
    rows = measure(1, runs=4, cluster=False, results=2000)["rows"]
    assert set(rows) == {
        "rate of a sweep / bare engine, one core",
        "two threads / one thread",
        "runs a second, two threads",
        "memory at 1e6 results, MB",
    }
    assert all(row["value"] > 0 for row in rows.values())
