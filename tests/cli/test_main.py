"""``rths``: every command has its line of help."""

from __future__ import annotations

import re

import pytest

from rths.cli import main
from rths.studies.wallace2005.three_ways import PLAN


def test_every_file_is_a_command_and_has_its_line_of_help(rths):
    out = rths("--help").out
    for name in main.commands():
        assert main.place(name) < main.LAST, f"cli/{name}.py declares no PLACE"
        assert re.search(rf"^ *{name} +[A-Z]", out, re.MULTILINE), name
        assert rths(name, "--help").status == 0


@pytest.mark.parametrize(
    ("command", "place"), [("run", "file/run"), ("certify", "file/run"), ("certify", "/proc/run")]
)
def test_a_directory_that_cannot_be_made_is_one_message(rths, tmp_path, command, place):
    (tmp_path / "file").write_text("")
    quick = ["--set", "clock.duration=0.01"]
    answer = rths(command, PLAN, *quick, "--out", place)
    assert answer.status == 2
    assert answer.err.startswith("error: ")
    assert place in answer.err


def test_a_directory_that_is_not_there_is_one_message(rths):
    answer = rths("recover", "missing")
    assert answer.status == 2
    assert answer.err.startswith("error: folder = 'missing': does not exist")


@pytest.mark.parametrize(
    ("typed", "number", "offered"),
    [("rths re", "1", {"report", "rerun", "recover"}), ("rths run --real", "2", {"--realtime"})],
)
def test_a_shell_completes_commands_and_their_options(rths, monkeypatch, typed, number, offered):
    monkeypatch.setenv("_RTHS_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", typed)
    monkeypatch.setenv("COMP_CWORD", number)
    assert set(rths().out.split()) == offered


def test_completion_is_offered_in_the_help(rths, monkeypatch):
    # asks among the processes above, of which none need be a shell
    monkeypatch.setattr("shellingham.detect_shell", lambda: ("bash", "/bin/bash"))
    assert "--install-completion" in rths("--help").out
    assert "complete" in rths("--show-completion").out


@pytest.mark.parametrize(
    ("words", "meant"), [(("rum",), "run"), (("run", "plan.toml", "--relatime"), "--realtime")]
)
def test_a_near_miss_of_a_command_or_an_option_is_suggested(rths, words, meant):
    answer = rths(*words)
    assert answer.status == 2
    assert meant in answer.err
