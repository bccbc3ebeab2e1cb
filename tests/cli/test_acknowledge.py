"""``rths acknowledge``: a name, a cause, the directory, the rig."""

from __future__ import annotations

import threading

import pytest

from rths.config.plan import load
from rths.hardware.emulated.drive import RigSafety
from rths.realtime.rig import Rig, Serving
from rths.realtime.rig_words import LATCH, LATCHES
from rths.run.run_directory import RunDirectory, write_json
from rths.studies.wallace2005.three_ways import PLAN

WHO = ("--by", "A. Tester", "--cause", "a loose cable")


def tripped(folder, plan):
    directory = RunDirectory(folder)
    directory.make()
    directory.plan.write_text(plan)
    write_json(directory.trip, {"message": "tripped by stuck"})
    return directory


@pytest.mark.parametrize(
    "words",
    [
        ("--by", "", "--cause", "a loose cable"),
        ("--by", "A. Tester", "--cause", " "),
        ("--by", "A. Tester", "--cause", "a loose cable", "--second", "a. tester"),
        ("--by", "A. Tester"),
        ("--cause", "a loose cable"),
    ],
)
def test_without_a_name_and_a_cause_nothing_is_acknowledged(rths, tmp_path, words):
    directory = tripped(tmp_path / "run", PLAN.read_text())
    answer = rths("acknowledge", "run", *words)
    assert answer.status == 2
    assert "Traceback" not in answer.err
    assert directory.trip.exists()


def test_a_plan_without_a_wire_and_a_directory_without_a_trip_have_nothing_to_acknowledge(
    rths, tmp_path
):
    assert "no rig that could be latched" in rths("acknowledge", PLAN, *WHO).err
    (tmp_path / "run").mkdir()
    assert "holds no trip" in rths("acknowledge", "run", *WHO).err


def test_a_rig_that_does_not_answer_keeps_its_latch_and_this_is_said(rths, tmp_path, monkeypatch):
    monkeypatch.setattr("rths.hardware.wire.handshake.PATIENCE", 0.01)
    wired = PLAN.read_text() + '\n[hardware]\nkind = "udp"\nport = 9\n'
    directory = tripped(tmp_path / "run", wired)
    answer = rths("acknowledge", "run", *WHO)
    assert answer.status == 0
    assert "acknowledged: tripped by stuck" in answer.out
    assert "has not answered" in answer.out
    assert "rths acknowledge run/plan.toml" in answer.out
    assert not directory.trip.exists()


@pytest.fixture
def latched(monkeypatch):
    """Give a rig that is latched and wants two names, served by a thread, and its port."""
    monkeypatch.setattr("rths.hardware.wire.handshake.PATIENCE", 60.0)
    link = {"hardware.kind": "udp", "hardware.port": 0, "clock.tick": 1 / 1024}
    rig = Rig(load(PLAN, link), RigSafety(timeout=60.0), two_names=True)
    line = rig.hardware.serve()
    serving, over = Serving(rig, line), threading.Event()
    serving.state[[LATCH, LATCHES]] = 1

    def work():
        while not over.is_set():
            serving.advance(0.01)

    thread = threading.Thread(target=work)
    thread.start()
    yield serving, line.where.rpartition(":")[2]
    over.set()
    thread.join(5)
    line.close()


def test_a_rig_of_two_names_is_released_by_two_only(rths, tmp_path, latched):
    serving, port = latched
    wired = PLAN.read_text() + f'\n[hardware]\nkind = "udp"\nport = {port}\n'
    directory = tripped(tmp_path / "run", wired)
    answer = rths("acknowledge", "run", *WHO)
    assert (answer.status, "released by two people" in answer.err) == (2, True)
    assert directory.trip.exists()  # nothing is acknowledged by halves
    answer = rths("acknowledge", "run", *WHO, "--second", "B. Tester")
    assert (answer.status, "released latch 1" in answer.out) == (0, True)
    assert serving.state[LATCH] == 0
    assert serving.released_by == {
        "by": "A. Tester", "second": "B. Tester", "cause": "a loose cable",
    }  # fmt: skip
    answer = rths("acknowledge", directory.plan, *WHO)  # a plan names the rig as well
    assert (answer.status, "was not latched" in answer.out) == (0, True)


def test_the_run_of_an_own_block_is_acknowledged_once_it_is_trusted(rths, tmp_path):
    own = tmp_path / "run" / "mine.py"
    text = PLAN.read_text().replace('kind = "polynomial"', 'kind = "mine.py:Mine"')
    directory = tripped(tmp_path / "run", text)
    own.write_text(
        "from rths.compensator.polynomial import Polynomial\n"
        "from rths.description import describe\n\n\n"
        '@describe\nclass Mine(Polynomial):\n    """A compensator of a laboratory."""\n'
    )
    refused = rths("acknowledge", "run", *WHO)
    assert refused.status == 2
    assert "--trust" in refused.err
    assert directory.trip.exists()
    assert rths("acknowledge", "run", *WHO, "--trust").status == 0
    assert not directory.trip.exists()
