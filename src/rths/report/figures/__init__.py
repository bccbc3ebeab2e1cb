"""The pictures of a report; one picture is one file.

A file gives ``draw(runs)``, a figure or None where the records do not allow it, its ``CAPTION``,
its ``PLACE`` among the others, and its ``SECTION`` of the page if that is not ``MOTION``. The name
of the file is that of the picture.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from types import ModuleType

from rths.kind_files import files_of

MOTION = "motion"
"""The section of a picture that names none."""


def figures() -> dict[str, ModuleType]:
    """Give the files of all pictures by name, in their order."""
    found = {name: import_module(f"{__name__}.{name}") for name in files_of(Path(__file__).parent)}
    return dict(sorted(found.items(), key=lambda item: item[1].PLACE))
