"""The certificate as one page that needs nothing else: verdict, roots, margins, chart, causes."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import pairwise
from math import inf, isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rths.loop.channel_name import name_channel, split_channel
from rths.plain_file import write_text
from rths.report.page_style import STYLE
from rths.report.readable import readable_number, readable_percent, readable_value
from rths.report.vector_plot import VectorPlot, bars
from rths.run.run_directory import RunDirectory

if TYPE_CHECKING:
    from rths.report.certificate_origin import Origin
    from rths.report.vibration import Vibration, Vibrations
    from rths.stability.certificate import Certificate
    from rths.stability.counterexample import Counterexample
    from rths.stability.loop_chart import LoopChart
    from rths.stability.margin import Margin
    from rths.stability.robustness import Robustness

TITLE = {"undecided": "not decided"}
"""Title of the page where it is not the verdict itself."""
COLOUR = {"proved": "proved", "tested": "tested", "unstable": "lost", "undecided": "open"}
"""Style of each verdict."""
COLUMNS = 120
"""Columns of colour in a chart."""
DRAWING = """svg {font: 13px system-ui, sans-serif; fill: var(--ink, #333); width: 100%;
  max-width: 440px; height: auto; display: block}
svg .mid {text-anchor: middle} svg .end {text-anchor: end} svg .grid {stroke: var(--rule, #e4e4e4)}
svg .line {fill: none; stroke: var(--link, #0b5394); stroke-width: 1.6}
svg .edge {fill: none; stroke: #222; stroke-width: 1.6}
svg .axis {fill: none; stroke: var(--soft, #777); stroke-dasharray: 4 3}
svg .dot {fill: var(--link, #0b5394); fill-opacity: .75} svg .out {fill: var(--bad, #c62828)}
svg .still {fill: none; stroke: var(--soft, #555)}
svg .here {fill: none; stroke: #111; stroke-width: 2.4} svg .mark {fill: #111}
svg rect {shape-rendering: crispEdges}
svg .good {fill: #8fbc8f} svg .bad {fill: #dd8c85} svg .none {fill: #ccc}"""
"""Style of drawings; with the colours of the page, or by itself in a file."""


def certificate_page(
    certificate: Certificate,
    chart: LoopChart | None = None,
    robust: Robustness | None = None,
    origin: Origin | None = None,
    vibrations: Vibrations | None = None,
) -> str:
    """The page as text."""
    from jinja2 import Environment, Undefined
    from markupsafe import Markup

    page = Path(__file__).with_name("certificate.html.j2").read_text(encoding="utf-8")

    strongest = [s for s in certificate.sensitivities if s.growth_rate][:10]
    values = [s.growth_rate / 100 for s in strongest]
    causes = bars([s.path for s in strongest], values, "1/s") if strongest else ""
    made = Environment(autoescape=True, undefined=Undefined).from_string(page)
    return made.render(
        c=certificate,
        title=TITLE.get(certificate.verdict, certificate.verdict),
        colour=COLOUR[certificate.verdict],
        style=Markup(STYLE + DRAWING),
        origin=origin,
        vibrations=[]
        if vibrations is None
        else [*map(_mode_words, vibrations.alone, vibrations.whole)],
        doubts=() if vibrations is None else vibrations.doubts,
        reduced="" if vibrations is None else vibrations.reduced,
        margins=[_margin_words(m) for m in certificate.margins],
        percent=readable_percent,
        plain=readable_number,
        part=_name_parts(certificate),
        lost=certificate.rest.growth_rate < 0,
        z_plane=Markup(z_plane(certificate)),
        s_plane=Markup(s_plane(certificate)),
        chart=Markup(draw_chart(chart)) if chart is not None else "",
        caveats=chart.caveats if chart is not None else (),
        causes=Markup(causes),
        robust=robust,
    )


def _name_parts(certificate: Certificate) -> Callable[[str], str]:
    """Give what names a part of the loop; that of the only actuator has no index."""
    labels = [label for root in certificate.dominant for label in root.blocks]
    several = any(split_channel(label)[1] for label in labels)

    def name(label: str) -> str:
        base, channel = split_channel(label)
        shown = base if channel is None else name_channel(base, channel, None if several else 1)
        return shown.replace("_", " ").replace(".", " ")

    return name


def _mode_words(alone: Vibration, whole: Vibration) -> tuple[tuple[str, str], ...]:
    """Write period and damping of a mode, alone and with the specimen."""
    return tuple(
        (
            "none" if v.period == inf else f"{v.period:.3g} s",
            "depends" if isnan(v.damping) else readable_percent(v.damping),
        )
        for v in (alone, whole)
    )


def _margin_words(m: Margin) -> dict[str, str]:
    """Write a margin in units that people think in, and no more digits than are of use."""
    return {
        "name": m.name,
        "present": readable_value(m.present, m.unit),
        "critical": f"none to {readable_value(m.searched, m.unit)}"
        if m.critical is None
        else readable_value(m.critical, m.unit),
        "frequency": "" if m.frequency is None else f"{m.frequency:.3g} Hz",
    }


def z_plane(certificate: Certificate) -> str:
    """Roots and the unit circle."""
    plot = VectorPlot((-1.2, 1.2), (-1.2, 1.2), ("Re z", "Im z"), (350.0, 350.0))
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
        (low, high), (0.0, top), ("growth rate, 1/s", "frequency, Hz"), (350.0, 350.0)
    )
    plot.line([0, 0], [0, top], "axis")
    for kind in ("dot", "still", "dot out"):
        plot.dots(rate[kinds == kind], f[kinds == kind], kind, 4)
    return plot.svg()


def draw_chart(chart: LoopChart) -> str:
    """A stability chart with the plan's point."""
    x, y = (float(chart.x[0]), float(chart.x[-1])), (float(chart.y[0]), float(chart.y[-1]))
    plot = VectorPlot(x, y, (chart.x_name, chart.y_name), (350.0, 320.0))
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
    return f"{first}\n<style>\n{DRAWING}\n</style>\n{rest}\n"


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
    origin: Origin | None = None,
    vibrations: Vibrations | None = None,
) -> tuple[Path, Path]:
    """Write the certificate into a folder, as a page and as data."""
    from dataclasses import asdict

    directory = RunDirectory(folder)
    directory.make()
    page, data = directory.certificate_page, directory.certificate
    write_text(page, certificate_page(certificate, chart, robust, origin, vibrations))
    content = certificate.as_dict()
    if origin is not None:
        content["origin"] = asdict(origin)
    if vibrations is not None:
        content["vibration"] = vibrations.as_dict()
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
