"""Random numbers from a counter and a key alone: no state, the same on every machine and loop.

Philox4x32 with ten rounds: each multiplies two halves of the counter, mixes in the key and changes
places; the key grows by a constant.

[salmon2011] Philox4x32-10.
"""

from __future__ import annotations

LOW = 0xFFFFFFFF
"""The lower 32 bits of a product."""
# as printed in the paper: multipliers of the two halves, and what the key grows by
MULTIPLIERS = (0xD2511F53, 0xCD9E8D57)
WEYL = (0x9E3779B9, 0xBB67AE85)


def product(a: int, b: int) -> tuple[int, int]:
    """Give the high and low half of a product of 32-bit numbers, within 63 bits throughout."""
    t = a * (b & 0xFFFF)
    s = a * (b >> 16) + (t >> 16)
    return s >> 16, ((s & 0xFFFF) << 16) | (t & 0xFFFF)


def philox(c: int, d: int, k: int, m: int) -> tuple[int, int, int, int]:
    """Give the four 32-bit numbers of the counter (c, d, 0, 0) under the key (k, m)."""
    e, f = 0, 0
    for _ in range(10):
        high, low = product(MULTIPLIERS[0], c)
        top, bottom = product(MULTIPLIERS[1], e)
        c, d, e, f = top ^ d ^ k, bottom, high ^ f ^ m, low
        k, m = (k + WEYL[0]) & LOW, (m + WEYL[1]) & LOW
    return c, d, e, f
