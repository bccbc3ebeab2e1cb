"""Attached from outside: rows are read and never taken, and a stop is one word and one request."""

from __future__ import annotations

import json
from contextlib import contextmanager

import numpy as np
import pytest

from rths.cockpit import attachment
from rths.cockpit.attachment import RAMP_OUT, SPARE, TRIP, Attachment
from rths.cockpit.desk import Desk
from rths.cockpit.live_test import LiveTest
from rths.cockpit.requests import Inbox
from rths.config.plan import dumps, load
from rths.errors import InputError
from rths.realtime.control_words import ControlWord, LoopState
from rths.realtime.ring import SharedRing
from rths.records.timing import ROW_HEADER
from rths.run.run_directory import RunDirectory, write_json
from rths.studies.wallace2005.three_ways import PLAN
from tests.cockpit.test_requests import Life

ROWS = 64


@pytest.fixture
def loop(tmp_path):
    """Give a directory and a ring as a supervisor makes them, without one."""
    with prepare(tmp_path, "\n[safety]\nrate = 0.05\n") as made:
        yield made


@contextmanager
def prepare(folder, tables=""):
    test = load(PLAN.read_text() + tables)
    directory = RunDirectory(folder)
    width = len(test.live_layout.record_slots) + len(ROW_HEADER)
    ring = SharedRing.reserve(ROWS, width)
    directory.plan.write_text(dumps(test))
    write_json(directory.session, {"ring": str(ring.path), "width": width})
    with directory.hold():
        yield directory, ring
    ring.remove()


def put(ring, count):
    for _ in range(count):
        k = ring.read(ControlWord.WRITTEN)
        ring.rows[k % ROWS] = k
        ring.write(ControlWord.WRITTEN, k + 1)


def test_rows_come_once_and_in_order_and_stay_for_the_supervisor(loop):
    directory, ring = loop
    put(ring, 3)
    seen = Attachment.open(directory.folder)
    assert seen.take_rows()[:, 0].tolist() == [0, 1, 2]
    assert len(seen.take_rows()) == 0
    put(ring, 2)
    assert seen.take_rows()[:, 0].tolist() == [3, 4]
    assert ring.read(ControlWord.TAKEN) == 0
    assert len(ring.copy_new()) == 5


def test_whoever_is_too_late_gets_the_last_rows_and_no_torn_ones(loop):
    directory, ring = loop
    seen = Attachment.open(directory.folder)
    put(ring, 5 * ROWS + 7)
    rows = seen.take_rows()
    assert np.diff(rows[:, 0]).tolist() == [1.0] * (len(rows) - 1)
    assert rows[-1, 0] == 5 * ROWS + 6
    assert len(rows) == ROWS - ROWS // SPARE


def test_a_stop_is_in_the_loop_at_once_and_in_the_events_by_name(loop):
    directory, _ = loop
    seen, life = Attachment.open(directory.folder), Life(directory.folder)
    with Inbox(lambda life: None) as inbox:
        inbox(life)
        seen.stop("Ada")
        assert seen.words.get(RAMP_OUT) == TRIP
        inbox(life)
    assert life.done == [("trip", "Ada, in the cockpit")]


def test_a_stop_works_where_nobody_reads_requests(loop):
    seen = Attachment.open(loop[0].folder)
    with pytest.raises(InputError, match="does not take requests"):
        seen.stop("Ada")
    assert seen.words.get(RAMP_OUT) == TRIP


def test_who_stops_a_test_that_is_just_beginning_is_told_as_soon_as_somebody_listens(loop):
    directory, _ = loop
    seen, life = Attachment.open(directory.folder), Life(directory.folder)
    for _ in range(3):  # a page asks again and again
        with pytest.raises(InputError, match="does not take requests"):
            seen.stop("Ada")
    seen.tell_unheard()
    with Inbox(lambda life: None) as inbox:
        inbox(life)
        for _ in range(2):
            seen.tell_unheard()
            inbox(life)
    assert life.done == [("trip", "Ada, in the cockpit")]


def test_who_stops_a_test_without_a_way_to_safety_is_told_before_it_ends(tmp_path, monkeypatch):
    with prepare(tmp_path) as (directory, ring):
        words, seen = [], Attachment.open(directory.folder)
        tell = lambda directory, request: words.append(ring.read(ControlWord.STOP))  # noqa: E731
        monkeypatch.setattr(attachment, "ask", tell)
        seen.stop("Ada")
        assert words == [0]
        assert ring.read(ControlWord.STOP) == 1


def test_what_has_ended_or_is_not_held_is_refused(loop):
    directory, ring = loop
    ring.write(ControlWord.STATE, LoopState.ENDED)
    with pytest.raises(InputError, match="has ended"):
        Attachment.open(directory.folder)
    ring.remove()
    with pytest.raises(InputError, match="no run that goes on"):
        Attachment.open(directory.folder)


@pytest.mark.parametrize("about", ["", "[]", '{"ring": "/etc/passwd", "width": 3}', '{"ring": 7}'])
def test_a_session_that_somebody_made_up_is_refused(tmp_path, about):
    directory = RunDirectory(tmp_path)
    directory.session.write_text(about)
    with directory.hold(), pytest.raises(InputError):
        Attachment.open(tmp_path)


def test_only_the_operator_operates_and_everybody_stops(loop):
    directory, ring = loop
    ring.write(ControlWord.STATE, LoopState.RUNNING)
    live = LiveTest(directory.folder.parent, directory.folder, None)
    live._search()
    desk, life = Desk(live), Life(directory.folder)
    pages = [live.crowd.enter("127.0.0.1", lambda: None) for _ in range(2)]
    with Inbox(lambda life: None) as inbox:
        inbox(life)
        assert not desk.do(pages[0], '{"act": "ramp out"}')["ok"]
        assert desk.do(pages[0], '{"act": "sit", "name": "Ada"}')["ok"]
        assert not desk.do(pages[1], '{"act": "sit", "name": "Bob"}')["ok"]
        assert not desk.do(pages[1], '{"act": "ramp out"}')["ok"]
        assert desk.do(pages[0], '{"act": "ramp out"}')["ok"]
        assert desk.do(pages[1], '{"act": "stop"}')["ok"]
        for nothing in ("", "{", "[]", "7", '{"act": "explode"}', '{"act": null}', "[" * 9999):
            assert not desk.do(pages[1], nothing)["ok"]
        inbox(life)
    assert life.done == [
        ("ramp out", "Ada, in the cockpit"),
        ("trip", "a watcher at 127.0.0.1, in the cockpit"),
    ]


def test_a_copy_of_the_operators_page_takes_its_seat_and_the_page_is_told(loop):
    """A browser that copies a tab copies the secret too."""
    live = LiveTest(loop[0].folder.parent, loop[0].folder, None)
    desk, crowd = Desk(live), live.crowd
    page, copy = (crowd.enter("127.0.0.1", lambda: None) for _ in range(2))
    secret = desk.do(page, '{"act": "sit", "name": "Ada"}')["secret"]
    again = json.dumps({"act": "sit", "secret": secret})
    assert desk.do(page, again)["ok"]
    assert page.waiting.empty()
    assert desk.do(copy, again)["name"] == "Ada"
    told = json.loads(page.waiting.get_nowait())
    assert (told["act"], told["ok"], copy.waiting.empty()) == ("sit", False, True)
    assert live.seat.sits(copy.number)
