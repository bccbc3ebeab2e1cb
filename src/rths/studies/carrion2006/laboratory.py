"""The tests of the laboratory as virtual ones: how far each scheme goes, and how well it does.

[carrion2006] targets C9 to C15 and C17.
"""

from __future__ import annotations

from rths.studies.carrion2006.damper import damper_test
from rths.studies.carrion2006.frame import UNSTABLE, error, first_lost_frequency, first_unstable
from rths.studies.target import EXACT, Targets, Value, absolute, relative

LABORATORY = Targets()
SCHEMES = ("none", "cubic", "cubic, 6.2 ms", "model")
CLEAN = "the laboratory lost stability earlier than any clean model does, as the paper says"


@LABORATORY.of(
    "C9",
    "first unstable frequency (Hz): none, cubic with 12.4 and with 6.2 ms, model-based",
    paper="model-based: stable for any omega tau",
    target={
        "dead time": [1.5, 13.0, 12.5, "none"],
        "ramp": [1.6, 14.0, 19.0, "none"],
        "hold": [1.2, 13.5, 17.5, 6.5],
    },
    tolerance=absolute(0.1),
    reason="with the command held between steps half a step of delay is left uncompensated",
)
def first_unstable_frequencies() -> Value:
    """C9."""
    return {
        kind: [first_unstable(name, kind) for name in SCHEMES]
        for kind in ("dead time", "ramp", "hold")
    }


@LABORATORY.of(
    "C10",
    "linear tests, cubic: nrmse at 1, 5, 8, 10, 13, 15 Hz",
    paper="stable up to 8 Hz",
    target=[0.0107, 0.173, 0.427, 0.543, 0.641, UNSTABLE],
    tolerance=relative(0.05),
    reason=CLEAN,
)
def cubic() -> Value:
    """C10."""
    return [error("cubic", f) for f in (1, 5, 8, 10, 13, 15)]


@LABORATORY.of(
    "C11",
    "linear tests, model-based: nrmse at the same frequencies",
    paper="stable up to 13 Hz, accurate to 10 Hz",
    target=[0.0106, 0.067, 0.118, 0.187, 0.334, 0.469],
    tolerance=relative(0.05),
    reason=CLEAN,
)
def model_based() -> Value:
    """C11."""
    return [error("model", f) for f in (1, 5, 8, 10, 13, 15)]


@LABORATORY.of(
    "C12",
    "linear tests, uncompensated: nrmse at 0.5, 1, 2, 5 Hz; the error rises with the frequency",
    paper="unstable above 1.46 Hz",
    target={"nrmse": [0.142, 0.585, 5.3, UNSTABLE], "rises": True},
    tolerance={"nrmse": relative(0.05), "rises": EXACT},
)
def uncompensated_limit() -> Value:
    """C12."""
    found = [error("none", f) for f in (0.5, 1, 2, 5)]
    return {"nrmse": found, "rises": bool(found[0] < found[1] < found[2])}


@LABORATORY.of(
    "C13",
    "inelastic tests, cubic: nrmse at 5, 10, 13, 18 Hz",
    paper="stable up to 10 Hz",
    target=[0.048, 0.362, 0.442, UNSTABLE],
    tolerance=relative(0.1),
    reason=CLEAN,
)
def inelastic_cubic() -> Value:
    """C13."""
    return [error("cubic", f, True) for f in (5, 10, 13, 18)]


@LABORATORY.of(
    "C14",
    "inelastic tests, model-based with the initial stiffness: nrmse at 5, 10, 13, 18 Hz",
    paper="stable up to 15 Hz",
    target=[0.022, 0.166, 0.292, 0.523],
    tolerance=relative(0.1),
    reason=CLEAN,
)
def inelastic_model_based() -> Value:
    """C14."""
    return [error("model", f, True) for f in (5, 10, 13, 18)]


LATE = (1e-3, 1.25e-3, 1.5e-3, 2e-3)


@LABORATORY.of(
    "C15",
    "first frequency (Hz) lost if the actuator is 1, 1.25, 1.5, 2 ms later than assumed",
    paper="13 Hz (model-based), 8 Hz (cubic)",
    target={"model": [16.0, 13.5, 12.5, 10.0], "cubic": [13.5] * 4},
    tolerance=absolute(0.5),
    reason="lost: the earthquake test exceeds five times its reference. Free vibration grows from "
    "15, 13.5, 12 and 10 Hz on. The 8 Hz of the cubic were not found",
)
def underestimated_delay() -> Value:
    """C15."""
    return {
        name: [first_lost_frequency(name, late) for late in LATE] for name in ("model", "cubic")
    }


@LABORATORY.of(
    "C17",
    "frame with MR damper, 0.5 and 1 Hz: peak with over without damper, nrmse of the test",
    paper="about half; very good agreement",
    target={
        "ratio": [0.65, 0.51],
        "nrmse": [0.024, 0.047],
        "nrmse, uncompensated": [0.026, 0.065],
        "ratio, scaled without damper": [0.57, 0.31],
        "nrmse, scaled without damper": [0.064, 0.158],
    },
    tolerance=relative(0.1),
    reason="whether the 5.08 mm are those with or without damper is not said",
)
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
