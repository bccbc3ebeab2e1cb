"""The command: what it prints, what it stores, and what it refuses."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from rths.cli.main import app
from rths.errors import InputError
from rths.studies.silva2020.problem import VARIABLE

SHORT = ["--cases", "1", "--out", "results"]


def asked(*arguments):
    return CliRunner().invoke(app, ["benchmark", "silva2020", *arguments])


@pytest.fixture(autouse=True)
def in_an_empty_folder_without_data(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(VARIABLE, raising=False)


def test_without_the_motions_the_built_in_record_is_used_and_said_so(tmp_path):
    done = asked("--json", *SHORT)
    assert done.exit_code == 0, done.output
    assert "built-in El Centro" in done.stderr
    result = json.loads(done.stdout)
    (found,) = result["results"]
    assert (found["compensator"], found["motion"]) == ("inverse_rls", "el_centro_1940_ns")
    assert found["nominal"]["J2"] < 1.1 * found["noise_floor"]
    assert found["nominal_violates"] == []
    assert json.loads((tmp_path / "results" / "results.json").read_text()) == result


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("--cases", "5"), "cases"),
        (("--cases", "one"), "cases"),
        (("--variant", "best"), "variant"),
        (("--motions", "kobe"), "motions"),
        (("--data", "nowhere"), "ground motions"),
        (("--compensator", "nothing_like_it"), "kind"),
    ],
)
def test_what_cannot_be_run_is_refused_in_one_message(arguments, word):
    done = asked(*arguments)
    assert isinstance(done.exception, InputError)
    assert word in str(done.exception)


@pytest.mark.slow
def test_comparison_makes_a_page_with_everything_in_it(tmp_path):
    done = asked("--compare", "--plants", "2", *SHORT)
    assert done.exit_code == 0, done.output
    page = (tmp_path / "results" / "index.html").read_text(encoding="utf-8")
    for word in ("inverse_rls", "pi_phase_lead", "noise floor", "worst", "data:image/svg+xml"):
        assert word in page
    assert "http://" not in page.replace("http://www.w3.org", "")
