"""Keys of the operator: each does what it says, and the terminal is left as it was."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
import time

import pytest

from rths.realtime.keys import keyboard, obey_key, visitor
from rths.realtime.lifecycle import LifeCycle


class Words:
    """Stands for the loop's words."""

    def __init__(self, *names):
        self.values = dict.fromkeys(names, 0.0)

    def knows(self, name):
        return name in self.values

    def get(self, name):
        return self.values[name]

    def put(self, name, value):
        self.values[name] = value


def test_keys_do_what_they_say(tmp_path):
    life = LifeCycle(tmp_path)
    assert not any(obey_key(key, life) for key in "q mn+-x")  # nothing runs yet
    words = Words("operator.ramp_out", "operator.substructuring_ratio")
    life.follow(words)
    assert obey_key("+", life)
    for _ in range(50):
        life.visit(0.02)
    assert words.get("operator.substructuring_ratio") == 0.1
    assert obey_key("m", life)
    life.visit(0.02)
    assert words.get("operator.substructuring_ratio") == pytest.approx(0.1 + 0.9 * 0.01)
    assert obey_key("q", life)
    assert words.get("operator.ramp_out") == 1.0
    assert obey_key(" ", life)
    assert words.get("operator.ramp_out") == 2.0
    assert not obey_key("x", life)


def test_a_trip_by_hand_stays_one_whatever_key_follows_at_once(tmp_path):
    """The loop may not have read the first before the second is there: both come in one look."""
    life, words = LifeCycle(tmp_path), Words("operator.ramp_out")
    life.follow(words)
    visitor(lambda: " q")(life)
    assert words.get("operator.ramp_out") == 2.0


def test_a_terminal_that_is_closed_gives_no_keys_and_ends_nothing():
    master, slave = pty.openpty()
    with os.fdopen(slave, "rb", buffering=0) as terminal, keyboard(terminal) as read_keys:
        os.close(master)
        assert read_keys() == ""
        assert read_keys() == ""


def test_a_terminal_gives_keys_at_once_and_is_left_as_it_was():
    import termios

    master, slave = pty.openpty()
    with os.fdopen(slave, "rb", buffering=0) as terminal:
        before = termios.tcgetattr(terminal.fileno())
        with keyboard(terminal) as read_keys:
            assert read_keys() == ""
            os.write(master, b"qm")
            for _ in range(100):
                found = read_keys()
                if found:
                    break
                time.sleep(0.01)
            assert found == "qm"
        assert termios.tcgetattr(terminal.fileno()) == before
    os.close(master)


def test_without_a_terminal_no_key_comes():
    with open(os.devnull) as nothing, keyboard(nothing) as read_keys:
        assert read_keys() == ""


BACKGROUND = """
import os, pty, signal, sys
from rths.realtime.keys import keyboard

shell, _ = pty.fork()
if shell == 0:
    job = os.fork()
    if job == 0:
        os.setpgid(0, 0)  # as a shell does for a command with & behind it
        with keyboard(sys.stdin) as read_keys:
            os._exit(0 if read_keys() == "" else 1)
    status = os.waitpid(job, os.WUNTRACED)[1]
    if os.WIFSTOPPED(status):
        os.kill(job, signal.SIGKILL)
        os._exit(9)
    os._exit(os.waitstatus_to_exitcode(status))
sys.exit(os.waitstatus_to_exitcode(os.waitpid(shell, 0)[1]))
"""


def test_a_run_in_the_background_of_a_terminal_is_not_stopped_by_it():
    assert subprocess.run([sys.executable, "-c", BACKGROUND], timeout=60).returncode == 0
