"""The key that a loop and its rig share: 32 hexadecimal digits in a file of its owner alone.

A key is no part of a plan: a plan names the file, and neither plan nor record contains it.
"""

from __future__ import annotations

import os
import re
import secrets
import stat
from pathlib import Path

from rths.errors import InputError
from rths.hardware.wire.keyed_hash import PUBLIC, SIZE
from rths.plain_file import require_file

FIELD = "hardware.key"
_OTHERS = stat.S_IRWXG | stat.S_IRWXO
_DIGITS = re.compile(rf"[0-9a-fA-F]{{{2 * SIZE}}}")


def key_path(given: str) -> Path:
    """Give the path of a key; one that depends on where a command is started is refused."""
    path = Path(os.path.expanduser(given))  # leaves a home that is not there as it is
    if not given.strip() or not path.is_absolute():
        problem = "is no path that means the same everywhere"
        remedy = 'Begin it with / or ~, as in "~/keys/rig.key".'
        raise InputError(FIELD, given, problem, remedy)
    return path


def read_key(given: str | None) -> bytes:
    """Read the key of a file; the public one if no file is named."""
    if given is None:
        return PUBLIC
    path = key_path(given)
    try:
        require_file(path)
        mode, text = path.stat().st_mode, path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is no text"
        remedy = f"Make one: rths key {path}. Loop and rig need the same."
        raise InputError(FIELD, given, f"cannot be read ({reason})", remedy) from None
    if mode & _OTHERS:
        problem, remedy = "can be read or written by others", f"chmod 600 {path}"
        raise InputError(FIELD, given, problem, f"Keep it to its owner: {remedy}.")
    if not _DIGITS.fullmatch(text) or bytes.fromhex(text) == PUBLIC:
        problem = f"does not hold {2 * SIZE} hexadecimal digits that are not all 0"
        raise InputError(FIELD, given, problem, f"Make one: rths key {path}.")
    return bytes.fromhex(text)


def write_key(path: Path) -> None:
    """Make a new key; a file that is there is never overwritten."""
    try:
        file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as error:
        problem = f"cannot be made ({error.strerror})"
        remedy = "Name a file that is not there yet, in a folder that is."
        raise InputError("key", str(path), problem, remedy) from None
    with os.fdopen(file, "w", encoding="ascii") as text:
        text.write(secrets.token_hex(SIZE) + "\n")
