"""A signal must be a number.

    value = s, which trips if it is NaN or infinite                                           (1)

Every test with a safe path has it on its command and on what is measured.
"""

from __future__ import annotations

from typing import ClassVar

from rths.guard.base import describe, register
from rths.guard.limit import Limit


@register
@describe
class Finite(Limit):
    """Trips on NaN and infinity; a bound narrows it down."""

    example = {"signal": "specimen.force"}

    levels: ClassVar[bool] = False
