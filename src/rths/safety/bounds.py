"""Where the bounds of a guard stand: the guard judges by them, the latch tells them."""

from __future__ import annotations

from rths.loop.fields import fields

BOUNDS = fields(
    warn_low="from here down it warns",
    warn_high="from here up it warns",
    trip_low="from here down it trips",
    trip_high="from here up it trips",
)
"""Parameters of a guard before its own."""
