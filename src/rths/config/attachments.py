"""Files that a plan names, kept with its record, and put back for a repetition.

A field may name a motion or another file beside the plan, and a kind may be a class in a file of
the user's own. Their contents travel with the record under the path of the field, as in
``excitation.motion`` or ``specimen[1].kind``; what the package brings along itself is not copied.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from rths.assembly.hybrid_test import HybridTest
from rths.config.plan import from_table, plan_file, to_table
from rths.config.toml_mistake import parse_toml
from rths.config.toml_text import toml_text
from rths.errors import InputError
from rths.plain_file import drop_link
from rths.quantity import MATRIX_FILE
from rths.registry import LIVE_ROLES, OWN, ROLES
from rths.safety.rig_file import file_name

TABLES = {**{role: role for role in (*ROLES, *LIVE_ROLES)}, "guard": "guards"}
"""Tables of a plan that have kinds, and what they are called in a test."""
REMEDY = "Give the record as it was written."
_PLACE = re.compile(r"(\w+)(?:\[(\d{1,4})\])?\.(\w+)", re.ASCII)


def attached_files(test: HybridTest) -> dict[str, bytes]:
    """Give the content of every file that a test needs beside the package."""
    found = {field: path.read_bytes() for field, path in _named_files(test) if path.is_file()}
    if test.rig is not None:  # also one that comes along: the limits of a test must not change
        found["rig.file"] = test.rig.path.read_bytes()
    return dict(sorted(found.items()))


def _named_files(test: HybridTest) -> Iterator[tuple[str, Path]]:
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
                yield f"{place}.kind", Path(source)
            for f in fields(description):
                value = getattr(description, f.name)
                mark = plan_file(type(description), f.name)
                parted = mark.split(value) if mark and isinstance(value, str) else None
                if parted is not None:
                    yield f"{place}.{f.name}", Path(parted[0])


def place_files(test: HybridTest, folder: Path) -> str:
    """Put the files of a test into a folder; give the text of the plan that finds them there.

    Another process that reads this plan, or a recovery on another day, has the same motions, the
    same rig and, by the digests that are trusted, the same programs, whatever became of the first.
    """
    table, files = to_table(test), dict(_named_files(test))
    for number, (field, content) in enumerate(attached_files(test).items()):
        owner, name = _owner(table, field)
        if name != "kind" or files[field] in _own_sources():
            owner[name] = _place_file(folder, number, _given_name(owner, field), field, content)
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
    for number, (field, content) in enumerate(files.items()):
        owner, name = _owner(table, field)
        try:
            owner[name] = _place_file(folder, number, _given_name(owner, field), field, content)
        except (OSError, ValueError) as error:
            problem = f"cannot be put into {folder} ({error})"
            raise InputError(field, owner[name], problem, REMEDY) from None
    return from_table(table, folder)


def _owner(table: dict[str, Any], field: str) -> tuple[dict[str, Any], str]:
    """Find the table of a plan that holds a field which names a file."""
    match = _PLACE.fullmatch(field)
    owner: Any = table.get(match[1]) if match else None
    if match and match[2] is not None:
        index = int(match[2])
        owner = owner[index] if isinstance(owner, list) and index < len(owner) else None
    if match is None or not isinstance(owner, dict) or match[3] not in owner:
        raise InputError("files", field, "is no field of the plan", REMEDY)
    return owner, match[3]


def _given_name(owner: dict[str, Any], field: str) -> str:
    """Give what a plan says in a field; a rig with the ending of its file."""
    given = str(owner[field.rpartition(".")[2]])
    return file_name(given) if field == "rig.file" else given


def _place_file(folder: Path, number: int, given: str, field: str, content: bytes) -> str:
    """Write one file; give what a plan in the folder must say to name it.

    A module keeps its name, unless that leads out of the folder.
    """
    if not field.endswith(".kind"):
        matrix = MATRIX_FILE.split(given) if field.startswith("structure.") else None
        named, rest = matrix or (given, "")
        file = folder / f"{number}_{Path(named).name}"
        drop_link(file).write_bytes(content)
        return f"{file.name}{rest}"
    own, _, attribute = given.rpartition(":")
    name = own if own.endswith(".py") else f"{own.replace('.', '/')}.py"
    if not (folder / name).resolve().is_relative_to(folder.resolve()):
        own = name = f"{number}/{Path(name).name}"
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    if not (file.is_file() and file.read_bytes() == content):  # it may be the user's file itself
        drop_link(file).write_bytes(content)
    return f"{own}:{attribute}"
