"""Sweeps that are disturbed at random times: no run may be lost or counted twice.

    worker      one of two workers of a cluster is killed; others do its batches
    scheduler   the scheduler is killed, and started again at its address with a new worker
    interrupt   the command gets Ctrl-C, and is given again
    disk        no file may grow beyond some bytes any more, as on a full disk; then there is room

Each trial ends with a finished sweep, whose results must be those of one that nobody disturbed, bit
for bit. The study is the tutorial's plan for half a second, in batches of a few milliseconds. A
trial that hangs ends the command, which then says where each thread was.
"""

from __future__ import annotations

import faulthandler
import os
import random
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.sweep import tutorial_study
from rths.config.plan import dumps
from rths.errors import InputError
from rths.sweep import data_set
from rths.sweep.results import Results
from rths.sweep.study import Study
from rths.sweep.sweep import sweep

RUNS, BATCH, DURATION = 20_000, 100, 0.5
QUICKLY = 0.05
"""Seconds after which results are written here, so that there are several parts."""
PATIENCE = 120.0
"""Seconds after which a process that does not end is one that hangs."""
HANGS = 600.0
"""Seconds after which a trial that does not end is one that hangs: a lost cluster takes minutes."""
STUDY = f"""
plan = "plan.toml"
design = "latin_hypercube"
runs = {RUNS}
batch = {BATCH}
[[variable]]
field = "transfer.delay"
low = 0.004
high = 0.012
[outcomes]
peaks = ["compensator.command", "feedback.force"]
"""
"""The same study as a file."""


@dataclass
class Trial:
    """One disturbed sweep."""

    at: float
    """When it happened: batches that were done, or seconds."""
    kept: int
    """Results on the disk afterwards, before it went on."""
    wrong: list[str] = field(default_factory=list)


class Disturbed:
    """A folder, the study, and its results if nobody disturbs it."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder, self.random = folder, random.Random(seed)
        self.study: Study = tutorial_study(RUNS, BATCH, duration=DURATION)
        self.digest = sweep(self.study, folder / "whole").digest()
        self._number = 0

    def begin(self) -> Path:
        """Give the folder of the next trial."""
        faulthandler.dump_traceback_later(HANGS, exit=True)
        shutil.rmtree(self.folder / f"trial-{self._number}", ignore_errors=True)
        self._number += 1
        return self.folder / f"trial-{self._number}"

    def finish(self, place: Path, trial: Trial, **where: Any) -> Trial:
        """Sweep to the end, and note what is wrong with the results."""
        try:
            found = sweep(self.study, place, **where)
        except InputError as error:  # a cluster that has nobody left: the same command goes on
            if "goes on with the rest" not in str(error):
                raise
            self.count(place, trial)
            found = sweep(self.study, place, workers=2)
        if not found.about["finished"]:  # somebody wants the trials to end
            raise KeyboardInterrupt
        if not np.array_equal(found["run"], np.arange(RUNS)):
            trial.wrong.append("runs are lost or counted twice")
        elif found.digest() != self.digest:
            trial.wrong.append("results differ")
        return trial

    def count(self, place: Path, trial: Trial) -> None:
        """Note how many results are there, and if one is there twice."""
        runs = Results(place)["run"] if (place / "study.json").exists() else np.zeros(0)
        trial.kept = len(runs)
        if len(np.unique(runs)) != len(runs):
            trial.wrong.append("runs are counted twice before it goes on")

    def call_at(self, act: Callable[[], Any]) -> tuple[int, Callable[[int], None]]:
        """Give a random number of batches, and a progress after which something is done once."""
        at, told = self.random.randrange(RUNS // BATCH), [0]

        def progress(runs: int) -> None:
            told[0] += runs
            if told[0] >= at * BATCH and len(told) == 1:
                told.append(1)
                act()

        return at, progress


def try_workers(lab: Disturbed, count: int) -> Iterator[Trial]:
    """Kill one of two workers of a local cluster in every trial."""
    import distributed

    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=":0", worker_dashboard_address=":0"
    ) as cluster:

        def kill() -> None:
            nanny = lab.random.choice(list(cluster.workers.values()))
            pid = nanny.process.process.pid if nanny.process and nanny.process.process else None
            if pid:  # a moment later: between two batches is no random time
                threading.Timer(0.05 * lab.random.random(), os.kill, (pid, signal.SIGKILL)).start()

        for _ in range(count):
            place = lab.begin()
            cluster.scale(2)  # a worker that Dask has given up starts anew
            at, progress = lab.call_at(kill)
            where = {"cluster": cluster.scheduler_address, "progress": progress}
            yield lab.finish(place, Trial(at, RUNS), **where)


class Scheduler:
    """A scheduler with one worker, each a process, at one address."""

    def __init__(self) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{self.port}"
        self._running: list[subprocess.Popen[bytes]] = []
        self.start()

    def start(self) -> None:
        """Start both."""
        where = ("--host", "127.0.0.1", "--port", str(self.port))
        self._call("dask_scheduler", *where, "--no-dashboard", "--dashboard-address", ":0")
        alone = ("--nthreads", "1", "--no-nanny", "--no-dashboard")
        self._call("dask_worker", self.address, *alone)

    def _call(self, name: str, *words: str) -> None:
        command = [sys.executable, "-m", f"distributed.cli.{name}", *words]
        quiet = subprocess.DEVNULL
        self._running.append(subprocess.Popen(command, stdout=quiet, stderr=quiet))

    def kill(self) -> None:
        """Kill both: a worker without its scheduler would end by itself."""
        for process in self._running:
            process.kill()
            process.wait()
        self._running = []


def try_schedulers(lab: Disturbed, count: int) -> Iterator[Trial]:
    """Kill the scheduler in every trial and start it again."""
    scheduler = Scheduler()

    def restart() -> None:
        scheduler.kill()
        scheduler.start()

    try:
        for _ in range(count):
            place = lab.begin()
            at, progress = lab.call_at(restart)
            where = {"cluster": scheduler.address, "progress": progress}
            yield lab.finish(place, Trial(at, RUNS), **where)
    finally:
        scheduler.kill()


def try_interrupts(lab: Disturbed, count: int) -> Iterator[Trial]:
    """Send Ctrl-C to the command in every trial, and give it again."""
    (lab.folder / "plan.toml").write_text(dumps(lab.study.test), encoding="utf-8")
    (lab.folder / "study.toml").write_text(STUDY, encoding="utf-8")
    longest = 0.5
    for _ in range(count):
        place = lab.begin()
        words = ("sweep", "study.toml", "--no-page", "--out", place.name)
        program = "from rths.cli.main import main; main()"
        process = subprocess.Popen(
            [sys.executable, "-c", program, *words], cwd=lab.folder, stderr=subprocess.PIPE,
            stdout=subprocess.DEVNULL, text=True, process_group=0,
        )  # fmt: skip
        while not (place / "study.json").exists() and process.poll() is None:
            time.sleep(0.005)
        trial = Trial(lab.random.uniform(0.0, longest), 0)
        time.sleep(trial.at)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=PATIENCE)
        if process.returncode not in (0, 130) or "Traceback" in said:
            trial.wrong.append(f"it ended with {process.returncode}: {said.strip()[-300:]}")
        lab.count(place, trial)
        yield lab.finish(place, trial)


@contextmanager
def _bounded(size: list[int]) -> Iterator[Callable[[], None]]:
    """Give what lets no file of this process grow beyond some bytes, until the end."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    try:
        yield lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size[0], before[1]))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def try_disks(lab: Disturbed, count: int) -> Iterator[Trial]:
    """Leave no room for results from a random time on, then make room and go on."""
    for _ in range(count):
        place = lab.begin()
        with _bounded([lab.random.randrange(2000)]) as fill:
            at, progress = lab.call_at(fill)
            trial = Trial(at, 0)
            try:
                sweep(lab.study, place, progress=progress)
                trial.wrong.append("nobody said that the disk is full")
            except InputError as error:
                if "goes on where it was" not in str(error):
                    trial.wrong.append(f"it said {error}")
        lab.count(place, trial)
        yield lab.finish(place, trial)


KINDS = {
    "worker": try_workers,
    "scheduler": try_schedulers,
    "interrupt": try_interrupts,
    "disk": try_disks,
}


def try_often(kind: str, count: int, seed: int) -> list[Trial]:
    """Disturb so many sweeps."""
    before, data_set.SECONDS_OF_PART = data_set.SECONDS_OF_PART, QUICKLY
    try:
        with tempfile.TemporaryDirectory() as name:
            return list(KINDS[kind](Disturbed(Path(name), seed), count))
    finally:
        faulthandler.cancel_dump_traceback_later()
        data_set.SECONDS_OF_PART = before


def report(kind: str, trials: list[Trial]) -> str:
    """Tell how they went."""
    wrong = [trial for trial in trials if trial.wrong]
    early = sum(trial.kept < RUNS for trial in trials)
    went_on = f"{early} were ended and given again, all others went on by themselves"
    lines = [
        f"{kind}: {len(trials)} trials of {RUNS:,} runs; {went_on}; "
        f"{len(wrong)} with runs lost, counted twice or other than they should be"
    ]
    return "\n".join([*lines, *(f"  at {t.at:g}: {'; '.join(t.wrong)}" for t in wrong)])
