"""How commands speak: quiet, verbose, as JSON, in colour for people only."""

from __future__ import annotations

import io
import json

import pytest

import rths as package
from rths.cli import _voice
from rths.studies.wallace2005.three_ways import PLAN

QUICK = ("--set", "clock.duration=0.05")


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_the_version_is_the_one_of_the_package(rths):
    assert rths("--version").out == f"rths {package.__version__}\n"


@pytest.mark.parametrize("words", [("-h",), ("run", "-h"), ("identify", "-h")])
def test_help_has_a_short_name_everywhere(rths, words):
    answer = rths(*words)
    assert answer.status == 0
    assert answer.out.startswith("Usage: rths")


@pytest.mark.parametrize("words", [("-q", "explain", "clock"), ("explain", "clock", "--quiet")])
def test_quiet_says_nothing_but_errors(rths, words):
    assert rths(*words).out == ""
    assert rths("-q", "explain", "clok").err.startswith("error: ")


def test_quiet_leaves_the_json_that_was_asked_for(rths):
    assert json.loads(rths("-q", "explain", "clock", "--json").out)["fields"]


def test_verbose_says_how_long_it_took_and_where_an_error_arose(rths):
    assert "took " in rths("explain", "clock", "-v").err
    assert "took" not in rths("explain", "clock").err
    assert "Traceback" in rths("-v", "explain", "clok").err


def test_words_behind_two_dashes_are_no_options():
    assert _voice.take_options(["run", "-q", "--", "-v"]) == ["run", "--", "-v"]


@pytest.mark.parametrize(
    ("verdict", "code"),
    [("proved", "32"), ("undecided", "33"), ("unstable", "31"), ("limit", "31")],
)
def test_a_verdict_has_its_colour_on_a_terminal(monkeypatch, verdict, code):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert _voice.paint("words", verdict, Terminal()) == f"\x1b[{code}mwords\x1b[0m"


def test_there_is_no_colour_in_a_pipe_without_wish_or_on_a_dumb_terminal(monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert _voice.paint("words", "proved", io.StringIO()) == "words"
    monkeypatch.setenv("TERM", "dumb")
    assert _voice.paint("words", "proved", Terminal()) == "words"
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", "1")
    assert _voice.paint("words", "proved", Terminal()) == "words"


def test_a_remark_about_a_file_is_one_line(rths, tmp_path):
    rows = "".join(f"{0.02 * k + 0.001 * (k % 2):.4f},{k % 3}\n" for k in range(40))
    (tmp_path / "wavers.csv").write_text("time_s,acceleration_m_s2\n" + rows)
    text = PLAN.read_text("utf-8")
    begin, end = text.index("[excitation]"), text.index("[structure]")
    motion = '[excitation]\nkind = "ground_motion"\nmotion = "wavers.csv"\n\n'
    (tmp_path / "plan.toml").write_text(text[:begin] + motion + text[end:])
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("default")  # as in a shell
        answer = rths("run", "plan.toml", *QUICK)
    noted = [line for line in answer.err.splitlines() if line.startswith("note: ")]
    assert len(noted) == 1
    assert "wavers.csv: times jitter" in noted[0]


def test_what_json_does_not_know_becomes_what_it_does(capsys):
    _voice.answer(True, {"a": float("nan"), "b": PLAN, "c": (1, True, None)}, "words")
    found = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)
    assert found == {"a": "nan", "b": str(PLAN), "c": [1, True, None]}


def test_every_answer_can_be_one_json_object(rths, records, tmp_path):
    good, late = records / "good.h5", records / "late.h5"
    for words in (
        ("run", PLAN, *QUICK, "--out", "run"),
        ("report", "run"),
        ("export", good, "--out", "good.csv"),
        ("compare", good, late, "--out", "c.png"),
        ("verify", "run"),
        ("rerun", "run"),
        ("identify", "delay", late),
        ("identify", "actuator", late, "--model", "delay"),
        ("metrics", good),
        ("explain", "compensator.polynomial"),
        ("new",),
        ("new", "wallace2005"),
        ("key", "secret.key"),
    ):
        answer = rths(*words, "--json")
        assert answer.status == 0, (words, answer.err)
        assert json.loads(answer.out), words
