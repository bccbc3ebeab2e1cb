"""A number in the name of a signal, which has no digits: a, b, ... z, aa, ab, ..."""

from __future__ import annotations


def ordinal(index: int) -> str:
    """Spell a number from 0 on in letters."""
    if index < 26:
        return chr(ord("a") + index)
    return ordinal(index // 26 - 1) + ordinal(index % 26)
