"""One page about one record or several: self-contained HTML, nothing is loaded from elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rths.loop.channel_name import name_actuator, name_channel
from rths.records.record import Record
from rths.records.versions import package_versions
from rths.report import happenings, timing
from rths.report.figure import data_uri, draw_styled, least_width, save
from rths.report.figures import MOTION, figures
from rths.report.indices import indices
from rths.report.page_style import STYLE
from rths.report.readable import readable_measure, readable_percent, readable_time, readable_value
from rths.report.shown_run import ShownRun
from rths.report.tested import tested_rows

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

    @property
    def width(self) -> int:
        """Pixels below which its letters would be too small."""
        return least_width(self.figure)


def label_runs(
    records: Mapping[str, Record], references: Mapping[str, Record] | None = None
) -> list[ShownRun]:
    """Give records the labels they have on the page, and those that they should reproduce."""
    known = references or {}
    return [ShownRun(label, record, known.get(label)) for label, record in records.items()]


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
    from markupsafe import Markup

    text = (Path(__file__).parent / "page.html.j2").read_text(encoding="utf-8")
    names = list(dict.fromkeys(r.record.name for r in runs))
    return (
        Environment(autoescape=True)
        .from_string(text)
        .render(
            title=", ".join(names),
            subtitle=_subtitle(runs),
            runs=[_run(r) for r in runs],
            style=Markup(STYLE),
            tested=tested_rows(runs),
            pictures=[p for p in drawings if p.section == MOTION],
            frame=[p for p in drawings if p.section == "frame"],
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
        "errors": [_error_words(e, run.channels) for e in run.errors],
        "completed": record.stop.completed,
        "took": took,
        "plan": record.plan,
    }


def _subtitle(runs: Sequence[ShownRun]) -> str:
    one = "A real-time hybrid simulation" if len(runs) == 1 else f"{len(runs)} records"
    version = package_versions()["rths"]
    return f"{one}; report of {datetime.now(UTC):%Y-%m-%d %H:%M} UTC by rths {version}"


def _error_words(e: Mapping[str, Any], channels: int) -> str:
    """Tell the error against the emulated structure, per channel if there are several."""
    who = f", {name_actuator(e['channel'])}" if channels > 1 else ""
    if e["error"] is None:
        return f"Error against the emulated structure{who}: not told ({e['problem']})."
    return f"Error against the emulated structure{who}: {readable_percent(e['error'])} rms."


def measures(runs: Sequence[ShownRun]) -> list[tuple[str, list[str]]]:
    """Give the table of indices, a column for each record."""
    columns: list[dict[str, str]] = []
    for run in runs:
        column: dict[str, str] = {}
        for c in range(run.channels):
            for i in indices(run.record, channel=c):
                name = name_channel(i.name, c, run.channels)
                column[name] = "-" if i.value is None else readable_measure(i.value, i.unit)
        columns.append(column)
    names = dict.fromkeys(n for column in columns for n in column)
    return [(_measure_name(n), [c.get(n, "-") for c in columns]) for n in names]


def _measure_name(name: str) -> str:
    """Name a measure as people write it: no dots and underscores of the program."""
    return name.replace("_", " ").replace(".", ", ").replace("[", ", channel ").replace("]", "")


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
