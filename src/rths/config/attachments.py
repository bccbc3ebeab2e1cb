"""Files that a plan names, kept with its record, and put back for a repetition.

A field may name a motion or another file beside the plan, and a kind may be a class in a file of
the user's own. Their contents travel with the record under the path of the field, as in
``excitation.motion`` or ``specimen[1].kind``; what the package brings along itself is not copied.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from rths.assembly.hybrid_test import HybridTest
from rths.config.plan import from_table, names_file
from rths.registry import LIVE_ROLES, ROLES

TABLES = {**{role: role for role in (*ROLES, *LIVE_ROLES)}, "guard": "guards"}
"""Tables of a plan that have kinds, and what they are called in a test."""
_PLACE = re.compile(r"(\w+)(?:\[(\d+)\])?\.(\w+)")


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
                if isinstance(value, str) and names_file(type(description), f.name):
                    yield f"{place}.{f.name}", Path(value)


def rebuild_test(
    plan: str,
    files: Mapping[str, bytes],
    folder: Path,
    rename: Callable[[dict[str, Any]], dict[str, Any]] = dict,
) -> HybridTest:
    """Build the test of a record's plan, with its files put into ``folder``.

    ``rename`` may bring the table of a former plan to the names of today.
    """
    table = rename(tomllib.loads(plan))
    for number, (field, content) in enumerate(files.items()):
        match = _PLACE.fullmatch(field)
        assert match is not None, field
        role, index, name = match.groups()
        owner: dict[str, Any] = table[role] if index is None else table[role][int(index)]
        own, colon, attribute = str(owner[name]).rpartition(":") if name == "kind" else ("", "", "")
        file = folder / f"{number}_{Path(own or str(owner[name])).name}"
        if name == "kind":  # a module keeps its name
            file = folder / (own if own.endswith(".py") else f"{own.replace('.', '/')}.py")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
        owner[name] = f"{own}{colon}{attribute}" if name == "kind" else str(file)
    return from_table(table, folder)
