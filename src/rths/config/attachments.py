"""Files that a plan names, kept with its record, and put back for a repetition.

A field may name a motion or another file beside the plan, and a kind may be a class in a file of
the user's own. Their contents travel with the record under the path of the field, as in
``excitation.motion`` or ``specimen[1].kind``; what the package brings along itself is not copied.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from rths.assembly.hybrid_test import HybridTest
from rths.config.plan import RECOMMENDED, from_table, plan_file, to_table
from rths.config.toml_mistake import parse_toml
from rths.config.toml_text import toml_text
from rths.errors import InputError
from rths.plain_file import drop_link
from rths.quantity import PlanFile
from rths.registry import LIVE_ROLES, OWN, ROLES, find
from rths.safety.rig_file import RigFile, file_name

TABLES = {**{role: role for role in (*ROLES, *LIVE_ROLES)}, "guard": "guards"}
"""Tables of a plan that have kinds, and what they are called in a test."""
KIND = "kind"
"""The field that names a class; one of the user's own is in a module."""
MODULE = PlanFile((".py",))
"""How a kind names a module."""
RIG = PlanFile()
"""How a plan names the file of its rig."""
REMEDY = "Give the record as it was written."
_PLACE = re.compile(r"(\w+)(?:\[(\d{1,4})\])?\.(\w+)", re.ASCII)


def attached_files(test: HybridTest) -> dict[str, bytes]:
    """Give the content of every file that a test needs beside the package."""
    found = {field: path.read_bytes() for field, path, _ in _named_files(test) if path.is_file()}
    if test.rig is not None:  # also one that comes along: the limits of a test must not change
        found["rig.file"] = test.rig.path.read_bytes()
    return dict(sorted(found.items()))


def _named_files(test: HybridTest) -> Iterator[tuple[str, Path, PlanFile]]:
    """Go through the files of a test: the field of each, its path, and how the field names it."""
    for role, name in TABLES.items():
        given = getattr(test, name)
        if given is None:
            continue
        each = given if isinstance(given, tuple) else (given,)
        for i, description in enumerate(each):
            place = f"{role}[{i}]" if isinstance(given, tuple) else role
            module = sys.modules.get(type(description).__module__)
            source = getattr(module, "__file__", None)
            if ":" in description.kind and source:
                yield f"{place}.kind", Path(source), MODULE
            for f in fields(description):
                value = getattr(description, f.name)
                mark = plan_file(type(description), f.name)
                parted = mark.split(value) if mark and isinstance(value, str) else None
                if mark is not None and parted is not None:
                    yield f"{place}.{f.name}", Path(parted[0]), mark


def place_files(test: HybridTest, folder: Path) -> str:
    """Put the files of a test into a folder; give the text of the plan that finds them there.

    Another process that reads this plan, or a recovery on another day, has the same motions, the
    same rig and, by the digests that are trusted, the same programs, whatever became of the first.
    """
    table, files = to_table(test), {f: (path, mark) for f, path, mark in _named_files(test)}
    for number, (field, content) in enumerate(attached_files(test).items()):
        place = _find_place(table, field)
        path, mark = files.get(field, (Path(), RIG))
        if mark is not MODULE or path in _own_sources():
            place.owner[place.name] = _place_file(folder, number, place, mark, content)
    return toml_text(table)


def _own_sources() -> set[Path]:
    """List the files of which modules were made."""
    loaded = [m for n, m in list(sys.modules.items()) if n.startswith(OWN)]
    return {Path(m.__file__) for m in loaded if m.__file__}


def rebuild_test(
    plan: str,
    files: Mapping[str, bytes],
    folder: Path,
    rename: Callable[[dict[str, Any]], dict[str, Any]] = dict,
) -> HybridTest:
    """Build the test of a record's plan, with its files put into ``folder`` and nowhere else.

    ``rename`` may bring the table of a former plan to the names of today.
    """
    table = rename(parse_toml(plan))
    places = [(_find_place(table, field), number) for number, field in enumerate(files)]
    # modules first: they tell how the fields of their classes name a file
    for place, number in sorted(places, key=lambda p: p[0].name != KIND):
        mark = place.find_mark(folder)
        try:
            place.owner[place.name] = _place_file(folder, number, place, mark, files[place.field])
        except (OSError, ValueError) as error:
            problem = f"cannot be put into {folder} ({error})"
            raise InputError(place.field, place.given, problem, REMEDY) from None
    return from_table(table, folder)


@dataclass(frozen=True)
class _Place:
    """A field of a plan that names a file."""

    field: str
    role: str
    owner: dict[str, Any]
    name: str

    @property
    def given(self) -> str:
        """What the plan says there; a rig with the ending of its file."""
        given = str(self.owner[self.name])
        return file_name(given) if self.role == "rig" else given

    def find_mark(self, folder: Path) -> PlanFile:
        """Find how the field names a file; the classes of own modules lie in a folder."""
        if self.name == KIND:
            return MODULE
        kind = self.owner.get(KIND, RECOMMENDED.get(self.role, ""))
        cls = RigFile if self.role == "rig" else find(self.role, kind, folder)
        mark = plan_file(cls, self.name)
        if mark is None:
            raise InputError("files", self.field, "is no field that names a file", REMEDY)
        return mark


def _find_place(table: dict[str, Any], field: str) -> _Place:
    """Find the table of a plan that holds a field which names a file."""
    match = _PLACE.fullmatch(field)
    owner: Any = table.get(match[1]) if match and match[1] in (*TABLES, "rig") else None
    if match and match[2] is not None:
        index = int(match[2])
        owner = owner[index] if isinstance(owner, list) and index < len(owner) else None
    if match is None or not isinstance(owner, dict) or match[3] not in owner:
        raise InputError("files", field, "is no field of the plan", REMEDY)
    return _Place(field, match[1], owner, match[3])


def _place_file(folder: Path, number: int, place: _Place, mark: PlanFile, content: bytes) -> str:
    """Write one file; give what a plan in the folder must say to name it."""
    if mark is MODULE:
        return _place_module(folder, number, place.given, content)
    named, rest = mark.split(place.given) or (place.given, "")
    file = folder / f"{number}_{Path(named).name}"
    drop_link(file).write_bytes(content)
    return f"{file.name}{rest}"


def _place_module(folder: Path, number: int, given: str, content: bytes) -> str:
    """Write a module, which keeps its name, unless that leads out of the folder."""
    own, _, attribute = given.rpartition(":")
    name = own if own.endswith(".py") else f"{own.replace('.', '/')}.py"
    if not (folder / name).resolve().is_relative_to(folder.resolve()):
        own = name = f"{number}/{Path(name).name}"
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    if not (file.is_file() and file.read_bytes() == content):  # it may be the user's file itself
        drop_link(file).write_bytes(content)
    return f"{own}:{attribute}"
