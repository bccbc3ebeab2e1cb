"""The command: what is wrong is one message; a minute of search chooses, or says why not."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

PLAN = Path(__file__).parents[2] / "src" / "rths" / "studies" / "wallace2005" / "rig.toml"


@pytest.fixture
def plan(tmp_path):
    (tmp_path / "plan.toml").write_text(PLAN.read_text(encoding="utf-8"), encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "PLAN: is missing"),
        (("plan.toml", "--gain-margin", "0.5"), "--gain-margin = 0.5"),
        (("plan.toml", "--without", "speed"), "--without = 'speed'"),
        (("plan.toml", "--uncertain", "transfer.dealy=+-5%"), "transfer.dealy"),
        (("plan.toml", "--uncertain", "transfer.kind=+-5%"), "names no number of this plan"),
        (("plan.toml", *2 * ("--uncertain", "transfer.delay=+-5%")), "a second time"),
        (("plan.toml", "--set", "transfer.dealy=1"), "--set: transfer.dealy = 1"),
        (("nowhere.toml",), "nowhere.toml"),
        (("--next", "nowhere"), "--next"),
    ],
)
def test_what_is_wrong_is_one_message(tmp_path, plan, rths, words, said):
    done = rths("design", *words)
    assert done.status == 2
    assert said in done.err
    assert done.err.count("\n") == 1
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--set", "excitation.amplitude=0"), "excitation = 'sine': moves nothing"),
        (("--out", "plan.toml"), "plan.toml"),
        (("--out", "plan.toml/inside"), "plan.toml"),
    ],
)
def test_a_plan_or_a_place_that_cannot_be_used_is_one_message(plan, rths, words, said):
    done = rths("design", "plan.toml", *words)
    assert done.status == 2
    assert said in done.err
    assert done.err.count("\n") == 1


def test_a_sweep_of_which_nothing_is_known_is_one_message(tmp_path, rths):
    (tmp_path / "out" / "results").mkdir(parents=True)
    (tmp_path / "out" / "study.json").write_text("{}", encoding="utf-8")
    done = rths("design", "--next", "out")
    assert done.status == 2
    assert "holds no sweep" in done.err


def test_an_earlier_answer_is_not_replaced(tmp_path, plan, rths):
    kept = tmp_path / "runs" / "plan-design" / "chosen.toml"
    kept.parent.mkdir(parents=True)
    kept.write_text("mine", encoding="utf-8")
    done = rths("design", "plan.toml")
    assert done.status == 2
    assert "--overwrite" in done.err
    assert kept.read_text(encoding="utf-8") == "mine"


INTERRUPTED = """
import os, signal, threading, time
from rths.cli._start import main
from rths.design import design, workbench
from rths.design.search import Effort, Round

hand = threading.Lock()

def judge(bench, tuned):
    for _ in range(PRESSES if hand.acquire(blocking=False) else 0):
        os.kill(os.getpid(), signal.SIGINT)
        while signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
            time.sleep(0.01)  # the first is heard before a second follows
    threading.Event().wait()  # a certificate that takes for ever

workbench.judge_plan = workbench.judge_stress = judge
design.EFFORTS["quick"] = Effort(1.0, 60.0, (Round(None, 1.0, 1),), 2, 0, 60)
main()
"""
SHORT = ("design", "plan.toml", "--set", "clock.duration=0.5", "--without", "displacement")


def interrupt(folder, presses):
    program = INTERRUPTED.replace("PRESSES", str(presses))
    return subprocess.run(
        [sys.executable, "-c", program, *SHORT],
        cwd=folder, capture_output=True, text=True, timeout=300,
    )  # fmt: skip


def test_ctrl_c_does_not_wait_for_a_certificate(tmp_path, plan):
    done = interrupt(tmp_path, presses=1)
    assert done.returncode == 130, done.stderr
    assert done.stderr == ""
    assert "interrupted, nothing is chosen" in done.stdout
    assert (tmp_path / "runs" / "plan-design" / "design.json").is_file()


def test_a_second_ctrl_c_does_not_wait_for_a_certificate_either(tmp_path, plan):
    done = interrupt(tmp_path, presses=2)
    assert done.returncode == 130, done.stderr
    assert "interrupted" in done.stderr + done.stdout
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_the_demo_rig_gets_a_plan_that_is_certified(tmp_path, plan, rths):
    done = rths("design", "plan.toml", "--json")
    assert done.status == 0, done.err
    told = json.loads(done.out)
    assert told["chosen"]["verdict"] in ("proved", "tested")
    assert (tmp_path / "runs" / "plan-design" / "design.html").is_file()


@pytest.mark.slow
def test_where_nothing_is_safe_it_ends_with_seven_and_still_leaves_a_page(tmp_path, plan, rths):
    done = rths("design", "plan.toml", "--set", "transfer.delay=0.09", "--json")
    assert done.status == 7, done.err
    told = json.loads(done.out)
    assert told["chosen"] is None
    assert told["remedies"]
    assert (tmp_path / "runs" / "plan-design" / "design.html").is_file()
    assert not (tmp_path / "runs" / "plan-design" / "chosen.toml").exists()
