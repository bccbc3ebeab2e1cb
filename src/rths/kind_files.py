"""What the files of a folder define, by their names: kinds, metrics, figures, commands."""

from __future__ import annotations

from os import listdir
from pathlib import Path


def files_of(folder: Path) -> list[str]:
    """List what the files of a folder define, by their names.

    A file whose name begins with _ holds what several share, and ``base`` what all have.
    """
    names = (name[:-3] for name in listdir(folder) if name.endswith(".py"))
    return sorted(name for name in names if name != "base" and not name.startswith("_"))
