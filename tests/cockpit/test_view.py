"""What a page sees: frames that can be read back, energy and punctuality of every row."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import numpy as np
import pytest

import rths.config
from rths.cockpit.seen_signals import FIRST, see_signals
from rths.cockpit.view import ESTIMATE, HISTORY, View
from rths.config.plan import load
from rths.metrics.tracking_error_energy import tracking_error_energy
from rths.run.virtual import simulate

TEMPLATES = Path(rths.config.__file__).parent / "templates"
LIVE = """
[safety]
rate = 0.05

[[guard]]
kind = "limit"
name = "drift"
signal = "transfer.displacement"
warn = 0.002
trip = 0.02
"""


@pytest.fixture(scope="module")
def test():
    text = (TEMPLATES / "wallace2005.toml").read_text().partition("# A live test")[0]
    return load(text.replace("duration = 12.0", "duration = 4.0") + LIVE)


@pytest.fixture(scope="module")
def record(test):
    return simulate(test)


@pytest.fixture(scope="module")
def rows(record):
    head = np.zeros((len(record.rows), FIRST))
    head[:, 0] = np.arange(len(head))
    head[:, 1] = 1e3 * np.arange(len(head))
    return np.concatenate([head, record.rows], axis=1)


def read(frame):
    (length,) = struct.unpack("<I", frame[:4])
    head = json.loads(frame[4 : 4 + length])
    assert (4 + length) % 4 == 0
    return head, np.frombuffer(frame[4 + length :], "<f4").reshape(-1, head["count"])


def test_portions_of_any_size_show_the_same(test, rows):
    one, many = View(see_signals(test)), View(see_signals(test))
    one.add(rows)
    for part in np.array_split(rows, [1, 2, 5, 17, 400, 401, 2000]):
        many.add(part)
    assert one.history() == many.history()


def test_frames_hold_what_was_recorded(test, record, rows):
    view = View(see_signals(test))
    view.add(rows)
    head, columns = read(view.frame_since(0))
    named = dict(zip(["tick", *view.columns], columns, strict=True))
    stride = view.stride
    for key, name in (("target0", "integrator.target"), ("force0", "feedback.force")):
        expected = record[name][::stride, 0]
        assert np.allclose(named[key], expected, rtol=1e-6, atol=0)  # float32
    assert head["first"] == 0


def test_a_frame_begins_behind_the_samples_that_were_given(test, rows):
    view = View(see_signals(test))
    assert view.frame_since(0) is None
    view.add(rows[:1000])
    given = view.drawn
    assert view.frame_since(given) is None
    view.add(rows[1000:1500])
    head, columns = read(view.frame_since(given))
    assert head["first"] == columns[0, 0] == given * view.stride
    assert columns.shape[1] == view.drawn - given == head["count"]


def test_energy_is_that_of_the_metric(test, record, rows):
    view = View(see_signals(test))
    for part in np.array_split(rows, 37):
        view.add(part)
    names = ("integrator.target", "transfer.displacement", "feedback.force")
    target, measured, force = (record[n][:, 0] for n in names)
    expected = tracking_error_energy(target, measured, record.tick, force)
    assert view._energies[0] == pytest.approx(expected[-1], rel=1e-9)


def test_delay_and_gain_are_estimated_twice_a_second_however_often_they_are_told(test, rows):
    view = View(see_signals(test))
    told = []
    for part in np.array_split(rows, 80):  # 50 ms each
        view.add(part)
        told.append(view.state()["margins"][0]["at"])
    pauses = np.diff(np.unique(told))
    one = 52 * test.tick  # rows of a part
    assert np.all((pauses > ESTIMATE - 1e-9) & (pauses < ESTIMATE + one))
    assert told[-1] >= view.time - ESTIMATE
    kept = [at for at, _ in view.about()["delays"]]
    assert kept == np.unique(told)[-len(kept) :].tolist()
    assert len(kept) >= 6


def test_a_guard_is_a_bar_with_its_marks(test, record, rows):
    view = View(see_signals(test))
    bars = {b["name"]: b for b in view.about()["guards"]}
    assert bars["drift"]["warn"] == (-0.002, 0.002)
    assert bars["drift"]["trip"] == (-0.02, 0.02)
    assert bars["limit"]["trip"] == (-0.025, 0.025)  # of the plan's [limits], seen in its signal
    peak = int(np.argmax(np.abs(record["transfer.displacement"][:, 0])))
    view.add(rows[: peak + 1])
    state = dict(zip(bars, view.state()["guards"], strict=True))["drift"]
    assert (state["level"], abs(state["value"])) == (1, abs(state["furthest"]))


def test_memory_does_not_grow(test, rows):
    view = View(see_signals(test))
    for k in range(40):
        later = rows.copy()
        later[:, 0] += k * len(rows)
        view.add(later)
        view.state()
    kept = view._drawn.last()
    assert np.ptp(kept[:, 0]) * test.tick <= HISTORY
    assert view._drawn._kept.nbytes < 5e6
    assert len(view._delays) <= 120


def test_not_a_number_does_no_harm(test, rows):
    view = View(see_signals(test))
    bad = rows.copy()
    bad[100:, FIRST:] = np.nan
    view.add(bad)
    json.dumps(view.about(), allow_nan=False)
    view.state()
