"""Programs that a plan or a record brings along: known by their content, and trusted once.

Reading is never executing. A block of one's own (``kind = "lead.py:Lead"``) is a program with all
the rights of whoever starts it; it runs only if somebody has said that its content is trusted:

    first use    refused, with path and digest (SHA-256); with --trust or ``trust=True`` it is
                 shown, remembered in the user's state folder, and run
    later        the same content runs, wherever it lies; another content is another program (1)

What is trusted is the source that was read, never byte code beside it. What that source imports is
found as Python finds it: the folder of a plan is no place of imports.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path

from rths.errors import InputError
from rths.state_folder import state_folder


@dataclass(frozen=True)
class Program:
    """A source with the place it was read from."""

    path: Path
    content: bytes

    @property
    def digest(self) -> str:
        """SHA-256 of the content, hexadecimal."""
        import hashlib  # rths --help need not wait for it

        return hashlib.sha256(self.content).hexdigest()

    def __str__(self) -> str:
        return f"{self.path} (SHA-256 {self.digest})"


Tell = Callable[[str], object]
_grant: ContextVar[tuple[Tell, bool] | None] = ContextVar("who is told of programs trusted now")


@contextmanager
def grant_trust(granted: bool, tell: Tell = str, remember: bool = True) -> Iterator[None]:
    """Trust, or do not trust, what is read meanwhile; ``tell`` hears of each program before.

    Without ``remember`` it is for this time: of what another machine trusts and sends along.
    """
    token = _grant.set((tell, remember) if granted else None)
    try:
        yield
    finally:
        _grant.reset(token)


def is_trusted(program: Program) -> bool:
    """Tell whether somebody has trusted this content (1)."""
    with suppress(InputError, OSError):
        return (state_folder("trusted") / program.digest).is_file()
    return False


def require_trust(field: str, value: object, program: Program) -> None:
    """Let a trusted program pass, trust one if that was said, and refuse every other."""
    if is_trusted(program):
        return
    granted = _grant.get(None)
    if granted is None:
        problem = f"is a program that nobody here has trusted: {program}"
        remedy = "Read it; if you trust it, say so once with --trust (in Python: trust=True)."
        raise InputError(field, value, problem, remedy)
    tell, remember = granted
    if not remember:
        return
    tell(f"trusted from now on: {program}")
    with suppress(InputError, OSError):  # a state folder that cannot be written: for this time
        (state_folder("trusted") / program.digest).write_text(f"{program.path}\n", "utf-8")
