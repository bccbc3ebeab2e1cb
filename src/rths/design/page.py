"""The page of a design: the answer, the trade-off of error and margin, the ranking, the cost."""

from __future__ import annotations

import json
from math import inf, isfinite, log10
from pathlib import Path

from rths.design.candidate import say_kind
from rths.design.design import Design
from rths.design.judgement import FARTHEST, Judged
from rths.design.search import Tuned
from rths.design.words import (
    cost_words,
    error_words,
    headline,
    margin_words,
    percent,
    reasons,
)
from rths.report.certificate_page import DRAWING
from rths.report.page_style import STYLE
from rths.report.vector_plot import VectorPlot

SIZE = (340.0, 320.0)
"""Of the picture: a phone does not make its letters smaller."""
TEMPLATE = Path(__file__).with_name("page.html.j2")


def design_page(d: Design) -> str:
    """Give the page as text."""
    from jinja2 import Environment
    from markupsafe import Markup

    rows = [(t, d.judgement_of(t)) for t in d.ranking]
    template = Environment(autoescape=True).from_string(TEMPLATE.read_text(encoding="utf-8"))
    return template.render(
        d=d,
        style=Markup(STYLE + DRAWING),
        headline=headline(d),
        colour="proved" if d.chosen is not None else "open" if d.interrupted else "lost",
        reasons=reasons(d),
        rows=rows,
        trade=Markup(draw_trade(d)),
        percent=percent,
        error=lambda t: error_words(d, t) if t.score else "–",
        margin=lambda t, j: _margin_text(d, t, j),
        need=d.commission.requirements,
        cost=cost_words(d),
        chosen=_tables(d.chosen),
        say=say_kind,
        scenarios=d.scenarios,
    )


def _margin_text(d: Design, t: Tuned, j: Judged | None) -> str:
    there, margin = margin_of(t, j)
    return margin_words(margin, FARTHEST * d.rig.delay) if there else ""


def _tables(chosen: Judged | None) -> str:
    """Write the chosen compensator as tables of a plan, one for each channel with its own."""
    if chosen is None:
        return ""
    own = chosen.tuned.candidate
    head = "[[compensator]]" if len(own.tables) > 1 else "[compensator]"
    parts = [
        "\n".join((head, f'kind = "{c.kind}"', *(f"{n} = {_short(v)}" for n, v in t.items())))
        for c, t in zip(own.each, own.tables, strict=True)
    ]
    return "\n\n".join(parts)


def _short(value: object) -> str:
    """Write a value as TOML does, with six digits."""
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, tuple | list):
        return "[" + ", ".join(_short(v) for v in value) + "]"
    return json.dumps(value) if isinstance(value, bool | str) else str(value)


def margin_of(t: Tuned, j: Judged | None) -> tuple[bool, float | None]:
    """Tell whether a margin is known, and which: the judged one, else that of rehearsals."""
    if j is not None and j.margins_by:
        return True, j.delay_margin
    return t.looked, t.margin


def draw_trade(d: Design) -> str:
    """Draw error over delay margin of the best candidates; "" if there is nothing to draw."""
    shown: list[tuple[int, str, float, float]] = []
    longest = 1e3 * FARTHEST * d.rig.delay
    for place, t in enumerate(d.ranking, 1):
        j = d.judgement_of(t)
        error = j.error if j is not None else t.score.error if t.score is not None else inf
        there, margin = margin_of(t, j)
        if not there or not isfinite(error) or error <= 0:
            continue
        sort = "still" if j is None else "dot" if j.safe else "out"
        x = longest if margin is None else min(1e3 * margin, longest)
        shown.append((place, sort, x, log10(100 * error)))
    if not shown:
        return ""
    y = [row[3] for row in shown]
    names = "extra delay at which it is lost, ms", "error, %, as a power of ten"
    plot = VectorPlot((0.0, 1.1 * longest), (min(y) - 0.3, max(y) + 0.4), names, SIZE)
    for place, sort, a, b in shown:
        plot.dots([a], [b], sort, 4.0)
        plot.text(a, b, str(place))
    return plot.svg()
