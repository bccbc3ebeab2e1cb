"""What is known about a kind and its fields, gathered from the code that runs.

The text is the docstring of the kind's module (sentence, formula, when to use it); a field has its
unit and range from its type, its meaning from the text beneath it, and its default. References come
from ``references.bib`` by the keys a kind cites.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields
from pathlib import Path
from typing import Any

from rths.assembly.hybrid_test import HybridTest
from rths.assembly.safety import Safety
from rths.config.field_meaning import field_meaning
from rths.config.plan import CLOCK
from rths.config.toml_text import toml_text
from rths.errors import InputError, suggest
from rths.field_type import describe_type, field_type, find_requirement
from rths.loop.port import Port, declared_ports
from rths.registry import LIVE_ROLES, ROLES, find, kinds
from rths.safety.rig import Rig
from rths.safety.rig_file import RigFile

WITH_KINDS = (*ROLES, *LIVE_ROLES, "guard")
"""Tables of a plan that have a kind."""
SEVERAL = ("guard",)
"""Those that are always written in double brackets."""
BIBLIOGRAPHY = Path(__file__).parents[1] / "references.bib"
REQUIRED = "required"
CLOCK_SENTENCE = "When the controller ticks, how long a step is, and how long the test."


@dataclass(frozen=True)
class FieldText:
    """One field of a kind, in words."""

    name: str
    unit: str
    wanted: str
    default: str
    meaning: str


@dataclass(frozen=True)
class KindText:
    """One kind of a role, in words."""

    role: str
    kind: str
    text: str
    summary: str
    fields: tuple[FieldText, ...]
    references: tuple[str, ...]
    example: Mapping[str, Any] = field(default_factory=dict)
    """Fields of a table that works."""
    ports: tuple[Port, ...] = ()
    """What its block writes beside its purpose: signals role.name."""

    @property
    def example_text(self) -> str:
        """The example as it stands in a plan."""
        table = {**({"kind": self.kind} if self.kind else {}), **self.example}
        return toml_text({self.role: [table] if self.role in SEVERAL else table}).strip()

    @property
    def sentence(self) -> str:
        """The first sentence of the text."""
        return self.text.partition("\n")[0]


def kinds_of(role: str) -> dict[str, str]:
    """Give every kind of a role with its first sentence."""
    return {kind: kind_text(role, kind).sentence for kind in kinds(role)}


def kind_text(role: str, kind: str) -> KindText:
    """Gather what is known about a kind."""
    cls = find(role, kind)
    module = sys.modules[cls.__module__]
    return KindText(
        role,
        kind,
        inspect.cleandoc(module.__doc__ or cls.__doc__ or ""),
        inspect.cleandoc(cls.__doc__ or "").partition("\n")[0],
        tuple(field_text(cls, f) for f in fields(cls)),
        tuple(reference(key) for key in getattr(cls, "cites", ())),
        getattr(cls, "example", {}),
        declared_ports(cls),
    )


def clock_text() -> KindText:
    """Gather what is known about the table [clock], whose fields are those of the test."""
    of_test = {f.name: f for f in fields(HybridTest)}
    given = tuple(field_text(HybridTest, of_test[name]) for name in CLOCK)
    example = {"tick": 1 / 1024, "duration": 12.0}
    return KindText("clock", "", CLOCK_SENTENCE, CLOCK_SENTENCE, given, (), example)


def safety_text() -> KindText:
    """Gather what is known about the table [safety], which has no kind."""
    text = inspect.cleandoc(sys.modules[Safety.__module__].__doc__ or "")
    given = tuple(field_text(Safety, f) for f in fields(Safety))
    return KindText("safety", "", text, text.partition("\n")[0], given, (), {"rate": 0.05})


def rig_text() -> KindText:
    """Gather what is known about the table [rig], and about the file that it names."""
    text = "\n\n".join(
        inspect.cleandoc(sys.modules[cls.__module__].__doc__ or "") for cls in (RigFile, Rig)
    )
    given = tuple(field_text(RigFile, f) for f in fields(RigFile))
    return KindText("rig", "", text, text.partition("\n")[0], given, (), {"file": "emulated"})


WITHOUT_KIND = {"clock": clock_text, "safety": safety_text, "rig": rig_text}
"""Tables of a plan that have fields but no kind."""


def field_text(cls: type[Any], field: Any) -> FieldText:
    """Say what one field is."""
    hint = field_type(cls, field.name)
    wanted = find_requirement(hint)
    return FieldText(
        field.name,
        wanted.shown_unit if wanted else "",
        describe_type(hint, with_unit=False),
        _default(field, cls.__pydantic_fields__[field.name]),
        field_meaning(cls, field.name),
    )


def field_of(text: KindText, name: str) -> FieldText:
    """Find a field, or say which ones there are."""
    for each in text.fields:
        if each.name == name:
            return each
    known = ", ".join(f.name for f in text.fields) or "nothing"
    hint = suggest(name, [f.name for f in text.fields])
    owner = text.kind or text.role
    raise InputError("field", name, "is not a field", f"{hint}{owner} takes: {known}.")


def _default(field: Any, info: Any) -> str:
    value = field.default
    if info.is_required():
        return REQUIRED
    if hasattr(value, "is_required") or value is MISSING:
        value = info.get_default(call_default_factory=True)
    if value is None:
        return "not given"
    return f'"{value}"' if isinstance(value, str) else str(value)


def reference(key: str) -> str:
    """Write an entry of the bibliography as one line."""
    text = BIBLIOGRAPHY.read_text(encoding="utf-8")
    found = re.search(rf"@\w+\{{{re.escape(key)},(.*?)\n\}}", text, re.DOTALL)
    if found is None:
        return f"[{key}]"
    entry = dict(re.findall(r"(\w+)\s*=\s*\{(.*)\}", found[1]))
    names = [_remove_tex(a).partition(",")[0] for a in entry.get("author", "").split(" and ")]
    authors = ", ".join(names[:-1]) + (" and " if names[1:] else "") + names[-1]
    place = entry.get("journal") or entry.get("booktitle") or entry.get("publisher", "")
    numbers = entry.get("volume", "")
    if "number" in entry:
        numbers += f"({entry['number']})"
    if "pages" in entry:
        numbers += f", {entry['pages'].replace('--', '-')}"
    where = " ".join(p for p in (_remove_tex(place), numbers) if p)
    line = f"{authors}, {_remove_tex(entry.get('title', ''))}. {where}"
    return f"[{key}] {line.rstrip()}, {entry.get('year', '')}."


def _remove_tex(text: str) -> str:
    """Take TeX out of a text."""
    for tex, letter in {r"{\~n}": "ñ", r"{\'a}": "á", r"\&": "&"}.items():
        text = text.replace(tex, letter)
    return re.sub(r"\\(.)|[{}]", r"\1", text)
