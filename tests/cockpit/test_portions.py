"""Everybody gets every sample once: who operates at each look, who watches at every third."""

from __future__ import annotations

import asyncio
import json

import numpy as np
import pytest

from rths.cockpit.desk import Desk
from rths.cockpit.live_test import ALONE, LiveTest
from rths.cockpit.portions import EVERY, LOOK, WATCHED
from rths.realtime.control_words import ControlWord, LoopState
from rths.safety.phase import TRIPPED
from tests.cockpit.test_attachment import loop, put
from tests.cockpit.test_live_test import NoLimits
from tests.cockpit.test_view import read

__all__ = ["loop"]
TICKS = 17
"""Rows between two looks: no multiple of those from sample to sample."""


class Shown:
    """A live test whose loop has written new rows at each look, and what its pages were sent."""

    def __init__(self, directory, ring):
        self.ring = ring
        ring.write(ControlWord.STATE, LoopState.RUNNING)
        self.live = LiveTest(directory.folder.parent, directory.folder, NoLimits())
        self.desk, self.looks = Desk(self.live), 0

    def enter(self):
        page = self.live.crowd.enter("127.0.0.1", lambda: None)
        page.frames, page.texts = [], []
        self.live.greet(page)
        return page

    def sit(self, page):
        assert self.desk.do(page, '{"act": "sit", "name": "Ada"}')["ok"]

    async def look(self, times):
        """Look so many times; give the seconds until the next look each time."""
        pauses = []
        for _ in range(times):
            put(self.ring, TICKS)
            pauses.append(await self.live._go_on())
            self.live._told = np.inf  # nothing is told because of the clock
            self.looks += 1
            for page in self.live.crowd.pages.values():
                while not page.waiting.empty():
                    message = page.waiting.get_nowait()
                    (page.texts if isinstance(message, str) else page.frames).append(message)
        return pauses

    def ticks(self, page):
        """Give the ticks of all samples that a page has got, in the order in which they came."""
        with_samples = [frame for frame in page.frames if b'"count": 0}' not in frame]
        return np.concatenate([read(frame)[1][0] for frame in with_samples]).tolist()

    def all_ticks(self):
        return list(range(0, TICKS * self.looks, self.live.view.stride))


@pytest.fixture
def shown(loop):
    return Shown(*loop)


def test_who_watches_gets_every_sample_in_fewer_portions_and_all_the_same_bytes(shown):
    async def follow():
        operator, one, two = (shown.enter() for _ in range(3))
        shown.sit(operator)
        await shown.look(1)  # the test is found, and everybody is greeted
        before = [len(page.frames) for page in (operator, one, two)]
        assert await shown.look(10 * EVERY) == [LOOK] * 10 * EVERY
        late = shown.enter()
        await shown.look(2 * EVERY)
        after = [len(page.frames) for page in (operator, one, two)]
        return (operator, one, two, late), np.subtract(after, before).tolist()

    pages, portions = asyncio.run(follow())
    assert portions == [12 * EVERY, 12, 12]
    assert all(a is b for a, b in zip(pages[1].frames, pages[2].frames, strict=True))
    assert [shown.ticks(page) for page in pages] == [shown.all_ticks()] * 4
    assert pytest.approx(EVERY * LOOK) == WATCHED


def test_who_begins_to_operate_gets_more_portions_from_the_next_look_on_and_misses_nothing(shown):
    async def follow():
        page, first = shown.enter(), shown.enter()
        assert await shown.look(4) == [WATCHED] * 4  # nobody needs more
        shown.sit(first)
        await shown.look(EVERY + 1)
        assert shown.ticks(page) != shown.all_ticks()  # in the middle of a portion
        assert shown.desk.do(first, '{"act": "stand"}')["ok"]
        shown.sit(page)
        counts = [len(each.frames) for each in (page, first)]
        assert await shown.look(1) == [LOOK]
        assert shown.ticks(page) == shown.all_ticks()
        await shown.look(2 * EVERY - 1)
        assert [len(each.frames) for each in (page, first)] == [counts[0] + 6, counts[1] + 2]
        assert shown.desk.do(page, '{"act": "stand"}')["ok"]
        assert await shown.look(2) == [WATCHED] * 2
        assert shown.ticks(page) == shown.ticks(first) == shown.all_ticks()
        for each in (page, first):
            shown.live.crowd.leave(each)
        assert await shown.look(1) == [ALONE]

    asyncio.run(follow())


def test_a_trip_is_told_to_everybody_at_the_next_look_with_the_samples_before_it(shown):
    async def follow():
        operator, watcher = shown.enter(), shown.enter()
        shown.sit(operator)
        await shown.look(2)
        while shown.ticks(watcher) != shown.all_ticks():
            await shown.look(1)
        texts = len(watcher.texts)
        await shown.look(1)
        assert len(watcher.texts) == texts
        assert shown.ticks(watcher) != shown.all_ticks()
        shown.live.attachment.words._doubles[ControlWord.LATCH.place] = TRIPPED
        await shown.look(1)
        assert shown.ticks(watcher) == shown.ticks(operator) == shown.all_ticks()
        for page in (operator, watcher):
            assert json.loads(page.texts[-1])["phase"] == "tripped"
        texts = len(watcher.texts)
        await shown.look(EVERY - 1)
        assert len(watcher.texts) == texts  # it is told once

    asyncio.run(follow())
