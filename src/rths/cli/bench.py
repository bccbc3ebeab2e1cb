"""``rths bench``: speed and memory, measured as ratios in one run; in a checkout only."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import rths
from rths.errors import InputError

PLACE = 530


def __getattr__(name: str) -> Any:
    """Give the program of the folder ``benchmarks`` beside the sources; the wheel has none."""
    if name != "app":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    checkout = Path(rths.__file__).parents[2]
    if not (checkout / "benchmarks" / "__main__.py").exists():
        remedy = "Clone the sources and install them with pip install --editable."
        raise InputError("rths bench", str(checkout), "holds no benchmarks", remedy)
    sys.path.insert(0, str(checkout))
    return import_module("benchmarks.__main__").app
