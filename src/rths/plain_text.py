"""Text that others wrote, as it may be shown: nothing in it is an order to the terminal.

Names, causes and messages come from packets, files and arguments. What cannot be seen (escape
sequences, marks that turn the direction of writing, halves of letters) is no part of them.
"""

from __future__ import annotations

JOINERS = "\u200c\u200d"
"""Signs that join or part letters of Persian and Indian words: not seen, and yet spelling."""
REPLACED = "\N{REPLACEMENT CHARACTER}"
"""Stands for what is no text."""


def is_plain(text: str) -> bool:
    """Tell whether a text only has what can be seen."""
    return all(_is_seen(letter) for letter in text)


def make_plain(text: str) -> str:
    """Put a mark in the place of everything that is not for reading; lines stay lines."""
    return "".join(c if _is_seen(c) or c in "\n\t" else REPLACED for c in text)


def _is_seen(letter: str) -> bool:
    return letter.isprintable() or letter in JOINERS
