"""Timing, guards and events on the page of a run on the clock."""

from __future__ import annotations

import re
import subprocess
from dataclasses import replace

import numpy as np
import pytest

from rths.config.plan import load
from rths.records.timing import Link, Timing
from rths.report.figures.timing import draw
from rths.report.page import label_runs, page, pictures
from rths.report.pdf import FLAGS, browser
from rths.report.timing import microseconds, punctuality
from rths.run.virtual import simulate
from rths.studies.wallace2005.three_ways import PLAN

SAFETY = {
    "safety": {"rate": 0.05},
    "guard": [{"kind": "limit", "signal": "feedback.force", "warn": 1.0, "trip": 3.0}],
}
EVENTS = [
    {
        "time": "2026-01-01T10:20:30.123456+00:00",
        "state": "armed",
        "reason": "key <a>",
        "tick": None,
    },
    {
        "time": "2026-01-01T10:20:31.500000+00:00",
        "state": "tripped",
        "reason": "force",
        "tick": 250,
    },
]
MACHINE = [{"name": "timer", "granted": False, "words": "an ordinary kernel"}]


@pytest.fixture(scope="module")
def record():
    """A run that trips by a guard, with a timing of known percentiles."""
    plain = simulate(load(PLAN, {"clock.duration": 2.0, **SAFETY}))
    assert plain.stop.reason == "trip"
    n = len(plain.rows)
    times = 1e-6 * np.arange(1, n + 1)
    link = Link(np.full(n - 4, 1.5e-4), missed=4, refused=5)
    details = {**plain.details, "events": EVENTS, "machine": MACHINE}
    return replace(plain, timing=Timing(times, times, 1, 0, link), details=details)


def test_there_is_a_histogram_for_each_quantity_and_every_tick_is_in_it(record):
    (run,) = label_runs({"live": record})
    figure = draw([run])
    labels = [axis.get_xlabel() for axis in figure.axes]
    assert labels == ["latency, µs", "execution time, µs", "round trip, µs"]
    for axis, times in zip(figure.axes, record.timing.times.values(), strict=True):
        counts = axis.patches[0].get_data().values
        assert counts.sum() == len(times)


def test_without_a_link_there_are_two_and_off_the_clock_none(record):
    alone = replace(record, timing=replace(record.timing, link=None))
    assert len(draw(label_runs({"alone": alone})).axes) == 2
    assert draw(label_runs({"virtual": replace(record, timing=None)})) is None


def test_times_that_are_all_the_same_or_zero_can_be_drawn(record):
    same = Timing(np.zeros(5), np.full(5, 1e-3))
    assert len(draw(label_runs({"same": replace(record, timing=same)})).axes) == 2


def rows_of(html, heading):
    table = html.split(f"<h2>{heading}</h2>")[1].split("</table>")[0]
    return [re.findall(r"<td[^>]*>(.*?)</td>", row) for row in table.split("<tr>")][2:]


def test_the_page_has_percentiles_counts_guards_events_and_machine(record):
    runs = label_runs({"live": record})
    html = page(runs, pictures(runs))
    (largest,) = [r[-1] for r in rows_of(html, "On the clock") if r and r[0] == "latency"]
    assert largest == microseconds(1e-6 * len(record.rows))
    for words, count in (("periods slipped", 1), ("replies missed", 4), ("packets refused", 5)):
        assert f"<td>{words}</td><td class=number>{count}</td>" in html
    ((guard, what, *_),) = rows_of(html, "Guards that warned or tripped")
    assert (guard, what) == ("limit_b", "tripped")
    armed, tripped = rows_of(html, "What happened")
    assert armed == ["10:20:30.123", "", "armed", "key &lt;a&gt;"]
    assert tripped[1:3] == ["0.250 s", "tripped"]
    assert rows_of(html, "What the machine allowed") == [["no", "an ordinary kernel"]]
    assert "safety" in html.split("<h2>Pictures</h2>")[0]
    assert html.startswith("<!doctype html>")


def test_records_on_and_off_the_clock_stand_side_by_side(record):
    runs = label_runs({"live": record, "virtual": replace(record, timing=None, details={})})
    html = page(runs, pictures(runs))
    assert all(r[0] == "live" for r in rows_of(html, "On the clock"))


def test_a_page_of_a_virtual_run_has_none_of_it():
    runs = label_runs({"virtual": simulate(load(PLAN, {"clock.duration": 0.5}))})
    html = page(runs, pictures(runs))
    for heading in ("On the clock", "Guards that", "What happened", "machine allowed"):
        assert heading not in html


@pytest.mark.skipif(browser() is None, reason="Chromium is not installed")
def test_chromium_shows_the_histogram(record, tmp_path):
    runs = label_runs({"live": record})
    path = tmp_path / "report.html"
    probe = (
        "<script>onload = () => { const i = document.querySelector('#timing img');"
        "document.title = `wide ${i.naturalWidth > 300 && i.complete}`; };</script></head>"
    )
    path.write_text(page(runs, pictures(runs)).replace("</head>", probe), encoding="utf-8")
    done = subprocess.run(
        [
            str(browser()), *FLAGS, f"--user-data-dir={tmp_path / 'profile'}",
            "--virtual-time-budget=10000", "--dump-dom", path.as_uri(),
        ],
        capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    assert "<title>wide true</title>" in done.stdout


def test_punctuality_is_told_in_words(record):
    timing = record.timing
    told = punctuality(timing.counts, timing.percentiles)
    assert told.startswith("1 period slipped, 99 % of ticks at most ")
    assert "99 % of answers within 150 µs, 4 replies missed, 5 packets refused" in told
    assert punctuality({"slips": 0, "lost_rows": 0}, {}) == "no periods slipped"
    assert "7 rows lost" in punctuality({"slips": 2, "lost_rows": 7}, {})


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(4.567e-5, "45.7 µs"), (0.0, "0 µs"), (9.99e-4, "999 µs"), (0.0031, "3.1 ms")],
)
def test_a_short_time_has_a_unit_that_suits_it(seconds, text):
    assert microseconds(seconds) == text
