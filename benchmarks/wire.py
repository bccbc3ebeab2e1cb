"""What the key of a wire costs: the hash alone, and live ticks with a key beside ticks without.

Two rigs answer in processes of their own, one with a key and one without; a hybrid test runs with
each in turn. The work of a tick contains the round trip to the rig.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from benchmarks.engine import row
from rths.assembly.hybrid_test import HybridTest
from rths.config.plan import dumps, load
from rths.hardware.wire.key_file import write_key
from rths.hardware.wire.keyed_hash import SIZE
from rths.hardware.wire.layout import COMMAND, MEASUREMENT, first_word, words_of
from rths.realtime.journal import read_journal
from rths.realtime.supervisor import run_realtime
from rths.studies.wallace2005.three_ways import PLAN

RATE = 4096
"""Ticks per second of a fast controller."""
HASH_BAR, TICK_BAR = 2.0, 1.1
"""Microseconds of a tick that the hash may take, and what a key may make of the 99.9th percentile
of the work of a tick."""
QUANTILE = 99.9
ACTUATORS = (1, 4)


def measure(pairs: int, seconds: float) -> dict[str, Any]:
    """Take the cost of the hash, and ``pairs`` pairs of runs with and without a key."""
    rows: dict[str, Any] = {}
    for m in ACTUATORS:
        rows[f"hash of a tick, {m} actuator(s), us"] = row(time_hash(m), HASH_BAR)
    found = run_pairs(pairs, seconds)
    for name, values in found.items():
        value = median(values)
        rows[f"p{QUANTILE:g} of a tick at {RATE} Hz, {name}, us"] = row(value, np.inf)
    ratios = [a / b for a, b in zip(found["keyed"], found["plain"], strict=True)]
    rows[f"p{QUANTILE:g} of a tick, keyed / plain, median"] = row(median(ratios), TICK_BAR)
    machine = {"cores": os.cpu_count(), "python": sys.version.split()[0]}
    return {"bench": "wire", "machine": machine, "load": os.getloadavg()[0], "rows": rows}


def time_hash(actuators: int, ticks: int = 200_000, rounds: int = 7) -> float:
    """Time closing a command and checking an answer, as a tick of the loop does; us, the least."""
    import numba

    from rths.hardware.wire.seal import is_whole, seal
    from rths.loop.compilation import compile_function

    close, check = compile_function(seal), compile_function(is_whole)
    sent, came = words_of(COMMAND, actuators), words_of(MEASUREMENT, actuators)
    first = first_word(MEASUREMENT, actuators)

    @numba.njit
    def repeat(out: Any, answer: Any, key: Any, ticks: int) -> int:
        good = 0
        for k in range(ticks):
            out[1] = k
            close(out.ctypes.data, sent, key.ctypes.data)
            if check(answer.ctypes.data, 8 * came, came, first, key.ctypes.data):
                good += 1
        return good

    key = np.arange(SIZE // 8, dtype=np.int64) + 7
    out, answer = np.zeros(sent, np.int64), np.zeros(came, np.int64)
    answer[0] = first
    numba.njit(lambda a, k: close(a.ctypes.data, came, k.ctypes.data))(answer, key)
    times = []
    for _ in range(rounds):
        begun = time.perf_counter()
        assert repeat(out, answer, key, ticks) == ticks
        times.append(time.perf_counter() - begun)
    return 1e6 * min(times) / ticks


def run_pairs(pairs: int, seconds: float) -> dict[str, list[float]]:
    """Run the test with each rig in turn; give the percentile of the work of its ticks, us."""
    found: dict[str, list[float]] = {"plain": [], "keyed": []}
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        folder = Path(name)
        os.environ["RTHS_STATE_DIR"] = str(folder / "state")
        write_key(folder / "key")
        tests = {
            "plain": stack.enter_context(serve(folder / "plain", seconds, None)),
            "keyed": stack.enter_context(serve(folder / "keyed", seconds, folder / "key")),
        }
        for k in range(pairs):
            for which, test in tests.items():
                run = folder / f"{which}{k}"
                stop = run_realtime(test, run)
                assert stop.completed, stop
                busy = read_journal(run / "journal")[1][:, 2] / 1e3
                found[which].append(float(np.percentile(busy, QUANTILE)))
    return found


@contextmanager
def serve(folder: Path, seconds: float, key: Path | None) -> Iterator[HybridTest]:
    """Start a rig in a process of its own; give the test that it answers."""
    given: dict[str, Any] = {
        "clock.tick": 1 / RATE, "clock.duration": seconds, "safety": {"rate": 0.05},
        "rig": {"file": "emulated"},
        "hardware": {"kind": "udp", "port": 0, "missed": 400},
    }  # fmt: skip
    if key is not None:
        given["hardware"]["key"] = str(key)
    test = load(PLAN, given)
    folder.mkdir()
    plan = folder / "plan.toml"
    plan.write_text(dumps(test))
    program = "from rths.cli.main import main; main()"
    command = [sys.executable, "-c", program, "rig", str(plan), "--timeout", "5"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as rig:
        assert rig.stdout is not None
        ready = next(line for line in rig.stdout if "ready at" in line)
        port = int(ready.partition("ready at ")[2].split(":")[1])
        try:
            yield test.with_values({"hardware.port": port})
        finally:
            rig.kill()
