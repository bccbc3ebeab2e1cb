"""Damping that a script asks for, in the words of a plan.

    ζ_i = α_M/(2 ω_i) + β_K ω_i/2                                                              (1)

The domain does not tell its damping. ``rayleigh`` with shares of the mass and of the initial
stiffness is the same as ratios in the first two modes, and is noted as the script calls it; shares
of the current stiffness are not, nor those of single elements, regions or modes.
"""

from __future__ import annotations

from rths.frame.frame import AssembledFrame
from rths.frame.opensees.call import Facts, numbers_of

OTHERS = (
    "modalDamping",
    "modalDampingQ",
    "setElementRayleighFactors",
    "setElementRayleighDampingFactors",
)


def find_ratios(facts: Facts, frame: AssembledFrame) -> tuple[float, float] | None:
    """Give the ratios (1) of the last call; None if none says it so."""
    others = any(name in OTHERS or "-rayleigh" in map(str, given) for name, given in facts["calls"])
    calls = [given for name, given in facts["calls"] if name == "rayleigh"]
    if others or not calls or frame.frequencies.size < 2:
        return None
    alpha, current, initial, committed = numbers_of(calls[-1], (0.0, 0.0, 0.0, 0.0))
    first, second = (float(w) for w in frame.frequencies[:2])
    if current or committed or not first:
        return None
    return alpha / (2 * first) + initial * first / 2, alpha / (2 * second) + initial * second / 2


def write_calls(facts: Facts) -> list[str]:
    """Give the calls that ask for damping as the script writes them."""
    calls = [
        (name, given)
        for name, given in facts["calls"]
        if name in ("rayleigh", *OTHERS) or "-rayleigh" in map(str, given)
    ]
    return [f"{name}({', '.join(map(repr, given))})" for name, given in calls]
