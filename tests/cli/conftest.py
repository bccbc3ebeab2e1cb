"""The command line as a user calls it, in a folder of its own."""

from __future__ import annotations

import sys
from dataclasses import dataclass

import pytest

from rths.cli import main
from rths.config.plan import load
from rths.config.template import FOLDER
from rths.run.virtual import rehearse
from rths.studies.wallace2005.three_ways import PLAN


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


@pytest.fixture(scope="session")
def records(tmp_path_factory):
    """Keep three short tests: a late actuator, a good one, and the frame of another paper."""
    folder = tmp_path_factory.mktemp("records")
    late = {"compensator.kind": "none", "transfer.delay": 0.0043, "clock.duration": 6.0}
    rehearse(load(PLAN, late), folder / "late.h5")
    rehearse(load(PLAN, {"clock.duration": 6.0}), folder / "good.h5")
    changes = {"clock.duration": 6.2, "clock.tick": 0.00062}
    rehearse(load(FOLDER / "carrion2006.toml", changes), folder / "carrion.h5")
    return folder
