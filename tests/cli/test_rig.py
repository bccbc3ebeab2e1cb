"""``rths rig``: what it is asked for is checked before a rig is there."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress

import pytest

from rths.cli.rig import Voice
from rths.studies.wallace2005.three_ways import PLAN


@pytest.fixture
def plan(tmp_path):
    made = tmp_path / "plan.toml"
    made.write_text(PLAN.read_text() + '\n[hardware]\nkind = "udp"\nport = 0\n')
    return made


@pytest.mark.parametrize(
    ("words", "known"),
    [
        (("--rate", "0"), "rig.rate = 0.0"),
        (("--rate", "nan"), "rig.rate = nan"),
        (("--rate", "-5"), "rig.rate = -5.0"),
        (("--safe-rate", "-1"), "rig.safe_rate = -1.0"),
        (("--safe-rate", "nan"), "rig.safe_rate = nan"),
        (("--timeout", "nan"), "rig.timeout = nan"),
        (("--timeout", "-1"), "rig.timeout = -1.0"),
        (("--hold", "-1"), "rig.hold = -1.0"),
        (("--position", "nan"), "rig.position = nan"),
        (("--seconds", "nan"), "rig.seconds = nan"),
        (("--fault", "clock=-1"), "fault = 'clock=-1'"),
        (("--fault", "clock=-2"), "fault = 'clock=-2'"),
        (("--fault", "loss=0.5@1+nan"), "fault = 'loss=0.5@1+nan'"),
        (("--fault", "stuck_force:5"), "fault = 'stuck_force:5'"),
        (("--fault", "loss=0.5", "--fault", "loss=0.1"), "fault = 'loss'"),
    ],
)
def test_what_a_rig_cannot_be_is_refused_in_words(rths, plan, words, known):
    answer = rths("rig", plan, "--seconds", "0.01", *words)
    assert answer.status == 2
    assert known in answer.err
    assert "Traceback" not in answer.err


def test_a_name_that_shared_memory_cannot_have_is_refused(rths, tmp_path):
    made = tmp_path / "plan.toml"
    link = '\n[hardware]\nkind = "shared_memory"\nname = "no/such/dir"\n'
    made.write_text(PLAN.read_text() + link)
    answer = rths("rig", made, "--seconds", "0.01")
    assert answer.status == 2
    assert "hardware.name = 'no/such/dir'" in answer.err


def test_where_and_how_long_it_holds_are_the_rig_s_own_safety(rths, plan, monkeypatch):
    from rths.realtime import rig

    made = []
    monkeypatch.setattr(rig.Rig, "serve", lambda self, *_: made.append(self) or rig.Serving)
    monkeypatch.setattr(rig.Serving, "counts", {})
    monkeypatch.setattr(rig, "prepare", list)
    words = ("--hold", "0.25", "--position", "-0.001", "--safe-rate", "0.02", "--timeout", "0.3")
    assert rths("rig", plan, *words).status == 0
    safety = made[0].safety
    assert (safety.hold, safety.position, safety.rate, safety.timeout) == (0.25, -0.001, 0.02, 0.3)


def test_a_rig_that_nobody_listens_to_serves_on(plan):
    """As behind `rths rig PLAN | head`: its loop may be in the middle of a test."""
    read, write = os.pipe()
    os.close(read)
    code = "from rths.cli.main import main; main()"
    words = [sys.executable, "-c", code, "rig", plan, "--seconds", "0.2"]
    served = subprocess.run(words, stdout=write, stderr=subprocess.PIPE, timeout=100, check=False)
    os.close(write)
    assert (served.returncode, served.stderr) == (0, b"")


def test_a_rig_serves_on_though_its_terminal_is_halted(plan):
    """As by Ctrl-S: nothing is read from where it speaks, and that is full."""
    read, write = os.pipe()
    os.set_blocking(write, False)
    with suppress(BlockingIOError):
        while True:
            os.write(write, bytes(4096))
    os.set_blocking(write, True)
    code = "from rths.cli.main import main; main()"
    words = [sys.executable, "-c", code, "rig", plan, "--seconds", "0.2"]
    served = subprocess.run(words, stdout=write, stderr=subprocess.PIPE, timeout=100, check=False)
    os.close(read)
    os.close(write)
    assert (served.returncode, served.stderr) == (0, b"")


def test_a_name_that_a_terminal_cannot_show_does_not_end_a_rig(tmp_path, monkeypatch):
    with (tmp_path / "heard").open("w", encoding="ascii") as heard:
        monkeypatch.setattr(sys, "stdout", heard)
        voice = Voice()
        voice.tell("released by 山田")
        voice.end()
    assert (tmp_path / "heard").read_text("ascii") == "released by \\u5c71\\u7530\n"
