"""How one channel of something is written, everywhere: ``force[0]``, counted from 0.

A reference in a plan, a column of a record, a picture, a page and an error call it the same, so
that what is read in one of them can be looked for in the others. What belongs to an actuator, and
has no signal, is said of ``actuator[0]``, as the file of the laboratory has it.
"""

from __future__ import annotations


def name_channel(name: str, channel: int, channels: int | None = None) -> str:
    """Name one channel; the only one of ``channels`` needs no index."""
    return name if channels == 1 else f"{name}[{channel}]"


def name_actuator(channel: int) -> str:
    """Name an actuator by its channel."""
    return name_channel("actuator", channel)


def split_channel(name: str) -> tuple[str, int | None]:
    """Give the signal of a name, and which channel of it (None: all)."""
    base, _, index = name.partition("[")
    number = index.removesuffix("]")
    return base, int(number) if number.isdecimal() else None
