"""Versions of what decides the numbers of a record."""

from __future__ import annotations

import platform
from importlib.metadata import version

PACKAGES = ("rths", "numpy", "numba", "h5py")


def package_versions() -> dict[str, str]:
    """Give the versions of Python and of the packages."""
    return {"python": platform.python_version(), **{p: version(p) for p in PACKAGES}}
