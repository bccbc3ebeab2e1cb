"""The one kind of error a user can cause: it names the field, the value and the remedy."""

from __future__ import annotations

import errno
from collections.abc import Iterable
from typing import Any


class InputError(ValueError):
    """Something the user gave cannot be used.

    Reads ``field = value: problem. Remedy.``, so that the message alone is enough to mend it.
    """

    def __init__(
        self, field: str, value: Any, problem: str, remedy: str, where: str | None = None
    ) -> None:
        self.field, self.value, self.problem, self.remedy = field, value, problem, remedy
        shown = "" if value is None else f" = {_shorten(value)}"
        place = f"{where}: " if where else ""
        self.where = where
        super().__init__(f"{place}{field}{shown}: {problem}. {remedy}")

    def __reduce__(self) -> tuple[type[InputError], tuple[Any, ...]]:
        """Let it come from another process as it was raised there."""
        return type(self), (self.field, self.value, self.problem, self.remedy, self.where)

    def locate(self, where: str) -> InputError:
        """Give the same error with the file and line it comes from."""
        return InputError(self.field, self.value, self.problem, self.remedy, where)

    def relabel(self, field: str) -> InputError:
        """Give the same error under the name that its field has for the user."""
        return InputError(field, self.value, self.problem, self.remedy)


class InputWarning(UserWarning):
    """Something the user gave was used, but not as it is: it is said what was done to it."""


def explain_os_error(error: OSError) -> InputError:
    """Say in one message which file the system refused, why, and what to do about it."""
    remedies = {
        errno.ENOENT: "Check the name; a directory must be there before what it holds.",
        errno.ENOSPC: "Make room, or choose another disk.",
        errno.ENOTDIR: "One part of this path is a file: choose another directory.",
        errno.EISDIR: "Name a file in it.",
    }
    remedy = remedies.get(error.errno or 0, "Choose a place that can be read and written.")
    why = error.strerror or str(error)
    return InputError("file", error.filename, f"cannot be used ({why})", remedy)


def suggest(name: object, known: Iterable[str]) -> str:
    """Ask whether the most similar of the known names was meant; nothing if none is similar."""
    from difflib import get_close_matches  # an error may wait for it, rths --help may not

    close = get_close_matches(str(name), list(known), 1)
    return f"Did you mean {close[0]!r}? " if close else ""


def _shorten(value: Any) -> str:
    shown = repr(value)
    most = 400 if isinstance(value, str) else 80  # paths are long, and their end tells most
    return shown if len(shown) <= most else shown[: most - 3] + "..."
