"""The command line as a user calls it, in a folder of its own."""

from __future__ import annotations

import sys
from dataclasses import dataclass

import pytest

from rths.cli import main


@dataclass(frozen=True)
class Answer:
    status: int
    out: str
    err: str


@pytest.fixture
def rths(tmp_path, monkeypatch, capsys):
    """Call ``rths ...`` in this process; give exit status and what was printed."""
    monkeypatch.chdir(tmp_path)

    def call(*words: object) -> Answer:
        monkeypatch.setattr(sys, "argv", ["rths", *map(str, words)])
        capsys.readouterr()
        try:
            main.main()
            status = 0
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else 0
        told = capsys.readouterr()
        return Answer(status, told.out, told.err)

    return call
