"""What tests share: a cache of compiled kernels, the same examples everywhere, the command line.

Each test has a state folder of its own, so that no latch of a rig outlives it.
"""

from __future__ import annotations

import os
import sys
import threading
import uuid
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

from rths.cli import main

for library in ("OPENBLAS", "OMP", "MKL"):  # small matrices: threads would only wait for each other
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")
os.environ.setdefault("RTHS_CACHE_DIR", str(Path(__file__).parents[1] / "build" / "kernels"))

unhurried = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("rths", unhurried, derandomize=True, database=None)
settings.register_profile("fuzz", unhurried, database=None, print_blob=True, max_examples=500)
settings.load_profile("rths")
# Else it also draws the constants of the modules that are loaded, which depend on the tests that
# ran before and on the directory that the package lies in.
providers.is_local_module_file = lambda path: False


PORTAL = """
name = "Portal"
[clock]
tick = 0.002
duration = {duration}
[excitation]
kind = "sine"
acting = "ground_acceleration"
amplitude = 6.0
frequency = 2.2
[structure]
kind = "{kind}"
model = "{model}"
interface = ["roof_left.x"]
rayleigh = [0.02, 0.02]
[integrator]
kind = "kr_alpha"
[compensator]
kind = "none"
[transfer]
kind = "dead_time"
delay = 0.0
[specimen]
kind = "spring"
stiffness = 1e5
"""


@dataclass(frozen=True)
class Answer:
    status: int
    out: str
    err: str


@pytest.fixture
def rths(tmp_path, monkeypatch, capsys):
    """Call ``rths ...`` in this process; give exit status and what was printed."""
    monkeypatch.chdir(tmp_path)

    def call(*words: object) -> Answer:
        monkeypatch.setattr(sys, "argv", ["rths", *map(str, words)])
        capsys.readouterr()
        try:
            main.main()
            status = 0
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else 0
        told = capsys.readouterr()
        return Answer(status, told.out, told.err)

    return call


@pytest.fixture(autouse=True)
def own_state_folder(monkeypatch, tmp_path_factory):
    """Give each test a state folder; it is made if something is kept there."""
    folder = tmp_path_factory.getbasetemp() / "state" / uuid.uuid4().hex
    monkeypatch.setenv("RTHS_STATE_DIR", str(folder))


@pytest.fixture(scope="session")
def meet():
    """Give a wire a session with a rig of this process, which serves meanwhile."""

    def begin(line, serving, actuators=1):
        from rths.hardware.wire import handshake

        over = threading.Event()

        def work():
            while not over.is_set():
                serving.advance(0.005)

        thread = threading.Thread(target=work)
        thread.start()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(handshake, "PATIENCE", 60.0)  # a busy machine may let the thread wait
            try:
                found = handshake.greet(line, "here", actuators)
                return handshake.begin_session(line, found)
            finally:
                over.set()
                thread.join(5)

    return begin


@pytest.fixture(scope="session")
def portal_plan():
    """Give the text of a plan with a portal that is shaken until its columns yield."""

    def write(duration=1.2, kind="frame", model="portal"):
        return PORTAL.format(duration=duration, kind=kind, model=model)

    return write
