"""SipHash-2-4 with 128 bits: a keyed hash that is quick on a few words.

    v_0, v_1, v_2, v_3 = k_0 ^ c_0, k_1 ^ c_1 ^ 0xee, k_0 ^ c_2, k_1 ^ c_3                     (1)
    for each word m:   v_3 ^= m;  2 rounds;  v_0 ^= m                                         (2)
    v_2 ^= 0xee;  4 rounds;  low = v_0 ^ v_1 ^ v_2 ^ v_3                                      (3)
    v_1 ^= 0xdd;  4 rounds;  high = v_0 ^ v_1 ^ v_2 ^ v_3                                     (4)

The last word holds the bytes that are left and, in its highest byte, their number. Whoever does not
have the key finds the hash of a packet of his own by one guess in 2^128, however many he has seen.

Aumasson, J.-P. and Bernstein, D. J. (2012). SipHash: a fast short-input PRF. INDOCRYPT 2012,
LNCS 7668, 489-508; the 128 bits are those of its reference implementation.
"""

from __future__ import annotations

from rths.loop.abi import load_integer, store_integer

C0, C1 = 0x736F6D6570736575, 0x646F72616E646F6D
C2, C3 = 0x6C7967656E657261, 0x7465646279746573
"""Words of (1): the letters "somepseudorandomlygeneratedbytes"."""


def rotate(x: int, bits: int) -> int:
    """Rotate 64 bits to the left."""
    return x << bits | (x >> (64 - bits) & ((1 << bits) - 1))


def mix(a: int, b: int, c: int, d: int) -> tuple[int, int, int, int]:
    """One round on the four words of the state."""
    a += b
    b = rotate(b, 13) ^ a
    a = rotate(a, 32)
    c += d
    d = rotate(d, 16) ^ c
    a += d
    d = rotate(d, 21) ^ a
    c += b
    b = rotate(b, 17) ^ c
    c = rotate(c, 32)
    return a, b, c, d


def hash_words(key: int, data: int, size: int) -> tuple[int, int]:
    """Hash ``size`` bytes at an address with the key at another; the two words of the hash.

    The bytes lie in whole words: what follows the last one may be read, and does not count.
    """
    low, high = load_integer(key), load_integer(key + 8)
    a, b, c, d = low ^ C0, high ^ C1 ^ 0xEE, low ^ C2, high ^ C3  # (1)
    whole = size >> 3
    for k in range(whole + 1):
        m = size << 56
        if k < whole:
            m = load_integer(data + 8 * k)
        elif size & 7:
            m |= load_integer(data + 8 * k) & ((1 << 8 * (size & 7)) - 1)
        d ^= m
        a, b, c, d = mix(a, b, c, d)  # (2)
        a, b, c, d = mix(a, b, c, d)
        a ^= m
    c ^= 0xEE
    for _ in range(4):
        a, b, c, d = mix(a, b, c, d)
    first = a ^ b ^ c ^ d  # (3)
    b ^= 0xDD
    for _ in range(4):
        a, b, c, d = mix(a, b, c, d)
    return first, a ^ b ^ c ^ d  # (4)


def write_hash(key: int, data: int, size: int, place: int) -> int:
    """Put the hash of bytes at a place: what Python calls."""
    low, high = hash_words(key, data, size)
    store_integer(place, low)
    store_integer(place + 8, high)
    return 0
