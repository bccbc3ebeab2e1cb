"""The page of a comparison: table, box plots, and how far each method is above the noise floor."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from rths.metrics.silva2020 import NAMES
from rths.report.figure import COLOURS, GREY, data_uri, drawn, grid
from rths.studies.silva2020.problem import noise_floor
from rths.studies.silva2020.results import Cell, Wish

TEMPLATE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Benchmark silva2020</title>
<style>
body { font: 15px/1.5 sans-serif; max-width: 75em; margin: 2em auto; padding: 0 1em; color: #222 }
table { border-collapse: collapse; font-size: 13px; margin: 1em 0 }
th, td { padding: .2em .6em; text-align: right; border-bottom: 1px solid #ddd }
th:first-child, td:first-child, .word { text-align: left }
.bad { color: #b00; font-weight: bold } img { max-width: 100% } .soft { color: #666 }
</style></head><body>
<h1>Single-actuator benchmark, {{ cells|length }} comparisons</h1>
<p>Silva, Gomez, Maghareh, Dyke, Spencer, <i>Benchmark control problem for real-time hybrid
simulation</i>, MSSP 135 (2020) 106381. Plant with {{ wish.variant }} velocities;
{{ wish.plants }} perturbed plants from seed {{ wish.seed }}, the same for all; noise from
{{ wish.noise_seed }}. Ground motions: {{ used }}.</p>
<h2>Above the noise floor</h2>
<p>Perfect tracking leaves J2 = J4 = the floor, which is the sensor's noise over the motion. Bars:
nominal plant; whiskers: worst of the perturbed plants.</p>
<img alt="J2 and J4 above the noise floor" src="{{ floor }}">
{% if boxes %}<h2>Perturbed plants</h2>
<p>Boxes: quartiles of the stable runs; whiskers: all of them. Dashed: the noise floor.</p>
<img alt="Box plots of J2 and J4" src="{{ boxes }}">{% endif %}
<h2>All criteria</h2>
<p class="soft">J1 in ms, the others in %. Limits: 8900 N, 7 mm, 300 mm/s. A run is unstable if the
actuator passes 20 mm or J2 is above 50 %.</p>
{% for motion, rows in tables %}<h3>{{ motion }}</h3>
<table><tr><th>compensator</th><th>case</th><th class="word">plant</th>
{% for n in names %}<th>{{ n }}</th>{% endfor %}<th>floor</th><th class="word">unstable</th>
<th class="word">limits passed</th></tr>
{% for r in rows %}<tr><td>{{ r.name }}</td><td>{{ r.case }}</td><td class="word">{{ r.plant }}</td>
{% for v in r.criteria %}<td>{{ v }}</td>{% endfor %}<td>{{ r.floor }}</td>
<td class="word{{ ' bad' if r.bad }}">{{ r.unstable }}</td><td class="word">{{ r.limits }}</td></tr>
{% endfor %}</table>{% endfor %}
</body></html>
"""


def write(wish: Wish, cells: Sequence[Cell], used: str, folder: Path) -> Path:
    """Write ``index.html`` with everything in it."""
    from jinja2 import Environment

    folder.mkdir(parents=True, exist_ok=True)
    template = Environment(autoescape=True).from_string(TEMPLATE)
    tables = [(m.name, _rows([c for c in cells if c.motion is m])) for m in wish.motions]
    text = template.render(
        wish=wish,
        cells=cells,
        used=used,
        names=NAMES,
        tables=tables,
        floor=data_uri(drawn(_floor, cells)),
        boxes=data_uri(drawn(_boxes, cells)) if wish.plants else None,
    )
    page = folder / "index.html"
    page.write_text(text, encoding="utf-8")
    return page


def _rows(cells: Sequence[Cell]) -> list[dict[str, Any]]:
    """Give the lines of a table: nominal, mean, worst."""
    found = []
    for cell in cells:
        nominal = cell.nominal
        assert nominal is not None
        lines = [("nominal", nominal.criteria, "yes" if nominal.criteria is None else "no",
                  ", ".join(nominal.violated))]  # fmt: skip
        if cell.others:
            runs = cell.stable
            passed = sum(bool(s.violated) for s in cell.others)
            count = f"{cell.unstable} of {len(cell.others)}"
            lines.append(("mean", runs.mean(axis=0) if len(runs) else None, count, ""))
            limits = f"in {passed} runs" if passed else ""
            lines.append(("worst", runs.max(axis=0) if len(runs) else None, "", limits))
        for plant, values, unstable, limits in lines:
            shown = ["–"] * len(NAMES) if values is None else [f"{v:.2f}" for v in values]
            found.append({
                "name": cell.candidate.name, "case": cell.case, "plant": plant, "criteria": shown,
                "floor": f"{noise_floor(cell.case, cell.motion):.2f}", "unstable": unstable,
                "bad": unstable == "yes" or (plant == "mean" and cell.unstable > 0),
                "limits": limits,
            })  # fmt: skip
    return found


def _columns(cells: Sequence[Cell]) -> tuple[list[str], list[tuple[str, int]]]:
    """Names of the compensators, and the (motion, case) pairs in their order."""
    names = list(dict.fromkeys(c.candidate.name for c in cells))
    return names, list(dict.fromkeys((c.motion.name, c.case) for c in cells))


def _floor(cells: Sequence[Cell]) -> Any:
    """Draw J2 and J4 over the floor: 1 is perfect tracking."""
    names, pairs = _columns(cells)
    figure, axes = grid(1, 2, (11, 1.2 + 0.16 * len(names) * len(pairs)), sharey=True)
    for axis, (title, index) in zip(axes[0], (("J2", 1), ("J4", 3)), strict=True):
        for cell in cells:
            k = names.index(cell.candidate.name)
            pair = pairs.index((cell.motion.name, cell.case))
            at = pair + 0.8 * (k + 0.5) / len(names) - 0.4
            floor = noise_floor(cell.case, cell.motion)
            nominal = cell.nominal.criteria if cell.nominal else None
            colour = COLOURS[k % len(COLOURS)]
            label = cell.candidate.name if pair == 0 else None
            value = np.nan if nominal is None else nominal[index] / floor
            axis.barh(at, value, 0.7 / len(names), color=colour, label=label)
            if len(cell.stable):
                worst = cell.stable[:, index].max() / floor
                axis.plot([value, worst], [at, at], color="0.2", lw=0.8, marker="|", ms=4)
        axis.axvline(1.0, color=GREY, ls="--", lw=1)
        axis.set_xscale("log")
        axis.set_xlabel(f"{title} over the noise floor")
    axes[0, 0].set_yticks(range(len(pairs)), [f"{m}, case {c}" for m, c in pairs])
    axes[0, 0].invert_yaxis()
    axes[0, 1].legend(fontsize=7, loc="lower right")
    return figure


def _boxes(cells: Sequence[Cell]) -> Any:
    """Draw J2 and J4 of the perturbed plants, a panel for each motion and case."""
    names, pairs = _columns(cells)
    figure, axes = grid(2, len(pairs), (max(6.0, 2.6 * len(pairs)), 5.6), sharey="row")
    for row, (title, index) in enumerate((("J2", 1), ("J4", 3))):
        for column, pair in enumerate(pairs):
            axis = axes[row, column]
            here = [c for c in cells if (c.motion.name, c.case) == pair]
            floor = noise_floor(here[0].case, here[0].motion)
            runs = [c.stable[:, index] for c in here]
            at = [k + 1 for k, r in enumerate(runs) if len(r)]
            axis.boxplot([r for r in runs if len(r)], positions=at, whis=(0, 100), widths=0.6)
            axis.axhline(floor, color=GREY, ls="--", lw=1)
            axis.set_yscale("log")
            axis.set_xlim(0.4, len(names) + 0.6)
            labels = [c.candidate.name for c in here]
            axis.set_xticks(range(1, len(here) + 1), labels, rotation=90, fontsize=7)
            if row == 0:
                axis.set_title(f"{pair[0]}, case {pair[1]}", fontsize=8)
                axis.set_xticklabels([])
            if column == 0:
                axis.set_ylabel(f"{title}, %")
    return figure
