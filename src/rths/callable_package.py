"""A package that is also a function: ``rths.report(record)`` beside ``rths.report.page``.

Once it is imported, ``rths.report`` is the package, whatever ``rths`` would give for the name.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import Any


class CallablePackage(ModuleType):
    """A package whose function, of the same name, lies in one of the modules."""

    home: str
    """Module of the function."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function."""
        function = getattr(import_module(self.home), self.__name__.rpartition(".")[2])
        return function(*args, **kwargs)


def make_callable(package: str, home: str) -> None:
    """Let a package be called; its function is imported from its home when it is."""
    module = sys.modules[package]
    module.__class__ = CallablePackage
    module.home = home  # type: ignore[attr-defined]
