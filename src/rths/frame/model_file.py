"""The file of a model: JSON or TOML, read as data and checked for what a parser lets pass.

A name that stands twice in one table is refused; JSON's own reader would silently take the last.
"""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

from rths.errors import InputError, suggest
from rths.frame.model import Model
from rths.plain_file import require_file

BUILT_IN = Path(__file__).parent / "models"
"""Where the models lie that come with the package."""
LARGEST = 50_000_000
"""Bytes of a file that nobody wrote by hand: some hundred thousand elements."""


def find_model(name: str) -> Path:
    """Find a file, or a model that comes with the package."""
    own = BUILT_IN / f"{name}.json"
    if own.is_file() and "/" not in name:
        return own
    path = Path(name)
    if not path.is_file():
        known = [p.stem for p in sorted(BUILT_IN.glob("*.json"))]
        remedy = f"{suggest(name, known)}Give a file beside the plan, or one of {', '.join(known)}."
        raise InputError("structure.model", name, "is not there", remedy)
    return path


def read_model(name: str) -> Model:
    """Read a model; its errors name the file and the part of it."""
    path = find_model(name)
    table = parse_model(path)
    try:
        return Model.of(table)
    except InputError as error:
        raise name_file(path, error) from None


def name_file(path: Path, error: InputError) -> InputError:
    """Give an error about a part of a model the name of its file."""
    return error.relabel(f"{path.name}: {error.field}")


def parse_model(path: Path) -> dict[str, Any]:
    """Read the table of a model."""
    try:
        require_file(path)
        if path.stat().st_size > LARGEST:
            problem = f"has {path.stat().st_size / 1e6:.0f} MB"
            raise InputError("structure.model", path.name, problem, "Is it a model?")
        text = path.read_bytes().decode("utf-8")
        if path.suffix.lower() == ".toml":
            table = tomllib.loads(text)
        else:
            table = json.loads(text, object_pairs_hook=_refuse_twins)
    except (OSError, UnicodeDecodeError, RecursionError) as error:
        problem = f"cannot be read ({error})"
        raise InputError("structure.model", path.name, problem, "Give a text file.") from None
    except (json.JSONDecodeError, tomllib.TOMLDecodeError) as error:
        problem = f"is not well formed ({error})"
        raise InputError("structure.model", path.name, problem, "Mend it there.") from None
    if not isinstance(table, dict):
        remedy = 'Begin with {"nodes": ...}.'
        raise InputError("structure.model", path.name, "holds no table", remedy)
    return table


def _refuse_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table: dict[str, Any] = {}
    for name, value in pairs:
        if name in table:
            problem = "stands twice in one table"
            raise InputError("structure.model", name, problem, "Give each part a name of its own.")
        table[name] = value
    return table
