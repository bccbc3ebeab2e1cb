"""The loop in a process of its own: nothing else runs in it, and nothing else can delay it.

It reads the plan of a run directory, claims what the machine allows, waits for the word to start,
runs the whole test in one call of the paced loop, and leaves a status behind.
"""

from __future__ import annotations

import gc
import json
import os
import sys
import time
from collections.abc import Callable
from os.path import samestat
from pathlib import Path
from typing import Any

import numpy as np

from rths.assembly.hybrid_test import HybridTest
from rths.config.plan import load
from rths.errors import InputError, explain_os_error
from rths.hardware.base import attach, send_goodbye
from rths.loop.table import table_of
from rths.plain_file import write_text
from rths.realtime.arming import Arming
from rths.realtime.control_words import ControlWord, LoopState
from rths.realtime.ending import Ending
from rths.realtime.loop_signals import obey_signals
from rths.realtime.machine import claim
from rths.realtime.meeting import meet_rig
from rths.realtime.pacing import load_paced
from rths.realtime.permission import moves_rig, require_real_time
from rths.realtime.ring import SharedRing, spare_status
from rths.realtime.trip_latch import GOOD, let_rig_go, must_latch
from rths.realtime.words import OperatorWords, prepend_words
from rths.run.run_directory import RunDirectory, read_json, write_json
from rths.safety.latch import find_trip

PAUSE = 0.0005
"""Seconds between two looks for the word to start: the test begins within so much of it."""


def main(folder: Path) -> None:
    """Run the test of a run directory."""
    directory = RunDirectory(folder)
    about, own = read_json(directory.session), folder.stat()
    test = load(directory.find_plan())
    ring = SharedRing.attach(Path(about["ring"]), about["width"])
    ring.write(ControlWord.PROCESS, os.getpid())
    try:
        obey_signals(OperatorWords(test.live_layout, ring))
        arming, run, leave = _prepare(test, ring, about, directory)
        granted = claim(about["priority"])
        write_json(directory.machine, [vars(a) for a in granted])
        gc.disable()
        try:
            require_real_time(test, granted)
            _wait(ring, arming)
        except BaseException:  # whatever it is, the rig has been spoken to
            leave()
            let_rig_go(directory)
            if os.getppid() != about["supervisor"]:  # nobody else will tidy up: no tick was run
                ring.remove()
                directory.journal.unlink(missing_ok=True)
            raise
    except (
        InputError,
        OSError,
    ) as error:  # a full disk refuses too
        let_rig_go(directory)  # nothing has moved it
        told = error if isinstance(error, InputError) else explain_os_error(error)
        write_text(directory.refusal, json.dumps(vars(told), default=str))
        sys.exit(2)
    ring.write(ControlWord.STATE, LoopState.RUNNING)
    status = json.dumps(run())
    try:
        if not samestat(own, folder.stat()):
            raise NotADirectoryError(str(folder))  # somebody else's stands there now
        write_text(directory.status, status)
    except OSError:  # or a full disk: shared memory has room
        spare_status(ring.path).write_text(status)
    ring.write(ControlWord.STATE, LoopState.ENDED)


def _wait(ring: SharedRing, arming: Arming) -> None:
    """Keep the rig armed until the supervisor starts the test with its first beat."""
    with arming as ask:
        first = ring.read(ControlWord.BEAT)
        ring.write(ControlWord.STATE, LoopState.READY)
        while ring.read(ControlWord.BEAT) == first:
            ask()
            time.sleep(PAUSE)


def _prepare(
    test: HybridTest, ring: SharedRing, about: dict[str, Any], directory: RunDirectory
) -> tuple[Arming, Callable[[], dict[str, Any]], Callable[[], None]]:
    """Bind the paced loop to an arena and the ring, everything loaded and touched."""
    cycle = test.cycle("table", live=True)
    arena, layout = cycle.arena, test.live_layout

    def exit_if_stopped() -> None:
        if ring.read(ControlWord.STOP) or os.getppid() != about["supervisor"]:
            sys.exit(1)

    line = test.hardware.open() if test.hardware is not None else None
    if line is not None:
        line = meet_rig(test, line, directory, exit_if_stopped)
        attach(line, layout, arena)
    t = table_of(layout, arena, [p.block.kernel.address for p in layout.placed])
    t = prepend_words(t, layout, arena, ring, test.tick)
    status, times = np.zeros(4, np.int64), np.zeros(2, np.int64)
    paced = load_paced()
    ring.rows[:] = 0.0
    period = round(1e9 * test.tick)
    patience = max(1, round(about["heartbeat"] / test.tick))

    def leave(tripped: bool = False) -> None:
        if line is not None:
            send_goodbye(line, layout, arena, tripped)

    def run() -> dict[str, Any]:
        paced(
            t.rows.ctypes.data, t.marks.ctypes.data, len(t.marks) - 1, 0, test.clock.ticks,
            t.slots.ctypes.data, t.slots.size, ring.control.ctypes.data, ring.rows.ctypes.data,
            len(ring.rows) - 1, status.ctypes.data, period, patience, times.ctypes.data,
        )  # fmt: skip
        done, row, code, ending = status.tolist()
        arena[0] = done
        block = t.order[row] if row >= 0 else -1
        stop = cycle.stop_of(block, code) if block >= 0 else None
        found, moved = Ending(ending), moves_rig(test)
        if moved and (stop.reason if stop is not None else found.reason) in GOOD:
            stop = find_trip(cycle) or stop  # what the supervisor was told is a tick old
        leave(must_latch(stop.reason if stop is not None else found.reason, moved))
        told = None if stop is None else stop.as_dict()
        return {"done": done, "reason": found.name.lower(), "stop": told}

    return Arming(test, t, arena, exit_if_stopped), run, leave


if __name__ == "__main__":
    main(Path(sys.argv[1]))
