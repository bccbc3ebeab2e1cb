"""A small hybrid test with noise and two rates, as a description and as a plan on disk."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rths.assembly.hybrid_test import HybridTest
from rths.config.plan import load

PLAN = """\
name = "rig"
seed = 5

[clock]
tick = 0.001
step = 0.004
duration = 0.8

[excitation]
kind = "sine"
amplitude = 3.0
frequency = 3.0

[structure]
kind = "linear"
mass = 2.2
damping = 15.0
stiffness = 2250.0

[integrator]
kind = "central_difference"

[compensator]
kind = "polynomial"
delay = 0.003

[transfer]
kind = "dead_time"
delay = 0.003

[specimen]
kind = "spring"
stiffness = 2250.0

[feedback]
kind = "noise"
force = 0.1
"""


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    path = tmp_path / "rig.toml"
    path.write_text(PLAN, encoding="utf-8")
    return path


@pytest.fixture
def rig(plan: Path) -> HybridTest:
    return load(plan)


@pytest.fixture
def python(tmp_path: Path) -> Callable[..., subprocess.Popen[str]]:
    """Start a program in a process of its own."""

    def start(program: str, *arguments: Any) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-c", program, *map(str, arguments)],
            cwd=tmp_path,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    return start


@pytest.fixture(scope="session")
def wait_for() -> Callable[..., None]:
    """Wait until something is so, or fail."""

    def wait(so: Callable[[], bool], what: str, seconds: float = 60.0) -> None:
        end = time.monotonic() + seconds
        while not so():
            assert time.monotonic() < end, f"waited in vain for {what}"
            time.sleep(0.01)

    return wait


@pytest.fixture(autouse=True)
def interruptible():
    """Listen to Ctrl-C, also where the tests run in the background and it is ignored."""
    import signal

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
