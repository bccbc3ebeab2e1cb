"""Slips of units that no single field can show, but the whole plan does.

Everything is SI. A value that is a factor of a thousand or a million away from what any test has is
refused where it comes from a plan; from Python a ``HybridTest`` takes any value.
"""

from __future__ import annotations

from math import inf, pi
from typing import Any

import numpy as np

from rths.assembly.hybrid_test import HybridTest
from rths.config.plausible_safety import check_safety
from rths.errors import InputError
from rths.integrator.base import schemes
from rths.loop.channel_name import split_channel
from rths.registry import find

LONGEST_TICK, LONGEST_STROKE, LARGEST_ACCELERATION = 1.0, 2.0, 1000.0
"""No real-time test reaches these, s, m and m/s²: values beyond them are in ms, mm and mm/s²."""
LONGEST_PERIOD = 20.0
"""Period beyond which a structure is doubted, s: even long bridges and towers are below it."""


def check_plausible(test: HybridTest) -> None:
    """Refuse a plan whose values belong to other units."""
    _clock(test)
    _command(test)
    _lengths(test)
    _excitation(test)
    _frequencies(test)
    check_safety(test)
    if test.rig is not None and test.safety is None:
        remedy = "Add [safety] with the rate at which the command may move to safety."
        raise InputError("rig", test.rig.file, "has limits, and nothing leads back to them", remedy)


def _clock(test: HybridTest) -> None:
    h = test.tick
    if h >= LONGEST_TICK:
        raise InputError(
            "clock.tick",
            h,
            "is too long for a controller's tick",
            f"Ticks are in seconds: {h:g} ms is {h / 1000:g}, a rate of {h:g} Hz is {1 / h:g}.",
        )


def _command(test: HybridTest) -> None:
    """Refuse a structure or an integrator that is none where something is to be calculated."""
    for role in ("structure", "integrator"):
        if getattr(test, role).kind == "none" and not test.prescribed:
            remedy = 'Name a kind, or let the excitation move the actuator: acting = "command".'
            raise InputError(f"{role}.kind", "none", "leaves nothing to calculate", remedy)


def _lengths(test: HybridTest) -> None:
    drive: Any = test.excitation
    for name in ("amplitude", "peak", "rms"):
        value = getattr(drive, name, None)
        if value is None:
            continue
        if drive.acting in ("support_displacement", "command") and value > LONGEST_STROKE:
            where = "the stroke of any actuator" if test.prescribed else "any shaking table"
            problem = f"m is beyond {where}"
            remedy = f"Displacements are in metres: {value:g} mm is {value / 1000:g}."
            raise InputError(f"excitation.{name}", value, problem, remedy)
        if drive.acting == "ground_acceleration" and value > LARGEST_ACCELERATION:
            problem = "m/s² is beyond any ground motion"
            remedy = f"Accelerations are in m/s²: {value:g} mm/s² is {value / 1000:g}."
            raise InputError(f"excitation.{name}", value, problem, remedy)
    for name, limit in test.limits.items():
        largest = max(map(abs, limit if isinstance(limit, tuple) else (limit,)))
        length = split_channel(name)[0] in (
            "integrator.target",
            "compensator.command",
            "transfer.displacement",
        )
        if length and np.isfinite(largest) and largest > LONGEST_STROKE:
            problem = "m is beyond the stroke of any actuator"
            remedy = f"Displacements are in metres: {largest:g} mm is {largest / 1000:g}."
            raise InputError(f"limits.{name}", limit, problem, remedy)


def _excitation(test: HybridTest) -> None:
    """Refuse a signal that the clock cannot show: too fast for its samples, or after its end."""
    drive: Any = test.excitation
    start, highest = getattr(drive, "start", 0.0), 0.5 / test.clock.stage
    if start >= test.duration:
        problem = f"is not before the end of the test (clock.duration = {test.duration:g})"
        remedy = "Nothing would move: begin earlier, or lengthen the test."
        raise InputError("excitation.start", start, problem, remedy)
    for name in ("frequency", "start_frequency", "end_frequency", "frequencies"):
        value = getattr(drive, name, None)
        if value is not None and max(value if isinstance(value, tuple) else (value,)) > highest:
            problem = f"is above half the sampling rate of the integrator, {highest:g} Hz"
            remedy = "Frequencies are in Hz: lower it, or shorten the step."
            raise InputError(f"excitation.{name}", value, problem, remedy)


def _frequencies(test: HybridTest) -> None:
    M, _, K = test.structure.fixed_matrices
    if not np.any(K):
        return
    square = np.linalg.eigvals(np.linalg.solve(M, K)).real
    fastest = float(np.sqrt(max(square.max(), 0.0)))
    field = "structure.stiffness" if hasattr(test.structure, "stiffness") else "structure"
    value = getattr(test.structure, "stiffness", None)
    if fastest and 2 * pi / fastest > max(LONGEST_PERIOD, 2 * test.duration):
        problem = f"lets even the fastest mode take {2 * pi / fastest:.3g} s"
        remedy = "Stiffnesses are in N/m and masses in kg: 1 kN/mm is 1e6, 1 kN/m is 1e3."
        raise InputError(field, value, problem, remedy)
    step, limit = test.clock.step, test.integrator.stability_limit
    if fastest * step > limit:
        reached = f"the highest mode has ω·dt = {fastest * step:.3g}, {limit:g} is the limit"
        problem = f"is unstable here: {reached}"
        remedy = (
            f"Shorten the step below {limit / fastest:.3g} s, take one without a limit "
            f"({', '.join(_unlimited_integrators())}), "
            "or check units: masses are in kg, stiffnesses in N/m."
        )
        raise InputError("integrator.kind", test.integrator.kind, problem, remedy)


def _unlimited_integrators() -> list[str]:
    """List the integrators under which no mode grows, however long the step is."""
    return [k for k in schemes() if find("integrator", k).stability_limit == inf]
