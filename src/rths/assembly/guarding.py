"""Where limits are looked at: on the command before it leaves, then on what came back.

The command, the displacement and the measured force must always be finite; the limits of the plan
narrow that down and may guard other signals too.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import isnan
from typing import Literal

from rths.errors import InputError
from rths.loop.block import FINITE
from rths.loop.channel_name import name_channel, split_channel
from rths.loop.wiring import Signal, Wiring
from rths.safety.limits import limits_block

Limit = float | tuple[float, float]
WHERE: dict[str, tuple[str, ...]] = {
    "command": ("integrator", "compensator"),
    "measurement": ("transfer", "specimen", "feedback"),
}
"""Roles whose signals are looked at in each place."""
ALWAYS = ("compensator.command", "transfer.displacement", "feedback.force")


def place_guards(
    w: Wiring,
    limits: Mapping[str, Limit],
    where: Literal["command", "measurement"],
    placed: set[str] | None = None,
) -> set[str]:
    """Place one guard over all limited signals of this place; return the names it took care of."""
    roles = WHERE[where]
    bounds = {
        name_channel(name, i): (-FINITE, FINITE)
        for name in ALWAYS
        if w.signals[name].role in roles
        for i in range(w.signals[name].width)
    }
    mine = {name for name in limits if _is_of(w, name, roles)}
    for name in sorted(mine):
        low, high = bounds_of(name, limits[name])
        signal, index = _find_signal(w, name, limits[name])
        for i in range(signal.width) if index is None else (index,):
            bounds[name_channel(signal.name, i)] = (low, high)
    w.place(f"limits on the {where}", limits_block(list(bounds.values())), list(bounds))
    left = set(limits) - mine - (placed or set())
    if where == "measurement" and left:
        name = sorted(left)[0]
        _find_signal(w, name, limits[name])
        raise InputError(
            f"limits.{name}",
            limits[name],
            "is no signal that can be guarded",
            "Limit integrator.target, compensator.command or feedback.force.",
        )
    return mine


def _is_of(w: Wiring, name: str, roles: tuple[str, ...]) -> bool:
    """Tell whether a reference names a signal of one of the roles that is already there."""
    signal = w.signals.get(split_channel(name)[0])
    return signal is not None and signal.role in roles


def _find_signal(w: Wiring, name: str, limit: Limit) -> tuple[Signal, int | None]:
    """Find the signal that is to be limited, or say that the limit names none."""
    try:
        return w.find(name)
    except InputError as e:
        raise InputError(f"limits.{name}", limit, e.problem, e.remedy) from None


def bounds_of(name: str, limit: Limit) -> tuple[float, float]:
    """Give the lower and the upper bound of a limit, or say that it leaves nothing allowed."""
    low, high = limit if isinstance(limit, tuple) else (-abs(limit), abs(limit))
    if isnan(low) or isnan(high) or not low < high:
        raise InputError(
            f"limits.{name}",
            limit,
            "leaves nothing allowed",
            "Give a number above 0 or [low, high].",
        )
    return max(low, -FINITE), min(high, FINITE)
