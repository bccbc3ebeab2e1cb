"""A bar comes after some patience, to a terminal only, and is gone at the end."""

from __future__ import annotations

import io
import sys
import time

import pytest

from rths.cli import _progress, _voice


class Terminal(io.StringIO):
    def isatty(self):
        return True


def open_terminal(monkeypatch):
    """Let a test write to a terminal; not in a fixture, after which pytest changes streams."""
    shown = Terminal()
    monkeypatch.setattr(sys, "stderr", shown)
    monkeypatch.setenv("TERM", "xterm")
    _voice.take_options([])  # what an earlier command was asked for
    return shown


def test_what_is_done_soon_shows_nothing(monkeypatch):
    terminal = open_terminal(monkeypatch)
    with _progress.patience("soon", 3) as tell:
        tell(3)
    assert terminal.getvalue() == ""


@pytest.mark.parametrize("total", [40, None])
def test_what_takes_longer_says_so(monkeypatch, total):
    terminal = open_terminal(monkeypatch)
    monkeypatch.setattr(_progress, "PATIENCE", 0.0)
    with _progress.patience("a long work", total) as tell:
        end = time.monotonic() + 20
        while "a long work" not in terminal.getvalue() and time.monotonic() < end:
            tell(0)
            time.sleep(0.02)
    assert "a long work" in terminal.getvalue()
    assert ("0/40" in terminal.getvalue()) == (total is not None)


def test_a_short_run_that_waits_for_its_blocks_says_so_too(monkeypatch):
    terminal = open_terminal(monkeypatch)
    monkeypatch.setattr(_progress, "PATIENCE", 0.0)
    with _progress.progress("a first run", _progress.LONG - 1) as tell:
        assert tell is None
        end = time.monotonic() + 20
        while "a first run" not in terminal.getvalue() and time.monotonic() < end:
            time.sleep(0.02)
    assert "a first run" in terminal.getvalue()


def test_nothing_is_shown_without_a_terminal_or_if_only_errors_are_wanted(monkeypatch):
    terminal = open_terminal(monkeypatch)
    monkeypatch.setattr(_progress, "PATIENCE", 0.0)
    _voice.take_options(["-q"])
    try:
        with _progress.patience("quiet"), _progress.progress("quiet", _progress.LONG) as tell:
            assert tell is None
            time.sleep(0.05)
    finally:
        _voice.take_options([])
    assert terminal.getvalue() == ""
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with _progress.patience("piped"):
        time.sleep(0.05)
    assert sys.stderr.getvalue() == ""


def test_an_error_passes_and_takes_the_bar_away(monkeypatch):
    open_terminal(monkeypatch)
    monkeypatch.setattr(_progress, "PATIENCE", 0.0)

    def work():
        with _progress.patience("a work"):
            time.sleep(0.1)
            raise ValueError("lost")

    with pytest.raises(ValueError, match="lost"):
        work()
