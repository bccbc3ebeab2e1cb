"""Plans to begin with, the rigs of the papers, and the file in which a laboratory keeps its rig."""

from __future__ import annotations

import re
from pathlib import Path

from rths.errors import InputError, suggest

FOLDER = Path(__file__).parent / "templates"
RIG = "rig"
"""The name under which the file of a laboratory, which is no plan, is to be had."""


def templates() -> dict[str, str]:
    """Give every template by name with the first sentence of its comment."""
    return {f.stem: _sentence(f.read_text(encoding="utf-8")) for f in sorted(FOLDER.glob("*.toml"))}


def template(name: str) -> str:
    """Give the text of a template."""
    if name == RIG:
        return (FOLDER / RIG / "laboratory.toml").read_text(encoding="utf-8")
    known = templates()
    if name not in known:
        raise InputError(
            "template",
            name,
            "is not known",
            f"{suggest(name, [*known, RIG])}Use one of: {', '.join((*known, RIG))}.",
        )
    return (FOLDER / f"{name}.toml").read_text(encoding="utf-8")


def _sentence(text: str) -> str:
    comment: list[str] = []
    for line in text.splitlines():
        if not line.startswith("#"):
            break
        comment.append(line.lstrip("# "))
    return re.split(r"(?<!al)\. ", " ".join(comment))[0].rstrip(".") + "."
