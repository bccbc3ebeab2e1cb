"""What every command that reads a plan takes: the file, changes of its fields, trust."""

from __future__ import annotations

import sys
import tomllib
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rths.errors import InputError

if TYPE_CHECKING:
    from rths.assembly.hybrid_test import HybridTest

Plan = Annotated[Path, typer.Argument(help="The plan, a TOML file.")]
Changes = Annotated[
    list[str] | None,
    typer.Option(
        "--set", metavar="FIELD=VALUE", help="Change a field, as compensator.delay=0.012."
    ),
]
Trust = Annotated[
    bool,
    typer.Option(
        "--trust", help="Run the programs that it brings along, now and whenever they are the same."
    ),
]


def read_plan(plan: Path, changes: list[str] | None, trust: bool = False) -> HybridTest:
    """Read a plan with the changes of the command line."""
    from rths.config.plan import load

    with show_trusted(trust):
        return load(plan, read_changes(changes))


def read_hybrid_plan(plan: Path, changes: list[str] | None, trust: bool = False) -> HybridTest:
    """Read a plan whose loop is to be judged: one without a structure closes none."""
    test = read_plan(plan, changes, trust)
    if test.prescribed:
        problem = "moves an actuator without a structure: no loop is closed that could be lost"
        remedy = "Run it with rths run, or with rths identify actuator; judge the hybrid test."
        raise InputError("plan", str(plan), problem, remedy)
    return test


def show_trusted(trust: bool) -> AbstractContextManager[None]:
    """Trust what is read meanwhile, if that was said, and show each program before it runs."""
    from rths.trust import grant_trust

    return grant_trust(trust, lambda words: print(words, file=sys.stderr, flush=True))


def read_changes(texts: list[str] | None) -> dict[str, Any]:
    """Read all changes of the command line; a field changes once."""
    changes: dict[str, Any] = {}
    for text in texts or []:
        field, value = read_assignment(text)
        if field in changes:
            problem = f"changes {field} a second time"
            raise InputError("--set", text, problem, "Give each field once.")
        changes[field] = value
    return changes


def read_assignment(text: str) -> tuple[str, Any]:
    """Read ``field=value``; the value is TOML, or a word."""
    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        raise InputError("--set", text, "is no assignment", "Write --set compensator.delay=0.012.")
    try:
        return name.strip(), tomllib.loads(f"v = {value}")["v"]
    except tomllib.TOMLDecodeError:
        return name.strip(), value.strip()
