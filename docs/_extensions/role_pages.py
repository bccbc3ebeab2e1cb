"""Write a reference page for every role, one section a kind, from its docstrings and fields."""

from __future__ import annotations

import inspect
import re
import sys
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any

from rths.config.documentation import WITH_KINDS, kind_text
from rths.config.field_meaning import field_meaning
from rths.field_type import describe_type, field_type
from rths.loop.port import declared_ports
from rths.registry import find, kinds

BIBLIOGRAPHY = Path(inspect.getfile(find)).parent / "references.bib"


def markdown(docstring: str) -> str:
    """Turn a docstring into Markdown: formulas (indented) become literal blocks."""
    text = inspect.cleandoc(docstring)
    parts = []
    for block in re.split(r"\n\s*\n", text):
        if all(line.startswith("    ") or not line for line in block.splitlines()):
            parts.append("```text\n" + inspect.cleandoc("\n" + block) + "\n```")
        else:
            parts.append(re.sub(r"([*_<>\\\[\]$`])", r"\\\1", block))
    return "\n\n".join(parts)


def described_fields(cls: type[Any]) -> str:
    """List the fields of a kind: what each is, what it takes, and its default."""
    rows = ["| field | takes | default | meaning |", "|---|---|---|---|"]
    for f in fields(cls):
        meaning = field_meaning(cls, f.name)
        known = f.default is not MISSING or f.default_factory is not MISSING
        default = _default(f) if known else "required"
        takes = describe_type(field_type(cls, f.name))
        cells = (c.replace("|", "\\|").replace("\n", " ") for c in (takes, default, meaning))
        rows.append(f"| `{f.name}` | " + " | ".join(cells) + " |")
    return "\n".join(rows) if len(rows) > 2 else "No fields."


def described_ports(role: str, cls: type[Any]) -> list[str]:
    """List the signals that a kind writes beside its purpose, if there are any."""
    ports = declared_ports(cls)
    if not ports:
        return []
    rows = ["| signal | unit |", "|---|---|"]
    return ["\n".join([*rows, *(f"| `{role}.{port.name}` | {port.unit} |" for port in ports)])]


def _default(f: Any) -> str:
    value = f.default if f.default is not MISSING else f.default_factory()
    value = getattr(value, "default", value)
    return "none" if value is None else f"`{value}`"


def section(role: str, kind: str) -> str:
    """Write the section of one kind."""
    cls = find(role, kind)
    module = sys.modules[cls.__module__]
    own = inspect.cleandoc(cls.__doc__ or "")
    return "\n\n".join(
        [
            f"## {kind}",
            markdown(module.__doc__ or ""),
            f"*When to use it.* {own}",
            f"```toml\n{kind_text(role, kind).example_text}\n```",
            described_fields(cls),
            *described_ports(role, cls),
        ]
    )


def bibliography() -> str:
    """List the sources by their keys."""
    entries = re.findall(r"@\w+\{(\w+),(.*?)\n\}", BIBLIOGRAPHY.read_text("utf-8"), re.S)
    lines = ["# Sources", ""]
    for key, body in sorted(entries):
        found = dict(re.findall(r"(\w+)\s*=\s*[{\"](.*?)[}\"],?\s*\n", body + "\n"))
        names = ("author", "title", "journal", "booktitle", "volume", "pages", "year")
        text = ", ".join(found[n] for n in names if n in found).replace("--", "–")
        lines.append(f"- **{key}**: {re.sub(r'[{}]', '', text)}")
    return "\n".join(lines) + "\n"


def write(app: Any) -> None:
    """Write all pages before Sphinx reads the sources."""
    folder = Path(app.srcdir) / "reference"
    folder.mkdir(exist_ok=True)
    for role in WITH_KINDS:
        base = inspect.cleandoc(
            inspect.getdoc(sys.modules[find(role, kinds(role)[0]).__mro__[1].__module__]) or ""
        )
        head = f"# {role}\n\n{markdown(base)}\n\n"
        text = head + "\n\n".join(section(role, kind) for kind in kinds(role)) + "\n"
        (folder / f"{role}.md").write_text(text, encoding="utf-8")
    (folder / "sources.md").write_text(bibliography(), encoding="utf-8")


def setup(app: Any) -> dict[str, Any]:
    """Connect to Sphinx."""
    app.connect("builder-inited", write)
    return {"parallel_read_safe": True}
