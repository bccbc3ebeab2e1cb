"""``rths schema``: the JSON Schema of a plan, or of the model file of a frame, for editors."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

PLACE = 120


def schema(
    out: Annotated[Path | None, typer.Option(help="File to write; printed if not given.")] = None,
    frame: Annotated[
        bool, typer.Option("--frame", help="That of a frame's model file, not of a plan.")
    ] = False,
) -> None:
    """Print the JSON Schema of a plan (draft 2020-12), with every kind and its fields."""
    import json

    if frame:
        from rths.frame.schema import model_schema as made
    else:
        from rths.config.schema import schema as made

    text = json.dumps(made(), indent=2, ensure_ascii=False) + "\n"
    if out is None:
        print(text, end="")
        return
    out.write_text(text, encoding="utf-8")
    what = "model in TOML" if frame else "plan"
    print(f"{out} written. First line of a {what} for editors: #:schema {out}")
