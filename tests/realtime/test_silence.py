"""The supervisor says when the loop is silent, and when it is back."""

from __future__ import annotations

from rths.realtime.silence import SILENT, Listener


def said_at(rows_at):
    """Listen every 20 ms for ten seconds; give what was said and when."""
    now, told = [0.0], []
    listener = Listener(lambda words: told.append((round(now[0], 2), words)), lambda: now[0])
    for k in range(501):
        now[0] = 0.02 * k
        listener.listen(rows_at(now[0]))
    return told


def test_a_loop_that_gives_rows_is_not_spoken_of():
    assert said_at(lambda t: 20) == []


def test_a_pause_shorter_than_a_quarter_of_a_second_is_no_silence():
    assert said_at(lambda t: 0 if 1.0 < t <= 1.0 + SILENT - 0.02 else 20) == []


def test_a_silent_loop_is_named_soon_and_ever_more_rarely_and_so_is_its_return():
    told = said_at(lambda t: 0 if 1.0 < t < 6.0 else 20)
    assert told[0][0] <= 1.0 + SILENT + 0.03
    assert all("silent for" in words for _, words in told[:-1])
    assert [round(t - 1.0, 1) for t, _ in told[:-1]] == [0.3, 0.5, 1.0, 2.0, 4.0]
    assert told[-1] == (6.0, "the loop is back after 5.00 s of silence")


def test_a_loop_that_never_gives_a_row_is_named_too():
    assert "silent for" in said_at(lambda t: 0)[0][1]
