"""``rths import opensees``: a model file that plans can use, or one message."""

import json
from pathlib import Path

import pytest

from rths.frame.model_file import read_model

SCRIPTS = Path(__file__).parents[1] / "frame" / "opensees" / "scripts"


@pytest.fixture
def take(rths):
    """Run the command; skipped where OpenSees is not installed."""
    try:
        import openseespy.opensees  # noqa: F401
    except Exception as error:
        pytest.skip(f"openseespy is not installed here ({type(error).__name__})")
    return lambda *words: rths("import", "opensees", *words)


def test_a_script_becomes_a_model_and_a_table_of_a_plan(take, tmp_path):
    """Its call of rayleigh is a pair of ratios: 0.31/(2 w) + 0.0007 w/2."""
    told = json.loads(take(SCRIPTS / "portal.py", "--out", tmp_path / "portal.json", "--json").out)
    model = read_model(str(tmp_path / "portal.json"))
    assert len(model.elements) == told["elements"] == 3
    assert told["loads"] == {"1": pytest.approx(1.0)}
    assert told["stiffness_difference"] < 1e-13
    for period, ratio in zip(told["periods"], told["damping_ratios"], strict=False):
        w = 2 * 3.141592653589793 / period
        assert ratio == pytest.approx(0.31 / (2 * w) + 0.0007 * w / 2, rel=1e-9)
    assert 'model = "portal.json"' in told["structure"]


def test_damping_of_the_current_stiffness_is_said_and_asked_for(take, tmp_path):
    told = take(SCRIPTS / "braced.py", "--out", tmp_path / "braced.json").out
    assert "the script asks for rayleigh(0.1, 0.002, 0.0, 0.0)" in told
    assert "OpenSees does not tell its damping" in told
    again = take(SCRIPTS / "braced.py", "--out", tmp_path / "two.json", "--damping", "0.03").out
    assert "rayleigh = [0.03, 0.03]" in again
    assert 'undamped = ["6", "7"]' in again


def test_a_least_mass_makes_a_model_of_one_that_explicit_schemes_cannot_step(take, tmp_path):
    script = tmp_path / "bare.py"
    text = (SCRIPTS / "portal.py").read_text("utf-8")
    script.write_text(text.replace("12345.678, 101.3", "0.0, 0.0"), "utf-8")
    refused = take(script)
    assert refused.status == 2
    assert "no mass along y" in refused.err
    assert "--least-mass" in refused.err
    told = json.loads(take(script, "--least-mass", "1", "--json").out)
    assert told["masses_added"] == ["3.y", "3.r", "4.r"]  # element 2 brings some to 4.y
    assert told["written"] == "runs/bare/bare.json"  # where all results go
    assert 'model = "runs/bare/bare.json"' in told["structure"]
    model = read_model(str(tmp_path / "runs/bare/bare.json"))
    assert model.masses["3"][2] == pytest.approx(0.01)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("import openseespy.opensees as ops\n", "leaves no nodes"),
        ("raise ValueError('my own mistake')\n", "my own mistake"),
        ("import sys\nsys.exit(3)\n", "did not come to its end"),
        ("import os\nos._exit(0)\n", "did not come to its end"),
        ("1 +\n", "SyntaxError"),
    ],
)
def test_a_script_that_leaves_no_model_is_one_message(take, tmp_path, text, problem):
    script = tmp_path / "mine.py"
    script.write_text(text, "utf-8")
    answer = take(script)
    assert answer.status == 2
    assert problem in answer.err
    assert len(answer.err.splitlines()) == 1
    assert not (tmp_path / "runs").exists()


def test_nothing_is_overwritten_and_nothing_run_before_that_is_known(take, tmp_path):
    (tmp_path / "portal.json").write_text("mine", "utf-8")
    answer = take(SCRIPTS / "portal.py", "--out", tmp_path / "portal.json")
    assert "exists already" in answer.err
    assert (tmp_path / "portal.json").read_text("utf-8") == "mine"


def test_patterns_must_be_named_where_none_was_applied(take, tmp_path):
    asked = take(SCRIPTS / "floors.py", "--out", tmp_path / "floors.json")
    assert "--loads: must be said: 1, 2" in asked.err
    told = take(SCRIPTS / "floors.py", "--out", tmp_path / "floors.json", "--loads", "1")
    assert "not taken: pattern 2" in told.out


def test_a_script_in_kilonewtons_and_tonnes_is_refused(take, tmp_path):
    """Its periods are right, its forces a thousand times too small."""
    script = tmp_path / "kilo.py"
    text = (SCRIPTS / "portal.py").read_text("utf-8")
    for was, now in {
        "345.17e6, 200.3e9": "345.17e3, 200.3e6",
        "12345.678, 12345.678, 101.3": "12.345678, 12.345678, 0.1013",
        "-118e3": "-118.0",
        "0.00538, 200e9": "0.00538, 200e6",
        '"-mass", 42.2': '"-mass", 0.0422',
    }.items():
        assert was in text
        text = text.replace(was, now)
    script.write_text(text, "utf-8")
    answer = take(script)
    assert answer.status == 2
    assert "kN, t and m" in answer.err
