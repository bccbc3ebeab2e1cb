"""What the shared memory of a link begins with, so that no other file is taken for it."""

from __future__ import annotations

from rths.hardware.wire.layout import VERSION
from rths.hardware.wire.medium import BOX

BOXES_AT = 64
"""Bytes before the boxes, the mark among them."""
SIZE = BOXES_AT + 2 * BOX
"""Bytes of the file."""
MARK = b"RTHS link, version " + str(VERSION).encode() + b"\n"
"""First bytes of the file."""
