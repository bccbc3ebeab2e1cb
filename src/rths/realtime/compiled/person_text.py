"""Names and causes in a release, as a rig without Python checks them, compiled.

    letters and digits: A-Z as a-z, 0-9, and every byte above 127                              (1)

A text is UTF-8 filled up with zeros. Alphabets other than the Latin one are compared byte by byte;
what looks alike there is for the loop to find (realtime/person_name.py).
"""

from __future__ import annotations

from rths.loop.abi import load_integer
from rths.loop.row import WORD

SPACE, DELETE = 0x20, 0x7F
"""Bytes below the first, and the second, are control characters."""
CASE = 0x20
"""The bit between a large and a small letter."""


def load_byte(address: int, k: int) -> int:
    """Load one byte of a text."""
    word = load_integer(address + WORD * (k // WORD))
    return (word >> 8 * (k % WORD)) & 0xFF  # type: ignore[no-any-return]


def fold_byte(byte: int) -> int:
    """Give a letter or digit (1) without its case; 0 for all else."""
    small = byte | CASE
    if 0x61 <= small <= 0x7A and byte < 0x80:
        return small
    return byte if 0x30 <= byte <= 0x39 or byte >= 0x80 else 0


def says_something(text: int, size: int) -> bool:
    """Tell whether a text has a letter and nothing that a terminal would obey."""
    letters, over = 0, False
    for k in range(size):
        byte = load_byte(text, k)
        over = over or byte == 0
        if over and byte != 0:
            return False
        if not over and (byte < SPACE or byte == DELETE):
            return False
        letters += fold_byte(byte) > 0x39
    return letters > 0


def find_next(text: int, size: int, k: int) -> int:
    """Give the place of the next letter or digit from ``k`` on; ``size`` if there is none."""
    while k < size and fold_byte(load_byte(text, k)) == 0:
        k += 1
    return k


def is_same_name(one: int, other: int, size: int) -> bool:
    """Tell whether two texts have the same letters and digits (1), in whatever case."""
    i, j = find_next(one, size, 0), find_next(other, size, 0)
    while i < size and j < size:
        if fold_byte(load_byte(one, i)) != fold_byte(load_byte(other, j)):
            return False
        i, j = find_next(one, size, i + 1), find_next(other, size, j + 1)
    return i == size and j == size
