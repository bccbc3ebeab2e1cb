"""One page about one record or several: self-contained HTML, nothing is loaded from elsewhere."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rths.loop.channel_name import name_channel
from rths.records.record import Record
from rths.registry import LIVE_ROLES, ROLES
from rths.report import happenings, timing
from rths.report.figure import data_uri, draw_styled, save
from rths.report.figures import MOTION, figures
from rths.report.indices import indices
from rths.report.readable import readable_time, readable_value
from rths.report.shown_run import ShownRun

DETAILS = ("loop", "created", "versions", "seed")


@dataclass(frozen=True)
class Picture:
    """A picture of a report."""

    name: str
    caption: str
    section: str
    figure: Any

    @property
    def uri(self) -> str:
        """The picture as text of the page."""
        return data_uri(self.figure)


def label_runs(records: Mapping[str, Record]) -> list[ShownRun]:
    """Give records the labels they have on the page."""
    return [ShownRun(label, record) for label, record in records.items()]


def pictures(runs: Sequence[ShownRun]) -> list[Picture]:
    """Draw everything that the records allow."""
    found = []
    for name, file in figures().items():
        figure = draw_styled(file.draw, runs)
        if figure is not None:
            section = getattr(file, "SECTION", MOTION)
            found.append(Picture(name, file.CAPTION, section, figure))
    return found


def save_pictures(drawings: Iterable[Picture], folder: Path) -> list[Path]:
    """Write pictures as PNG, SVG and PDF files."""
    return [
        save(p.figure, folder / f"{p.name}.{form}")
        for p in drawings
        for form in ("png", "svg", "pdf")
    ]


def page(runs: Sequence[ShownRun], drawings: Sequence[Picture]) -> str:
    """Write the page."""
    from jinja2 import Environment

    text = (Path(__file__).parent / "page.html.j2").read_text(encoding="utf-8")
    names = list(dict.fromkeys(r.record.name for r in runs))
    return (
        Environment(autoescape=True)
        .from_string(text)
        .render(
            title=", ".join(names),
            subtitle=f"{len(runs)} record(s) of a real-time hybrid simulation",
            runs=[_run(r) for r in runs],
            tested=_tested_rows(runs),
            pictures=[p for p in drawings if p.section == MOTION],
            measures=measures(runs),
            clock=[p for p in drawings if p.section == "clock"],
            percentiles=timing.percentile_rows(runs),
            counts=timing.count_rows(runs),
            headings=("record", "", *timing.HEADINGS.values()),
            machines=happenings.machines(runs),
            signs=happenings.loss_signs(runs),
            guards=happenings.guards(runs),
            events=happenings.events(runs),
            origin=_origin(runs),
        )
    )


def _run(run: ShownRun) -> dict[str, Any]:
    record = run.record
    took = f"{readable_time(record.stop.time)} of test"
    wall = record.details.get("wall_seconds")
    if record.timing is not None:
        told = timing.punctuality(record.timing.counts, record.timing.percentiles)
        took += f" on the clock: {told}"
    elif wall:
        took += f" in {readable_time(float(wall))}"
    limit = run.critical_delay
    if limit:
        took += f"; critical delay with an ideal actuator {readable_value(limit, 's')}"
    return {
        "label": run.label,
        "verdict": run.verdict,
        "completed": record.stop.completed,
        "took": took,
        "plan": record.plan,
    }


def _tested_rows(runs: Sequence[ShownRun]) -> list[tuple[str, list[str]]]:
    plans = [tomllib.loads(r.record.plan) for r in runs]
    rows = [("name", [str(p.get("name", "")) for p in plans])]
    for table in ("clock", *ROLES, "limits", *LIVE_ROLES, "rig", "safety", "guard"):
        told = [_table_text(p.get(table, {})) for p in plans]
        if any(told) or table in ROLES:
            rows.append((table, told))
    return rows


def _table_text(table: Any) -> str:
    """Tell a table of a plan in one line; long values are cut."""
    if isinstance(table, list):
        return "; ".join(_table_text(t) for t in table)
    values = dict(table)
    kind = values.pop("kind", "")
    parts = [f"{k} {_shorten(v)}" for k, v in values.items() if v != ""]
    return (f"{kind}: " if kind and parts else kind) + ", ".join(parts)


def _shorten(value: Any) -> str:
    text = f"{value:g}" if isinstance(value, float) else str(value)
    text = Path(text).name if isinstance(value, str) else text
    return text if len(text) <= 60 else text[:57] + "..."


def measures(runs: Sequence[ShownRun]) -> list[tuple[str, list[str]]]:
    """Give the table of indices, a column for each record."""
    columns: list[dict[str, str]] = []
    for run in runs:
        column: dict[str, str] = {}
        for c in range(run.channels):
            for i in indices(run.record, channel=c):
                name = name_channel(i.name, c, run.channels)
                column[name] = "-" if i.value is None else readable_value(i.value, i.unit)
        columns.append(column)
    names = dict.fromkeys(n for column in columns for n in column)
    return [(n.replace("_", " "), [c.get(n, "-") for c in columns]) for n in names]


def _origin(runs: Sequence[ShownRun]) -> list[tuple[str, list[str]]]:
    rows = []
    for name in DETAILS:
        values = []
        for r in runs:
            v = r.record.seed if name == "seed" else r.record.details.get(name, "")
            values.append(
                ", ".join(f"{k} {w}" for k, w in v.items()) if isinstance(v, Mapping) else str(v)
            )
        rows.append((name, values))
    return rows
