"""The page of a comparison: table, box plots, and how far each method is above the noise floor."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np

from rths.metrics.silva2020 import NAMES
from rths.problems.silva2020.candidates import Candidate
from rths.problems.silva2020.results import Cell, Wish, summary
from rths.report.figure import COLOURS, GREY, WIDTH, data_uri, draw_styled, grid, least_width
from rths.report.page_style import STYLE

TEMPLATE = Path(__file__).with_name("page.html")
SHOWN = (("J2", 1), ("J4", 3))
"""Criteria that are drawn: their names and places."""
LOST = "#b00000"
LEFT = 0.9
"""Where bars begin, in noise floors: a logarithmic axis has no zero."""


def write(wish: Wish, cells: Sequence[Cell], used: str, folder: Path) -> Path:
    """Write ``index.html`` with everything in it."""
    from jinja2 import Environment
    from markupsafe import Markup

    folder.mkdir(parents=True, exist_ok=True)
    template = Environment(autoescape=True).from_string(TEMPLATE.read_text(encoding="utf-8"))
    pairs = list(dict.fromkeys((c.motion, c.variant) for c in cells))
    text = template.render(
        style=Markup(STYLE),
        wish=wish,
        used=used,
        names=NAMES,
        fields_text=_fields_text,
        words=_words,
        **summary(wish, cells, used)["runs"],
        glance=sorted((_worst_row(c, cells) for c in wish.candidates), key=_rank),
        groups=[
            _group(f"{_words(m.name)}, plant with {v} velocities",
                   [c for c in cells if (c.motion, c.variant) == (m, v)])
            for m, v in pairs
        ],
    )  # fmt: skip
    page = folder / "index.html"
    page.write_text(text, encoding="utf-8")
    return page


def _words(name: str) -> str:
    """Write a kind or a motion as people do."""
    return name.replace("_", " ")


def _fields_text(candidate: Candidate) -> str:
    """Write the fields of a compensator that were given."""
    given = [
        (f.name, getattr(candidate.compensator, f.name)) for f in fields(candidate.compensator)
    ]

    def word(value: Any) -> str:
        if isinstance(value, tuple):
            return f"[{', '.join(map(word, value))}]"
        return f"{value:.6g}" if isinstance(value, float) else str(value)

    return ", ".join(f"{name} = {word(value)}" for name, value in given if value is not None) or "–"


def _worst_row(candidate: Candidate, cells: Sequence[Cell]) -> dict[str, Any]:
    """Give the worst of a compensator over all cases, motions and variants."""
    own = [c for c in cells if c.candidate is candidate]
    scores = [s for c in own for s in (c.nominal, *c.others) if s is not None]
    nominal = [c.nominal.criteria / c.floor for c in own
               if c.nominal is not None and c.nominal.criteria is not None]  # fmt: skip
    perturbed = [c.stable.max(axis=0) / c.floor for c in own if len(c.stable)]

    def format_worst(found: list[Any], index: int) -> str:
        return f"{max(J[index] for J in found):.2f}" if found else "–"

    return {
        "name": candidate.name,
        "tracking": format_worst(nominal, 1),
        "nominal": format_worst(nominal, 3),
        "perturbed": format_worst(perturbed, 3),
        "unstable": sum(s.criteria is None for s in scores),
        "beyond": sum(bool(s.violated) for s in scores) or "",
        "runs": len(scores),
    }


def _rank(glance: dict[str, Any]) -> tuple[int, float, float]:
    """Put first who lost no run, then who is nearest to the floor."""
    far = [float(glance[k]) if glance[k] != "–" else np.inf for k in ("perturbed", "nominal")]
    return glance["unstable"], far[0], far[1]


def _group(title: str, cells: Sequence[Cell]) -> dict[str, Any]:
    """Give pictures and table of one motion and one variant of the plant."""
    boxes = _picture(_boxes, cells) if any(c.others for c in cells) else None
    floor = _picture(_floor, cells)
    return {"title": title, "floor": floor, "boxes": boxes, "rows": _rows(cells)}


def _picture(draw: Callable[..., Any], cells: Sequence[Cell]) -> dict[str, Any]:
    """Draw; give the picture as text of the page, and the width that it needs."""
    figure = draw_styled(draw, cells)
    return {"uri": data_uri(figure), "width": least_width(figure)}


def _rows(cells: Sequence[Cell]) -> list[dict[str, Any]]:
    """Give the lines of a table."""
    found = []
    for cell in cells:
        for k, line in enumerate(cell.lines()):
            values = line.criteria
            shown = ["–"] * len(NAMES) if values is None else [f"{v:.2f}" for v in values]
            found.append({"cell": cell, "line": line, "criteria": shown, "first": k == 0})
    return found


def _order(cells: Sequence[Cell]) -> tuple[list[str], list[int]]:
    """Names of the compensators and the cases, in their order."""
    names = list(dict.fromkeys(c.candidate.name for c in cells))
    return names, sorted({c.case for c in cells})


def _floor(cells: Sequence[Cell]) -> Any:
    """Draw J2 and J4 over the floor, a row for each case: 1 is perfect tracking."""
    names, cases = _order(cells)
    size = (9.6, len(cases) * (0.6 + 0.24 * len(names)) + 0.4)
    figure, axes = grid(len(cases), 2, size, sharex="col", sharey=True)
    for row, case in zip(axes, cases, strict=True):
        for axis, (title, index) in zip(row, SHOWN, strict=True):
            for cell in (c for c in cells if c.case == case):
                _bar(axis, cell, index, names.index(cell.candidate.name))
            axis.axvline(1.0, color=GREY, ls="--", lw=1)
            axis.set_xscale("log")
            axis.set_title(f"case {case}: {title} over the noise floor", fontsize=9)
            axis.margins(x=0.25)
            axis.set_axisbelow(True)
            _plain_ticks(axis.xaxis)
    axes[0, 0].set_yticks(range(len(names)), [*map(_words, names)])
    axes[0, 0].set_ylim(len(names) - 0.5, -0.5)
    return figure


def _bar(axis: Any, cell: Cell, index: int, at: int) -> None:
    """Draw one compensator in one case: a bar and a whisker, or a word where it was lost."""
    if cell.nominal is None:
        return
    if cell.nominal.criteria is None:
        axis.text(1.02, at, "unstable", color=LOST, fontsize=8, va="center")
        return
    value = far = cell.nominal.criteria[index] / cell.floor
    axis.barh(at, value - LEFT, 0.7, left=LEFT, color=COLOURS[0])
    if len(cell.stable):
        far = max(value, cell.stable[:, index].max() / cell.floor)
        axis.plot([value, far], [at, at], color="0.2", lw=0.8, marker="|", ms=4)
    told = f"{value:.2f}" + (f", worst {far:.2f}" if len(cell.stable) else "")
    axis.annotate(told, (far, at), (6, 0), textcoords="offset points", va="center", fontsize=8)


def _plain_ticks(axis: Any) -> None:
    """Label a logarithmic axis with plain numbers."""
    from matplotlib.ticker import LogLocator, NullFormatter, ScalarFormatter

    axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    axis.set_major_formatter(ScalarFormatter())
    axis.set_minor_formatter(NullFormatter())


def _boxes(cells: Sequence[Cell]) -> Any:
    """Draw J2 and J4 of the perturbed plants, a panel for each case."""
    names, cases = _order(cells)
    width = max(WIDTH, (0.4 + 0.32 * len(names)) * len(cases) + 1)
    figure, axes = grid(2, len(cases), (width, 6.2), sharey="row")
    for row, (title, index) in enumerate(SHOWN):
        for column, case in enumerate(cases):
            axis = axes[row, column]
            here = [c for c in cells if c.case == case]
            runs = [c.stable[:, index] for c in here]
            at = [k + 1 for k, r in enumerate(runs) if len(r)]
            axis.boxplot([r for r in runs if len(r)], positions=at, whis=(0, 100), widths=0.6)
            axis.axhline(here[0].floor, color=GREY, ls="--", lw=1)
            axis.set_yscale("log")
            _plain_ticks(axis.yaxis)
            axis.set_xlim(0.4, len(here) + 0.6)
            labels = [_words(c.candidate.name) for c in here] if row else []
            axis.set_xticks(np.arange(1, len(here) + 1), labels or [""] * len(here), rotation=90)
            _count_lost(axis, here)
            if row == 0:
                axis.set_title(f"case {case}", fontsize=9)
            if column == 0:
                axis.set_ylabel(f"{title}, %")
    return figure


def _count_lost(axis: Any, cells: Sequence[Cell]) -> None:
    """Write the number of unstable runs above their boxes."""
    for k, cell in enumerate(cells):
        if cell.unstable:
            where = {"transform": axis.get_xaxis_transform(), "ha": "center", "va": "top"}
            axis.text(k + 1, 0.99, str(cell.unstable), color=LOST, fontsize=8, **where)
