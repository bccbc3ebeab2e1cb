"""One operator at a time."""

from __future__ import annotations

import pytest

from rths.cockpit.seat import KEPT, Seat
from rths.errors import InputError


@pytest.fixture
def now():
    return [100.0]


@pytest.fixture
def seat(now):
    return Seat(lambda: now[0])


def test_one_sits_and_the_other_does_not(seat):
    seat.take(1, "Ada")
    assert seat.sits(1)
    with pytest.raises(InputError, match="has the seat"):
        seat.take(2, "Bob")
    assert not seat.sits(2)
    seat.leave(1, for_good=True)
    seat.take(2, "Bob")
    assert (seat.name, seat.sits(1)) == ("Bob", False)


def test_a_reload_comes_back_by_its_secret_and_nobody_else_does(seat, now):
    secret = seat.take(1, "Ada")
    seat.leave(1, for_good=False)
    now[0] += 0.5 * KEPT
    for wrong in ("", "guess", secret[:-1], secret + "0"):
        with pytest.raises(InputError):
            seat.take(2, "Bob", wrong)
    assert seat.take(3, "", secret) == secret
    assert seat.sits(3)


def test_a_page_that_is_gone_for_long_loses_the_seat(seat, now):
    seat.take(1, "Ada")
    seat.leave(1, for_good=False)
    now[0] += 1.1 * KEPT
    assert seat.is_free
    seat.take(2, "Bob")
    assert seat.name == "Bob"


def test_the_page_of_a_watcher_frees_nothing(seat):
    seat.take(1, "Ada")
    seat.leave(2, for_good=True)
    assert seat.sits(1)


@pytest.mark.parametrize("name", ["", "  ", "7", "\x1b[31m", "x" * 61])
def test_nobody_sits_without_a_name(seat, name):
    with pytest.raises(InputError):
        seat.take(1, name)
    assert seat.is_free
