"""The table ``[rig]`` of a plan: which file of the laboratory has the limits of the machine.

A name is looked for beside the plan, then in the laboratory's folder (``RTHS_RIGS``, else
``rths/rigs`` in the user's configuration), then among the rigs that come along: ``emulated`` is
that of ``rths rig``. A record keeps the file and its digest; a plan that has the digest takes no
other file. Any of these serves a rehearsal; a machine is moved only with a file of the
laboratory's folder: whoever writes a plan does not write the limits.
"""

from __future__ import annotations

import os
import tomllib
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, ClassVar

from rths.description import describe
from rths.errors import InputError
from rths.quantity import PlanFile
from rths.safety.rig import Actuator, Rig

SHIPPED = Path(__file__).parent / "rigs"
"""Rigs that come along."""
WRITE_ONE = "Write one with: rths new rig lab.toml."


def laboratory_folder() -> Path:
    """Name the folder in which this machine keeps the rigs of its laboratory."""
    given = os.environ.get("RTHS_RIGS")
    home = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
    return Path(given) if given else Path(home) / "rths" / "rigs"


def file_name(name: str) -> str:
    """Give a rig's name with the ending that its file has."""
    return name if name.endswith(".toml") else f"{name}.toml"


def find_rig_file(name: str) -> Path:
    """Find a rig by its whole path, or by its name in the laboratory's folder or among ours.

    The folder in which a command happens to be given is no place of the laboratory.
    """
    for folder in (laboratory_folder(), SHIPPED):
        path = folder / file_name(name)  # a whole path stays what it is
        if path.is_file():
            return path
    remedy = f"Put it beside the plan or into {laboratory_folder()}. {WRITE_ONE}"
    raise InputError("rig.file", name, "is not there", remedy)


def read_rig(path: Path) -> tuple[Rig, str]:
    """Read a file of the laboratory; give its rig and the digest of the file."""
    try:
        content = path.read_bytes()
        table = tomllib.loads(content.decode())
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        problem = f"cannot be read ({error})"
        raise InputError("rig.file", str(path), problem, WRITE_ONE) from None
    try:
        return _build(table), sha256(content).hexdigest()
    except InputError as error:
        raise error.locate(str(path)) from None


def _build(table: dict[str, Any]) -> Rig:
    unknown = sorted(table.keys() - {"rig", "actuator"})
    if unknown:
        remedy = "A rig has the tables [rig] and [actuator], or [[actuator]] for each."
        raise InputError(unknown[0], None, "is not a table of a rig", remedy)
    about, given = table.get("rig", {}), table.get("actuator")
    if not isinstance(about, dict) or not isinstance(given, (dict, list)) or not given:
        remedy = "Write [rig] with its name, and [actuator] with stroke, velocity, acceleration "
        raise InputError("actuator", None, "is missing", f"{remedy}and force.")
    if isinstance(given, dict):
        return Rig(**about, actuator=Actuator(**given))
    return Rig(**about, actuator=tuple(_build_actuator(k, one) for k, one in enumerate(given)))


def _build_actuator(number: int, given: Any) -> Actuator:
    if not isinstance(given, dict):
        remedy = "Write a table [[actuator]] with stroke, velocity, acceleration and force."
        raise InputError(f"actuator[{number}]", given, "is no table", remedy)
    try:
        return Actuator(**given)
    except InputError as error:
        raise error.relabel(error.field.replace("actuator", f"actuator[{number}]", 1)) from None


@describe
class RigFile:
    """Which rig the test is made for: the limits of the machine, from a file of the laboratory."""

    kind: ClassVar[str] = "rig"

    file: Annotated[str, PlanFile()]
    """The file, in the folder of the laboratory, or for a rehearsal beside the plan; ``emulated``
    for rths rig."""
    digest: str | None = None
    """SHA-256 of the file, if no other may stand for it."""

    def __post_init__(self) -> None:
        """Read the file: a rig that is not there or not the one that is meant is refused."""
        _, found = self._read
        if self.digest not in (None, found):
            problem = f"is not the file that is there, whose digest is {found}"
            remedy = "See what has changed in it, then take the new digest or none."
            raise InputError("rig.digest", self.digest, problem, remedy)

    @cached_property
    def path(self) -> Path:
        """Where the file lies."""
        return find_rig_file(self.file)

    @property
    def is_of_laboratory(self) -> bool:
        """Whether the file lies in the laboratory's folder, or is a copy of the one there."""
        folder = laboratory_folder().resolve()
        if self.path.parent.resolve().is_relative_to(folder):
            return True
        kept = folder / self.path.name
        return kept.is_file() and sha256(kept.read_bytes()).hexdigest() == self.found_digest

    @cached_property
    def _read(self) -> tuple[Rig, str]:
        return read_rig(self.path)

    @property
    def rig(self) -> Rig:
        """The rig of the file."""
        return self._read[0]

    @property
    def found_digest(self) -> str:
        """SHA-256 of the file as it was read."""
        return self._read[1]
