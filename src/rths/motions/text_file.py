"""The text of a file, or an error that says why there is none."""

from __future__ import annotations

from pathlib import Path

from rths.errors import InputError


def existing_file(path: Path | str) -> Path:
    """The path, once it is sure that a file which is not empty stands there."""
    path = Path(path)
    if path.is_dir():
        raise InputError("file", str(path), "is a directory", "Name one file inside it.")
    if not path.exists():
        raise InputError(
            "file", str(path), "does not exist", "Check the name; it counts from the plan's folder."
        )
    if path.stat().st_size == 0:
        raise InputError("file", str(path), "is empty", "Copy or export the record again.")
    return path


def read_text(path: Path | str) -> str:
    """The decoded text; bytes that no encoding explains become a replacement character."""
    path = existing_file(path)
    data = path.read_bytes()
    if b"\0" in data:
        raise InputError(
            "file",
            str(path),
            "holds binary data where text is expected",
            "Give it its own ending (.mat, .h5), or export it as text.",
        )
    return data.decode("utf-8-sig", errors="replace")


def first_lines(path: Path | str, count: int = 60) -> list[str]:
    """The first lines, for a look at the format; none if the file is no readable text."""
    path = Path(path)
    if not path.is_file():
        return []
    with path.open("rb") as file:
        data = file.read(100 * count)
    if b"\0" in data:
        return []
    return data.decode("utf-8-sig", errors="replace").splitlines()[:count]
