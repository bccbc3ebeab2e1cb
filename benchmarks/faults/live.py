"""The same faults on the clock: loop, supervisor and rig in processes of their own, over UDP.

The rig is an emulated one that enforces the limits of its file and says at its end whether a
command went beyond them: that judgement does not depend on the record. Its faults begin at a time
by its own clock, which starts with the first command of the arming, so that a trip is due that much
earlier in the record.
"""

from __future__ import annotations

import os
import shutil
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.faults.judgement import find_wrong
from benchmarks.faults.kinds import KINDS, draw_fault, latest_trip
from benchmarks.faults.plans import TICK, Sound
from benchmarks.faults.processes import REFUSED, Live, begin_run
from benchmarks.faults.virtual import Outcome
from benchmarks.faults.wire import packet
from rths.assembly.hybrid_test import HybridTest
from rths.hardware.emulated.drive import RigSafety
from rths.hardware.emulated.fault import parse_fault
from rths.hardware.wire.handshake import begin_session, greet
from rths.hardware.wire.layout import GOODBYE
from rths.hardware.wire.status import BEYOND
from rths.realtime.rig import Rig
from rths.realtime.standstill import IN_A_ROW, TRIAL
from rths.records.hdf5 import read
from rths.registry import find

MISSED = 200
"""Replies in a row after which the link is lost, fewer where the rig crosses its stroke in them: a
fifth of a second, on a busy machine."""
SAFETY = RigSafety(timeout=0.3, hold=0.1, rate=0.05)
ARMED = IN_A_ROW * TRIAL
"""s of commands before the first tick, at the least."""
FIRST, LAST = ARMED + 0.65, ARMED + 1.15
"""s, when faults begin by the rig's clock."""
PAUSE = (0.4, 0.9)
"""s after the first tick in which something is done to a run."""
FAR = 0.01
"""m, to where a stranger would have the rig."""
Act = Callable[[Live, np.random.Generator], str]


def run_live(fault: str, sound: Sound, seed: int, folder: Path) -> Outcome:
    """Run a fault of a kind on the clock."""
    os.environ["RTHS_STATE_DIR"] = str(folder / "state")
    random = np.random.default_rng(seed)
    names = [fault] if fault in KINDS else []
    if fault == "two":
        names = [str(n) for n in random.choice(sorted(KINDS), 2, replace=False)]
    drawn = [draw_fault(random, name, sound, (FIRST, LAST)) for name in names]
    crossing = 1.8 * sound.limits["stroke"] / sound.limits["velocity"]
    missed = min(MISSED, int(crossing / TICK))
    link = find("hardware", "udp")(port=0, missed=missed)
    test = replace(sound.test, hardware=link, seed=seed)
    own = (*(sound.limits[n] for n in ("stroke", "velocity", "acceleration")), inf)
    faults = tuple(parse_fault(d.text) for d in drawn)
    rig = Rig(test, SAFETY, faults, identity=f"rig {seed}", limits=(own,))  # type: ignore[arg-type]
    run, act = folder / f"live{seed}", ACTS.get(fault)
    live = begin_run(rig, rig.hardware.serve(), run, record_session if act is replay else no_past)
    told = "nothing"
    if act is not None and live.wait_until_running():
        time.sleep(float(random.uniform(*PAUSE)))
        told = act(live, random)
    status = live.end()
    latest = latest_trip(drawn)
    latest += missed * TICK if "loss" in names else 0.0
    found = _judge(sound, run, latest - ARMED)
    if status is not None and status & BEYOND:
        found["wrong"].append("the rig was beyond its limits")
    if told.startswith("wrong: "):
        found["wrong"].append(told)
    shutil.rmtree(run, ignore_errors=True)
    within = latest - min((d.start for d in drawn), default=0.0)
    return {
        "faults": [d.text for d in drawn] or [told], "period": sound.period,
        "promised": within if within < inf else None, "status": status, **found,
    }  # fmt: skip


def _judge(sound: Sound, folder: Path, latest: float) -> dict[str, Any]:
    """Judge the record of a run; one that did not begin is told apart."""
    if not (folder / "record.h5").exists():
        why = folder / REFUSED
        told = why.read_text("utf-8") if why.exists() else "there is neither record nor refusal"
        wrong = [] if why.exists() else [told]
        return {"reason": "refused", "guard": told, "after": None, "wrong": wrong}
    record = read(folder / "record.h5")
    stop = record.stop
    wrong = find_wrong(record["safety.command"][:, 0], stop, sound.limits, TICK, latest)
    if record.timing is None or record.timing.lost:
        wrong.append("rows are lost")
    return {
        "reason": stop.reason, "guard": stop.guard, "wrong": wrong,
        "after": None if stop.tripped is None else stop.tripped * TICK,
        "slips": record.timing.slips if record.timing else None,
    }  # fmt: skip


def no_past(test: HybridTest) -> list[bytes]:
    """Speak with the rig before a run: not at all."""
    return []


def record_session(test: HybridTest) -> list[bytes]:
    """Drive the rig for some packets, say goodbye, and keep what was sent."""
    assert test.hardware is not None
    line = test.hardware.open()
    session = begin_session(line, greet(line, "here", 1)).session
    assert session is not None
    sent = [packet(session, k, 0.0) for k in range(1, 20)]
    sent += [packet(session, 20, 0.0, GOODBYE)]
    for each in sent:
        line.send(each)
        time.sleep(0.002)
    line.close()
    return sent + [packet(session, 20 + k, FAR) for k in range(1, 20)]


def stall(live: Live, random: np.random.Generator) -> str:
    """Let the loop stand still for 0.1 to 5 s."""
    length = float(random.uniform(0.1, 5.0))
    return _stop_and_go(live.loop, length, "loop")


def _stop_and_go(number: int | None, length: float, who: str) -> str:
    if number is None:
        return f"{who} has ended"
    with suppress(ProcessLookupError):
        os.kill(number, signal.SIGSTOP)
        time.sleep(length)
        os.kill(number, signal.SIGCONT)
    return f"{who} stopped for {length:.3f} s"


def send_signal(live: Live, random: np.random.Generator) -> str:
    """Send a signal to one of the processes."""
    who = str(random.choice(["loop", "supervisor", "rig"]))
    name = str(random.choice(["SIGTERM", "SIGHUP", "SIGINT", "SIGKILL", "SIGSTOP"]))
    found = {"loop": live.loop, "supervisor": live.supervisor.pid, "rig": live.rig.pid}[who]
    if name == "SIGSTOP":
        return _stop_and_go(found, float(random.uniform(0.1, 2.0)), who)
    if found is not None:
        with suppress(ProcessLookupError):
            os.kill(found, getattr(signal, name))
    return f"{name} to the {who}"


def replay(live: Live, random: np.random.Generator) -> str:
    """Play back an earlier session while another goes on, some of it changed."""
    assert live.test.hardware is not None
    line = live.test.hardware.open()
    for _ in range(100):
        data = bytearray(live.earlier[random.integers(len(live.earlier))])
        if random.random() < 0.5:
            data[random.integers(len(data))] ^= 1 << random.integers(8)
        line.send(bytes(data))
        time.sleep(0.002)
    line.close()
    return "100 packets played back"


def take_over(live: Live, random: np.random.Generator) -> str:
    """Begin a session beside the loop, and again when the loop stands still."""
    assert live.test.hardware is not None
    line = live.test.hardware.open()
    number, found = live.loop, []
    for stopped in (False, True):
        if stopped and number is not None:
            os.kill(number, signal.SIGSTOP)
            time.sleep(SAFETY.timeout + SAFETY.hold + 0.2)
        welcome = greet(line, "here", 1)
        if stopped and not welcome.latch:
            found.append("a rig that went safe is not latched")
        session = begin_session(line, welcome).session
        assert session is not None
        for k in range(1, 10):
            line.send(packet(session, k, FAR))
            time.sleep(0.002)
    if number is not None:
        with suppress(ProcessLookupError):
            os.kill(number, signal.SIGCONT)
    line.close()
    return f"wrong: {found[0]}" if found else "a second controller, twice"


ACTS: dict[str, Act] = {
    "stall": stall, "signal": send_signal, "replay": replay, "takeover": take_over,
}  # fmt: skip
"""What is done to a run that is no fault of the rig."""
