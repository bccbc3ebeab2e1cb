"""A row of the table loop: the addresses of one block, and where they lie in it.

Python fills rows, compiled code reads them: both take the places from here.
"""

from __future__ import annotations

from typing import NamedTuple

WORD = 8
"""Bytes of an int64, a float64 and an address."""
GO_ON = 1
"""What a block answers if the test is to go on; with a stop code k it answers GO_ON + k."""
RAISED = 0
"""What stands for the answer of a block that raised an exception instead."""


class Row(NamedTuple):
    """What the loop must know of a block, an int64 each."""

    entry: int
    """Address of its machine code."""
    x: int
    p: int
    u: int
    y: int
    """Addresses of its state, parameters, inputs and outputs."""
    sizes: int
    """Address of their four sizes."""
    gathered: int = 0
    """How many inputs are copied to u before the call; none if they lie side by side already."""
    sources: int = 0
    """Address of a list of as many addresses, from where they are copied."""


ROW_WORDS = len(Row._fields)
ROW_BYTES = WORD * ROW_WORDS
ENTRY, STATE, PARAMETERS, INPUTS, OUTPUTS, SIZES, GATHERED, SOURCES = range(0, ROW_BYTES, WORD)
"""Bytes from the beginning of a row to each of its words."""
