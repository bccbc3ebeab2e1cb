"""``rths rig PLAN``: a rig that is not there answers the loop of a plan."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from rths.cli._plan import Trust, show_trusted

PLACE = 310


def rig(
    plan: Annotated[Path, typer.Argument(help="The plan whose transfer and specimen answer.")],
    address: Annotated[
        str | None, typer.Option(help="Address to listen at; that of the plan if not given.")
    ] = None,
    port: Annotated[
        int | None, typer.Option(help="Port; that of the plan if not given, 0 for any.")
    ] = None,
    fault: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUE@START+LENGTH:ACTUATOR",
            help="What goes wrong and when, s after the first command: stop, pressure, "
            "saturation, stuck_force, stuck_displacement, drift_force, drift_displacement, "
            "nan_force, nan_displacement, jump_force, jump_displacement, loss, jitter, clock.",
        ),
    ] = None,
    timeout: Annotated[
        float, typer.Option(help="Seconds without a command after which the rig goes safe.")
    ] = 0.1,
    safe_rate: Annotated[
        float, typer.Option(help="Fastest motion to the safe position, m/s.")
    ] = 0.01,
    hold: Annotated[
        float, typer.Option(help="Seconds for which it stays where it is before it goes there.")
    ] = 0.5,
    position: Annotated[
        float | None,
        typer.Option(help="Safe position, m; where it was before the test if not given."),
    ] = None,
    rate: Annotated[
        float | None, typer.Option(help="Ticks per second of the rig; the plan's if not given.")
    ] = None,
    triggered: Annotated[
        bool, typer.Option("--triggered", help="Move with each command, not by a clock of its own.")
    ] = False,
    seconds: Annotated[float, typer.Option(help="End after this time.")] = float("inf"),
    trust: Trust = False,
) -> None:
    """Answer the commands of a plan's loop with its transfer and specimen, until interrupted."""
    from rths.config.plan import load
    from rths.errors import InputError
    from rths.hardware.emulated.drive import RigSafety
    from rths.hardware.emulated.fault import parse_fault
    from rths.realtime.rig import Rig

    changes: dict[str, Any] = {"hardware.address": address, "hardware.port": port}
    with show_trusted(trust):
        test = load(plan, {k: v for k, v in changes.items() if v is not None})
    faults = tuple(parse_fault(text) for text in fault or [])
    safety = RigSafety(timeout=timeout, hold=hold, rate=safe_rate, position=position)
    made = Rig(test, safety, faults, rate, triggered)
    if not seconds > 0:
        raise InputError("rig.seconds", seconds, "is no time", "Give seconds above 0, or nothing.")
    line = made.hardware.serve()
    try:
        _serve(made, line, seconds)
    except KeyboardInterrupt:
        print("the operator ended it")
    finally:
        line.close()


def _serve(made: Any, line: Any, seconds: float) -> None:
    """Serve and tell what the machine allows and what happens to the rig."""
    from rths.hardware.wire.status import status_text
    from rths.realtime.rig import prepare

    for words in prepare():
        print(words)
    last: list[int] = []

    def look(serving: Any) -> bool:
        if last != [serving.status]:
            ready = "" if last else f"ready at {line.where}: "
            print(f"{ready}{status_text(serving.status)}", flush=True)
            last[:] = [serving.status]
        return True

    serving = made.serve(line, seconds, look)
    print(", ".join(f"{name} {count}" for name, count in serving.counts.items()), flush=True)
