"""The operator's wish to stop: heard once, and handlers are left as they were."""

from __future__ import annotations

import signal

import pytest

from rths.run.virtual import PORTION, simulate


def test_handlers_are_put_back(rig):
    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    simulate(rig)
    assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)) == before


def test_second_ctrl_c_is_an_ordinary_one(rig, monkeypatch):
    monkeypatch.setitem(PORTION, "table", 100)

    def twice(ticks):
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        simulate(rig, "table", twice)


def test_run_in_another_thread_leaves_signals_alone(rig):
    import threading

    found = []
    worker = threading.Thread(target=lambda: found.append(simulate(rig)))
    worker.start()
    worker.join()
    assert found[0].stop.completed
