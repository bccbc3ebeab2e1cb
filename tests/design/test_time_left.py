"""Nothing is begun that would last beyond the end."""

from __future__ import annotations

from math import inf

import pytest

from rths.design import time_left
from rths.design.time_left import TimeLeft


@pytest.fixture
def clock(monkeypatch):
    """A clock that is set by hand."""
    now = [0.0]
    monkeypatch.setattr(time_left.time, "monotonic", lambda: now[0])
    return now


def test_a_part_as_long_as_the_longest_before_it_must_fit(clock):
    left = TimeLeft(10.0)
    assert left.allows()
    for length in (3.0, 1.0):
        with left.measure():
            clock[0] += length
    assert left.seconds == 6.0
    assert left.allows(kept=3.0)
    assert not left.allows(kept=3.1)
    clock[0] = 7.1  # less than 3 s are left, and one part has taken as long
    assert not left.allows()
    clock[0] = 11.0
    assert left.seconds == 0.0


def test_without_an_end_everything_fits():
    assert TimeLeft(inf).allows(kept=inf)


def test_what_ends_in_an_error_has_taken_its_time(clock):
    left = TimeLeft(10.0)

    def refuse():
        with left.measure():
            clock[0] += 6.0
            raise ValueError("refused")

    with pytest.raises(ValueError, match="refused"):
        refuse()
    assert not left.allows()
