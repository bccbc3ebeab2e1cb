"""Close a packet with its keyed hash, and check one, in compiled code."""

from __future__ import annotations

from rths.hardware.wire.layout import HASH_WORDS
from rths.hardware.wire.siphash import hash_words
from rths.loop.abi import load_integer, store_integer


def seal(address: int, words: int, key: int) -> None:
    """Close a packet with its hash; ``key`` is where the key lies."""
    size = 8 * (words - HASH_WORDS)
    low, high = hash_words(key, address, size)
    store_integer(address + size, low)
    store_integer(address + size + 8, high)


def is_whole(address: int, received: int, words: int, first: int, key: int) -> bool:
    """Tell whether the bytes received are one packet of the kind and size that is expected."""
    if received != 8 * words or load_integer(address) != first:
        return False
    size = 8 * (words - HASH_WORDS)
    low, high = hash_words(key, address, size)
    wrong = (load_integer(address + size) ^ low) | (load_integer(address + size + 8) ^ high)
    return bool(wrong == 0)
