"""The certificate as one page that needs nothing else: verdict, roots, margins, chart, causes."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rths.plain_file import write_text
from rths.report.vector_plot import VectorPlot, bars
from rths.run.run_directory import RunDirectory

if TYPE_CHECKING:
    from rths.stability.certificate import Certificate
    from rths.stability.counterexample import Counterexample
    from rths.stability.loop_chart import LoopChart
    from rths.stability.robustness import Robustness

TITLE = {"undecided": "not decided"}
"""Title of the page where it is not the verdict itself."""
COLOUR = {"proved": "proved", "tested": "tested", "unstable": "lost", "undecided": "open"}
"""Style of each verdict."""
COLUMNS = 120
"""Columns of colour in a chart."""
STYLE = """svg {font: 11px system-ui, sans-serif; fill: #333} svg .mid {text-anchor: middle}
svg .end {text-anchor: end} svg .grid {stroke: #e4e4e4}
svg .line {fill: none; stroke: #0b5394; stroke-width: 1.6}
svg .edge {fill: none; stroke: #222; stroke-width: 1.6}
svg .axis {fill: none; stroke: #777; stroke-dasharray: 4 3}
svg .dot {fill: #0b5394; fill-opacity: .75} svg .out {fill: #c62828}
svg .still {fill: none; stroke: #555}
svg .here {fill: none; stroke: #c62828; stroke-width: 2.4}
svg rect {shape-rendering: crispEdges}
svg .good {fill: #8fbc8f} svg .bad {fill: #dd8c85} svg .none {fill: #ccc}"""
PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{{ c.name }}: {{ title }}</title>
<style>
body {font: 15px/1.5 system-ui, sans-serif; max-width: 960px; margin: 2em auto; padding: 0 1em;
  color: #222}
h1 {font-size: 1.5em; margin-bottom: .2em} h2 {font-size: 1.1em; margin-top: 2em}
.verdict {padding: .7em 1em; border-left: 6px solid; font-size: 1.15em}
.proved {border-color: #2e7d32; background: #eef7ee}
.tested {border-color: #1565c0; background: #eef4fb}
.lost {border-color: #c62828; background: #fdeeee}
.open {border-color: #ef6c00; background: #fff5e8}
table {border-collapse: collapse} td, th {padding: .25em .8em; text-align: right;
  border-bottom: 1px solid #ddd} td:first-child, th:first-child {text-align: left}
.pictures {display: flex; flex-wrap: wrap; gap: 1em}
{{ style }}
</style></head><body>
<h1>{{ c.name }}</h1>
<p class="verdict {{ colour }}">{{ c.sentence }}.</p>
{% for note in c.notes %}<p>{{ note }}</p>{% endfor %}
<h2>Roots of the loop</h2>
{% if not c.rest.differentiable %}<p>There are none: the loop cannot be linearised at rest.</p>
{% else %}
<p>One period of the loop, {{ "%.6g"|format(c.period * 1e3) }} ms, maps {{ c.states }} numbers to
themselves; its eigenvalues z and s = ln(z)/T, from the code that runs the test.</p>
<div class="pictures">{{ z_plane }}{{ s_plane }}</div>
{% if c.rest.neutral %}<p>Open circles at z = 1: memories.</p>{% endif %}
<table><tr><th>growth rate, 1/s</th><th>frequency, Hz</th><th>damping</th><th>mode</th>
<th>its share</th><th>blocks</th></tr>
{% for r in c.dominant %}<tr><td>{{ "%.5g"|format(r.growth_rate) }}</td>
<td>{{ "%.5g"|format(r.frequency) }}</td><td>{{ "%.3g"|format(100 * r.damping) }} %</td>
<td>{{ r.mode }} ({{ "%.4g"|format(r.mode_frequency) }} Hz)</td>
<td>{{ "%.0f"|format(100 * r.mode_share) }} %</td>
<td>{% for b, share in r.blocks.items() if share > 0.005 %}
{{ b }} {{ "%.1f"|format(100 * share) }} %{{ "," if not loop.last }}
{% endfor %}</td></tr>{% endfor %}</table>{% endif %}
{% if c.margins %}<h2>Margins</h2>
<table><tr><th></th><th>now</th><th>{{ "lost" if lost else "regained" }} at</th><th>with, Hz</th>
<th>searched to</th></tr>
{% for m in c.margins %}<tr><td>{{ m.name }}{{ ", " + m.unit if m.unit != "1" }}</td>
<td>{{ "%.6g"|format(m.present) }}</td>
<td>{{ "%.7g"|format(m.critical) if m.critical is not none else "nowhere" }}</td>
<td>{{ "%.4g"|format(m.frequency) if m.frequency is not none }}</td>
<td>{{ "%.6g"|format(m.searched) }}</td></tr>{% endfor %}</table>{% endif %}
{% if chart %}<h2>Chart</h2><div class="pictures">{{ chart }}</div>
<p>Green: decays; red: grows; the circle is this plan.
{% if caveats %}The chart is that of small motions at rest: {% for text in caveats %}{{ text }}
{% endfor %}{% endif %}</p>{% endif %}
{% if causes %}<h2>What the dominant root depends on</h2>
<p>Change of its growth rate when a number grows, for each 1 % of it.</p>{{ causes }}{% endif %}
{% if c.counterexample %}<h2>How it is lost</h2>
<p>The shortest plan that shows it, {{ c.counterexample.words }} for
{{ "%.4g"|format(c.counterexample.test.duration) }} s, lies beside this page: run
<code>counterexample.toml</code>.</p>{% endif %}
{% if c.trial %}<h2>What was tried</h2>
{% if c.trial.shadows %}<p>Copies of the rehearsed test. Distances are shares of its motion,
{{ "%.4g"|format(1e3 * c.trial.motion) }} mm; windows of {{ "%.3g"|format(c.trial.window) }} s.</p>
<table><tr><th>set apart at, s</th><th>by, mm</th><th>by a push of mode</th><th>largest</th>
<th>left</th><th>at, s</th><th></th></tr>
{% for s in c.trial.shadows %}<tr><td>{{ "%.4g"|format(s.time) }}</td>
<td>{{ "%.3g"|format(1e3 * s.sign * s.size) }}</td>
<td>{{ s.mode if s.mode else "all states" }}</td>
<td>{{ "%.3g"|format(s.largest) }}</td><td>{{ "%.3g"|format(s.left) }}</td>
<td>{{ "%.4g"|format(s.until) }}</td><td>{{ s.outcome }}</td></tr>{% endfor %}</table>{% endif %}
{% if c.trial.releases %}<p>Pushes in the quiet after it.</p>
<table><tr><th>by, mm</th><th>mode</th><th>left</th><th>at, Hz</th><th>watched, s</th><th></th></tr>
{% for r in c.trial.releases %}<tr><td>{{ "%.3g"|format(1e3 * r.sign * r.size) }}</td>
<td>{{ r.mode }}</td><td>{{ "%.3g"|format(r.left) }}</td><td>{{ "%.3g"|format(r.frequency) }}</td>
<td>{{ "%.4g"|format(r.time) }}</td><td>{{ r.fate }}</td></tr>{% endfor %}</table>{% endif %}
{% endif %}
{% if robust %}<h2>Uncertain numbers</h2>
<p>{{ robust.unstable }} of {{ robust.samples }} samples (seed {{ robust.seed }}) are
{{ robust.words }}{% if robust.refused %}; {{ robust.refused }} are refused by the plan and
count with them{% endif %}; with
{{ "%.0f"|format(100 * robust.confidence) }} % confidence the probability is below
{{ "%.3g"|format(100 * robust.probability_bound) }} %. Worst case, growth rate
{{ "%.4g"|format(robust.worst_growth_rate) }} 1/s, at
{% for path, v in robust.worst.items() %}
{{ path }} = {{ "%.6g"|format(v) }}{{ "," if not loop.last else "." }}
{% endfor %} Most important:
{% for path, v in robust.importance.items() %}
{{ path }} ({{ "%.0f"|format(100 * v) }} %){{ "," if not loop.last else "." }}
{% endfor %}</p>{% endif %}
</body></html>
"""


def certificate_page(
    certificate: Certificate, chart: LoopChart | None = None, robust: Robustness | None = None
) -> str:
    """The page as text."""
    from jinja2 import Environment, Undefined
    from markupsafe import Markup

    strongest = [s for s in certificate.sensitivities if s.growth_rate][:10]
    values = [s.growth_rate / 100 for s in strongest]
    causes = bars([s.path for s in strongest], values, "1/s") if strongest else ""
    made = Environment(autoescape=True, undefined=Undefined).from_string(PAGE)
    return made.render(
        c=certificate,
        title=TITLE.get(certificate.verdict, certificate.verdict),
        colour=COLOUR[certificate.verdict],
        style=Markup(STYLE),
        lost=certificate.rest.growth_rate < 0,
        z_plane=Markup(z_plane(certificate)),
        s_plane=Markup(s_plane(certificate)),
        chart=Markup(draw_chart(chart)) if chart is not None else "",
        caveats=chart.caveats if chart is not None else (),
        causes=Markup(causes),
        robust=robust,
    )


def z_plane(certificate: Certificate) -> str:
    """Roots and the unit circle."""
    plot = VectorPlot((-1.2, 1.2), (-1.2, 1.2), ("Re z", "Im z"), (340.0, 340.0))
    turn = np.linspace(0, 2 * np.pi, 121)
    plot.line(np.cos(turn), np.sin(turn), "axis")
    z, kinds = certificate.roots.z, _kinds(certificate)
    for kind in ("dot", "still", "dot out"):
        plot.dots(z[kinds == kind].real, z[kinds == kind].imag, kind)
    return plot.svg()


def _kinds(certificate: Certificate) -> Any:
    """How each root is drawn: one at z = 1 is a memory, not a motion that grows."""
    from rths.stability.roots import NEUTRAL

    z = certificate.roots.z
    return np.select([np.abs(z - 1) < NEUTRAL, np.abs(z) < 1], ["still", "dot"], "dot out")


def s_plane(certificate: Certificate) -> str:
    """Roots near the imaginary axis, frequency in Hz."""
    s, kinds = certificate.roots.s, _kinds(certificate)
    kinds, s = kinds[s.imag >= 0], s[s.imag >= 0]
    f, rate = s.imag / (2 * np.pi), s.real
    near = rate >= (np.sort(rate)[-min(rate.size, 8)] if rate.size else 0.0)
    low = 1.2 * min(-1.0, float(rate[near].min(initial=-1.0)))
    high = max(0.15 * -low, 1.3 * float(rate.max(initial=0.0)))
    top = 1.2 * max(1.0, float(f[near].max(initial=1.0)))
    plot = VectorPlot(
        (low, high), (0.0, top), ("growth rate, 1/s", "frequency, Hz"), (480.0, 340.0)
    )
    plot.line([0, 0], [0, top], "axis")
    for kind in ("dot", "still", "dot out"):
        plot.dots(rate[kinds == kind], f[kinds == kind], kind, 4)
    return plot.svg()


def draw_chart(chart: LoopChart) -> str:
    """A stability chart with the plan's point."""
    x, y = (float(chart.x[0]), float(chart.x[-1])), (float(chart.y[0]), float(chart.y[-1]))
    plot = VectorPlot(x, y, (chart.x_name, chart.y_name), (620.0, 400.0))
    _fill(plot, chart)
    for x0, y0, x1, y1 in chart.boundary:
        plot.line([x0, x1], [y0, y1], "edge")
    if chart.point is not None:
        plot.dots([chart.point[0]], [chart.point[1]], "here", 6)
        plot.text(*chart.point, "this plan")
    return plot.svg()


def chart_file(chart: LoopChart) -> str:
    """A stability chart as a file of its own, its style inside."""
    picture = draw_chart(chart).replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
    first, rest = picture.split("\n", 1)
    return f"{first}\n<style>\n{STYLE}\n</style>\n{rest}\n"


def _fill(plot: VectorPlot, chart: LoopChart) -> None:
    """Colour by the sign of the growth rate, which is linear between the points of the grid."""
    xs, ys = _refine(chart.x), _refine(chart.y)
    along = np.array([np.interp(xs[1::2], chart.x, column) for column in chart.growth_rate.T])
    rate = np.array([np.interp(ys[1::2], chart.y, row) for row in along.T])
    for i, column in enumerate(rate):
        kinds = np.where(np.isnan(column), 2, (column >= 0).astype(int))
        turns = [0, *(np.flatnonzero(np.diff(kinds)) + 1).tolist(), kinds.size]
        for low, high in pairwise(turns):
            name = ("good", "bad", "none")[kinds[low]]
            right = xs[min(2 * i + 3, xs.size - 1)]  # under the next: no seam between them
            plot.cell((xs[2 * i], right), (ys[2 * low], ys[2 * high]), name)


def _refine(axis: Any) -> Any:
    """Edges and middles, in turn, of cells that are finer than those of an axis."""
    return np.linspace(axis[0], axis[-1], 2 * COLUMNS + 1)


def write_certificate(
    certificate: Certificate,
    folder: Path,
    chart: LoopChart | None = None,
    robust: Robustness | None = None,
) -> tuple[Path, Path]:
    """Write the certificate into a folder, as a page and as data."""
    from dataclasses import asdict

    directory = RunDirectory(folder)
    directory.make()
    page, data = directory.certificate_page, directory.certificate
    write_text(page, certificate_page(certificate, chart, robust))
    content = certificate.as_dict()
    if chart is not None:
        content["chart"] = chart.as_dict()
    if robust is not None:
        content["robust"] = asdict(robust)
    write_text(data, json.dumps(content, indent=1) + "\n")
    return page, data


def write_counterexample(shown: Counterexample, folder: Path) -> Path:
    """Write the plan that shows how a test is lost."""
    from rths.config.plan import dumps

    path = RunDirectory(folder).counterexample
    write_text(path, dumps(shown.test))
    return path
