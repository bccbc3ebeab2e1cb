"""``rths acknowledge DIRECTORY``: take note of a trip, so that its rig takes runs again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rths.cli._plan import Changes

if TYPE_CHECKING:
    from rths.assembly.hybrid_test import HybridTest
    from rths.realtime.acknowledgement import Acknowledgement

PLACE = 340


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
) -> None:
    """Acknowledge a trip and release its rig: who did it and why is kept with all of them."""
    from rths.cli._plan import read_plan
    from rths.realtime.acknowledgement import Acknowledgement
    from rths.realtime.trip_latch import acknowledge as acknowledged
    from rths.realtime.trip_latch import require_trip
    from rths.run.run_directory import RunDirectory

    who, is_run = Acknowledgement(by, cause, second), target.is_dir()
    if is_run:
        require_trip(target)
    plan = RunDirectory(target).plan if is_run else target
    told = _release(read_plan(plan, set_), plan, is_run, who)
    if is_run:
        print(f"acknowledged: {acknowledged(target, who)}")
    print(told, end="")


def _release(test: HybridTest, plan: Path, is_run: bool, who: Acknowledgement) -> str:
    """Release the rig itself; one that does not answer keeps its latch, and that is said."""
    from rths.errors import InputError
    from rths.hardware.wire.handshake import SilentRigError
    from rths.realtime.meeting import release_rig

    if test.hardware is None or test.hardware.simulated:
        if is_run:
            return ""
        remedy = "Name the directory of a run, or a plan whose [hardware] has a wire."
        raise InputError("target", str(plan), "has no rig that could be latched", remedy)
    try:
        return release_rig(test.hardware, test.channels, who) + "\n"
    except SilentRigError as error:
        if not is_run:
            raise
        return f"{error}\nIf it is latched itself, release it later: rths acknowledge {plan} ...\n"
