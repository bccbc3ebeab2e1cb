"""What follows from a plan is what the commands of the same names say."""

from __future__ import annotations

from base64 import b64decode
from math import inf
from pathlib import Path

import numpy as np
import pytest

import rths.config
from rths.cockpit import what_if
from rths.cockpit.calculation import answer, tasks
from rths.cockpit.plan_pages import Afterwards
from rths.cockpit.what_if import find_limits, find_margins, find_record_limits, judge
from rths.config.plan import load
from rths.errors import InputError
from rths.run.run_directory import RunDirectory
from rths.run.virtual import rehearse, simulate
from rths.stability.certificate import certify

TEMPLATES = Path(rths.config.__file__).parent / "templates"
WALLACE = (TEMPLATES / "wallace2005.toml").read_text().replace("duration = 12.0", "duration = 2.0")


@pytest.fixture(scope="module")
def found():
    return judge(WALLACE)


def test_the_verdict_is_that_of_the_certificate(found):
    assert found["verdict"] == certify(load(WALLACE), margins=False).verdict == "proved"


def test_an_uncompensated_rig_is_lost():
    told = judge(WALLACE.replace('"polynomial"', '"none"').replace("order = 3", "").replace(
        "delay = 0.0094            # s\n\n", "\n", 1))  # fmt: skip
    assert told["verdict"] == "unstable"


def test_what_is_not_proved_is_looked_at_first_and_the_whole_follows():
    yields = 'kind = "bilinear"\nyield_displacement = 0.004\nhardening = 0.1\nstiffness'
    plan = WALLACE.replace('kind = "spring"\nstiffness', yields)
    first, whole = judge(plan), find_margins(plan)
    assert first["verdict"] == whole["verdict"] == "tested"
    tried = [int(told["sentence"].split("0 of ")[1].split()[0]) for told in (first, whole)]
    assert 20 < tried[0] < tried[1]
    assert what_if.FOLLOWS in first["notes"]
    assert what_if.FOLLOWS not in whole["notes"]
    assert what_if.FOLLOWS not in judge(WALLACE)["notes"]  # proved: there is no more


@pytest.mark.parametrize(
    ("look", "whole", "slow"),
    [
        (0.0, inf, True),  # nothing is known yet
        (0.0, 1.0, False),
        (3.0, 1.0, False),  # the machine was busy
        (0.3, 10.0, False),
        (3.0, 10.0, True),
        (0.0, 70.0, True),
    ],
)
def test_a_verdict_that_takes_long_is_not_waited_for(look, whole, slow):
    assert Afterwards(look=look, whole=whole).is_slow == slow


def test_the_histories_are_those_of_the_run(found):
    shown = found["rehearsal"]["channels"][0]["histories"]["target"]
    t, y = (np.frombuffer(b64decode(shown[k]), "<f4") for k in "ty")
    record = simulate(load(WALLACE))
    expected = record["integrator.target"][:, 0]
    assert t.size == expected.size
    assert np.abs(y - expected).max() < 1e-7 * np.abs(expected).max()  # float32


def test_periods_are_those_of_the_book(found):
    # ω² = k/m alone, (k + k_s)/m with the specimen; ζ = c/(2 m ω)
    (mode,) = found["modes"]
    alone, joined = np.sqrt(2250 / 2.2), np.sqrt(4500 / 2.2)
    assert mode["alone"]["period"] == pytest.approx(2 * np.pi / alone)
    assert mode["joined"]["period"] == pytest.approx(2 * np.pi / joined)
    assert mode["alone"]["damping"] == pytest.approx(15 / (2 * 2.2 * alone))
    assert mode["joined"]["damping"] == pytest.approx(15 / (2 * 2.2 * joined))


def test_margins_are_those_of_the_certificate():
    told = find_margins(WALLACE)
    expected = certify(load(WALLACE)).margins
    assert [(m["name"], m["critical"]) for m in told["margins"]] == [
        (m.name, m.critical) for m in expected
    ]


def test_an_error_is_an_answer_with_its_field():
    text = WALLACE.replace("delay = 0.0094", "delay = 15.0", 1)
    told = answer({"task": "judge", "given": {"text": text}}, tasks())
    assert (told["ok"], told["errors"][0]["field"]) == (False, "compensator.delay")
    assert "0.015" in told["errors"][0]["remedy"]


def test_a_test_without_end_is_not_rehearsed():
    with pytest.raises(InputError, match=r"clock\.duration"):
        judge(WALLACE.replace("duration = 2.0", "duration = 1e5"))


def test_a_block_that_nobody_trusted_does_not_run(tmp_path):
    (tmp_path / "own.py").write_text("open('executed', 'w').close()\n")
    text = WALLACE.replace('kind = "polynomial"', 'kind = "own.py:Own"')
    here = Path.cwd()
    try:
        given = {"text": text, "folder": str(tmp_path)}
        told = answer({"task": "judge", "given": given}, tasks())
    finally:
        import os

        os.chdir(here)
    assert not told["ok"]
    assert "nobody here has trusted" in told["errors"][0]["problem"]
    assert not (tmp_path / "executed").exists()


def test_the_limits_of_a_record_are_those_of_its_plan_with_its_files(tmp_path):
    live = '\n[hardware]\nkind = "simulated"\n[rig]\nfile = "emulated"\n[safety]\nrate = 0.05\n'
    directory = RunDirectory(tmp_path)
    directory.plan.write_text(WALLACE + live)
    rehearse(load(directory.plan), directory.record)
    found = find_record_limits(str(tmp_path))
    assert found == find_limits(str(tmp_path))
    assert found["delay"] == pytest.approx(0.007359, abs=1e-6)


def test_of_a_long_test_only_the_beginning_is_rehearsed(tmp_path, monkeypatch):
    lengths = []
    monkeypatch.setattr(what_if, "REHEARSED", 6.0)  # a minute takes longer than a test should
    monkeypatch.setattr(what_if, "simulate", lambda t: lengths.append(t.duration) or simulate(t))
    RunDirectory(tmp_path).plan.write_text(WALLACE.replace("duration = 2.0", "duration = 120.0"))
    assert find_limits(str(tmp_path))["planned"][0]["gain"] == pytest.approx(1.0, abs=0.01)
    assert lengths == [6.0]
