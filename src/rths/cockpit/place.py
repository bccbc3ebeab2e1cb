"""What a cockpit is about: a plan, one run, or all runs of a folder."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from rths.errors import InputError
from rths.run.run_directory import RUNS, RunDirectory


@dataclass(frozen=True)
class Place:
    """Folders in which runs and plans are, and which of them is meant."""

    root: Path
    plans: Path
    plan: str = ""
    only: Path | None = None
    """The one run that is followed; None follows whichever goes on."""


def find_place(target: Path | None, begins: bool = False) -> Place:
    """Tell what is meant; ``begins`` says that it is a run whose directory is just being made."""
    if target is None:
        return Place(RUNS, Path())
    if begins:
        return Place(target.parent, Path(), only=target)
    if target.is_file():
        if target.suffix != ".toml":
            remedy = "Name a plan, the directory of a run, or a folder of runs."
            raise InputError("target", str(target), "is no plan", remedy)
        return Place(RUNS, target.parent, target.name)
    if not target.is_dir():
        remedy = "Name a plan, the directory of a run, or a folder of runs."
        raise InputError("target", str(target), "does not exist", remedy)
    run = RunDirectory(target)
    if run.session.is_file() or run.record.is_file():
        return Place(target.parent, Path(), only=target)
    return Place(target, Path())
