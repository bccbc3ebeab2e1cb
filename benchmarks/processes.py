"""Whole processes: start-up beside the imports it cannot do without, and memory of a long run."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from benchmarks.interleaved import run_in_turns

LONG_RUN = """
import resource, sys
from pathlib import Path
from rths.config.plan import load
from rths.run.virtual import rehearse
signals = ["excitation.signal", "structure.displacement", "structure.velocity",
           "structure.acceleration", "integrator.target", "compensator.command", "feedback.force"]
changes = {"clock.duration": 1e7 * 0.001, "record.signals": signals}
test = load(sys.argv[1], changes)
assert len(test.layout.record_slots) == 8
stop = rehearse(test, Path(sys.argv[2]))
assert stop.completed and stop.tick == 10_000_001, stop
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)
"""


def command(name: str) -> str:
    """Find the command that was installed beside this interpreter."""
    return str(Path(sys.executable).parent / name)


def _run(arguments: Sequence[str]) -> None:
    subprocess.run(arguments, check=True, stdout=subprocess.DEVNULL)


def start_up(plan: Path, folder: Path, rounds: int) -> tuple[float, float]:
    """Give run of a plan / import of numpy and numba, and help / import of typer and rich."""
    python = [sys.executable, "-c"]
    work = {
        "run": [command("rths"), "run", str(plan), "--out", str(folder / "run")],
        "numba": [*python, "import numpy, numba"],
        "help": [command("rths"), "--help"],
        "typer": [*python, "import typer, rich"],
    }
    seconds = run_in_turns({k: lambda v=v: _run(v) for k, v in work.items()}, rounds)  # type: ignore[misc]
    middle = {k: median(v) for k, v in seconds.items()}
    return middle["run"] / middle["numba"], middle["help"] / middle["typer"]


def memory_of_long_run(plan: Path, folder: Path) -> float:
    """Give the peak memory of a run of 1e7 steps with 8 channels, less its record, in MB."""
    record = folder / "long.h5"
    answer = subprocess.run(
        [sys.executable, "-c", LONG_RUN, str(plan), str(record)],
        check=True,
        capture_output=True,
        text=True,
    )
    size = 8 * 8 * 10_000_001
    return (int(answer.stdout) - size) / 1e6


def steps_of_openseespy(steps: int) -> float | None:
    """Give the steps per second of OpenSeesPy's transient analysis of one degree of freedom."""
    try:
        import openseespy.opensees as ops
    except (ImportError, RuntimeError, OSError):
        return None
    import numpy as np

    motion = np.random.default_rng(0).standard_normal(steps).tolist()
    with open(os.devnull, "w") as silence:
        keep = os.dup(2)
        os.dup2(silence.fileno(), 2)
        try:
            ops.wipe()
            ops.model("basic", "-ndm", 1, "-ndf", 1)
            for node in (1, 2):
                ops.node(node, 0.0)
            ops.fix(1, 1)
            ops.mass(2, 2.2)
            ops.uniaxialMaterial("Elastic", 1, 4500.0, 15.0)
            ops.element("zeroLength", 1, 1, 2, "-mat", 1, "-dir", 1, "-doRayleigh", 0)
            ops.timeSeries("Path", 1, "-dt", 1 / 1024, "-values", *motion)
            ops.pattern("UniformExcitation", 1, 1, "-accel", 1)
            for part in ("constraints", "numberer"):
                getattr(ops, part)("Plain")
            ops.system("BandGeneral")
            ops.algorithm("Linear")
            ops.integrator("Newmark", 0.5, 0.25)
            ops.analysis("Transient")
            start = time.perf_counter()
            ops.analyze(steps, 1 / 1024)
            return steps / (time.perf_counter() - start)
        finally:
            os.dup2(keep, 2)
            os.close(keep)
