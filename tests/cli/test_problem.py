"""The command: what it prints, what it stores, and what it refuses."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from rths.cli.main import app
from rths.cli.problem import Compensators
from rths.errors import InputError
from rths.problems.silva2020.candidates import DEFAULT_CANDIDATE
from rths.problems.silva2020.problem import VARIABLE

SHORT = ["--cases", "1", "--out", "results"]


def asked(*arguments):
    return CliRunner().invoke(app, ["problem", "silva2020", *arguments])


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


def test_the_help_names_what_is_taken_if_none_is_given():
    (option,) = Compensators.__metadata__
    assert f"If none is given {DEFAULT_CANDIDATE}," in option.help


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("--cases", "5"), "cases"),
        (("--cases", "one"), "cases"),
        (("--variant", "best"), "variant"),
        (("--motions", "kobe"), "motions"),
        (("--motions", "kobee"), "el_centro, kobe, morgan_hill"),
        (("--data", "nowhere"), "ground motions"),
        (("--data", "half", "--motions", "kobe"), "kobe_1995.csv"),
        (("--out", "half/el_centro_1940.csv"), "cannot be written"),
        (("--compensator", "nothing_like_it"), "kind"),
    ],
)
def test_what_cannot_be_run_is_refused_in_one_message(arguments, word, tmp_path):
    (tmp_path / "half").mkdir()
    (tmp_path / "half" / "el_centro_1940.csv").write_text("time,acceleration\n")
    done = asked(*arguments)
    assert isinstance(done.exception, InputError)
    assert word in str(done.exception)


@pytest.mark.parametrize(
    "arguments", [("--plants", "-1"), ("--noise-seed", "2147483647"), ("--workers", "0")]
)
def test_numbers_out_of_range_are_refused_with_the_name_of_the_option(arguments):
    done = asked(*arguments)
    assert done.exit_code == 2
    assert arguments[0] in done.output


def test_results_of_another_question_are_not_overwritten(tmp_path):
    for arguments in (["--cases", "1"], ["--cases", "2"], ["--cases", "1"]):
        assert asked(*arguments).exit_code == 0
    cases = {
        path.parent.name: [r["case"] for r in json.loads(path.read_text())["results"]]
        for path in tmp_path.glob("runs/*/results.json")
    }
    assert cases == {"silva2020": [1], "silva2020-2": [2]}


def test_ended_early_it_stores_what_was_done_and_says_so(tmp_path, monkeypatch):
    from rths.problems.silva2020 import results

    def first_only(jobs, **given):
        return [*scored(jobs[:1], **given), *[None] * (len(jobs) - 1)]

    scored = results.score_jobs
    monkeypatch.setattr(results, "score_jobs", first_only)
    done = asked("--cases", "1,2", "--out", "results")
    assert done.exit_code == 130
    assert "1 of 2 runs done" in done.stderr
    stored = json.loads((tmp_path / "results" / "results.json").read_text())
    assert [r["case"] for r in stored["results"]] == [1]


@pytest.mark.slow
@pytest.mark.realtime
def test_on_the_clock_the_criteria_are_those_of_the_virtual_run(tmp_path):
    done = asked("--realtime", "--json", *SHORT)
    assert done.exit_code == 0, done.output
    (found,) = json.loads(done.stdout)["results"]
    assert found["on_the_clock"]["largest_difference"] <= 0.2
    assert (tmp_path / "results/realtime/inverse_rls-el_centro_1940_ns-1/record.h5").exists()


@pytest.mark.slow
def test_comparison_makes_a_page_with_everything_in_it(tmp_path):
    done = asked("--compare", "--plants", "2", *SHORT)
    assert done.exit_code == 0, done.output
    page = (tmp_path / "results" / "index.html").read_text(encoding="utf-8")
    for word in ("inverse_rls", "pi_phase_lead", "noise floor", "worst", "data:image/svg+xml"):
        assert word in page
    assert "http://" not in page.replace("http://www.w3.org", "")
