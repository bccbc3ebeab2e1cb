"""The tests of the laboratory as virtual ones: how far each scheme goes, and how well it does.

[carrion2006] targets C9 to C15 and C17.
"""

from __future__ import annotations

from rths.studies.carrion2006.damper import damper_test
from rths.studies.carrion2006.frame import error, first_lost_frequency, first_unstable
from rths.studies.claims import read_claims
from rths.studies.target import Targets, Value

LABORATORY = Targets(claims=read_claims(__package__))
SCHEMES = ("none", "cubic", "cubic, 6.2 ms", "model")


@LABORATORY.of("C9")
def first_unstable_frequencies() -> Value:
    """C9."""
    return {
        kind: [first_unstable(name, kind) for name in SCHEMES]
        for kind in ("dead time", "ramp", "hold")
    }


@LABORATORY.of("C10")
def cubic_errors() -> Value:
    """C10."""
    return [error("cubic", f) for f in (1, 5, 8, 10, 13, 15)]


@LABORATORY.of("C11")
def model_based_errors() -> Value:
    """C11."""
    return [error("model", f) for f in (1, 5, 8, 10, 13, 15)]


@LABORATORY.of("C12")
def uncompensated_limit() -> Value:
    """C12."""
    found = [error("none", f) for f in (0.5, 1, 2, 5)]
    return {"nrmse": found, "rises": bool(found[0] < found[1] < found[2])}


@LABORATORY.of("C13")
def inelastic_cubic_errors() -> Value:
    """C13."""
    return [error("cubic", f, True) for f in (5, 10, 13, 18)]


@LABORATORY.of("C14")
def inelastic_model_based_errors() -> Value:
    """C14."""
    return [error("model", f, True) for f in (5, 10, 13, 18)]


LATE = (1e-3, 1.25e-3, 1.5e-3, 2e-3)
"""Delays that the compensators do not know of, s."""


@LABORATORY.of("C15")
def underestimated_delay() -> Value:
    """C15."""
    return {
        name: [first_lost_frequency(name, late) for late in LATE] for name in ("model", "cubic")
    }


@LABORATORY.of("C17")
def frame_with_damper() -> Value:
    """C17."""
    damped = [damper_test(f) for f in (0.5, 1.0)]
    free = [damper_test(f, False) for f in (0.5, 1.0)]
    return {
        "ratio": [d.ratio for d in damped],
        "nrmse": [d.error(d.compensated) for d in damped],
        "nrmse, uncompensated": [d.error(d.uncompensated) for d in damped],
        "ratio, scaled without damper": [d.ratio for d in free],
        "nrmse, scaled without damper": [d.error(d.compensated) for d in free],
    }
