"""Numbers as a person reads them: millimetres, kilonewtons, milliseconds, a few digits."""

from __future__ import annotations

from math import isfinite

SCALES: dict[str, tuple[tuple[float, str, float], ...]] = {
    "m": ((0.0, "mm", 1e3),),
    "m/s": ((0.0, "mm/s", 1e3), (1.0, "m/s", 1.0)),
    "m²": ((0.0, "mm²", 1e6),),
    "N": ((0.0, "N", 1.0), (1e3, "kN", 1e-3), (1e6, "MN", 1e-6)),
    "J": ((0.0, "J", 1.0), (1e3, "kJ", 1e-3)),
    "s": ((0.0, "ms", 1e3), (1.0, "s", 1.0)),
    "kg": ((0.0, "kg", 1.0), (1e4, "t", 1e-3)),
    "share": ((0.0, "%", 1e2),),
    "N/m": ((0.0, "N/m", 1.0), (1e3, "kN/m", 1e-3), (1e6, "kN/mm", 1e-6)),
}
"""Unit shown and factor, from a size on."""

FINEST = {"s": 6, "1/s": 4}
"""Decimals that can be measured of a run: a microsecond, and what grows in hours."""
LONGEST = 1e6
"""Numbers from which on powers of ten are shorter than zeros."""


def readable_scale(size: float, unit: str) -> tuple[str, float]:
    """Give the unit to show values of this size in, and the factor to it."""
    known = SCALES.get(unit, ((0.0, "" if unit in ("1", "SI") else unit, 1.0),))
    fitting = [s for s in known if abs(size) >= s[0]] or [known[0]]
    return fitting[-1][1], fitting[-1][2]


def readable_value(value: float | None, unit: str, digits: int = 4) -> str:
    """Write a value with a unit that suits its size."""
    if value is None or not isfinite(value):
        return "-" if value is None else str(value)
    shown, factor = readable_scale(value, unit)
    number = readable_number(factor * value, digits)
    return f"{number if float(number) else '0'} {shown}".rstrip()


def readable_number(value: float, digits: int = 3) -> str:
    """Write a number with so many digits; zeros where a power of ten would not be shorter."""
    number = f"{value:.{digits}g}"
    return f"{float(number):.0f}" if "e+" in number and abs(value) < LONGEST else number


def readable_measure(value: float, unit: str) -> str:
    """Write what was measured of a run: three digits, and none of what nobody can measure."""
    return readable_value(round(value, FINEST.get(unit, 30)), unit, digits=3)


def readable_percent(share: float) -> str:
    """Write a share in per cent, with two digits below ten and no more than it can mean."""
    percent = 100 * share
    if abs(percent) >= 1000:
        return f"{percent:.1e} %"
    return f"{percent:.3g} %" if abs(percent) >= 100 else f"{percent:.2g} %"


def readable_time(seconds: float) -> str:
    """Write a duration."""
    if seconds >= 120.0:
        return f"{seconds / 60:.3g} min"
    return readable_value(seconds, "s")
