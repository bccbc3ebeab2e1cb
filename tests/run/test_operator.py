"""Signals of the operator: the first is a wish, and a closed terminal never more than that."""

from __future__ import annotations

import signal

import pytest

from rths.run.operator import operator


@pytest.fixture(autouse=True)
def signals_as_before():
    kept = {s: signal.getsignal(s) for s in (signal.SIGHUP, signal.SIGTERM)}
    yield
    for number, handler in kept.items():
        signal.signal(number, handler)


def test_a_terminal_that_is_closed_may_say_so_twice():
    """The shell passes it on to its jobs, and the system says it again when the shell has ended."""
    ended = []
    signal.signal(signal.SIGHUP, lambda *_: ended.append("as usual"))
    with operator() as wishes:
        signal.raise_signal(signal.SIGHUP)
        signal.raise_signal(signal.SIGHUP)
    assert wishes == ["SIGHUP", "SIGHUP"]
    assert ended == []


def test_a_second_request_to_end_ends_as_usual():
    ended = []
    signal.signal(signal.SIGTERM, lambda *_: ended.append("as usual"))
    with operator() as wishes:
        signal.raise_signal(signal.SIGTERM)
        signal.raise_signal(signal.SIGTERM)
    assert (wishes, ended) == (["SIGTERM"], ["as usual"])


def test_a_run_that_was_started_to_outlive_its_terminal_does():
    signal.signal(signal.SIGHUP, signal.SIG_IGN)  # what nohup does
    with operator() as wishes:
        signal.raise_signal(signal.SIGHUP)
    assert wishes == []
    assert signal.getsignal(signal.SIGHUP) == signal.SIG_IGN
