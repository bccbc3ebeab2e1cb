"""The text of a file, or an error that says why there is none.

A mark at the beginning (BOM) names UTF-8 or UTF-16. Text without one is UTF-8, or else what older
programs of Western Europe write (Windows-1252, of which Latin-1 is a part): in a table of numbers
only headings and comments can differ. Any other encoding is refused.
"""

from __future__ import annotations

import codecs
from pathlib import Path

from rths.errors import InputError
from rths.plain_file import suggest_file

SAVE = "Open it in an editor or spreadsheet and save as UTF-8."
_MARKS = {codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
_LOOK, _MANY, _FEW = 2000, 0.4, 0.1
"""Bytes that are looked at, and the shares of them that are zeros at even or at odd places. Of two
bytes a letter of a table has one that is zero: half of all, always at the same side; four fifths of
such letters are enough, and a fifth of other ones on the other side. Numbers in binary have zeros
on both sides."""
_LONGER_MARKS = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)


def existing_file(path: Path | str) -> Path:
    """The path, once it is sure that a file which is not empty stands there."""
    path = Path(path)
    if path.is_dir():
        raise InputError("file", str(path), "is a directory", "Name one file inside it.")
    if not path.exists():
        remedy = f"{suggest_file(path)}Check the name; it counts from the plan's folder."
        raise InputError("file", str(path), "does not exist", remedy)
    if path.stat().st_size == 0:
        raise InputError("file", str(path), "is empty", "Copy or export the record again.")
    return path


def read_text(path: Path | str) -> str:
    """The decoded text, or an error that asks for UTF-8."""
    data = existing_file(path).read_bytes()
    if data.startswith(_LONGER_MARKS):
        raise InputError("file", str(path), "is UTF-32 text", SAVE)
    if data[:2] in _MARKS:
        try:
            return data.decode(_MARKS[data[:2]])
        except UnicodeDecodeError:
            raise InputError("file", str(path), "is damaged UTF-16 text", SAVE) from None
    if b"\0" in data:
        raise _binary_error(path, data)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def _binary_error(path: Path | str, data: bytes) -> InputError:
    """Say whether bytes with zeros among them are text of two bytes a letter, or no text."""
    look = data[:_LOOK]
    halves = look[0::2].count(0), look[1::2].count(0)
    if max(halves) > _MANY * len(look) and min(halves) < _FEW * len(look):
        return InputError("file", str(path), "looks like UTF-16 text without its mark", SAVE)
    return InputError(
        "file",
        str(path),
        "holds binary data where text is expected",
        "Give it its own ending (.mat, .h5), or export it as text.",
    )


def first_lines(path: Path | str, count: int = 60) -> list[str]:
    """The first lines, for a look at the format; none if the file is no readable text."""
    path = Path(path)
    if not path.is_file():
        return []
    with path.open("rb") as file:
        data = file.read(100 * count)
    if data[:2] in _MARKS and not data.startswith(_LONGER_MARKS):
        return data.decode(_MARKS[data[:2]], errors="replace").splitlines()[:count]
    if b"\0" in data:
        return []
    return data.decode("utf-8-sig", errors="replace").splitlines()[:count]
