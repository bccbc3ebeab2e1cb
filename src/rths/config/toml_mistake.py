"""A text read as TOML; where it stops being TOML, and what most likely happened there.

What happened is judged by the text itself, never by the words of the parser, which change with it.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rths.errors import InputError

DEEPEST = 32
"""Levels of tables and lists in a plan: a block in a block in a block has seven."""
WIDEST = 1 << 63
"""Whole numbers of TOML have 64 bits."""
SLIPS = (
    (r'"[^"]*\\', "Write paths with /, as in motions/kobe.csv, or in single quotes."),
    (r"=\s*\[.*(;|\d\s+[-\d.])", "Part all by commas, rows in brackets: [[2.2, 0], [0, 2.2]]."),
    (r"//|;", "A comment begins with #, and each field has a line of its own."),
    (r"^[^\[]*\d,\d", "The decimal sign is the point: 0.0094."),
    (r"=\s*[-+]?\.\d", "Write the zero before the point: 0.0094."),
    (r"=\s*(True|False|TRUE|FALSE|yes|no)\b", "Truths are written true and false."),
    (r"=\s*[-+]?[\d.]+(e[-+]?\d+)?\s*[A-Za-zµ%]", "Write numbers without their unit: all are SI."),
    (r"=\s*[-+]?0\d", "Leave out zeros at the beginning of a number."),
    (r"=\s*[A-Za-z_]", 'Put texts in quotes: kind = "polynomial".'),
    (r"=\s*(\"[^\"]*|'[^']*)$", 'End a text with the quote it begins with: kind = "polynomial".'),
)
"""How a line that is no TOML may have been meant, the first that fits, and what to do."""
_POSITION = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")
_HEAD = re.compile(r"\s*(\[\[?[^\[\]]+\]?\])")
_KEY = re.compile(r"\s*([\w.\"'-]+)\s*=")


def parse_toml(text: str, path: Path | str = "plan") -> dict[str, Any]:
    """Read a text as TOML, or say why it is none."""
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise explain_toml(path, text, error) from error
    except RecursionError:
        raise _depth_error(path) from None
    except ValueError as error:  # a number of thousands of digits
        raise InputError("plan", str(path), str(error), "Give numbers of 64 bits.") from None
    _check_values(table, path)
    return table


def _check_values(table: dict[str, Any], path: Path | str) -> None:
    """Refuse what no plan holds, and what nothing behind this can print."""
    level: list[Any] = [table]
    for _ in range(DEEPEST):
        inner: list[Any] = []
        for item in level:
            if isinstance(item, int) and not -WIDEST <= item < WIDEST:
                problem = "holds a whole number of more than 64 bits"
                raise InputError("plan", str(path), problem, "Give a smaller one.")
            if isinstance(item, dict | list):
                inner += item.values() if isinstance(item, dict) else item
        level = inner
        if not level:
            return
    raise _depth_error(path)


def _depth_error(path: Path | str) -> InputError:
    problem = f"has tables or lists in more than {DEEPEST} levels"
    return InputError("plan", str(path), problem, "Close the brackets.")


def explain_toml(path: Path | str, text: str, error: tomllib.TOMLDecodeError) -> InputError:
    """Turn the parser's error into one that names line and remedy."""
    lines, message = text.splitlines(), str(error)
    position = _POSITION.search(message)  # before Python 3.14 it stands in the message alone
    number = int(position[1]) if position and position[1] else len(lines)
    line = lines[number - 1].strip() if 0 < number <= len(lines) else ""
    problem = _POSITION.sub("", message)
    problem = f"is not valid TOML: {problem[:1].lower()}{problem[1:]}"
    return InputError("plan", line, problem, _remedy(lines, number), f"{path}:{number}")


def _remedy(lines: Sequence[str], number: int) -> str:
    """Say what to do about a line."""
    line = lines[number - 1] if 0 < number <= len(lines) else ""
    if _stands_before(lines[: number - 1], line):
        return "Keep one of the two; a second actuator is written [[table]], each time."
    if re.search("[“”„‟‘’«»]", line):
        return 'Use straight quotes, as on the keyboard: kind = "polynomial".'
    for slip, remedy in SLIPS:
        if re.search(slip, line):
            return remedy
    if line.count("[") != line.count("]"):
        return "Close the bracket."
    return "Write it as name = value, texts in quotes, lists in square brackets."


def _stands_before(before: Sequence[str], line: str) -> bool:
    """Tell whether the table, or the field of the same table, of a line was there already."""
    table = _name(_HEAD, line)
    if table:
        return table in [_name(_HEAD, b) for b in before]
    begin = max((i for i, b in enumerate(before) if _name(_HEAD, b)), default=0)
    key = _name(_KEY, line)
    return bool(key) and key in [_name(_KEY, b) for b in before[begin:]]


def _name(form: re.Pattern[str], line: str) -> str:
    """Give the name of a table or a field in its line; empty if the line is none of them."""
    found = form.match(line)
    return found[1].strip("[] ") if found else ""
