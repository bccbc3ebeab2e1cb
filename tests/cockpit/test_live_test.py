"""The test that runs is followed whatever happens: what cannot be shown can still be stopped."""

from __future__ import annotations

import asyncio
import json

from rths.cockpit import live_test
from rths.cockpit.attachment import RAMP_OUT, TRIP
from rths.cockpit.desk import Desk
from rths.cockpit.live_test import LiveTest
from rths.cockpit.requests import Inbox
from rths.realtime.control_words import ControlWord, LoopState
from tests.cockpit.test_attachment import loop
from tests.cockpit.test_requests import Life

__all__ = ["loop"]


class NoLimits:
    """Stands for the process that computes."""

    async def ask(self, task, **given):
        return json.dumps({"ok": False, "errors": []})


async def follow_until(live, claim):
    """Follow a test until something is so; it must be so within some seconds."""
    tasks = [asyncio.create_task(each) for each in (live.follow(), live.follow_files())]
    async with asyncio.timeout(20):
        while not claim():
            await asyncio.sleep(0.01)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def test_what_cannot_be_shown_is_said_and_can_be_stopped(loop, monkeypatch):
    directory, ring = loop
    ring.write(ControlWord.STATE, LoopState.RUNNING)
    live = LiveTest(directory.folder.parent, directory.folder, NoLimits())

    def fail(self, rows):
        raise ZeroDivisionError("a block of one's own")

    monkeypatch.setattr(live_test.View, "add", fail)
    page = live.crowd.enter("127.0.0.1", lambda: None)
    asyncio.run(follow_until(live, lambda: live.problem))
    assert live.problem == "not shown: ZeroDivisionError: a block of one's own"
    with Inbox(lambda life: None) as inbox:
        inbox(Life(directory.folder))
        assert Desk(live).do(page, '{"act": "stop"}')["ok"]
    assert live.attachment.words.get(RAMP_OUT) == TRIP


def test_a_loop_that_was_killed_is_over_when_nobody_holds_its_directory(loop, monkeypatch):
    directory, ring = loop
    ring.write(ControlWord.STATE, LoopState.RUNNING)
    live = LiveTest(directory.folder.parent, directory.folder, NoLimits())
    asyncio.run(follow_until(live, lambda: live.view is not None))
    assert not live.is_over
    monkeypatch.setattr(live_test.RunDirectory, "is_held", lambda self: False)
    asyncio.run(follow_until(live, lambda: live.is_over))


def test_a_test_that_begins_is_greeted_at_once(loop):
    directory, ring = loop
    ring.write(ControlWord.STATE, LoopState.RUNNING)
    live = LiveTest(directory.folder.parent, directory.folder, NoLimits())
    page = live.crowd.enter("127.0.0.1", lambda: None)
    asyncio.run(follow_until(live, lambda: not page.waiting.empty()))
    assert json.loads(page.waiting.get_nowait())["type"] == "test"
