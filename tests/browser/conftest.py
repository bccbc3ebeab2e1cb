"""A cockpit, a live test and a browser, each started for a test and ended after it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import rths.config
from tests.browser.chromium import PATIENCE, Browser, find_chromium

WALLACE = Path(rths.config.__file__).parent / "templates" / "wallace2005.toml"
COMMAND = [sys.executable, "-P", "-c", "from rths.cli.main import main; main()"]
HEARTBEAT = """
[[guard]]
kind = "heartbeat"
trip = 60.0
"""
"""On an overloaded machine the supervisor may be silent for long."""
LIVE = f"""
[hardware]
kind = "simulated"

[rig]
file = "emulated"

[safety]
rate = 0.05
fade_in = 0.5

[[guard]]
kind = "stuck"
signal = "feedback.force"
moved = 0.002
warn = 20
trip = 60
{HEARTBEAT}"""
"""What makes a plan a live one."""


@pytest.fixture(scope="session", autouse=True)
def ended_in_order():
    """Let whoever ends the tests end all that they have started."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    yield
    signal.signal(signal.SIGTERM, before)


@pytest.fixture(scope="session")
def chromium():
    if find_chromium() is None:
        pytest.skip("needs Chromium")
    opened = Browser()
    yield opened
    opened.close()


@pytest.fixture
def browser(chromium):
    yield chromium
    chromium.close_pages()


class Lab:
    """A folder with plans and runs, and the processes that work in it."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.processes = folder, []
        (folder / "runs").mkdir()
        self.plan = folder / "plan.toml"
        self.plan.write_text(WALLACE.read_text())
        self.live = folder / "live.toml"
        text = WALLACE.read_text().partition("# A live test")[0]
        text = text.replace("tick = 0.001 ", "tick = 0.0009765625 ")
        self.live.write_text(text.replace("duration = 12.0", "duration = 900.0") + LIVE)

    def start(self, *words: object, **given: object) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [*COMMAND, *map(str, words)], cwd=self.folder, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=os.environ.copy(),
        )  # fmt: skip
        self.processes.append(process)
        return process

    def serve(self, *words: object, port: int = 0) -> str:
        """Start a cockpit; give its address."""
        process = self.start("cockpit", *words, "--port", port)
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line.startswith("cockpit: "), line + process.stdout.read()
        return line.split()[-1]

    def run(self, name: str = "live", *words: object) -> subprocess.Popen[str]:
        """Start a live test."""
        return self.start("run", self.live, "--realtime", "--out", f"runs/{name}", *words)

    def call(self, *words: object) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*COMMAND, *map(str, words)], cwd=self.folder, capture_output=True, text=True
        )

    def end(self) -> None:
        for process in reversed(self.processes):
            if process.poll() is None:
                process.terminate()
        end = time.monotonic() + PATIENCE
        for process in self.processes:
            try:
                process.wait(max(0.1, end - time.monotonic()))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            if process.stdout is not None:
                process.stdout.close()


@pytest.fixture
def lab(tmp_path):
    made = Lab(tmp_path)
    yield made
    made.end()
