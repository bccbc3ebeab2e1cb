"""What an index says about its numbers, for whoever shows them.

It stands on the function of the index, so that a new index is one new file. An index that declares
nothing has numbers without a unit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(frozen=True)
class Declaration:
    """Units of an index, and which rows of a table its histories give."""

    unit: str = "1"
    """Unit of an index that is one number or one history."""
    units: Mapping[str, str] = field(default_factory=dict)
    """Units of the parts of a named tuple; 1 for those that are not named."""
    axis: str | None = None
    """Part that only says when the others hold; it gives no row."""
    spread: bool = False
    """Whether a history is told by its median, least and most: its end is one value like any other.
    Else it is told by its end and its extreme, as of what adds up over the test."""

    def unit_of(self, part: str | None) -> str:
        """Give the unit of a part, or of the whole."""
        return self.unit if part is None else self.units.get(part, "1")


def declare(declaration: Declaration) -> Callable[[Function], Function]:
    """Let a function carry its declaration."""

    def mark(index: Function) -> Function:
        vars(index)["declaration"] = declaration
        return index

    return mark


def declaration_of(index: Callable[..., Any]) -> Declaration:
    """Give what an index declares."""
    found: Declaration = getattr(index, "declaration", Declaration())
    return found
