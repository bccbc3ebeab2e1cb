"""How a command speaks: quiet or verbose, in words or as JSON, in colour on a terminal.

``-q`` leaves nothing but errors, and JSON if that was asked for. ``-v`` adds the time it took, and
of an error the place in the program. Colours are for verdicts, and only for people: none in a pipe,
in a file, with NO_COLOR set or on a terminal that is dumb.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout, suppress
from math import isfinite
from typing import IO, Annotated, Any

import typer

QUIET, VERBOSE = ("-q", "--quiet"), ("-v", "--verbose")
COLOURS = {"green": 32, "yellow": 33, "red": 31}
VERDICTS = {
    "proved": "green",
    "tested": "green",
    "identical": "green",
    "completed": "green",
    "undecided": "yellow",
    "interrupted": "yellow",
    "unstable": "red",
    "different": "red",
}
"""Colour of a verdict; one that is not here is bad news, and red."""
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object, nothing else.")]
_asked: set[str] = set()


def take_options(words: Sequence[str]) -> list[str]:
    """Note what is asked of all commands; give the other words. Behind ``--`` none is an option."""
    _asked.clear()
    end = words.index("--") if "--" in words else len(words)
    for names in (QUIET, VERBOSE):
        if any(word in names for word in words[:end]):
            _asked.add(names[1])
    left = [word for word in words[:end] if word not in (*QUIET, *VERBOSE)]
    return [*left, *words[end:]]


@contextmanager
def speak(words: Sequence[str]) -> Iterator[None]:
    """Speak as it was asked for while a command runs; show notes as one line each."""
    import warnings

    verbose, as_json = "--verbose" in _asked, "--json" in words
    if verbose:
        from time import perf_counter

        begin = perf_counter()
    shown = warnings.showwarning
    warnings.showwarning = _show_note
    try:
        if "--quiet" in _asked and not as_json:
            with open(os.devnull, "w") as nowhere, redirect_stdout(nowhere):
                yield
        else:
            yield
    finally:
        warnings.showwarning = shown
        if verbose:
            with suppress(OSError):  # a terminal that was closed: the exit status stands
                print(f"took {perf_counter() - begin:.3g} s", file=sys.stderr)


def _show_note(message: Warning | str, category: type[Warning], *place: Any, **more: Any) -> None:
    """Show a remark about what the user gave in one line, any other warning as Python does."""
    from warnings import formatwarning

    from rths.errors import InputWarning
    from rths.plain_text import make_plain

    if "--quiet" in _asked:
        return
    if issubclass(category, InputWarning):
        print(f"note: {make_plain(str(message))}", file=sys.stderr)
    else:
        print(formatwarning(message, category, *place[:2]), file=sys.stderr, end="")


def is_quiet() -> bool:
    """Tell whether nothing but errors is wanted."""
    return "--quiet" in _asked


def show_traceback() -> None:
    """Show where in the program an error arose, if that was asked for."""
    if "--verbose" in _asked:
        import traceback

        traceback.print_exc()


def answer(as_json: bool, found: Mapping[str, Any], text: str | Iterable[str]) -> None:
    """Print what was found: one JSON object, or words."""
    if as_json:
        import json

        print(json.dumps(_make_plain(found), ensure_ascii=False))
        return
    for line in [text] if isinstance(text, str) else text:
        print(line)


def _make_plain(value: Any) -> Any:
    """Turn what JSON does not know into what it does: arrays to lists, NaN and paths to text."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, Mapping):
        return {str(k): _make_plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_make_plain(v) for v in value]
    if isinstance(value, float):
        return value if isfinite(value) else str(value)
    return value if value is None or isinstance(value, str | int) else str(value)


def paint(text: str, verdict: str, stream: IO[str] | None = None) -> str:
    """Colour a text by a verdict, if a person reads it."""
    stream = stream or sys.stdout
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb" or not stream.isatty():
        return text
    return f"\x1b[{COLOURS[VERDICTS.get(verdict, 'red')]}m{text}\x1b[0m"
