"""The page of a study: one HTML file with everything in it, pictures included."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rths.report.page_style import STYLE
from rths.studies.drawing import DOTS
from rths.studies.study import Study
from rths.studies.target import Result, Value

TEMPLATE = Path(__file__).parent / "page.html"
DIGITS = 6
"""Digits of a value on the page: more than any of the papers prints."""


def write_page(study: Study, results: Sequence[Result], folder: Path) -> Path:
    """Draw the figures into ``folder`` and write the page beside them."""
    from jinja2 import Environment
    from markupsafe import Markup

    pictures = []
    for picture in study.figures:
        name = picture.number if picture.number[0] == "T" else f"Figure {picture.number}"
        path = picture.save(folder / f"{name.lower().replace(' ', '_')}.png")
        data = path.read_bytes()
        fields = {"number": picture.number, "name": name, "caption": picture.caption}
        pictures.append({**fields, "data": b64encode(data).decode(), "width": _width(data)})
    template = Environment(autoescape=True).from_string(TEMPLATE.read_text(encoding="utf-8"))
    missed = [r.target.id for r in results if not r.ok]
    page = folder / "index.html"
    text = template.render(
        style=Markup(STYLE),
        paper=study.paper,
        results=results,
        figures=pictures,
        met=len(results) - len(missed),
        missed=missed,
        shown=markup,
    )
    page.write_text(text, encoding="utf-8")
    return page


def _width(png: bytes) -> int:
    """Pixels that a picture needs: letters of 8 points, the smallest, shall have 12."""
    dots = int.from_bytes(png[16:20], "big")  # the width stands first in the header
    return round(12 * 72 / 8 * dots / DOTS)


def markup(value: Value) -> Any:
    """Show a value on the page, each named part on a line of its own."""
    from markupsafe import Markup, escape

    if not isinstance(value, Mapping):
        return escape(value_text(value))
    lines = [
        Markup('<span class="part">{}:</span> {}').format(k, value_text(v))
        for k, v in value.items()
    ]
    return Markup("<br>").join(lines)


def value_text(value: Value, digits: int = DIGITS) -> str:
    """Write a value in a line."""
    if isinstance(value, Mapping):
        return "; ".join(f"{k}: {value_text(v, digits)}" for k, v in value.items())
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.{digits}g}"
    if isinstance(value, (list, tuple)):
        nested = any(isinstance(v, (list, tuple)) for v in value)
        return (" | " if nested else ", ").join(value_text(v, digits) for v in value) or "none"
    return str(value)
