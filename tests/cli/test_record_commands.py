"""``rths rerun``, ``export``, ``metrics``, ``identify``, ``compare``: questions to a record."""

from __future__ import annotations

import json
import re

import h5py
import numpy as np
import pytest

from rths.cli import main
from rths.config.plan import load
from rths.config.template import FOLDER
from rths.metrics.rms_tracking_error import rms_tracking_error
from rths.records.hdf5 import read
from rths.run.virtual import rehearse
from rths.studies.wallace2005.three_ways import PLAN


@pytest.fixture(scope="module")
def records(tmp_path_factory):
    folder = tmp_path_factory.mktemp("records")
    late = {"compensator.kind": "none", "transfer.delay": 0.0043, "clock.duration": 6.0}
    rehearse(load(PLAN, late), folder / "late.h5")
    rehearse(load(PLAN, {"clock.duration": 6.0}), folder / "good.h5")
    changes = {"clock.duration": 6.2, "clock.tick": 0.00062}
    rehearse(load(FOLDER / "carrion2006.toml", changes), folder / "carrion.h5")
    return folder


def interval(text: str, name: str) -> tuple[float, float, float]:
    line = next(x for x in text.splitlines() if name in x)
    number = r"(-?\d[\d.e+-]*)"
    found = re.search(rf"{number}.*? \(95 % within {number} \.\.\. {number}\)", line)
    assert found, line
    return tuple(map(float, found.groups()))


def test_a_repetition_is_identical_and_its_exit_status_says_so(rths, records):
    answer = rths("rerun", records / "late.h5")
    assert answer.status == 0
    assert "identical to the last bit" in answer.out


def test_a_repetition_that_differs_says_where(rths, records, tmp_path):
    (tmp_path / "x.h5").write_bytes((records / "late.h5").read_bytes())
    with h5py.File(tmp_path / "x.h5", "r+") as file:
        file["integrator/target"][100, 0] = 1.0
    answer = rths("rerun", "x.h5")
    assert answer.status == 1
    assert "integrator.target: first at 0.1 s" in answer.out


def test_an_export_lies_beside_its_record_or_where_told(rths, records, tmp_path):
    answer = rths("export", records / "late.h5", "--to", "csv", "--out", "late.csv")
    assert answer.status == 0
    assert (tmp_path / "late.csv").exists()
    assert rths("export", records / "late.h5", "--to", "xls").status == 2


def test_metrics_by_name_are_those_of_the_functions(rths, records):
    answer = rths("metrics", records / "late.h5", "rms_tracking_error", "--json")
    record = read(records / "late.h5")
    x, y = record["integrator.target"][:, 0], record["transfer.displacement"][:, 0]
    wanted = rms_tracking_error(x, y, record.tick)
    assert json.loads(answer.out) == [{"rms_tracking_error": wanted}]


def test_a_reference_gives_nrmse_and_its_lack_is_told(rths, records):
    late, good = records / "late.h5", records / "good.h5"
    (found,) = json.loads(rths("metrics", late, "nrmse", "--reference", good, "--json").out)
    a, b = (read(p)["integrator.target"][:, 0] for p in (good, late))
    assert found["nrmse"] == pytest.approx(np.sqrt(np.sum((b - a) ** 2) / np.sum(a**2)))
    refused = rths("metrics", late, "nrmse")
    assert refused.status == 2
    assert "--reference" in refused.err


def test_without_a_name_every_metric_that_applies_is_computed(rths, records):
    out = rths("metrics", records / "late.h5").out
    for name in ("maximum_tracking_error", "frequency_evaluation_index.delay", "delay_over_time"):
        assert name in out
    assert "4.3" in next(x for x in out.splitlines() if "delays median" in x)
    assert rths("metrics", records / "late.h5", "no_such").status == 2


def test_the_delay_is_identified_with_its_interval(rths, records):
    out = rths("identify", "delay", records / "late.h5").out
    value, low, high = interval(out, "least squares")
    assert value == pytest.approx(4.3, abs=0.01)
    assert low <= value <= high
    assert "crossings up" in out


def test_the_actuator_of_the_record_is_found_again(rths, records):
    out = rths("identify", "actuator", records / "carrion.h5", "--model", "second_order").out
    assert interval(out, "frequency")[0] == pytest.approx(31.24, rel=1e-3)
    assert interval(out, "damping")[0] == pytest.approx(0.76499, rel=1e-3)
    assert interval(out, "dead_time")[0] == pytest.approx(4.2621, rel=1e-3)


def test_the_response_is_listed_and_written(rths, records, tmp_path):
    out = rths("identify", "response", records / "carrion.h5", "--out", "h.csv").out
    assert "coherence" in out
    f, gain, phase, _ = np.loadtxt(tmp_path / "h.csv", delimiter=",", skiprows=1).T
    k = np.argmin(np.abs(f - 5.33))
    assert -phase[k] / (2 * np.pi * f[k]) == pytest.approx(12.1e-3, rel=0.05)
    assert gain[k] == pytest.approx(1.0, abs=0.03)


def test_a_damper_is_identified_from_a_csv_of_the_user(rths, tmp_path):
    t = np.arange(4000) / 1000
    x = 10.0 * np.sin(2 * np.pi * 1.3 * t) * (1 + 0.2 * t)  # mm
    v = np.gradient(x / 1000, 1e-3)
    noise = np.random.default_rng(0).standard_normal(t.size)
    force = (2e3 * np.abs(v) ** 0.4 * np.sign(v) + 2.0 * noise) / 1000  # kN
    table = np.column_stack([t, x, force])
    np.savetxt(tmp_path / "d.csv", table, delimiter=",", comments="",
               header="time_s,displacement_mm,force_kN")  # fmt: skip
    out = rths("identify", "damper", "d.csv", "--model", "power_law").out
    c, a = interval(out, "coefficient"), interval(out, "exponent  ")
    assert c[0] == pytest.approx(2000, abs=2 * (c[2] - c[1]))
    assert a[0] == pytest.approx(0.4, abs=2 * (a[2] - a[1]))
    assert 0 < c[2] - c[1] < 5


def test_signals_that_cannot_be_told_are_asked_for(rths, tmp_path):
    (tmp_path / "s.csv").write_text(
        "time_s,a,b\n" + "".join(f"{k / 10},{k},{k}\n" for k in range(99))
    )
    answer = rths("identify", "delay", "s.csv")
    assert answer.status == 2
    assert "--target" in answer.err
    assert "a, b" in answer.err


def test_two_records_are_compared_in_plan_signals_and_picture(rths, records, tmp_path):
    answer = rths("compare", records / "good.h5", records / "late.h5", "--out", "c.svg")
    assert answer.status == 0
    assert "compensator.kind: polynomial -> none" in answer.out
    assert "identical" in next(x for x in answer.out.splitlines() if "excitation.signal[0]" in x)
    assert (tmp_path / "c.svg").stat().st_size > 5000


def test_every_file_is_a_command_and_has_its_line_of_help(rths):
    out = rths("--help").out
    for name in main.commands():
        assert main.place(name) < main.LAST, f"cli/{name}.py declares no PLACE"
        assert re.search(rf"^ *{name} +[A-Z]", out, re.MULTILINE), name
        assert rths(name, "--help").status == 0
