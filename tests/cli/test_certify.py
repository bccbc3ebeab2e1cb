from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from rths.cli.main import app
from rths.errors import InputError
from rths.studies.wallace2005.three_ways import PLAN


def run(*arguments):
    return CliRunner().invoke(app, [str(a) for a in arguments])


def test_a_stable_plan_ends_with_zero_and_leaves_page_and_data(tmp_path):
    found = run("certify", PLAN, "--out", tmp_path)
    assert found.exit_code == 0, found.output
    assert found.output.startswith("Wallace rig: stable, margin of 7.36 ms of delay")
    assert "cubic predictor" in found.output
    assert "<svg" in (tmp_path / "certificate.html").read_text()
    data = json.loads((tmp_path / "certificate.json").read_text())
    assert data["verdict"] == "stable"
    assert data["chart"]["point"] == [0.0094, 2250.0]


def test_an_unstable_plan_does_not_end_with_zero(tmp_path):
    late = ["--set", "compensator.delay=0.001"]
    found = run("certify", PLAN, *late, "--no-chart", "--out", tmp_path)
    assert found.exit_code == 4
    assert found.output.startswith("Wallace rig: unstable")


def test_uncertain_numbers_are_answered(tmp_path):
    rough = ["--uncertain", "transfer.delay=0.008..0.018", "--uncertain", "structure.mass=+-2%"]
    rough += ["--correlated", "transfer.delay,structure.mass=0.5"]
    found = run("certify", PLAN, *rough, "--samples", 40, "--no-chart", "--out", tmp_path)
    assert "of 40 samples not stable, by their roots" in found.output
    assert "most important: transfer.delay" in found.output
    data = json.loads((tmp_path / "certificate.json").read_text())
    assert 0 < data["robust"]["unstable"] < 40


def test_a_chart_of_two_numbers(tmp_path):
    axes = ["--x", "transfer.delay", "--y", "specimen.stiffness", "--points", 5]
    found = run("chart", PLAN, *axes, "--x-range", "0.002..0.03", "--out", tmp_path)
    assert found.exit_code == 0, found.output
    data = json.loads((tmp_path / "chart.json").read_text())
    assert data["x"]["values"][0] == 0.002
    assert data["boundary"]
    assert (tmp_path / "chart.svg").read_text().startswith("<svg xmlns")


@pytest.mark.parametrize(
    ("arguments", "wrong"),
    [
        (["--x", "transfer.lag", "--y", "specimen.stiffness"], "transfer.lag"),
        (["--x", "transfer.delay", "--y", "specimen.stiffness", "--x-range", "5"], "range"),
    ],
)
def test_what_cannot_be_charted_is_named(arguments, wrong):
    found = run("chart", PLAN, *arguments)
    assert isinstance(found.exception, InputError)
    assert wrong in str(found.exception)
