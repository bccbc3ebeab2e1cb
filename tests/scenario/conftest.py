"""The rigs of two papers let go from a displacement, and a rig in a process of its own."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rths.assembly.hybrid_test import HybridTest
from rths.config.plan import dumps
from rths.hardware.emulated.drive import X as DRIVE
from rths.hardware.simulated import MEMORY
from rths.hardware.wire.policy import ANSWER, session_place
from rths.loop.cycle import Cycle
from rths.loop.row import ROW_BYTES
from rths.loop.table import table_of
from rths.metrics.growth_rate import growth_rate
from rths.realtime.arming import load_ask
from rths.registry import find
from rths.run.virtual import simulate

MAIN = "from rths.cli.main import main; main()"


def made(role: str, kind: str, **fields: Any) -> Any:
    return find(role, kind)(**fields)


def let_go(structure: Any, specimen: float, displacement: float, **given: Any) -> HybridTest:
    """A structure with a spring behind an actuator, released from a displacement."""
    rest = {
        "excitation": made("excitation", "free_vibration", displacement=displacement),
        "integrator": made("integrator", "central_difference"),
        "compensator": made("compensator", "none"),
        "feedback": made("feedback", "direct"),
        "record": ("integrator.target",),
    }
    spring = made("specimen", "spring", stiffness=specimen)
    return HybridTest(structure=structure, specimen=spring, **{**rest, **given})


def rate_of(test: HybridTest, start: float = 0.0) -> float:
    """Growth rate of the free response at the steps from ``start`` on, 1/s."""
    record = simulate(test)
    if not record.stop.completed:
        return np.inf
    x = record["integrator.target"][:: test.clock.stage_ticks, 0]
    return growth_rate(x[round(start / test.clock.step) :], test.clock.step).rate


@pytest.fixture(scope="session")
def make() -> Callable[..., Any]:
    return made


@pytest.fixture(scope="session")
def released() -> Callable[..., HybridTest]:
    return let_go


@pytest.fixture(scope="session")
def rate() -> Callable[..., float]:
    return rate_of


@pytest.fixture
def replayed():
    """Give the run on a virtual clock in which the link does what it did in a record.

    Replies that the record misses are lost. ``moves`` tells how often a rig with a clock of its own
    moved between each command and the next; a rig that is triggered moves once.
    """

    def replay(test, missed, moves=None):
        h = test.tick
        gaps = np.flatnonzero(np.diff(np.r_[0, missed > 0, 0].astype(int)))
        lost = [f"loss=1@{(a - 0.5) * h:.17g}+{(b - a) * h:.17g}" for a, b in gaps.reshape(-1, 2)]
        late = 0 if moves is None else 1
        link = find("hardware", "simulated")(late=late, faults=tuple(lost))
        layout = test.with_values({"hardware": link}).live_layout
        cycle = Cycle(layout, h, "table")
        rows = np.empty((len(missed), len(layout.record_slots)))
        if moves is None:
            assert cycle.advance(len(rows), rows) == len(rows)
        else:
            by_its_own_clock(cycle, layout, rows, moves)
        return dict(zip(layout.recorded, columns(layout, rows), strict=True))

    return replay


def by_its_own_clock(cycle, layout, rows, moves):
    """Advance tick by tick; undo the rig's move of a tick, or let it move more often."""
    arena, labels = cycle.arena, [p.label for p in layout.placed]
    link, drive = labels.index("hardware.simulated"), labels.index("rig.drive")
    t = table_of(layout, arena, [p.block.kernel.address for p in layout.placed])
    asks = [t.rows.ctypes.data + ROW_BYTES * t.order.index(k) for k in range(drive, link)]
    own = [slice(p.x, p.x + p.nx) for p in layout.places[drive:link]]
    own += [span(s) for name, s in layout.signals.items() if name.startswith("rig.")]
    measured = layout.signals["rig.measured"]
    memory = layout.places[link].x + session_place(measured.width // len(ANSWER))  # of simulated.py
    ask = load_ask()
    for k, count in enumerate(moves):
        before = arena.copy() if count == 0 else None
        assert cycle.advance(1, rows[k : k + 1]) == 1
        for part in own if count == 0 else ():
            arena[part] = before[part]
        for row in asks * (count - 1):
            ask(row)
        other = 1 - int(arena[memory + MEMORY.newest])
        newest = memory + MEMORY.measured + other * measured.width
        arena[newest : newest + measured.width] = arena[span(measured)]
        arena[layout.places[drive].x + DRIVE.ticks] = (
            k + 1
        )  # the rig's time, by which replies are lost


def span(signal):
    return slice(signal.first, signal.first + signal.width)


def columns(layout, rows):
    widths = [len(layout_slots(layout, n)) for n in layout.recorded]
    return np.split(rows, np.cumsum(widths)[:-1], axis=1)


def layout_slots(layout, name):
    s = layout.signals[name]
    return range(s.first, s.first + s.width)


class Process:
    """An emulated rig in a process of its own, its words as they come."""

    def __init__(self, test, folder: Path, *options: str) -> None:
        plan = folder / "rig.toml"
        plan.write_text(dumps(test))
        command = [sys.executable, "-c", MAIN, "rig", str(plan), "--seconds", "120", *options]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.said: list[tuple[float, str]] = []
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()
        port = self.until("ready at").partition("ready at ")[2].split(":")[1]
        self.test = test.with_values({"hardware.port": int(port)}) if port.isdigit() else test

    def _listen(self):
        for line in self.process.stdout:
            self.said.append((time.monotonic(), line.strip()))

    def until(self, words: str, seconds: float = 60.0, after: int = 0) -> str:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for _, line in self.said[after:]:
                if words in line:
                    return line
            time.sleep(0.005)
        raise AssertionError(f"the rig did not say {words!r} but {self.said}")

    def when(self, words: str, after: int = 0) -> float:
        return next(t for t, line in self.said[after:] if words in line)

    def end(self, how=signal.SIGINT):
        if self.process.poll() is None:
            self.process.send_signal(how)
        self.process.wait(20)
        self._thread.join(5)
        self.process.stdout.close()


@pytest.fixture
def rig_process(tmp_path):
    started = []

    def start(test, *options):
        started.append(Process(test, tmp_path, *options))
        return started[-1]

    yield start
    for each in started:
        each.end(signal.SIGKILL)
