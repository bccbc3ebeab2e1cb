"""``rths acknowledge DIRECTORY``: take note of a trip, so that its rig takes runs again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rths.cli._plan import Changes, Trust
from rths.cli._voice import AsJson, answer

if TYPE_CHECKING:
    from rths.assembly.hybrid_test import HybridTest
    from rths.realtime.acknowledgement import Acknowledgement

PLACE = 340

PATIENCE = 2.0
"""Seconds to wait for another who has the directory."""


def acknowledge(
    target: Annotated[
        Path, typer.Argument(help="The directory of the run that tripped, or the plan of a rig.")
    ],
    by: Annotated[str, typer.Option(help="Who has found the cause and made the rig safe.")],
    cause: Annotated[str, typer.Option(help="What the cause was, in a few words.")],
    second: Annotated[
        str, typer.Option(help="A second person, where the rig is released by two.")
    ] = "",
    set_: Changes = None,
    trust: Trust = False,
    as_json: AsJson = False,
) -> None:
    """Acknowledge a trip and release its rig: who did it and why is kept with all of them."""
    from rths.cli._plan import read_plan
    from rths.plain_text import make_plain
    from rths.realtime.acknowledgement import Acknowledgement
    from rths.realtime.trip_latch import acknowledge as acknowledged
    from rths.realtime.trip_latch import require_trip
    from rths.run.run_directory import RunDirectory

    who, is_run = Acknowledgement(by, cause, second), target.is_dir()
    if not is_run:
        told = _release(read_plan(target, set_, trust), target, None, who)
        answer(as_json, {"target": target, "released": told}, told)
        return
    directory = RunDirectory(target)
    with directory.hold(PATIENCE):  # another may acknowledge it just now
        require_trip(target, held=True)
        plan = directory.find_plan()
        told = _release(read_plan(plan, set_, trust), plan, target, who)
        trip = make_plain(str(acknowledged(target, who, held=True)))
    found = {"target": target, "acknowledged": trip, "released": told}
    answer(as_json, found, [f"acknowledged: {trip}", told])


def _release(test: HybridTest, plan: Path, run: Path | None, who: Acknowledgement) -> str:
    """Release the rig itself; one that does not answer keeps its latch, and that is said."""
    from rths.errors import InputError
    from rths.hardware.wire.handshake import SilentRigError
    from rths.realtime.meeting import release_rig

    if test.hardware is None or test.hardware.simulated:
        if run is not None:
            return "no rig was moved"
        remedy = "Name the directory of a run, or a plan whose [hardware] has a wire."
        raise InputError("target", str(plan), "has no rig that could be latched", remedy)
    try:
        return release_rig(test.hardware, test.channels, who, run)
    except SilentRigError as error:
        if run is None:
            raise
        return f"{error}\nIf it is latched itself, release it later: rths acknowledge {plan} ..."
