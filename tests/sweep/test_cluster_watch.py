"""Silence alone says nothing; silence in which nobody works is that of a cluster that is stuck."""

from __future__ import annotations

import pytest

from rths.sweep import cluster_watch
from rths.sweep.cluster_watch import PATIENCE, STILL, ClusterWatch


class Clock:
    """A clock that is put forward by hand."""

    now = 0.0

    def monotonic(self):
        return self.now


@pytest.fixture
def clock(monkeypatch):
    found = Clock()
    monkeypatch.setattr(cluster_watch, "time", found)
    return found


def worker(beat, executing=1, status="running"):
    counts = {"executing": executing, "memory": 3}
    return {"last_seen": beat, "status": status, "metrics": {"task_counts": counts}}


def watch_for(clock, seconds, workers):
    """Watch a silent cluster whose workers are given as functions of time."""
    watch = ClusterWatch()
    end = clock.now + seconds
    while clock.now < end:
        clock.now += STILL / 4
        if watch.wants_look:
            watch.look({name: about(clock.now) for name, about in workers.items()})
    return watch


def test_a_batch_may_take_as_long_as_it_takes(clock):
    assert not watch_for(clock, 100 * PATIENCE, {"a": worker}).is_stuck


@pytest.mark.parametrize(
    "about",
    [
        lambda now: worker(0.0),  # stopped: it says that it works, but its heart beats no more
        lambda now: worker(now, executing=0),  # idle: the result lies where nobody fetches it
        lambda now: worker(now, status="paused"),  # too little memory: it takes nothing
    ],
)
def test_a_cluster_in_which_nobody_works_is_stuck(clock, about):
    assert not watch_for(clock, 0.9 * PATIENCE, {"a": about}).is_stuck
    assert watch_for(clock, 1.5 * PATIENCE, {"a": about}).is_stuck
    assert not watch_for(clock, 1.5 * PATIENCE, {"a": about, "b": worker}).is_stuck


def test_without_workers_it_is_stuck(clock):
    assert watch_for(clock, 1.5 * PATIENCE, {}).is_stuck


def test_a_worker_that_does_not_count_its_tasks_is_believed(clock):
    assert not watch_for(clock, 2 * PATIENCE, {"a": lambda now: {"last_seen": now}}).is_stuck


def test_an_answer_ends_the_silence(clock):
    watch = ClusterWatch()
    clock.now += 0.9 * PATIENCE
    watch.hear()
    clock.now += 0.9 * PATIENCE
    assert not watch.is_stuck
