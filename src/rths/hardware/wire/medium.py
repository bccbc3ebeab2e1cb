"""What carries the bytes of a wire, by numbers that Python and compiled code share."""

from __future__ import annotations

UDP, MEMORY = 0, 1
"""Media: a socket, or a mapped file."""
BOX = 4096
"""Bytes of a box in a mapped file; what the loop sends lies in the first, what the rig sends in the
second."""
STAMP = 0x8907
"""SIOCGSTAMPNS: asks the system when the last datagram arrived."""
SCRATCH = 4
"""int64 words that reading the clock and waiting for a medium need: a time, and a poll of a
socket."""
