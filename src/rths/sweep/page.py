"""The page of a sweep: ends, outcomes, effects, response surfaces, sensitivity, worst cases."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from rths.config.plan import dumps
from rths.errors import InputError
from rths.plain_file import write_text
from rths.report.figure import COLOURS, WIDTH, data_uri, draw_styled, grid, least_width
from rths.report.page_style import STYLE
from rths.sweep.results import Results
from rths.sweep.sobol_indices import SobolIndex, sobol_indices
from rths.sweep.statistics import (
    Effect,
    Surface,
    Worst,
    effect_of,
    numeric_outcomes,
    summarise,
    surface_of,
    thin,
)
from rths.sweep.study import Study, plan_of_run

TEMPLATE = Path(__file__).with_name("page.html.j2")
EFFECTS = 6
"""Numbers whose effect is drawn, the most important first."""
SAVED = 3
"""Worst cases of each outcome that are left as plans."""


def write_page(study: Study, results: Results) -> list[Path]:
    """Write the page, its numbers as JSON, and the worst cases as plans; give the files."""
    from jinja2 import Environment
    from markupsafe import Markup

    ends, sums, worst = summarise(results)
    rows = thin(results)
    told = [_tell_outcome(study, results, rows, name) for name in numeric_outcomes(results)]
    plans = save_worst(study, worst, results.folder / "worst")
    about = results.about
    template = Environment(autoescape=True).from_string(TEMPLATE.read_text(encoding="utf-8"))
    text = template.render(
        style=Markup(STYLE),
        title=study.name,
        about=about,
        ends=ends,
        sums=sums,
        told=told,
        worst=[(w, plans.get(w.run)) for w in worst],
        variables=results.variables,
        random=about["design"] == "Random",
    )
    page, data = results.folder / "page.html", results.folder / "results.json"
    write_text(page, text)
    content = {
        "ends": ends.by_reason,
        "runs": ends.runs,
        "outcomes": {s.outcome: vars(s) for s in sums},
        "sensitivity": {t["outcome"]: [vars(i) for i in t["indices"]] for t in told},
        "shares": {t["outcome"]: t["shares"] for t in told},
        "worst": [vars(w) for w in worst],
    }
    write_text(data, json.dumps(content, indent=1) + "\n")
    return [page, data, *dict.fromkeys(plans.values())]


def _tell_outcome(
    study: Study, results: Results, rows: dict[str, Any], outcome: str
) -> dict[str, Any]:
    """Give pictures and indices of one outcome."""
    effects = [e for f in results.variables if (e := effect_of(rows, f, outcome)) is not None]
    effects.sort(key=lambda e: -e.share)
    pair = tuple(e.field for e in effects[:2])
    surface = surface_of(rows, (pair[0], pair[1]), outcome) if len(pair) == 2 else None
    return {
        "outcome": outcome,
        "effects": _picture(_draw_effects, effects[:EFFECTS]) if effects else None,
        "surface": _picture(_draw_surface, surface) if surface is not None else None,
        "shares": {e.field: e.share for e in effects},
        "indices": _indices(results, outcome),
    }


def _picture(draw: Callable[..., Any], shown: Any) -> dict[str, Any]:
    """Draw; give the picture as text of the page, and the width that it needs."""
    figure = draw_styled(draw, shown)
    return {"uri": data_uri(figure), "width": least_width(figure)}


def _indices(results: Results, outcome: str) -> list[SobolIndex]:
    """Give Sobol indices where the design has them."""
    if results.about["design"] != "Saltelli":
        return []
    try:
        return sobol_indices(results.variables, results.column(outcome))
    except InputError:
        return []


def save_worst(study: Study, worst: Sequence[Worst], folder: Path) -> dict[int, Path]:
    """Leave the worst cases as plans that run as they are; the files by run."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("run-*.toml"):
        old.unlink()
    found: dict[int, Path] = {}
    seen: dict[str, int] = {}
    for w in worst:
        seen[w.outcome] = seen.get(w.outcome, 0) + 1
        if w.run in found or seen[w.outcome] > SAVED:
            continue
        try:
            test = plan_of_run(study, w.run)
        except InputError:  # a plan that is refused is no plan
            continue
        path = folder / f"run-{w.run:06d}.toml"
        write_text(path, dumps(test))
        found[w.run] = path
    return found


def _draw_effects(effects: Sequence[Effect]) -> Any:
    """Draw means over bins with two standard errors to both sides."""
    columns = min(3, len(effects))
    lines = -(-len(effects) // columns)
    figure, axes = grid(lines, columns, (3.6 * columns, 2.6 * lines), sharey=True)
    for axis, e in zip(axes.ravel(), effects, strict=False):
        axis.fill_between(e.at, e.mean - 2 * e.error, e.mean + 2 * e.error, alpha=0.25,
                          color=COLOURS[0], lw=0)  # fmt: skip
        axis.plot(e.at, e.mean, color=COLOURS[0], marker="." if e.at.size < 8 else None)
        axis.set_xlabel(f"{e.field} ({100 * e.share:.0f} % alone)", fontsize=8)
    for axis in axes.ravel()[len(effects) :]:
        axis.set_axis_off()
    axes[0, 0].set_ylabel(effects[0].outcome, fontsize=8)
    return figure


def _draw_surface(surface: Surface) -> Any:
    figure, axes = grid(1, 1, (WIDTH, 4.6))
    shown = axes[0, 0].pcolormesh(surface.x, surface.y, surface.mean.T, cmap="viridis")
    axes[0, 0].set_xlabel(surface.fields[0])
    axes[0, 0].set_ylabel(surface.fields[1])
    if np.isfinite(surface.mean).any():
        figure.colorbar(shown, ax=axes[0, 0], label=surface.outcome)
    return figure
