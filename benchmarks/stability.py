"""Stability measured: charts and root finding in points a second, certificates beside an import."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from benchmarks.compositions import composition, noise_file
from benchmarks.engine import priority, row
from benchmarks.interleaved import run_in_turns
from benchmarks.processes import command
from rths.assembly.hybrid_test import HybridTest
from rths.config.plan import dumps
from rths.registry import find
from rths.theory.delay.equation import DelayedTerm, DelayEquation, second_order
from rths.theory.delay.rightmost_roots import spectrum_of_many
from rths.theory.scalar.chart import spring_chart

SIDE, DAMPING = 200, 0.1066
"""Points along each side of the chart, and the damping ratio of the rig of [wallace2005]."""
GENERAL = 400
"""Equations of a round."""
TICKS = 20_000
"""Ticks of the frame's ground motion."""
ENOUGH = 1e-10
"""Newton step, relative, at which a root is as good as the equation's own round-off."""


def measure(rounds: int) -> dict[str, Any]:
    """Take all measurements of the stability analysis."""
    rows: dict[str, dict[str, Any]] = {}
    _measure_scalar(rows, rounds)
    _measure_general(rows, rounds)
    _measure_certificates(rows, max(5, rounds // 6))
    _measure_sizes(rows, max(3, rounds // 12))
    machine = {"cores": os.cpu_count(), "python": platform.python_version()}
    return {"bench": "stability", "machine": machine, "load": os.getloadavg()[0], "rows": rows}


def _least_time(work: Any, rounds: int) -> float:
    """Least time over some rounds, s, after one to warm up: what disturbs a round only adds."""
    work()
    with priority():
        found = []
        for _ in range(rounds):
            start = time.perf_counter()
            work()
            found.append(time.perf_counter() - start)
    return min(found)


def _measure_scalar(rows: dict[str, Any], rounds: int) -> None:
    """200 x 200 points in (τ, p), and how well each root satisfies its equation."""
    tau, p = np.linspace(0.01, 12.0, SIDE), np.linspace(0.01, 2.0, SIDE)
    chart = spring_chart(DAMPING, tau, p)
    seconds = _least_time(lambda: spring_chart(DAMPING, tau, p), max(3, rounds // 10))
    s = chart.roots
    late = p[None, :] * np.exp(-s * tau[:, None])
    slope = 2 * (s + DAMPING) - tau[:, None] * late
    step = np.abs((s * s + 2 * DAMPING * s + 1 + late) / slope)  # of one more Newton step
    rows["scalar chart, points/s on one core"] = row(SIDE**2 / seconds, 3e5, at_most=False)
    rows["scalar chart, error of a root"] = row(float(step.max()), ENOUGH)


def _equations(count: int) -> list[DelayEquation]:
    """Frames of three storeys, ω_1 = 1, with two delayed specimens of random strength."""
    rng = np.random.default_rng(0)
    K = np.array([[2.0, -1.0, 0.0], [-1.0, 2.0, -1.0], [0.0, -1.0, 1.0]])
    K /= np.linalg.eigvalsh(K)[0]
    first, top = np.diag([1.0, 0.0, 0.0]), np.diag([0.0, 0.0, 1.0])
    made = []
    for _ in range(count):
        a, b = rng.uniform(0.1, 1.0, 2)
        t, u = rng.uniform(0.05, 1.0, 2)
        late = [DelayedTerm(t, a * first), DelayedTerm(u, b * top)]
        made.append(second_order(np.eye(3), 0.04 * np.eye(3) + 0.01 * K, K, late))
    return made


def _measure_general(rows: dict[str, Any], rounds: int) -> None:
    """All roots right of -5ω of frames with three degrees of freedom and two delays."""
    equations = _equations(GENERAL)
    work = lambda: spectrum_of_many(equations, -5.0, threads=2)  # noqa: E731
    seconds = _least_time(work, max(2, rounds // 20))
    name = "general DDE, 3 DOF, 2 delays, points/s on two cores"
    rows[name] = row(GENERAL / seconds, 1000, at_most=False)


IN_PROCESS = """
import json, sys, time
from rths.config.plan import load
from rths.stability.certificate import certify
test = load(sys.argv[1])
certify(test)
start = time.perf_counter()
certify(test)
print(json.dumps(time.perf_counter() - start))
"""


def _measure_certificates(rows: dict[str, Any], rounds: int) -> None:
    """The whole command with its page and the certificate alone, beside an import, in turns."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        plan = folder / "frame.toml"
        frame = composition("frame", noise_file(folder, TICKS), TICKS)
        drive = find("excitation", "sine")(amplitude=1.0, frequency=1.5)
        plan.write_text(dumps(replace(frame, excitation=drive, limits={})))
        alone: list[float] = []

        def certificate() -> None:
            alone.append(json.loads(_answer([sys.executable, "-c", IN_PROCESS, str(plan)])))

        whole = [command("rths"), "certify", str(plan), "--out", str(folder / "page")]
        work = {
            "command": lambda: _answer(whole),
            "without chart": lambda: _answer([*whole, "--no-chart"]),
            "import": lambda: _answer([sys.executable, "-c", "import scipy.linalg"]),
            "alone": certificate,
        }
        seconds = run_in_turns(work, rounds)
    middle = {k: median(v) for k, v in seconds.items()}
    rows["certify, warm, whole command with page / import scipy.linalg"] = row(
        middle["command"] / middle["import"], 3
    )
    rows["certify, warm, page without chart / import scipy.linalg"] = row(
        middle["without chart"] / middle["import"], 3
    )
    rows["certificate in a running process / import scipy.linalg"] = row(
        median(alone[1:]) / middle["import"], 3
    )


BARS = {
    "small": 1,
    "100 degrees of freedom": 6,
    "1,000 ticks of delay": 6,
    "adaptive": 15,
    "Bouc-Wen": 15,
    "both": 45,
}
"""Bars of certificates in a running process, in imports of scipy.linalg; both: 300 and 1,000."""


def size_plans() -> dict[str, Any]:
    """A small loop, a tall building, a long delay, loops that are not linear, tall and long."""

    def plan(size: int, delay: float, stiffness: float, **given: Any) -> HybridTest:
        parts: dict[str, Any] = {
            "excitation": find("excitation", "sine")(amplitude=1.0, frequency=1.5),
            "structure": find("structure", "shear_building")(
                masses=[1000.0] * size, stiffnesses=[4e5 * size**2] * size, damping_ratios=0.03
            ),
            "integrator": find("integrator", "cr")(),
            "compensator": find("compensator", "none")(),
            "transfer": find("transfer", "dead_time")(delay=delay),
            "specimen": find("specimen", "spring")(stiffness=stiffness),
            "feedback": find("feedback", "direct")(),
            "tick": 1e-3,
            "duration": 10.0,
        }
        return HybridTest(**{**parts, **given})

    cubic = find("compensator", "polynomial")(delay=9e-3)
    return {
        "small": plan(1, 9e-3, 2e5, compensator=cubic),
        "100 degrees of freedom": plan(100, 9e-3, 1e6, compensator=cubic),
        "1,000 ticks of delay": plan(1, 1.0, 2e3),
        "adaptive": plan(
            1, 9e-3, 2e5, compensator=find("compensator", "adaptive_time_series")(delay=9e-3)
        ),
        "Bouc-Wen": plan(
            1,
            9e-3,
            2e5,
            compensator=cubic,
            specimen=find("specimen", "bouc_wen")(stiffness=2e5, yield_displacement=1e-3),
        ),
        "both": plan(300, 1.0, 1e6),
    }


def _measure_sizes(rows: dict[str, Any], rounds: int) -> None:
    """Certificates of loops of all sizes in a running process, beside an import, in turns."""
    with tempfile.TemporaryDirectory() as name:
        alone: dict[str, list[float]] = {}

        def certificate(size: str, path: Path) -> None:
            seconds = json.loads(_answer([sys.executable, "-c", IN_PROCESS, str(path)]))
            alone.setdefault(size, []).append(seconds)

        work: dict[str, Any] = {
            "import": lambda: _answer([sys.executable, "-c", "import scipy.linalg"])
        }
        for k, (size, test) in enumerate(size_plans().items()):
            path = Path(name) / f"{k}.toml"
            path.write_text(dumps(test))
            work[size] = partial(certificate, size, path)
        unit = median(run_in_turns(work, rounds)["import"])
    for size, bar in BARS.items():
        rows[f"certificate, {size} / import scipy.linalg"] = row(median(alone[size]) / unit, bar)


def _answer(arguments: list[str]) -> str:
    return subprocess.run(arguments, check=True, capture_output=True, text=True).stdout
