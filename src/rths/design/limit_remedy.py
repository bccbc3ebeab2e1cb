"""A remedy that costs nothing: the command stopped at a few peaks of the emulated motion.

    max(low, -n m) to min(high, n m) of each channel's command, m the emulated peak            (1)

n m is written with three digits and certified as it is written. What is told are the lines of
[limits] that give (1) beside those that the plan has: one for all channels if all are alike now
and none had a line of its own, which would go on to hold, else one for each channel that changes.
"""

from __future__ import annotations

from dataclasses import replace
from math import inf

from rths.assembly.guarding import Limit, bounds_of
from rths.assembly.hybrid_test import HybridTest
from rths.assembly.rig_bounds import rig_bounds
from rths.config.toml_text import toml_text
from rths.errors import InputError
from rths.loop.block import FINITE
from rths.loop.channel_name import name_channel, split_channel
from rths.stability.yardstick import motion_bounds

STOPPED = "compensator.command"
"""Signal that (1) limits."""


def narrow_limits(test: HybridTest, n: float, motion: float) -> HybridTest:
    """Give the plan with (1), whose emulated motion goes as far as told; no limit becomes wider.

    Refused if no channel may go less far than before.
    """
    stop = _round_stop(n, motion)
    if not any(stop < bound for bound in motion_bounds(test)):
        raise InputError("limits", n, "is no narrower", "Name fewer peaks.")
    own = [(max(low, -stop), min(high, stop)) for low, high in _command_bounds(test)]
    limits = [_write_limit(*bounds) for bounds in own]
    stopped = {name_channel(STOPPED, c): limit for c, limit in enumerate(limits)}
    stopped = {STOPPED: limits[0]} if len(set(limits)) == 1 else stopped
    others = {name: v for name, v in test.limits.items() if split_channel(name)[0] != STOPPED}
    return replace(test, limits={**others, **stopped})


def _round_stop(n: float, motion: float) -> float:
    """Give n m as it is told."""
    return float(f"{n * motion:.3g}")


def _command_bounds(test: HybridTest) -> list[tuple[float, float]]:
    """Give how far each channel's command may go now, m; infinite where nothing is said."""
    rig = rig_bounds(test) if test.safety is not None else ()
    found = [(b.low, b.high) for b in rig] or [(-inf, inf)] * test.channels
    for name in sorted(test.limits):  # that of a channel after that of all, as guards take them
        base, channel = split_channel(name)
        if base == STOPPED:
            for c in range(test.channels) if channel is None else (channel,):
                found[c] = bounds_of(name, test.limits[name])
    return found


def _write_limit(low: float, high: float) -> Limit:
    """Write a limit as a plan does: one number if it is the same to both sides."""
    return high if low == -high else (low, high)


def narrower_lines(before: HybridTest, after: HybridTest) -> dict[str, Limit]:
    """Give the limits that turn one plan into the other if they are added to it."""
    pairs = zip(_command_bounds(before), _command_bounds(after), strict=True)
    moved = {c: _write_limit(*new) for c, (old, new) in enumerate(pairs) if old != new}
    own = any(split_channel(n)[0] == STOPPED and n != STOPPED for n in before.limits)
    if len(moved) == before.channels and len(set(moved.values())) == 1 and not own:
        return {STOPPED: moved[0]}
    return {name_channel(STOPPED, c): limit for c, limit in moved.items()}


def say_limits(n: float, motion: float, before: HybridTest, after: HybridTest) -> str:
    """Say where the command stops, where it has stopped until now, and how a plan writes that."""
    pairs = zip(_command_bounds(before), _command_bounds(after), strict=True)
    moved = {c: max(-old[0], old[1]) for c, (old, new) in enumerate(pairs) if old != new}
    names = [name_channel(STOPPED, c) for c in moved] if len(moved) < before.channels else []
    lengths = list(dict.fromkeys(f"{1e3 * v:.3g} mm" for v in moved.values() if v < FINITE))
    now = f" instead of {' and '.join(lengths)}" if lengths else ""
    of, stop = " and ".join(names) or "the command", 1e3 * _round_stop(n, motion)
    table = toml_text({"limits": narrower_lines(before, after)}).strip()
    head, *lines = table.replace(f'"{STOPPED}"', STOPPED).splitlines()  # as plans begin with
    return (
        f"a limit of {of} at {n:g} peaks of the emulated motion, {stop:.3g} mm{now}, in {head} "
        f"{' and '.join(lines)},"
    )
