"""The page of an ensemble: how the runs ended, each of them in a row, outcomes and histories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np

from rths.loop.channel_name import name_channel, split_channel
from rths.plain_file import write_text
from rths.report.figure import (
    COLOURS,
    WIDTH,
    data_uri,
    draw_styled,
    grid,
    keep_in_view,
    least_width,
)
from rths.report.page_style import STYLE
from rths.report.readable import readable_percent, readable_scale, readable_time, readable_value
from rths.report.shown_ensemble import METRIC, PEAK, TRACKING, ShownEnsemble

Rows = list[dict[str, Any]]
TEMPLATE = Path(__file__).with_name("ensemble.html.j2")
ROWS = 200
"""Runs that the page lists; the table beside it has all."""
PANELS = 8
"""Outcomes of a picture: all of two actuators."""
CURVES = 8
"""Curves of a picture: more are not told apart."""


def write_ensemble_page(shown: ShownEnsemble, path: Path) -> Path:
    """Write the page; give its path."""
    from jinja2 import Environment
    from markupsafe import Markup

    template = Environment(autoescape=True).from_string(TEMPLATE.read_text(encoding="utf-8"))
    headings, rows = list_runs(shown, ROWS)
    text = template.render(
        shown=shown,
        style=Markup(STYLE),
        headings=headings,
        rows=rows,
        words=1 + len(shown.fields),
        pictures=_pictures(shown),
        table=shown.table.path.name,
    )
    write_text(path, text)
    return path


def list_runs(shown: ShownEnsemble, most: int) -> tuple[list[str], list[list[str]]]:
    """Give headings and rows for a person: run, what varies, its end, the main outcomes."""
    main = shown.main
    headings = [
        "run",
        *map(shown.name_field, shown.fields),
        "end",
        *(name_outcome(c) for c in main),
    ]
    rows = []
    for run in sorted(shown.table.rows)[:most]:
        row = shown.table.rows[run]
        ended = "" if row["end"] == "completed" else f" at {readable_time(row['time_s'])}"
        given = [shown.write_value(f, row.get(f)) for f in shown.fields]
        found = [_told(row.get(c), c, shown.units.get(c, "")) for c in main]
        rows.append([str(run), *given, f"{row['end']}{ended}", *found])
    return headings, rows


def name_outcome(column: str) -> str:
    """Name an outcome as people write it."""
    if column.startswith(METRIC + TRACKING):
        return "tracking error" + column.removeprefix(METRIC + TRACKING).replace("[", " [")
    if column.startswith(METRIC):
        return column.removeprefix(METRIC).replace("_", " ").replace(".", ", ")
    role, _, what = column.removeprefix(PEAK).partition(".")
    named = {"command": "command", "force": "force", "displacement": "displacement"}
    base, channel = split_channel(what)
    words = named.get(base, f"{role} {base}").replace("_", " ")
    return name_channel(f"peak {words}", channel or 0, 1 if channel is None else None)


def _told(value: Any, column: str, unit: str) -> str:
    if value is None or not isfinite(value):
        return "-"
    if column.startswith(METRIC + TRACKING):
        return readable_percent(value)
    return readable_value(value, unit)


def _pictures(shown: ShownEnsemble) -> list[dict[str, Any]]:
    """Draw outcomes over the numbers that vary, and histories."""
    found = []
    for field in _numeric_fields(shown):
        figure = draw_styled(_draw_outcomes, shown, field)
        if figure is not None:
            others = "" if len(shown.fields) == 1 else ", a curve for each value of the others"
            caption = f"Outcomes over {field}{others}; crosses at the top are runs that were lost."
            found.append(_shown(figure, caption))
    if shown.histories:
        caption = "Measured displacement of some of the runs; a lost run does not set the scale."
        figure = draw_styled(_draw_histories, shown)
        found.append(_shown(figure, caption))
    return found


def _shown(figure: Any, caption: str) -> dict[str, Any]:
    return {"uri": data_uri(figure), "width": least_width(figure), "caption": caption}


def _numeric_fields(shown: ShownEnsemble) -> list[str]:
    """Fields that vary and are numbers, with two values or more."""
    found = []
    for name in shown.fields:
        values = [p.get(name) for p in shown.table.points]
        numbers = all(isinstance(v, int | float) and not isinstance(v, bool) for v in values)
        if numbers and len(set(values)) > 1:
            found.append(name)
    return found[:3]


def _draw_outcomes(shown: ShownEnsemble, field: str) -> Any:
    """Draw each of the main outcomes over one field."""
    wanted = shown.main[:PANELS]
    if not wanted:
        return None
    figure, axes = grid(len(wanted), 1, (WIDTH, 1.7 * len(wanted) + 0.6), sharex=True)
    groups = _groups(shown, field)
    for axis, column in zip(axes[:, 0], wanted, strict=True):
        _draw_outcome(axis, shown, groups, column, field)
    axes[-1, 0].set_xlabel(shown.name_field(field))
    handles, labels = axes[0, 0].get_legend_handles_labels()
    if len(labels) > 1:
        figure.legend(handles, labels, loc="outside upper right", ncols=4, fontsize=8)
    return figure


def _draw_outcome(
    axis: Any, shown: ShownEnsemble, groups: Mapping[str, Rows], column: str, field: str
) -> None:
    """Draw one outcome; runs that were lost leave the picture where they are far larger."""
    kept = [r.get(column, np.nan) for rows in groups.values() for r in rows]
    good = [
        r.get(column, np.nan) for rows in groups.values() for r in rows if r["end"] == "completed"
    ]
    largest = np.nanmax(np.abs(good), initial=0.0) or np.nanmax(np.abs(kept), initial=0.0)
    percent = column.startswith(METRIC + TRACKING)
    unit, factor = ("%", 100.0) if percent else readable_scale(largest, shown.units.get(column, ""))
    along = shown.scales.get(field, ("", 1.0))[1]
    for k, (label, rows) in enumerate(groups.items()):
        x = along * np.array([r[field] for r in rows], float)
        y = factor * np.array([r.get(column, np.nan) for r in rows], float)
        lost = np.array([r["end"] != "completed" for r in rows])
        colour = COLOURS[k % len(COLOURS)]
        axis.plot(x, np.where(lost, np.nan, y), ".-", color=colour, lw=1.0, label=label or None)
        top = np.full(int(lost.sum()), 0.94 - 0.1 * (k % 4))
        axis.plot(x[lost], top, "x", color=colour, transform=axis.get_xaxis_transform())
    if good:
        axis.set_ylim(0.0, 1.25 * factor * largest or None)
    axis.set_ylabel(f"{name_outcome(column)}, {unit}".rstrip(", "), fontsize=8)


def _groups(shown: ShownEnsemble, field: str) -> dict[str, Rows]:
    """Give runs that differ in one field only, by the values of the others."""
    found: dict[str, Rows] = {}
    for row in shown.table.ordered:
        label = shown.write_point({f: row[f] for f in shown.fields}, field)
        found.setdefault(label, []).append(row)
    for rows in found.values():
        rows.sort(key=lambda row: row[field])
    return dict(_evenly(list(found.items()), CURVES))


def _evenly(items: Sequence[Any], most: int) -> list[Any]:
    """Give at most so many of some items, the first and the last among them."""
    if len(items) <= most:
        return list(items)
    return [items[int(k)] for k in np.linspace(0, len(items) - 1, most).round()]


def _draw_histories(shown: ShownEnsemble) -> Any:
    """Draw the histories over one another."""
    figure, axes = grid(1, 1, (WIDTH, 3.4))
    axis, histories = axes[0, 0], [shown.histories[k] for k in sorted(shown.histories)]
    size = max(float(np.nanmax(np.abs(h.values), initial=0.0)) for h in histories)
    good = [float(np.nanmax(np.abs(h.values), initial=0.0)) for h in histories if not h.lost]
    unit, factor = readable_scale(max(good, default=size), histories[0].unit)
    for k, h in enumerate(histories):
        label = shown.write_point(shown.table.points[h.run]) + (", lost" if h.lost else "")
        style = {"color": COLOURS[k % len(COLOURS)], "ls": "-" if k < len(COLOURS) else "--"}
        strength = {"lw": 0.6, "alpha": 0.45} if h.lost else {"lw": 1.0, "zorder": 3.0}
        axis.plot(h.time, factor * h.values, label=label, **style, **strength)
    keep_in_view([axis], [h.lost for h in histories])
    axis.set_xlabel("time, s")
    axis.set_ylabel(f"displacement, {unit}")
    figure.legend(loc="outside lower left", ncols=3, fontsize=8)
    return figure
