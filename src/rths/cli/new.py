"""``rths new [TEMPLATE] [FILE]``: write a commented plan to begin with, or the file of a rig."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rths.cli._voice import AsJson, answer

PLACE = 100


def new(
    template: Annotated[
        str | None, typer.Argument(help="Which plan to begin with; without it they are listed.")
    ] = None,
    file: Annotated[
        Path | None, typer.Argument(help="File to write; <template>.toml if not given.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Write a commented plan, the rig of one of the papers, or the limits of a laboratory's rig."""
    from textwrap import fill

    from rths.config import template as source
    from rths.errors import InputError
    from rths.safety.rig_file import laboratory_folder

    if template is None:
        found = source.templates()
        told = [fill(f"{n:14s}{s}", 90, subsequent_indent=" " * 14) for n, s in found.items()]
        told += ["", "rths new wallace2005 my_test.toml writes the first of your own."]
        told.append("rths new rig lab.toml writes the limits of your rig, to fill in.")
        answer(as_json, {"templates": found}, told)
        return
    text = source.template(template)
    path = file or Path("lab.toml" if template == source.RIG else f"{template}.toml")
    if path.exists():
        raise InputError("FILE", str(path), "exists already", "Name another file.")
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        problem = f"cannot be written ({error.strerror})"
        raise InputError("FILE", str(path), problem, "Name another place.") from error
    next_step = f"Run it with: rths run {path}"
    if template == source.RIG:
        next_step = (
            f'Fill it in, and name it in a plan: [rig] file = "{path}". A machine is moved only '
            f"with a file of {laboratory_folder()}: put it there."
        )
    answer(as_json, {"written": path}, f"{path} written. {next_step}")
