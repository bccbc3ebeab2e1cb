"""``rths rig PLAN``: a rig that is not there answers the loop of a plan."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

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
    key: Annotated[
        str | None, typer.Option(help="File with the key; that of the plan if not given.")
    ] = None,
    identity: Annotated[
        str, typer.Option(help="Who the rig is; name of the test and address if not given.")
    ] = "",
    memory: Annotated[
        Path | None, typer.Option(help="File that keeps its latch over a restart.")
    ] = None,
    two_names: Annotated[
        bool, typer.Option("--two-names", help="Let two people release it after it went safe.")
    ] = False,
    seconds: Annotated[float, typer.Option(help="End after this time.")] = float("inf"),
) -> None:
    """Answer the commands of a plan's loop with its transfer and specimen, until interrupted."""
    from rths.config.plan import load
    from rths.errors import InputError
    from rths.hardware.emulated.drive import RigSafety
    from rths.hardware.emulated.fault import parse_fault
    from rths.realtime.rig import Rig
    from rths.realtime.rig_memory import RigMemory

    changes = {"hardware.address": address, "hardware.port": port, "hardware.key": key}
    test = load(plan, {k: v for k, v in changes.items() if v is not None})
    faults = tuple(parse_fault(text) for text in fault or [])
    safety = RigSafety(timeout=timeout, hold=hold, rate=safe_rate, position=position)
    made = Rig(
        test,
        safety,
        faults,
        rate,
        triggered,
        identity=identity,
        two_names=two_names,
        memory=RigMemory.load(memory) if memory is not None else RigMemory(),
    )
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
    from rths.hardware.wire.layout import VERSION
    from rths.hardware.wire.status import status_text
    from rths.realtime.rig import prepare

    for words in prepare():
        print(words)
    last: list[int] = []
    told: list[Any] = [0, {}]

    def look(serving: Any) -> bool:
        if last != [serving.status]:
            ready = "" if last else f"ready at {line.where}: "
            print(f"{ready}{status_text(serving.status)}", flush=True)
            last[:] = [serving.status]
        news = [serving.outdated, serving.released_by]
        if news[0] != told[0]:
            print(f"a loop speaks version {news[0]} of the wire, this rig {VERSION}", flush=True)
        if news[1] != told[1]:
            print(
                f"released by {' and '.join(filter(None, list(news[1].values())[:2]))}: "
                f"{news[1]['cause']}",
                flush=True,
            )
        told[:] = news
        return True

    serving = made.serve(line, seconds, look)
    print(", ".join(f"{name} {count}" for name, count in serving.counts.items()), flush=True)
