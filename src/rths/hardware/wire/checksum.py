"""The checksum of a packet in memory, as the loop and the rig make it and look at it.

Kept apart from the format of the packets: this part alone needs the compiler, and a process that
only links machine code starts in half the time without it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rths.loop.abi import load_integer, store_integer


def _table() -> Any:
    c = np.arange(256, dtype=np.int64)
    for _ in range(8):
        c = np.where(c & 1, 0xEDB88320 ^ (c >> 1), c >> 1)
    return c


TABLE = _table()


def checksum(address: int, words: int) -> int:
    """Give the CRC-32 of so many words at an address, that of zlib and Ethernet."""
    c = 0xFFFFFFFF
    for k in range(words):
        w = load_integer(address + 8 * k)
        for _ in range(8):
            c = TABLE[(c ^ w) & 0xFF] ^ (c >> 8)
            w >>= 8
    return c ^ 0xFFFFFFFF


def seal(address: int, words: int) -> None:
    """Close a packet with its checksum."""
    store_integer(address + 8 * (words - 1), checksum(address, words - 1))


def is_whole(address: int, received: int, words: int, first: int) -> bool:
    """Tell whether the bytes received are one packet of the kind and size that is expected."""
    if received != 8 * words or load_integer(address) != first:
        return False
    return load_integer(address + 8 * (words - 1)) == checksum(address, words - 1)  # type: ignore[no-any-return]
