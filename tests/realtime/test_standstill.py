"""A rig is armed only where it shows what a rig at rest shows."""

from __future__ import annotations

import numpy as np
import pytest

from rths.config.plan import load
from rths.errors import InputError
from rths.realtime import arming, standstill
from rths.studies.wallace2005.three_ways import PLAN

LAB = """
[rig]
name = "wall"
[actuator]
stroke = 0.1
velocity = 1.0
acceleration = 100.0
force = 1e4
noise = 2e-5
force_noise = 20.0
near = 0.001
force_near = 100.0
"""
START = {"kind": "free_vibration", "displacement": 0.01}


class Rig:
    """A rig whose measurements are known: displacement, velocity, force, share answered."""

    def __init__(self, test, **shown):
        self.test, self.random, self.k = test, np.random.default_rng(5), 0
        self.arena = test.live_layout.initial.copy()
        self.shown = {
            "displacement": 0.01, "velocity": 0.0, "force": 22.5, "noise": 1e-6,
            "force_noise": 1.0, "creep": 0.0, "answered": 1.0, "settled": 0,
            "spike": 0.0, "fastest": 0.0, **shown,
        }  # fmt: skip

    def put(self, name, value):
        self.arena[self.test.live_layout.signals[name].first] = value

    def __call__(self):
        s, t = self.shown, self.k * self.test.tick
        off = 0.05 if self.k < s["settled"] else 0.0
        self.k += 1
        noise = s["noise"] * self.random.normal() + (s["spike"] if self.k % 256 == 128 else 0.0)
        self.put("transfer.displacement", s["displacement"] + off + s["creep"] * t + noise)
        self.put("hardware.velocity", s["velocity"] + s["fastest"] * (-1) ** self.k)
        self.put("specimen.force", s["force"] + s["force_noise"] * self.random.normal())
        self.put("hardware.missed", float(self.random.random() >= s["answered"]))
        self.put("hardware.status", 0.0)
        return 1


@pytest.fixture
def test(tmp_path, monkeypatch):
    monkeypatch.setattr(standstill.time, "sleep", lambda seconds: None)
    (tmp_path / "wall.toml").write_text(LAB)
    return load(
        PLAN,
        {
            "hardware.kind": "udp", "clock.tick": 1 / 1024, "clock.duration": 1.0,
            "excitation": START, "safety": {"rate": 0.05}, "limits": {},
            "rig": {"file": str(tmp_path / "wall.toml")},
        },
    )  # fmt: skip


def test_a_rig_at_rest_where_the_plan_begins_is_armed(test):
    rig = Rig(test)
    assert standstill.find_unrest(test, rig.arena, rig) == []
    assert rig.k == 4 * 256  # a second


@pytest.mark.parametrize(
    ("shown", "words"),
    [
        ({"displacement": 0.06}, "it stands at 0.06 m and should at 0.01 m"),
        ({"displacement": np.nan}, "displacement is not a number"),
        ({"velocity": np.nan}, "velocity is not a number"),
        ({"force": np.inf}, "force is not a number"),
        ({"force": 300.0}, "its force is 300"),
        ({"creep": 0.003}, "it moves at 0.003 m/s"),
        ({"velocity": 0.05}, "says 0.05 m/s itself"),
        ({"noise": 1e-4}, "the noise of its displacement is"),
        ({"force_noise": 50.0}, "the noise of its force is"),
        ({"answered": 0.5}, "of its answers"),
        ({"spike": 0.005}, "its displacement jumps by 0.0049"),
        ({"fastest": 10.0}, "its measured velocity is up to 10 m/s at rest"),
    ],
)
def test_a_rig_that_is_elsewhere_moves_is_loud_or_rarely_answers_is_refused(test, shown, words):
    rig = Rig(test, **shown)
    with pytest.raises(InputError) as error:
        arming._require_rest(test, rig.arena, rig)
    assert words in str(error.value)
    assert error.value.field == "hardware"


def test_all_that_is_off_is_said_at_once(test):
    rig = Rig(test, displacement=0.06, force=900.0)
    assert len(standstill.find_unrest(test, rig.arena, rig)) == 2


def test_a_rig_that_still_swings_is_looked_at_again(test):
    rig = Rig(test, settled=300)
    assert standstill.find_unrest(test, rig.arena, rig) == []
    assert rig.k == (2 + 4) * 256


@pytest.mark.parametrize("restless", ["BBBBBBG", "GBBBBBB", "BGBGBGB", "GGGBGGG", "BBBBGGG"])
def test_a_rig_that_is_restless_now_and_then_is_refused(test, monkeypatch, restless):
    looks = iter(restless)
    monkeypatch.setattr(standstill, "take_sample", lambda *_: next(looks))
    monkeypatch.setattr(
        standstill, "judge_sample", lambda _, look, rest: ["off"] if look == "B" else []
    )
    assert standstill.find_unrest(test, test.live_layout.initial, lambda: None) == ["off"]


@pytest.mark.parametrize("resting", ["GGGG", "BGGGG", "BBBGGGG", "GGBGGGG"])
def test_a_rig_that_comes_to_rest_and_stays_there_is_armed(test, monkeypatch, resting):
    looks = iter(resting)
    monkeypatch.setattr(standstill, "take_sample", lambda *_: next(looks))
    monkeypatch.setattr(
        standstill, "judge_sample", lambda _, look, rest: ["off"] if look == "B" else []
    )
    assert standstill.find_unrest(test, test.live_layout.initial, lambda: None) == []
    assert next(looks, None) is None


def test_the_share_of_answers_that_may_be_missed_follows_from_length_and_patience(test):
    q = standstill.allowed_loss(test)
    assert test.clock.ticks * q**test.hardware.missed == pytest.approx(0.01)
    patient = test.with_values({"hardware.missed": 100})
    assert standstill.allowed_loss(patient) > q


def test_a_rig_that_has_fallen_silent_is_refused_however_patient_the_plan_is(test):
    patient = test.with_values({"hardware.missed": 1000})
    rest = standstill.expect_rest(patient)
    shape = (256, 1)
    d, f = np.full(shape, rest[0][0]), np.full(shape, rest[1][0])
    answered = np.arange(256) < 50
    assert 1 - answered.mean() < standstill.allowed_loss(patient)
    look = standstill.Sample(d, np.zeros(shape), f, answered)
    assert list(standstill.judge_sample(patient, look, rest)) == ["it has fallen silent"]
