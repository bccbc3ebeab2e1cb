"""``rths new [TEMPLATE] [FILE]``: write a commented plan to begin with, or the file of a rig."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

PLACE = 100


def new(
    template: Annotated[
        str | None, typer.Argument(help="Which plan to begin with; without it they are listed.")
    ] = None,
    file: Annotated[
        Path | None, typer.Argument(help="File to write; <template>.toml if not given.")
    ] = None,
) -> None:
    """Write a commented plan, the rig of one of the papers, or the limits of a laboratory's rig."""
    from textwrap import fill

    from rths.config import template as source
    from rths.errors import InputError

    if template is None:
        for name, sentence in source.templates().items():
            print(fill(f"{name:14s}{sentence}", 90, subsequent_indent=" " * 14))
        print("\nrths new wallace2005 my_test.toml writes the first of your own.")
        print("rths new rig lab.toml writes the limits of your rig, to fill in.")
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
    if template == source.RIG:
        print(f'{path} written. Fill it in, and name it in a plan: [rig] file = "{path}"')
    else:
        print(f"{path} written. Run it with: rths run {path}")
