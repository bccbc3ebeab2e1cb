"""The keyed hash of bytes, for Python: the code that the loop runs, called with addresses."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np

from rths.loop.machine_code import translate_function

SIZE = 16
"""Bytes of a key, and of a hash."""
PUBLIC = bytes(SIZE)
"""The key where there is none: everybody has it, and the hash finds damage only."""


@cache
def _load() -> Callable[..., int]:
    return translate_function("rths.hardware.wire.siphash", "write_hash").make_callable()


def hash_bytes(key: bytes, data: bytes) -> bytes:
    """Give the 16 bytes of the hash."""
    secret = np.frombuffer(key, np.int64)
    words = np.frombuffer(data + bytes(-len(data) % 8 + 8), np.int64)
    found = np.zeros(2, np.int64)
    _load()(secret.ctypes.data, words.ctypes.data, len(data), found.ctypes.data)
    return found.tobytes()
