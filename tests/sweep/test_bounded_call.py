"""Whoever never answers is not waited for."""

from __future__ import annotations

import asyncio
import threading

import pytest

from rths.sweep.bounded_call import call_within


def test_what_is_answered_comes_back():
    assert call_within(60.0, lambda: 7) == 7
    with pytest.raises(KeyError):
        call_within(60.0, lambda: {}["missing"])


def test_who_never_answers_is_left():
    never = threading.Event()
    with pytest.raises(TimeoutError, match=r"no answer in 0\.01 s"):
        call_within(0.01, never.wait)
    never.set()


def test_a_time_out_of_the_other_side_is_told_in_its_words():
    def refuse():
        raise TimeoutError("the handshake")

    with pytest.raises(TimeoutError, match="the handshake"):
        call_within(60.0, refuse)


def test_what_was_cancelled_there_is_a_lost_connection_here():
    def cancel():
        raise asyncio.CancelledError("scheduler-connection-lost")

    with pytest.raises(ConnectionError, match="CancelledError scheduler-connection-lost"):
        call_within(60.0, cancel)
