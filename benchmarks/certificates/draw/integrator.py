"""Tables of the integrator, with its clock: step, and how the command runs between targets."""

from __future__ import annotations

from typing import Any

from benchmarks.certificates.draw.rig import Dice, Rig
from rths.integrator.base import schemes
from rths.registry import find

Table = dict[str, Any]
MODEL_BASED = ("alpha_os", "cr", "exact", "kr_alpha", "lsrt2", "mkr_alpha", "newmark_average")
"""Kinds that hold an estimate of the specimen's stiffness."""


def draw_integrator(dice: Dice, rig: Rig) -> Table:
    """Draw a table; half of all plans take one of the two explicit standards."""
    kind = dice.choose(*schemes())
    if dice.chance(0.4):
        kind = dice.choose("central_difference", "explicit_newmark")
    table: Table = {"kind": kind}
    if kind in MODEL_BASED:
        table["interface_stiffness"] = rig.stiffness * dice.choose(0.0, 0.7, 1.0, 1.3)
    if kind == "alpha_os":
        table["alpha"] = dice.choose(0.0, -0.1, -0.3)
    if kind in ("kr_alpha", "mkr_alpha"):
        table["rho_infinity"] = dice.choose(0.5, 0.75, 1.0)
    return table


def draw_clock(dice: Dice, rig: Rig, integrator: Table) -> Table:
    """Draw the step and the ramp."""
    stages = find("integrator", integrator["kind"]).stages
    clock: Table = {"tick": rig.tick, "duration": rig.duration}
    if dice.chance(0.25):
        ticks = dice.choose(2, 4)
        if rig.fastest * ticks * rig.tick < 1 / 30:  # a mode needs its points of the step too
            clock["step"] = ticks * rig.tick
            clock["ramp"] = dice.choose("linear", "linear", "hold", "quadratic", "cubic")
    elif stages > 1:
        clock["step"] = stages * rig.tick
    return clock
