"""A page that does not read is cut off; the others get everything, and nobody waits."""

from __future__ import annotations

from rths.cockpit import crowd as module
from rths.cockpit.crowd import MOST_PAGES, MOST_WAITING, PATIENCE, Crowd


def test_who_does_not_read_is_cut_off_after_a_while(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(module.time, "monotonic", lambda: now[0])
    crowd, gone = Crowd(), []
    reads, sleeps = (crowd.enter("here", lambda k=k: gone.append(k)) for k in range(2))
    for message in range(4 * MOST_WAITING):
        now[0] += 1 / 60
        crowd.tell(str(message))
        assert reads.waiting.get_nowait() == str(message)
    assert sleeps.waiting.qsize() == MOST_WAITING  # and not one more
    assert gone == [1] * len(gone)
    assert gone
    begun = MOST_WAITING / 60
    assert now[0] > begun + PATIENCE


def test_who_catches_up_stays(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(module.time, "monotonic", lambda: now[0])
    crowd, gone = Crowd(), []
    page = crowd.enter("here", lambda: gone.append(1))
    for _ in range(3):
        for _ in range(MOST_WAITING + 5):
            crowd.tell("x")
        now[0] += 0.9 * PATIENCE
        while not page.waiting.empty():
            page.waiting.get_nowait()
    assert gone == []


def test_a_crowd_has_an_end():
    crowd = Crowd()
    pages = [crowd.enter("here", lambda: None) for _ in range(MOST_PAGES)]
    assert crowd.is_full
    crowd.leave(pages[0])
    assert not crowd.is_full
