"""The cockpit beside a live test: how soon it stops it, what it costs, how quick a slider is.

Needs Chromium. A stop is timed from the click that the browser is given to the moment at which the
latch in the loop's shared memory says that it has tripped, by one clock. The loop's latency is that
of every tick in its record, of runs in turns: alone, and with five pages and one that never reads;
the five stand for browsers on other machines (watchers.py).
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from benchmarks.engine import row
from benchmarks.watchers import watchers
from rths.cockpit.attachment import Attachment
from rths.errors import InputError
from rths.records.hdf5_reader import read
from rths.safety.phase import TRIPPED
from tests.browser.chromium import Browser, Page, find_chromium
from tests.browser.conftest import COMMAND, LIVE, WALLACE

PARTS = ("stop", "latency", "slider", "memory")
WATCHERS = 5
SETTLED = 75.0
"""Seconds after which a cockpit has all that it keeps: a minute of history, and the certificate."""
ROOT = Path(__file__).parents[1]


def measure(part: str, count: int, seconds: float) -> dict[str, Any]:
    """Measure one part, or all."""
    rows: dict[str, Any] = {}
    if find_chromium() is None and part not in ("latency", "memory"):
        return {"rows": {part: {"skipped": "Chromium is not installed"}}}
    todo = {
        "stop": lambda: measure_stops(count),
        "latency": lambda: measure_latency(max(1, count // 10), seconds),
        "slider": lambda: measure_sliders(count),
        "memory": lambda: measure_memory(seconds),
    }
    for name in PARTS if part == "all" else (part,):
        rows |= todo[name]()
    return {"bench": "cockpit", "load": os.getloadavg()[0], "rows": rows}


class Laboratory:
    """A folder with plans, a cockpit over it, and live tests in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "runs").mkdir()
        text = WALLACE.read_text().partition("# A live test")[0]
        text = text.replace("tick = 0.001 ", "tick = 0.0009765625 ")
        (folder / "live.toml").write_text(text.replace("12.0 ", "3600.0 ", 1) + LIVE)
        (folder / "tutorial.toml").write_text(WALLACE.read_text())
        (folder / "storeys.toml").write_text(WALLACE.with_name("chen2010.toml").read_text())
        self._environment = {**os.environ, "RTHS_STATE_DIR": str(folder / "state")}
        self._started: list[subprocess.Popen[str]] = []

    def start(self, *words: str) -> subprocess.Popen[str]:
        """Start a command of rths here."""
        process = subprocess.Popen(
            [*COMMAND, *words], cwd=self.folder, env=self._environment, text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        self._started.append(process)
        return process

    def serve(self) -> tuple[subprocess.Popen[str], str]:
        """Start the cockpit; give it and its address."""
        process = self.start("cockpit", "runs", "--port", "0")
        assert process.stdout is not None
        return process, process.stdout.readline().split()[-1]

    def run(self, name: str, seconds: float = 3600.0) -> subprocess.Popen[str]:
        """Start a live test."""
        change = ("--set", f"clock.duration={seconds}")
        return self.start("run", "live.toml", "--realtime", "--out", f"runs/{name}", *change)

    def attach(self, name: str) -> Attachment:
        """Attach to a test as soon as it runs."""
        end = time.monotonic() + 180
        while time.monotonic() < end:
            with suppress(InputError, OSError, ValueError):
                found = Attachment.open(self.folder / "runs" / name)
                if found.has_begun:
                    return found
            time.sleep(0.05)
        raise TimeoutError(name)

    def end(self) -> None:
        """End everything that was started here."""
        for process in self._started:
            if process.poll() is None:
                process.terminate()
        for process in self._started:
            try:
                process.wait(15)
            except subprocess.TimeoutExpired:
                process.kill()
            if process.stdout is not None:
                process.stdout.close()


@contextmanager
def laboratory() -> Iterator[Laboratory]:
    """Make a laboratory among temporary files, and take it away."""
    folder = Path(tempfile.mkdtemp(prefix="rths_cockpit_"))
    made = Laboratory(folder)
    try:
        yield made
    finally:
        made.end()
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def browser() -> Iterator[Browser]:
    """Open a browser for a while."""
    opened = Browser()
    try:
        yield opened
    finally:
        opened.close()


def measure_stops(count: int) -> dict[str, Any]:
    """Stop so many tests by a click, with five watchers; ms from the click to the trip."""
    taken: list[Stopped] = []
    with laboratory() as lab, browser() as opened:
        server, url = lab.serve()
        with watchers(server, url, WATCHERS, silent=False):
            page = opened.open(url + "#live")
            page.run(PRESSED)
            taken = [_stop_once(lab, page, f"stop{k}") for k in range(count)]
    found = np.array([t.whole for t in taken])
    worst = taken[int(np.argmax(found))]
    parts = {"browser": worst.browser, "cockpit and loop": worst.whole - worst.browser}
    told = {f"of the worst, {k}, ms": {"value": v, "bar": "", "ok": True} for k, v in parts.items()}
    return {
        f"STOP, median of {count}, ms": row(float(np.median(found)), 50.0),
        f"STOP, worst of {count}, ms": row(float(found.max()), 250.0),
        "STOPs that were lost": {
            "value": float(np.sum(~np.isfinite(found))),
            "bar": "0",
            "ok": bool(np.isfinite(found).all()),
        },
        **told,
    }


PRESSED = """document.getElementById("stop").addEventListener("pointerdown",
  () => { window.pressed = performance.timeOrigin + performance.now(); }, true)"""
"""Lets the page note when it was pressed, ms of the day."""


@dataclass(frozen=True)
class Stopped:
    """One stop, ms."""

    whole: float
    """From the click to the trip; infinite if it did not come in 5 s."""
    browser: float
    """Of it until the page heard of the click."""


def _stop_once(lab: Laboratory, page: Page, name: str) -> Stopped:
    """Stop one test by a click."""
    process = lab.run(name)
    attached = lab.attach(name)
    page.wait(f"document.getElementById('live-about').textContent.endsWith('in {name}')", 60)
    page.wait("!document.getElementById('stop').disabled", 60)
    x, y = page.centre("#stop")
    tripped: list[float] = []

    def look() -> None:
        end = time.perf_counter() + 5.0
        while time.perf_counter() < end:
            if (attached.read_latch() or {}).get("phase") == TRIPPED:
                tripped.append(time.perf_counter())
                return
            time.sleep(0.0002)

    looking = threading.Thread(target=look)
    looking.start()
    time.sleep(0.2)
    given = {"x": x, "y": y, "button": "left", "clickCount": 1}
    clicked, day = time.perf_counter(), 1e3 * time.time()
    page.call("Input.dispatchMouseEvent", type="mousePressed", **given)
    page.call("Input.dispatchMouseEvent", type="mouseReleased", **given)
    looking.join()
    process.wait()
    whole = 1e3 * (tripped[0] - clicked) if tripped else float("inf")
    return Stopped(whole, float(page.run("window.pressed")) - day)


def measure_latency(pairs: int, seconds: float) -> dict[str, Any]:
    """Compare the latency of the loop with six pages to that without, in turns."""
    found: dict[str, list[Any]] = {"alone": [], "watched": []}
    with laboratory() as lab:
        for k in range(pairs):
            for kind in ("alone", "watched") if k % 2 == 0 else ("watched", "alone"):
                found[kind].append(_latencies(lab, f"{kind}{k}", seconds, kind == "watched"))
    rows = {}
    for q, bar in ((99.0, 1.1), (99.9, 1.2)):
        each = {kind: [float(np.percentile(v, q)) for v in runs] for kind, runs in found.items()}
        ratios = [a / b for a, b in zip(each["watched"], each["alone"], strict=True)]
        rows[f"p{q:g} latency, watched / alone, {pairs} pairs"] = row(median(ratios), bar)
        rows[f"p{q:g} latency alone, us"] = {"value": median(each["alone"]), "bar": "", "ok": True}
    return rows


def _latencies(lab: Laboratory, name: str, seconds: float, watched: bool) -> Any:
    """Run a test and give the latency of its ticks, us, without the first second."""
    if not watched:
        lab.run(name, seconds).wait()
    else:
        server, url = lab.serve()
        with watchers(server, url, WATCHERS, silent=True) as received:
            lab.run(name, seconds).wait()
        server.terminate()
        server.wait()
    timing = read(lab.folder / "runs" / name / "record.h5").timing
    assert timing is not None
    if watched:
        for each in received:
            each.check(timing.latency.size)
    return 1e6 * timing.latency[1024:]


SLIDE = """
(async () => {
  const results = document.getElementById('plan-results');
  const verdict = document.getElementById('verdict');
  const slider = document.querySelector("[data-field='FIELD'] input[type=range]");
  const serial = results.dataset.serial, begun = performance.now();
  slider.value = VALUE;
  slider.dispatchEvent(new Event('input', { bubbles: true }));
  const judged = () => results.dataset.serial !== serial && !verdict.classList.contains('stale');
  while (!judged()) await new Promise((r) => setTimeout(r, 1));
  await new Promise((r) => requestAnimationFrame(() => setTimeout(r, 0)));
  return performance.now() - begun;
})()
"""
"""Moves a slider and waits until verdict and rehearsal are drawn."""


def measure_sliders(count: int) -> dict[str, Any]:
    """Time from a slider to verdict and rehearsal on the page, ms."""
    plans = (
        ("tutorial", 150.0, "compensator.delay", 0.0094),
        ("storeys", 500.0, "transfer[0].alpha", 33.0),  # two storeys with MR dampers [chen2010]
    )
    rows: dict[str, Any] = {}
    with laboratory() as lab, browser() as opened:
        _, url = lab.serve()
        for plan, bar, field, usual in plans:
            page = opened.open(f"{url}#plan/{plan}.toml")
            page.wait("document.getElementById('verdict-word').textContent !== '–'", 120)
            page.wait("document.querySelectorAll('#margins tbody tr').length > 0", 120)
            time.sleep(3.0)
            taken = []
            for k in range(count):
                value = usual * (0.9 + 0.2 * ((k * 7) % 11) / 11)
                script = SLIDE.replace("FIELD", field).replace("VALUE", str(value))
                taken.append(float(page.run(script)))
                time.sleep(0.3)  # margins and chart follow, as when a hand rests
            word = page.text("#verdict-word")
            rows[f"slider, {plan} ({word}), median, ms"] = row(median(taken), bar)
            rows[f"slider, {plan}, worst of {count}, ms"] = row(max(taken), bar)
    return rows


def measure_memory(seconds: float) -> dict[str, Any]:
    """Follow the memory of the cockpit beside a live test, with watchers and one that never reads.

    What a page reads is read; nothing is drawn, so that half an hour of it is a small load.
    """
    taken: list[tuple[float, float]] = []
    with laboratory() as lab:
        server, url = lab.serve()
        with watchers(server, url, WATCHERS, silent=True):
            lab.run("long", seconds + 60.0)
            lab.attach("long")
            begun = time.monotonic()
            while (now := time.monotonic() - begun) < seconds or len(taken) < 2:
                taken.append((now, _memory(server.pid)))
                print(f"{now:7.0f} s  {taken[-1][1]:7.1f} MB", file=sys.stderr, flush=True)
                time.sleep(max(0.5, min(10.0, seconds / 20)))
    settled = min(SETTLED, 0.5 * seconds)
    found = np.array([m for t, m in taken if t >= settled] or [taken[-1][1]])
    return {
        f"memory of the cockpit from {settled:g} to {seconds:g} s, largest - least, MB": row(
            float(np.ptp(found)), 20.0
        ),
        "memory of the cockpit at the end, MB": {"value": float(found[-1]), "bar": "", "ok": True},
    }


def _memory(process: int) -> float:
    """Memory that a process has of its own, MB."""
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1e3
    return float("nan")
