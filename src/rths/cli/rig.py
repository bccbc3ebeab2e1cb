"""``rths rig PLAN``: a rig that is not there answers the loop of a plan."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from queue import Full, Queue
from threading import Thread
from typing import TYPE_CHECKING, Annotated

import typer

from rths.cli._plan import Trust, show_trusted

if TYPE_CHECKING:
    from rths.hardware.base import Line
    from rths.realtime.rig import Rig, Serving

PLACE = 310
MOST_WAITING = 100
"""Lines that wait for a halted terminal: those of minutes."""
LAST_WORDS = 1.0
"""Seconds for which the end waits to be heard."""


Answering = Annotated[Path, typer.Argument(help="The plan whose transfer and specimen answer.")]
Address = Annotated[
    str | None, typer.Option(help="Address to listen at; that of the plan if not given.")
]
Port = Annotated[int | None, typer.Option(help="Port; that of the plan if not given, 0 for any.")]
Faults = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME=VALUE@START+LENGTH:ACTUATOR",
        help="What goes wrong and when, s after the first command: stop, pressure, "
        "saturation, stuck_force, stuck_displacement, drift_force, drift_displacement, "
        "nan_force, nan_displacement, jump_force, jump_displacement, flip_force, "
        "flip_displacement, lag, loss, jitter, clock.",
    ),
]
Timeout = Annotated[
    float, typer.Option(help="Seconds without a command after which the rig goes safe.")
]
SafeRate = Annotated[float, typer.Option(help="Fastest motion to the safe position, m/s.")]
Hold = Annotated[
    float, typer.Option(help="Seconds for which it stays where it is before it goes there.")
]
Position = Annotated[
    float | None, typer.Option(help="Safe position, m; where it was before the test if not given.")
]
Rate = Annotated[
    float | None, typer.Option(help="Ticks per second of the rig; the plan's if not given.")
]
Triggered = Annotated[
    bool, typer.Option("--triggered", help="Move with each command, not by a clock of its own.")
]
Key = Annotated[str | None, typer.Option(help="File with the key; that of the plan if not given.")]
Identity = Annotated[
    str, typer.Option(help="Who the rig is; name of the test and address if not given.")
]
Memory = Annotated[Path | None, typer.Option(help="File that keeps its latch over a restart.")]
TwoNames = Annotated[
    bool, typer.Option("--two-names", help="Let two people release it after it went safe.")
]
Seconds = Annotated[float, typer.Option(help="End after this time.")]


def rig(
    plan: Answering,
    address: Address = None,
    port: Port = None,
    fault: Faults = None,
    timeout: Timeout = 0.1,
    safe_rate: SafeRate = 0.01,
    hold: Hold = 0.5,
    position: Position = None,
    rate: Rate = None,
    triggered: Triggered = False,
    key: Key = None,
    identity: Identity = "",
    memory: Memory = None,
    two_names: TwoNames = False,
    seconds: Seconds = float("inf"),
    trust: Trust = False,
) -> None:
    """Answer the commands of a plan's loop with its transfer and specimen, until interrupted."""
    from rths.config.plan import load
    from rths.errors import InputError
    from rths.hardware.emulated.drive import RigSafety
    from rths.hardware.emulated.fault import parse_fault
    from rths.realtime.rig import Rig
    from rths.realtime.rig_memory import RigMemory

    changes = {"hardware.address": address, "hardware.port": port, "hardware.key": key}
    with show_trusted(trust):
        test = load(plan, {k: v for k, v in changes.items() if v is not None})
    faults = tuple(parse_fault(text) for text in fault or [])
    safety = RigSafety(timeout=timeout, hold=hold, rate=safe_rate, position=position)
    kept = RigMemory.load(memory) if memory is not None else RigMemory()
    made = Rig(
        test, safety, faults, rate, triggered, identity=identity, two_names=two_names, memory=kept
    )
    if not seconds > 0:
        raise InputError("rig.seconds", seconds, "is no time", "Give seconds above 0, or nothing.")
    line = made.hardware.serve()
    voice = Voice()
    try:
        _serve(made, line, seconds, voice)
    except KeyboardInterrupt:
        voice.tell("the operator ended it")
    finally:
        line.close()
        voice.end()


def _serve(made: Rig, line: Line, seconds: float, voice: Voice) -> None:
    """Serve and tell what the machine allows and what happens to the rig."""
    from rths.realtime.rig import prepare

    for words in prepare():
        voice.tell(words)
    last, known = {"": ""}, len(made.memory.releases)

    def look(serving: Serving) -> bool:
        news = _news(serving, known)
        for what, words in news.items():
            if last.get(what) != words:
                ready = f"ready at {line.where}: " if "" in last else ""
                voice.tell(f"{ready}{words}")
                last.pop("", None)
        last.update(news)
        return True

    serving = made.serve(line, seconds, look)
    voice.tell(", ".join(f"{name} {count}" for name, count in serving.counts.items()))


class Voice:
    """Says things in a thread of its own, if anybody hears them.

    Who stops serving for it leaves a loop without rig: a terminal may be halted, a pipe full or
    closed, and a name may have letters that a terminal does not know. Written without Python's
    buffer, which a thread that waits would keep locked at the end.
    """

    def __init__(self) -> None:
        self._waiting: Queue[str | None] = Queue(MOST_WAITING)
        self._thread = Thread(target=self._speak, daemon=True)
        self._thread.start()

    def tell(self, words: str) -> None:
        """Say something soon; what cannot be said for long is dropped."""
        with suppress(Full):
            self._waiting.put_nowait(words)

    def end(self) -> None:
        """Say the last words, if somebody hears them by then."""
        with suppress(Full):
            self._waiting.put_nowait(None)
        self._thread.join(LAST_WORDS)

    def _speak(self) -> None:
        encoding = sys.stdout.encoding or "utf-8"
        while (words := self._waiting.get()) is not None:
            left = f"{words}\n".encode(encoding, "backslashreplace")
            with suppress(OSError):  # nobody reads, or a full disk: perhaps the next is heard
                while left:
                    left = left[os.write(sys.stdout.fileno(), left) :]


def _news(serving: Serving, known: int) -> dict[str, str]:
    """Say in words how a rig is, and the releases after those that are known."""
    from rths.hardware.wire.layout import VERSION
    from rths.hardware.wire.status import status_text

    found = {"status": status_text(serving.status)}
    if serving.outdated:
        found["version"] = (
            f"refused: a loop speaks version {serving.outdated} of the wire, this rig {VERSION}"
        )
    if serving.memory.unwritten:
        found["memory"] = f"its memory {serving.memory.path} cannot be written: make room"
    for k, each in enumerate(serving.memory.releases[known:]):
        names = " and ".join(n for n in (each["by"], each["second"]) if n)
        found[f"release {k}"] = f"released by {names}: {each['cause']}"
    return found
