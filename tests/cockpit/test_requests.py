"""Requests from outside: done by the supervisor, in the events with who asked."""

from __future__ import annotations

import json

import pytest

from rths.cockpit.requests import AT_ONCE, MOST_LETTERS, MOST_REQUESTS, Inbox, Request, ask
from rths.errors import InputError
from rths.run.run_directory import RunDirectory


class Life:
    """Stands for the life cycle of a test: notes what it is asked for."""

    def __init__(self, folder, has_safety=True):
        self.directory, self.has_safety = RunDirectory(folder), has_safety
        self.done: list[tuple[object, ...]] = []
        self.notes: list[str] = []

    def trip(self, reason):
        self.done.append(("trip", reason))
        return self.has_safety

    def ramp_out(self, reason):
        self.done.append(("ramp out", reason))
        return self.has_safety

    def hand_over(self, ratio, seconds, reason):
        self.done.append(("hand over", ratio, reason))
        return False

    def note(self, reason):
        self.notes.append(reason)


@pytest.fixture
def inbox():
    keys: list[object] = []
    with Inbox(keys.append) as opened:
        opened.keys = keys
        yield opened


def test_what_is_asked_for_is_done_with_the_name(tmp_path, inbox):
    life = Life(tmp_path)
    inbox(life)
    ask(life.directory, Request("A. Operator", "ramp out"))
    ask(life.directory, Request("B. Watcher", "trip"))
    inbox(life)
    assert life.done == [
        ("ramp out", "A. Operator, in the cockpit"),
        ("trip", "B. Watcher, in the cockpit"),
    ]
    inbox(life)
    assert len(life.done) == 2  # once each
    assert inbox.keys == [life, life, life]  # and the keys of the terminal at every look


def test_what_a_test_cannot_do_is_noted_with_the_name(tmp_path, inbox):
    life = Life(tmp_path, has_safety=False)
    inbox(life)
    ask(life.directory, Request("A", "trip"))
    ask(life.directory, Request("A", "hand over", 1.0))
    inbox(life)
    assert life.notes[0] == "stop asked for: A, in the cockpit"
    assert "not possible here" in life.notes[1]


def test_nobody_is_asked_before_the_run_and_after_it(tmp_path):
    directory = RunDirectory(tmp_path)
    with pytest.raises(InputError, match="does not take requests"):
        ask(directory, Request("A", "trip"))
    with Inbox(lambda life: None) as inbox:
        inbox(Life(tmp_path))
        ask(directory, Request("A", "trip"))
    with pytest.raises(InputError, match="does not take requests"):
        ask(directory, Request("A", "trip"))


def test_a_line_in_two_parts_is_one_request(tmp_path, inbox):
    life = Life(tmp_path)
    inbox(life)
    line = json.dumps({"who": "A", "act": "trip"}).encode() + b"\n"
    for part in (line[:9], line[9:]):
        with life.directory.requests.open("ab") as file:
            file.write(part)
        inbox(life)
    assert life.done == [("trip", "A, in the cockpit")]
    assert life.notes == []


@pytest.mark.parametrize(
    "line",
    [b"", b"{", b"[]", b"7", b'{"who": "A"}', b'{"who": "A", "act": "explode"}', b"\xff\xfe",
     b'{"who": "A", "act": "hand over", "share": 7}', b"[" * 5000,
     b'{"who": "A", "act": "hand over", "share": NaN}'],
)  # fmt: skip
def test_what_means_nothing_is_noted_and_ends_nothing(tmp_path, inbox, line):
    life = Life(tmp_path)
    inbox(life)
    with life.directory.requests.open("ab") as file:
        file.write(line + b"\n")
    ask(life.directory, Request("A", "trip"))
    inbox(life)
    assert life.done == [("trip", "A, in the cockpit")]
    assert len(life.notes) == 1


def test_requests_left_by_another_run_are_not_done(tmp_path, inbox):
    life = Life(tmp_path)
    life.directory.requests.write_text('{"who": "old", "act": "trip"}\n')
    inbox(life)
    assert life.done == []


def test_a_link_in_the_place_of_requests_is_not_followed(tmp_path, inbox):
    life, elsewhere = Life(tmp_path), tmp_path / "precious"
    elsewhere.write_text("kept")
    life.directory.requests.symlink_to(elsewhere)
    inbox(life)
    assert elsewhere.read_text() == "kept"
    assert not life.directory.requests.is_symlink()


def test_names_are_plain_and_short():
    assert Request("A\x1b[31m\n B", "trip").who == "A\N{REPLACEMENT CHARACTER}[31m B"
    assert len(Request("x" * 500, "trip").who) == MOST_LETTERS
    assert Request("  ", "trip").who == "somebody without a name"


def test_what_is_asked_for_twice_at_one_look_is_done_once(tmp_path, inbox):
    life = Life(tmp_path)
    inbox(life)
    for _ in range(500):
        ask(life.directory, Request("A", "trip"))
    inbox(life)
    assert life.done == [("trip", "A, in the cockpit")]


def test_of_a_flood_a_few_are_done_and_the_trip_first(tmp_path, inbox):
    life = Life(tmp_path)
    inbox(life)
    for k in range(300):
        ask(life.directory, Request(f"A{k}", "ramp out"))
    ask(life.directory, Request("B", "trip"))
    inbox(life)
    assert len(life.done) == AT_ONCE
    assert life.done[0] == ("trip", "B, in the cockpit")


def test_after_more_than_people_ask_for_only_a_trip_is_done(tmp_path, inbox):
    life = Life(tmp_path)
    inbox(life)
    for k in range(2 * MOST_REQUESTS):
        ask(life.directory, Request(f"A{k}", "ramp out"))
        inbox(life)
    assert len(life.done) == MOST_REQUESTS
    assert life.notes == ["more was asked for than people ask for: only a trip is done from now on"]
    for _ in range(3):
        ask(life.directory, Request("B", "trip"))
        inbox(life)
    assert life.done[MOST_REQUESTS:] == [("trip", "B, in the cockpit")]
