"""Where the runs of a study lie: one design per file, its file name the ``design`` of a study.

Any stretch of points is made without those before it, from the number of its first: a worker is
told two numbers and nothing else, and no list of a million points is ever kept.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from rths.errors import InputError, suggest
from rths.kind_files import files_of
from rths.sweep.points.base import Design


def design_names() -> list[str]:
    """Names of all designs."""
    return files_of(Path(__file__).parent)


def find_design(name: object) -> type[Design]:
    """Find the design of that name."""
    known = design_names()
    if name not in known:
        remedy = f"{suggest(name, known)}Use one of: {', '.join(known)}."
        raise InputError("design", name, "is not known", remedy)
    found: type[Design] = import_module(f"{__name__}.{name}").DESIGN
    return found
