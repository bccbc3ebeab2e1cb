"""Words of a rig's state, by the places of realtime/rig_words.py."""

from __future__ import annotations

from rths.loop.abi import load_integer, store_integer
from rths.loop.row import WORD


def get(state: int, word: int) -> int:
    """Read a word of the rig's state."""
    return load_integer(state + WORD * word)  # type: ignore[no-any-return]


def put(state: int, word: int, value: int) -> None:
    """Write a word of the rig's state."""
    store_integer(state + WORD * word, value)


def count(state: int, word: int, more: int) -> None:
    """Add to a word of the rig's state."""
    put(state, word, get(state, word) + more)


def copy_words(source: int, target: int, words: int) -> None:
    """Copy so many words from one address to another."""
    for k in range(words):
        store_integer(target + WORD * k, load_integer(source + WORD * k))


def are_equal(one: int, other: int, words: int) -> bool:
    """Tell whether so many words at two addresses are the same."""
    different = 0
    for k in range(words):
        different |= load_integer(one + WORD * k) ^ load_integer(other + WORD * k)
    return bool(different == 0)
