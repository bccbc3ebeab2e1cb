"""Versions of what decides the numbers of a record."""

from __future__ import annotations

import platform
from functools import cache
from importlib.metadata import version

import h5py
import numpy as np


@cache
def package_versions() -> dict[str, str]:
    """Give the versions of Python and of the packages.

    A package that is loaded names its version itself, without a look at the disk. Numba is loaded
    only where something must be compiled.
    """
    return {
        "python": platform.python_version(),
        "rths": version("rths"),
        "numpy": np.__version__,
        "numba": version("numba"),
        "h5py": h5py.__version__,
    }
