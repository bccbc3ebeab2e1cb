"""What a file claims to hold beside what it is: a few bytes may claim gigabytes.

    claimed bytes <= max(64 MiB, 64 · bytes of the file)                                     (1)

Numbers as they are stored need as much memory as the file has bytes. Compression and signals that
are slower than their neighbours in a row allow for more, but not for any number.
"""

from __future__ import annotations

from pathlib import Path

from rths.errors import InputError

MOST = 64
"""Times its own size that a file may need in memory: measured signals are compressed to a third at
best, and a step of an integrator has some ten ticks."""
ALWAYS = 1 << 26
"""Bytes that any file may need."""


def check_claim(path: Path | str, claimed: int, size: int) -> None:
    """Refuse a file that claims more than (1)."""
    if claimed > max(ALWAYS, MOST * size):
        problem = f"claims {claimed / 2**30:.3g} GiB of numbers in a file of {size} bytes"
        raise InputError("file", str(path), problem, "It is damaged: copy or export it again.")
