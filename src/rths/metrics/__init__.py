"""One published index per file: the function ``metrics.<name>.<name>``.

``metric("nrmse")`` finds it by name; ``metric_names()`` lists the files of this folder, so that a
new index is one new file. Most take ``(target, measured, step)``; an index that needs more says so
in its signature. ``rths.metrics(record)`` computes all that apply to a record.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from rths.callable_package import make_callable
from rths.errors import InputError, suggest
from rths.kind_files import files_of

make_callable(__name__, "rths.report.indices")


def metric_names() -> list[str]:
    """Names of all indices, in alphabetical order."""
    return files_of(Path(__file__).parent)


def metric(name: str) -> Callable[..., Any]:
    """The index of that name."""
    if name not in metric_names():
        known = metric_names()
        remedy = f"{suggest(name, known)}Use one of: {', '.join(known)}."
        raise InputError("metric", name, "is not known", remedy)
    found: Callable[..., Any] = getattr(import_module(f"{__name__}.{name}"), name)
    return found
