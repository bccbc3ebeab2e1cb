"""``rths draw MODEL``: pictures of a frame: the model and its modes; of a run, its elements."""

from __future__ import annotations

from math import pi
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rths.cli._progress import patience
from rths.cli._voice import AsJson, answer
from rths.errors import InputError

if TYPE_CHECKING:
    from rths.report.shown_frame import ShownFrame

PLACE = 125


Source = Annotated[
    Path, typer.Argument(help="A model file, a built-in model, a plan, or the directory of a run.")
]
Elements = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME", help="Element of a run whose loop is drawn; may be repeated."),
]
Out = Annotated[
    Path | None, typer.Option(help="Directory for the pictures; runs/<name> if not given.")
]


def draw(
    source: Source, element: Elements = None, out: Out = None, as_json: AsJson = False
) -> None:
    """Draw a frame before any test: nodes, elements, supports, specimens, and the first modes.

    Of a run the loops of its elements are drawn too, those named or those with most work.
    """
    from rths.report.figure import save
    from rths.run.run_directory import RUNS

    shown, folder = _find_frame(source, RUNS)
    with patience("drawing"):
        paths = [
            save(figure, (out or folder) / f"{name}.{form}")
            for name, figure in _pictures(shown, element or []).items()
            for form in ("png", "svg")
        ]
    frame = shown.frame
    found = {
        "nodes": len(frame.model.nodes),
        "elements": len(frame.model.elements),
        "degrees_of_freedom": frame.size,
        "periods": [float(2 * pi / w) for w in frame.frequencies[:4] if w > 0.0],
        "written": paths,
    }
    answer(as_json, found, _tell(source, found))


def _pictures(shown: ShownFrame, elements: list[str]) -> dict[str, Any]:
    """Draw what the frame allows."""
    from rths.report.figure import draw_styled
    from rths.report.figures import frame_loops, frame_model, frame_modes

    drawn = {
        "frame_model": draw_styled(frame_model.draw_frames, [shown]),
        "frame_modes": draw_styled(frame_modes.draw_frames, [shown]),
    }
    if shown.is_moved:
        drawn["frame_loops"] = draw_styled(frame_loops.draw_frames, [shown], elements)
    elif elements:
        remedy = "Name the directory of a run whose record has structure.displacement."
        raise InputError("--element", elements[0], "has no loop where nothing has moved", remedy)
    return {name: figure for name, figure in drawn.items() if figure is not None}


def _tell(source: Path, found: dict[str, Any]) -> list[str]:
    """Say what was drawn, and where it lies."""
    periods = ", ".join(f"{period:.4g}" for period in found["periods"])
    return [
        f"{source}: {found['nodes']} nodes, {found['elements']} elements, "
        f"{found['degrees_of_freedom']} degrees of freedom, periods {periods} s",
        "written, as PNG and SVG:",
        *(f"  {path}" for path in found["written"] if path.suffix == ".png"),
    ]


def _find_frame(source: Path, runs: Path) -> tuple[ShownFrame, Path]:
    """Find a frame in what is named, and the directory that its pictures go to."""
    from rths.frame.frame import assemble_file
    from rths.frame.model_file import find_model, parse_model
    from rths.report.shown_frame import ShownFrame

    if source.is_dir() or source.suffix == ".h5":
        return _frame_of_run(source)
    path = find_model(str(source))
    if path.suffix.lower() == ".toml" and "structure" in parse_model(path):
        return _frame_of_plan(path), runs / path.stem
    return ShownFrame("", assemble_file(str(source))), runs / path.stem


def _frame_of_plan(path: Path) -> ShownFrame:
    """Take the frame of a plan, before any test."""
    from rths.cli._plan import read_plan
    from rths.report.shown_frame import ShownFrame
    from rths.structure.frame import Frame
    from rths.structure.reduced_frame import ReducedFrame

    test = read_plan(path, None)
    if not isinstance(test.structure, Frame | ReducedFrame):
        raise _no_frame(path, test.structure.kind)
    return ShownFrame(test.name, test.structure.assembled, test.structure.interface)


def _frame_of_run(path: Path) -> tuple[ShownFrame, Path]:
    """Take the frame of a record, with its motion."""
    from rths.cli._record import find_record
    from rths.records.hdf5 import read
    from rths.report.shown_frame import frames_of
    from rths.report.shown_run import ShownRun

    record = find_record(path)
    run = ShownRun(path.name, read(record))
    found = frames_of([run])
    if not found:
        raise _no_frame(path, "" if run.test is None else run.test.structure.kind)
    return found[0], record.parent


def _no_frame(path: Path, kind: str) -> InputError:
    problem = f"has a structure of the kind {kind}, no frame" if kind else "cannot be built here"
    return InputError("draw", str(path), problem, "Name a plan or a run with a frame, or a model.")
