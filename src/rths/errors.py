"""The one kind of error a user can cause: it names the field, the value and the remedy."""

from __future__ import annotations

from typing import Any


class InputError(ValueError):
    """Something the user gave cannot be used.

    Reads ``field = value: problem. Remedy.``, so that the message alone is enough to mend it.
    """

    def __init__(self, field: str, value: Any, problem: str, remedy: str) -> None:
        self.field, self.value, self.problem, self.remedy = field, value, problem, remedy
        shown = repr(value)
        shown = shown if len(shown) <= 80 else shown[:77] + "..."
        super().__init__(f"{field} = {shown}: {problem}. {remedy}")
