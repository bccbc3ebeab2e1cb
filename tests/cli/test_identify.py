"""``rths identify``: delay, actuator and damper from signals."""

from __future__ import annotations

import re
import tomllib

import numpy as np
import pytest


def interval(text: str, name: str) -> tuple[float, float, float]:
    line = next(x for x in text.splitlines() if name in x)
    number = r"(-?\d[\d.e+-]*)"
    found = re.search(rf"{number}.*? \(95 % within {number} \.\.\. {number}\)", line)
    assert found, line
    return tuple(map(float, found.groups()))


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


FADING = """
[rig]
file = "emulated"
[safety]
rate = 0.05
fade_in = 0.5
"""


@pytest.mark.parametrize("more", ["", FADING], ids=["plain", "fading in"])
def test_a_plan_is_run_and_its_actuator_printed_as_a_table(more, rths, tmp_path):
    assert rths("new", "actuator", "day.toml").status == 0
    (tmp_path / "day.toml").write_text((tmp_path / "day.toml").read_text() + more)
    said = rths("identify", "actuator", "day.toml", "--model", "delayed_first_order")
    assert said.status == 0
    found = tomllib.loads(said.out[said.out.index("[transfer]") :])
    assert found["transfer"] == tomllib.loads((tmp_path / "day.toml").read_text())["transfer"]
    assert (tmp_path / "runs" / "day" / "record.h5").is_file()


def test_a_record_cannot_be_run_in_real_time(rths, records):
    said = rths("identify", "actuator", records / "late.h5", "--realtime")
    assert said.status == 2
    assert "no plan" in said.err
