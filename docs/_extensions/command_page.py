"""Write the reference of the command line, from the commands themselves."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import Any

from typer.main import get_command

from rths.cli.main import app as program


def write(app: Any) -> None:
    """Write the page before Sphinx reads the sources."""
    folder = Path(app.srcdir) / "reference"
    folder.mkdir(exist_ok=True)
    root = get_command(program)
    parts = ["# Commands", inspect.cleandoc(root.help or ""), list_options(root)]
    for name, command in root.commands.items():
        parts.append(section(f"rths {name}", command))
    (folder / "commands.md").write_text("\n\n".join(parts) + "\n", encoding="utf-8")


def section(name: str, command: Any, level: int = 2) -> str:
    """Write the section of one command, and of those below it."""
    parts = [f"{'#' * level} {name}", plain(command.help or ""), list_options(command)]
    for below, inner in getattr(command, "commands", {}).items():
        parts.append(section(f"{name} {below}", inner, level + 1))
    return "\n\n".join(part for part in parts if part)


def list_options(command: Any) -> str:
    """List arguments and options with what they take."""
    rows = ["| | |", "|---|---|"]
    for given in command.params:
        if given.name in ("install_completion", "show_completion", "help"):
            continue
        is_option = given.opts[0].startswith("-")
        names = ", ".join(given.opts) if is_option else given.name.upper()
        is_flag = getattr(given, "is_flag", False)
        value = f" {given.metavar or 'VALUE'}" if is_option and not is_flag else ""
        told = plain(getattr(given, "help", "") or "").replace("|", "\\|").replace("\n", " ")
        rows.append(f"| `{names}{value}` | {told}{_default(given)} |")
    return "\n".join(rows) if len(rows) > 2 else ""


def _default(given: Any) -> str:
    if given.required:
        return " (required)"
    plain_default = isinstance(given.default, int | float | str)
    shown = plain_default and not isinstance(given.default, bool) and given.default != ""
    return f" (default {given.default})" if shown else ""


def plain(text: str) -> str:
    """Write a help text as Markdown: what it would take for emphasis or a link stays as it is."""
    return re.sub(r"([*_<>\\\[\]$])", r"\\\1", inspect.cleandoc(text))


def setup(app: Any) -> dict[str, Any]:
    """Connect to Sphinx."""
    app.connect("builder-inited", write)
    return {"parallel_read_safe": True}
