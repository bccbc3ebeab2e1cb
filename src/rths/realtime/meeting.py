"""The loop meets its rig: who it is, whether it may be moved, and that it is moved from now on.

All is refused that is latched, by the rig itself or in the user's state folder. Only then a session
begins, and the rig is engaged until the run has ended well.
"""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite
from pathlib import Path

from rths.assembly.hybrid_test import HybridTest
from rths.hardware.base import Hardware, Line
from rths.hardware.wire.greeting import ENGAGED
from rths.hardware.wire.handshake import (
    begin_session,
    greet,
    refuse,
    refuse_unfit,
    release_latch,
)
from rths.realtime.acknowledgement import Acknowledgement
from rths.realtime.permission import compare_limits
from rths.realtime.rig_latch import RigLatch
from rths.run.run_directory import RunDirectory, write_json


def meet_rig(
    test: HybridTest, line: Line, directory: RunDirectory, wanted: Callable[[], None]
) -> Line:
    """Begin a session with the rig of a test; a simulated link has none to meet."""
    hardware = test.hardware
    if hardware is None or hardware.simulated:
        return line
    welcome = greet(line, hardware.place, test.channels, wanted)
    refuse_unfit(welcome, hardware.place)
    compare_limits(test, welcome.limits)
    limits = [[v if isfinite(v) else None for v in each] for each in welcome.limits]
    about = {"identity": welcome.identity, "place": hardware.place, "limits": limits}
    RigLatch(welcome.identity).engage(directory.folder)
    write_json(directory.rig, about)  # only who has engaged a rig can let it go
    return begin_session(line, welcome)


def release_rig(
    hardware: Hardware, actuators: int, who: Acknowledgement, own: Path | None = None
) -> str:
    """Release the rig of a link in the name of a person; say in words what came of it.

    ``own`` is the folder of the run that is acknowledged, if it is one: it frees no rig that is
    latched since another run.
    """
    line = hardware.open()
    try:
        welcome = greet(line, hardware.place, actuators)
        latch = RigLatch(welcome.identity)
        latch.refuse_moved(own)
        if own is not None:
            latch.refuse_other(own)
        if welcome.state & ENGAGED and not welcome.latch:  # whoever moves it, from wherever
            raise refuse(hardware.place, "is moved by a loop", "Wait for its end.")
        if welcome.latch:
            release_latch(line, hardware.place, welcome, who.texts)
    finally:
        line.close()
    held = latch.read() is not None
    latch.acknowledge(who)
    if welcome.latch:
        return f"{welcome.identity}: released latch {welcome.latch}"
    return f"{welcome.identity}: {'free again' if held else 'was not latched'}"
