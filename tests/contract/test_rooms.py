"""A kind stands alone: what several kinds share has a file of its own, with a leading _."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import rths
from rths.registry import ROLES

ROOT = Path(rths.__file__).parent
IS_A = {
    "excitation.force_history": "one of displacements differs in its unit alone",
    "guard.limit": "rate, finite, stuck, ... are limits on what they make of a signal",
    "structure.condensed": "component modes are a condensation that keeps modes too",
    "structure.linear": "a condensed or a published structure is a linear one",
    "structure.shear_building": "a bilinear or a published building is a shear building",
}
"""Kinds that others are built upon, each with the reason."""


def kinds_of(room):
    """Files of a room that are kinds."""
    files = (ROOT / room).glob("*.py")
    return sorted(f for f in files if f.stem != "base" and f.stem[0] != "_")


def imported(file):
    """Modules that a file imports, at its top or within a function."""
    names = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
    return names


@pytest.mark.parametrize("room", [*ROLES, "guard"])
def test_no_kind_imports_from_another_kind_of_its_room(room):
    kinds = kinds_of(room)
    assert kinds
    others = {f"rths.{room}.{f.stem}" for f in kinds} - {f"rths.{name}" for name in IS_A}
    found = {f.stem: imported(f) & others for f in kinds}
    assert not {kind: names for kind, names in found.items() if names}


@pytest.mark.parametrize("name", IS_A)
def test_every_exception_is_still_one(name):
    room, _, kind = name.partition(".")
    files = [f for f in (ROOT / room).glob("*.py") if f.stem != kind]
    assert any(f"rths.{name}" in imported(f) for f in files)
