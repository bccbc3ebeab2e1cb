"""Write the reference of the Python interface, from the names that ``rths`` offers."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import Any

from role_pages import markdown

import rths

WIDEST = 90
"""Letters of a line."""


def write(app: Any) -> None:
    """Write the page before Sphinx reads the sources."""
    folder = Path(app.srcdir) / "reference"
    folder.mkdir(exist_ok=True)
    head = "# Python\n\nWhat `import rths` offers. Nothing is imported before it is used.\n"
    parts = [section(name) for name in sorted(rths.__all__, key=str.lower)]
    (folder / "python.md").write_text(head + "\n" + "\n\n".join(parts) + "\n", encoding="utf-8")


def section(name: str) -> str:
    """Write the section of one name: how it is called, what it says of itself, its members."""
    found = getattr(rths, name)
    if inspect.ismodule(found):  # a package that is called as the function of its name
        found = found.__call__
    head = f"## {name}\n\n```text\nrths.{name}{signature(found)}\n```"
    parts = [head, markdown(inspect.getdoc(found) or "")]
    if inspect.isclass(found):
        parts.append(list_members(found))
    return "\n\n".join(part for part in parts if part)


def signature(found: Any) -> str:
    """Write how something is called, a line for each argument if one is too short for all."""
    try:
        given = inspect.signature(found)
    except (TypeError, ValueError):
        return "(...)"
    parts = [_plain(str(p)) for p in given.parameters.values()]
    keyword = [p.kind is p.KEYWORD_ONLY for p in given.parameters.values()]
    if True in keyword:
        parts.insert(keyword.index(True), "*")
    nothing = inspect.isclass(found) or given.return_annotation in (given.empty, "None")
    end = "" if nothing else _plain(f" -> {_result(given)}")
    line = f"({', '.join(parts)}){end}"
    return line if len(line) <= WIDEST else "(\n    " + ",\n    ".join(parts) + f",\n){end}"


def _result(given: inspect.Signature) -> str:
    found = given.return_annotation
    return found if isinstance(found, str) else getattr(found, "__name__", str(found))


def _plain(text: str) -> str:
    """Write types without quotes and without the rooms that they live in."""
    text = re.sub(r"<function (\w+) at \w+>", r"\1", text.replace("'", ""))
    return re.sub(r"\b(?:[a-z_]\w*\.)+([A-Z]\w*)", r"\1", text)


def list_members(cls: type[Any]) -> str:
    """List what a class has and says of itself."""
    rows = []
    for name, member in sorted(vars(cls).items()):
        told = inspect.getdoc(member) if callable(member) or isinstance(member, property) else None
        if name.startswith("_") or not told:
            continue
        first = markdown(told.partition("\n")[0]).replace("|", "\\|")
        rows.append(f"| `{name}` | {first} |")
    return "\n".join(["| | |", "|---|---|", *rows]) if rows else ""


def setup(app: Any) -> dict[str, Any]:
    """Connect to Sphinx."""
    app.connect("builder-inited", write)
    return {"parallel_read_safe": True}
