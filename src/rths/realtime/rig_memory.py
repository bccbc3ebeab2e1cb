"""What a rig keeps over a restart: its latch, and the highest session it has taken.

A rig that was switched off in a session is latched when it comes back: nobody knows where the test
was. Who released it, and for what cause, is kept as well.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from rths.errors import InputError
from rths.plain_file import require_file
from rths.run.run_directory import read_json, write_json

OUTSIDE = ("path", "unwritten")
"""What is not kept in the file."""
MOST = 1 << 62
"""Above the number of any latch: a rig counts in 64 bits."""


@dataclass
class RigMemory:
    """The memory of one rig; in a file if it has a path."""

    path: Path | None = None
    latch: int = 0
    """Number of the latch, 0 if there is none."""
    latches: int = 0
    """Number of the last latch."""
    session: int = 0
    """Highest number of a session."""
    engaged: bool = False
    """Whether that session goes on."""
    releases: list[dict[str, str]] = field(default_factory=list)
    """Who has released it, and why."""
    unwritten: bool = False
    """Whether the file could not be written: a rig serves on, and tries again."""

    @classmethod
    def load(cls, path: Path) -> RigMemory:
        """Read the memory of a rig that was switched off; an empty one if there is none."""
        if not path.exists() and not path.is_symlink() and path.absolute().parent.is_dir():
            return cls(path)
        try:
            require_file(path)
            stored = read_json(path)
            if not isinstance(stored, dict) or {*stored} != {*asdict(cls())} - {*OUTSIDE}:
                raise ValueError("it does not hold what a rig remembers, or more than that")
            memory = cls(path, **stored)
            most = {"latch": MOST, "latches": MOST, "session": 1 << 128}
            numbers = [(getattr(memory, name), bound) for name, bound in most.items()]
            if any(type(n) is not int or not 0 <= n < bound for n, bound in numbers):
                raise ValueError("its numbers are none of a rig")
            if memory.latch > memory.latches:
                raise ValueError("its latch is one that it never had")
            if type(memory.engaged) is not bool or type(memory.releases) is not list:
                raise ValueError("it does not tell who moved the rig, and who released it")
        except (OSError, ValueError, TypeError) as error:
            remedy = "Name another file, or delete it once the rig is known to be safe."
            raise InputError("memory", str(path), f"cannot be read ({error})", remedy) from None
        if memory.engaged and memory.latch == 0:
            memory.latches += 1
            memory.latch = memory.latches
        memory.engaged = False
        return memory

    def keep(self, **values: Any) -> None:
        """Take new values, and write them if they are new."""
        before = asdict(self)
        for name, value in values.items():
            setattr(self, name, value)
        after = asdict(self)
        if self.path is None or (after == before and not self.unwritten):
            return
        try:
            write_json(self.path, {k: v for k, v in after.items() if k not in OUTSIDE})
            self.unwritten = False
        except OSError:  # who stops serving for it leaves the loop without a rig
            self.unwritten = True
