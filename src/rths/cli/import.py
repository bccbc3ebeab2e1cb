"""``rths import opensees SCRIPT.py``: the model of another program as the model of a frame."""

# ruff: noqa: N999 - a command has the name of its file

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rths.cli._progress import patience
from rths.cli._voice import AsJson, answer
from rths.errors import InputError

if TYPE_CHECKING:
    from rths.frame.frame import AssembledFrame
    from rths.frame.opensees.comparison import Comparison
    from rths.frame.opensees.take_over import Taken

PLACE = 130
app = typer.Typer(help="Take over the model of another program.", no_args_is_help=True)

Script = Annotated[Path, typer.Argument(help="Script that builds the model by openseespy.")]
Out = Annotated[
    Path | None, typer.Option(help="File to write; runs/<script>/<script>.json if not given.")
]
Loads = Annotated[
    list[int] | None,
    typer.Option(
        metavar="NUMBER",
        help="Pattern of gravity loads; may be repeated. Those applied if not given.",
    ),
]
Damping = Annotated[
    float | None, typer.Option(help="Damping ratio of the first two modes.", min=0.0, max=1.0)
]
LeastMass = Annotated[
    float | None, typer.Option(help="Mass, kg, for what has none and may yield.", min=0.0)
]


@app.callback()
def take() -> None:
    """Take over the model of another program."""


@app.command()
def opensees(
    script: Script,
    out: Out = None,
    loads: Loads = None,
    damping: Damping = None,
    least_mass: LeastMass = None,
    as_json: AsJson = False,
) -> None:
    """Run a script of OpenSees, with all it does, and take over the model that it leaves.

    The script is run by this Python in a process of its own.
    """
    from rths.frame.model import Model
    from rths.frame.opensees.script import run_script
    from rths.frame.opensees.take_over import take_over
    from rths.frame.opensees.units import check_units
    from rths.run.run_directory import RUNS

    if script.suffix.lower() == ".tcl":
        remedy = "Give a script of openseespy, in Python, that builds the same model."
        raise InputError("SCRIPT", str(script), "is a script of Tcl", remedy)
    path = out or RUNS / script.stem / f"{script.stem}.json"
    if path.exists():
        raise InputError("--out", str(path), "exists already", "Name another file.")
    with patience(f"{script.name} runs in OpenSees"):
        facts = run_script(script)
    taken = take_over(facts, loads or ())
    check_units(Model.of(taken.table))
    found = _write(path, facts, taken, damping, least_mass)
    answer(as_json, found, _tell(found, damping is None))


def _write(
    path: Path, facts: dict[str, Any], taken: Taken, damping: float | None, least: float | None
) -> dict[str, Any]:
    """Compare and write the model; give what is told of it."""
    import json

    from rths.frame.frame import AssembledFrame
    from rths.frame.model import Model
    from rths.frame.opensees.damping import find_ratios, write_calls
    from rths.plain_file import write_text

    same = _compare(taken, facts)
    table, filled = _fill(taken, least)
    frame = AssembledFrame(Model.of(table))
    ratios = (damping, damping) if damping is not None else find_ratios(facts, frame)
    calls, structure = write_calls(facts), _structure(path, ratios, taken)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_text(path, json.dumps(table, indent=1) + "\n")
    return {
        "written": path,
        "nodes": len(frame.model.nodes),
        "elements": len(frame.model.elements),
        "degrees_of_freedom": frame.size,
        "periods": _periods(frame),
        "loads": taken.patterns,
        "patterns_left": taken.left,
        "masses_added": filled,
        "damping_calls": calls,
        "damping_ratios": ratios,
        "mass_difference": same and same.mass,
        "stiffness_difference": same and same.stiffness,
        "structure": structure,
    }


def _compare(taken: Taken, facts: dict[str, Any]) -> Comparison | None:
    """Compare what was taken with the matrices of OpenSees."""
    from rths.frame.assembled_matrices import AssembledMatrices
    from rths.frame.model import Model
    from rths.frame.opensees.comparison import compare

    return compare(AssembledMatrices(Model.of(taken.table)), facts)


def _fill(taken: Taken, least: float | None) -> tuple[dict[str, Any], list[str]]:
    """Give the model a least mass where it needs one, if that is asked for."""
    from rths.frame.assembled_matrices import AssembledMatrices
    from rths.frame.least_mass import fill_masses, find_massless
    from rths.frame.model import Model

    matrices = AssembledMatrices(Model.of(taken.table))
    bare = [f"{node}.{way}" for node, way in find_massless(matrices)]
    if bare and not least:
        raise InputError(
            f"node {bare[0].rpartition('.')[0]}",
            None,
            f"has no mass along {bare[0][-1]} (as have {len(bare) - 1} more), where something may "
            "yield or lean: explicit schemes need one",
            "Add --least-mass 1, which gives such a kilogram, or a mass in the script.",
        )
    return (fill_masses(taken.table, matrices, least), bare) if least else (taken.table, [])


def _periods(frame: AssembledFrame) -> list[float]:
    """Give the first three periods under the gravity loads, s."""
    return [float(2 * 3.141592653589793 / w) for w in frame.frequencies[:3] if w > 0.0]


def _structure(path: Path, ratios: tuple[float, float] | None, taken: Taken) -> list[str]:
    """Write the table of a plan, in the folder that one works in, that uses the model."""
    place = path.resolve()
    here = place.is_relative_to(Path.cwd())
    model = (place.relative_to(Path.cwd()) if here else place).as_posix()
    lines = ["[structure]", 'kind = "frame"', f'model = "{model}"']
    lines.append('interface = ["?.x"]           # where the specimen is: node and direction')
    if ratios is not None:
        lines.append(f"rayleigh = [{ratios[0]:.12g}, {ratios[1]:.12g}]")
        if taken.undamped and any(ratios):
            names = ", ".join(f'"{name}"' for name in taken.undamped)
            lines.append(f"undamped = [{names}]")
    return lines


def _tell(found: dict[str, Any], asked: bool) -> list[str]:
    """Say what was taken over, and how it compares."""
    periods = ", ".join(f"{period:.4g}" for period in found["periods"])
    told = [
        f"{found['written']} written: {found['nodes']} nodes, {found['elements']} elements, "
        f"{found['degrees_of_freedom']} degrees of freedom, periods {periods} s"
    ]
    if found["mass_difference"] is None:
        told.append("not compared with the matrices of OpenSees: there are too many equations")
    else:
        told.append(
            f"mass and stiffness are those of OpenSees, to {found['mass_difference']:.1e} "
            f"and {found['stiffness_difference']:.1e}"
        )
    for pattern, factor in found["loads"].items():
        told.append(f"loads of pattern {pattern}, times {factor:g}: there before the test")
    if found["patterns_left"]:
        told.append(f"not taken: pattern {', '.join(found['patterns_left'])}")
    if found["masses_added"]:
        told.append(f"a least mass was given to {', '.join(found['masses_added'])}")
    for call in found["damping_calls"]:
        told.append(f"the script asks for {call}")
    if found["damping_ratios"] is None and asked:
        told.append("OpenSees does not tell its damping: add rayleigh, or --damping 0.02")
    return [*told, "", *found["structure"]]
