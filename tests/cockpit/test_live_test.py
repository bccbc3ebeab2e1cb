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
from tests.cockpit.test_attachment import loop, prepare
from tests.cockpit.test_requests import Life

__all__ = ["loop"]


class NoLimits:
    """Stands for the process that computes."""

    async def ask(self, task, **given):
        return json.dumps({"ok": False, "errors": []})


async def follow_until(live, claim):
    """Follow a test until something is so; it must be so within some seconds."""
    follow = live.follow(), live.follow_files(), live.follow_others()
    tasks = [asyncio.create_task(each) for each in follow]
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


def test_a_second_test_in_the_folder_is_named_as_one_that_is_not_stopped_from_here(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(live_test, "OTHERS", 0.01)
    names = {"one", "two"}
    for name in names:
        (tmp_path / name).mkdir()
    live = LiveTest(tmp_path, None, NoLimits())
    with prepare(tmp_path / "one"), prepare(tmp_path / "two"):
        asyncio.run(follow_until(live, lambda: live._others))
        shown = live.folder.name
        (other,) = names - {shown}
        told = json.loads(live._state_text())["problem"]
        assert told.startswith(f"not shown, and not stopped from here: {other}, which runs beside")
        assert f"beside {shown}." in told
        live.problem = "a problem comes first"
        assert json.loads(live._state_text())["problem"] == live.problem
        live.problem, live.is_over = "", True
        assert json.loads(live._state_text())["problem"] == ""


def test_a_cockpit_of_one_run_does_not_speak_of_others(tmp_path):
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    live = LiveTest(tmp_path, tmp_path / "one", NoLimits())
    with prepare(tmp_path / "one"), prepare(tmp_path / "two"):
        live._search()
        assert [f.name for f in live._candidates()] == ["one"]
